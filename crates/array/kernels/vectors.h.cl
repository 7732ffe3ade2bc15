// Vectors at any address: as a whole where it is aligned, else in parts.
#define DEFINE_VECTORS(TYPE, COUNT)                                           \
    static inline TYPE##COUNT load_##TYPE##COUNT(global const TYPE *from)     \
    {                                                                         \
        if ((size_t)from % sizeof(TYPE##COUNT) == 0)                          \
            return *(global const TYPE##COUNT *)from;                         \
        return vload##COUNT(0, from);                                         \
    }                                                                         \
    static inline void store_##TYPE##COUNT(const TYPE##COUNT value, global TYPE *to) \
    {                                                                         \
        if ((size_t)to % sizeof(TYPE##COUNT) == 0)                            \
            *(global TYPE##COUNT *)to = value;                                \
        else                                                                  \
            vstore##COUNT(value, 0, to);                                      \
    }
