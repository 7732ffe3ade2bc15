// Elements at any address are moved byte by byte.
#define DEFINE_UNALIGNED(TYPE)                                                \
    static inline TYPE load_##TYPE(global const uchar *from)                  \
    {                                                                         \
        TYPE value;                                                           \
        private uchar *to = (private uchar *)&value;                          \
        for (uint k = 0; k < sizeof(TYPE); ++k)                               \
            to[k] = from[k];                                                  \
        return value;                                                         \
    }                                                                         \
    static inline void store_##TYPE(const TYPE value, global uchar *to)       \
    {                                                                         \
        private const uchar *from = (private const uchar *)&value;            \
        for (uint k = 0; k < sizeof(TYPE); ++k)                               \
            to[k] = from[k];                                                  \
    }

// The same for half precision, after its bits.
#define DEFINE_UNALIGNED_HALF(BITS)                                           \
    static inline float load_half(global const uchar *from)                   \
    {                                                                         \
        const BITS bits = load_##BITS(from);                                  \
        return vload_half(0, (private const half *)&bits);                    \
    }                                                                         \
    static inline void store_half(const float value, global uchar *to)        \
    {                                                                         \
        BITS bits;                                                            \
        vstore_half_rte(value, 0, (private half *)&bits);                     \
        store_##BITS(bits, to);                                               \
    }
