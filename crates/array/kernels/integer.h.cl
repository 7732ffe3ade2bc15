// Integer operations that OpenCL C lacks or leaves undefined.

// Powers by repeated squaring, wrapping. A negative exponent gives the integer
// part of the quotient 1 / base^|exponent| (0 for base 0).
#define DEFINE_UNSIGNED_POWER(TYPE, WIDE)                                     \
    static inline TYPE power_##TYPE(const TYPE base, const TYPE exponent)     \
    {                                                                         \
        WIDE result = 1, square = (WIDE)base;                                 \
        TYPE left = exponent;                                                 \
        while (left != 0) {                                                   \
            if (left & 1)                                                     \
                result *= square;                                             \
            square *= square;                                                 \
            left >>= 1;                                                       \
        }                                                                     \
        return (TYPE)result;                                                  \
    }

#define DEFINE_SIGNED_POWER(TYPE, UNSIGNED)                                   \
    static inline TYPE power_##TYPE(const TYPE base, const TYPE exponent)     \
    {                                                                         \
        if (exponent < 0)                                                     \
            return base == 1 ? 1 : base != -1 ? 0 : (exponent & 1) ? -1 : 1;  \
        return (TYPE)power_##UNSIGNED((UNSIGNED)base, (UNSIGNED)exponent);    \
    }

DEFINE_UNSIGNED_POWER(uchar, uint)
DEFINE_UNSIGNED_POWER(ushort, uint)
DEFINE_UNSIGNED_POWER(uint, uint)
DEFINE_UNSIGNED_POWER(ulong, ulong)
DEFINE_SIGNED_POWER(char, uchar)
DEFINE_SIGNED_POWER(short, ushort)
DEFINE_SIGNED_POWER(int, uint)
DEFINE_SIGNED_POWER(long, ulong)

// Comparison of signed with unsigned 64-bit numbers, which no integer type holds together.
static inline bool signed_less(const long a, const ulong b)
{
    return a < 0 || (ulong)a < b;
}

static inline bool signed_less_equal(const long a, const ulong b)
{
    return a < 0 || (ulong)a <= b;
}

static inline bool signed_equal(const long a, const ulong b)
{
    return a >= 0 && (ulong)a == b;
}
