// Threefry4x32-20: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Words are mixed in
// pairs, which swap after each round; every fourth round the key is added, its
// five words turned by one more.
#define MIX(A, B, TURN)                                                       \
    {                                                                         \
        A += B;                                                               \
        B = rotate(B, TURN##u) ^ A;                                           \
    }
#define FOUR_ROUNDS(T0, T1, T2, T3, T4, T5, T6, T7)                           \
    {                                                                         \
        MIX(x.x, x.y, T0) MIX(x.z, x.w, T1)                                   \
        MIX(x.x, x.w, T2) MIX(x.z, x.y, T3)                                   \
        MIX(x.x, x.y, T4) MIX(x.z, x.w, T5)                                   \
        MIX(x.x, x.w, T6) MIX(x.z, x.y, T7)                                   \
    }

static inline uint4 block_words(const uint4 counter, const uint4 key)
{
    const uint last = 0x1BD11BDAu ^ key.x ^ key.y ^ key.z ^ key.w;
    uint4 x = counter + key;
    FOUR_ROUNDS(10, 26, 11, 21, 13, 27, 23, 5)
    x += (uint4)(key.yzw, last) + (uint4)(0, 0, 0, 1);
    FOUR_ROUNDS(6, 20, 17, 11, 25, 10, 18, 20)
    x += (uint4)(key.zw, last, key.x) + (uint4)(0, 0, 0, 2);
    FOUR_ROUNDS(10, 26, 11, 21, 13, 27, 23, 5)
    x += (uint4)(key.w, last, key.xy) + (uint4)(0, 0, 0, 3);
    FOUR_ROUNDS(6, 20, 17, 11, 25, 10, 18, 20)
    x += (uint4)(last, key.xyz) + (uint4)(0, 0, 0, 4);
    FOUR_ROUNDS(10, 26, 11, 21, 13, 27, 23, 5)
    return x + key + (uint4)(0, 0, 0, 5);
}
