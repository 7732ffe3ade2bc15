// Division of integers, defined for all of them: quotients rounded towards minus
// infinity and their remainders, which have the divisor's sign (fmod's have the
// dividend's). Divided by 0 all are 0; the least number by -1 wraps.
#define DEFINE_UNSIGNED_DIVISION(TYPE)                                        \
    static inline TYPE floor_divide_##TYPE(const TYPE a, const TYPE b)        \
    {                                                                         \
        return b == 0 ? 0 : a / b;                                            \
    }                                                                         \
    static inline TYPE remainder_##TYPE(const TYPE a, const TYPE b)           \
    {                                                                         \
        return b == 0 ? 0 : a % b;                                            \
    }                                                                         \
    static inline TYPE fmod_##TYPE(const TYPE a, const TYPE b)                \
    {                                                                         \
        return b == 0 ? 0 : a % b;                                            \
    }

#define DEFINE_SIGNED_DIVISION(TYPE, UNSIGNED)                                \
    static inline TYPE floor_divide_##TYPE(const TYPE a, const TYPE b)        \
    {                                                                         \
        if (b == 0)                                                           \
            return 0;                                                         \
        if (b == -1)                                                          \
            return (TYPE)(0 - (UNSIGNED)a);                                   \
        return (TYPE)(a / b - (a % b != 0 && (a < 0) != (b < 0)));            \
    }                                                                         \
    static inline TYPE fmod_##TYPE(const TYPE a, const TYPE b)                \
    {                                                                         \
        return b == 0 || b == -1 ? 0 : (TYPE)(a % b);                         \
    }                                                                         \
    static inline TYPE remainder_##TYPE(const TYPE a, const TYPE b)           \
    {                                                                         \
        const TYPE rest = fmod_##TYPE(a, b);                                  \
        return rest != 0 && (rest < 0) != (b < 0) ? (TYPE)(rest + b) : rest;  \
    }

DEFINE_UNSIGNED_DIVISION(uchar)
DEFINE_UNSIGNED_DIVISION(ushort)
DEFINE_UNSIGNED_DIVISION(uint)
DEFINE_UNSIGNED_DIVISION(ulong)
DEFINE_SIGNED_DIVISION(char, uchar)
DEFINE_SIGNED_DIVISION(short, ushort)
DEFINE_SIGNED_DIVISION(int, uint)
DEFINE_SIGNED_DIVISION(long, ulong)
