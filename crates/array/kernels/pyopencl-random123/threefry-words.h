// Threefry of words of a number of bits: instantiated for NAME(before, after),
// which puts that number between, and for the turns by threefry.cl; undefines them.

typedef struct NAME(r123array2x, ) NAME(threefry2x, _ctr_t);
typedef struct NAME(r123array2x, ) NAME(threefry2x, _key_t);
typedef struct NAME(r123array2x, ) NAME(threefry2x, _ukey_t);
typedef struct NAME(r123array4x, ) NAME(threefry4x, _ctr_t);
typedef struct NAME(r123array4x, ) NAME(threefry4x, _key_t);
typedef struct NAME(r123array4x, ) NAME(threefry4x, _ukey_t);

static inline NAME(threefry2x, _key_t) NAME(threefry2x, keyinit)(const NAME(threefry2x, _ukey_t) key)
{
    return key;
}

static inline NAME(threefry4x, _key_t) NAME(threefry4x, keyinit)(const NAME(threefry4x, _ukey_t) key)
{
    return key;
}

// One pair in round `number` of eight, the second word turned by so many bits.
#define MIX(number, A, B, bits)                                               \
    if (round + number < rounds) {                                            \
        A += B;                                                               \
        B = rotate(B, (NAME(uint, _t))bits) ^ A;                              \
    }

static inline NAME(threefry2x, _ctr_t) NAME(threefry2x, _R)(
    const uint rounds, NAME(threefry2x, _ctr_t) counter, const NAME(threefry2x, _key_t) key)
{
    NAME(uint, _t) k0 = key.v[0], k1 = key.v[1], k2 = NAME(SKEIN_KS_PARITY, ) ^ k0 ^ k1;
    NAME(uint, _t) a = counter.v[0] + k0, b = counter.v[1] + k1;
// The key, turned by a word, after the fourth round or the last of eight.
#define ADD_KEY(number)                                                       \
    if (round + number <= rounds) {                                           \
        const NAME(uint, _t) first = k0;                                      \
        k0 = k1;                                                              \
        k1 = k2;                                                              \
        k2 = first;                                                           \
        a += k0;                                                              \
        b += k1 + (round + number) / 4;                                       \
    }
    #pragma unroll
    for (uint round = 0; round < rounds; round += 8) {
        MIX(0, a, b, THREEFRY2_TURN_0)
        MIX(1, a, b, THREEFRY2_TURN_1)
        MIX(2, a, b, THREEFRY2_TURN_2)
        MIX(3, a, b, THREEFRY2_TURN_3)
        ADD_KEY(4)
        MIX(4, a, b, THREEFRY2_TURN_4)
        MIX(5, a, b, THREEFRY2_TURN_5)
        MIX(6, a, b, THREEFRY2_TURN_6)
        MIX(7, a, b, THREEFRY2_TURN_7)
        ADD_KEY(8)
    }
#undef ADD_KEY
    counter.v[0] = a;
    counter.v[1] = b;
    return counter;
}

static inline NAME(threefry4x, _ctr_t) NAME(threefry4x, _R)(
    const uint rounds, NAME(threefry4x, _ctr_t) counter, const NAME(threefry4x, _key_t) key)
{
    NAME(uint, _t) k0 = key.v[0], k1 = key.v[1], k2 = key.v[2], k3 = key.v[3];
    NAME(uint, _t) k4 = NAME(SKEIN_KS_PARITY, ) ^ k0 ^ k1 ^ k2 ^ k3;
    NAME(uint, _t) a = counter.v[0] + k0, b = counter.v[1] + k1;
    NAME(uint, _t) c = counter.v[2] + k2, d = counter.v[3] + k3;
#define ADD_KEY(number)                                                       \
    if (round + number <= rounds) {                                           \
        const NAME(uint, _t) first = k0;                                      \
        k0 = k1;                                                              \
        k1 = k2;                                                              \
        k2 = k3;                                                              \
        k3 = k4;                                                              \
        k4 = first;                                                           \
        a += k0;                                                              \
        b += k1;                                                              \
        c += k2;                                                              \
        d += k3 + (round + number) / 4;                                       \
    }
    #pragma unroll
    for (uint round = 0; round < rounds; round += 8) {
        MIX(0, a, b, THREEFRY4_TURN_0) MIX(0, c, d, THREEFRY4_TURN_0_SECOND)
        MIX(1, a, d, THREEFRY4_TURN_1) MIX(1, c, b, THREEFRY4_TURN_1_SECOND)
        MIX(2, a, b, THREEFRY4_TURN_2) MIX(2, c, d, THREEFRY4_TURN_2_SECOND)
        MIX(3, a, d, THREEFRY4_TURN_3) MIX(3, c, b, THREEFRY4_TURN_3_SECOND)
        ADD_KEY(4)
        MIX(4, a, b, THREEFRY4_TURN_4) MIX(4, c, d, THREEFRY4_TURN_4_SECOND)
        MIX(5, a, d, THREEFRY4_TURN_5) MIX(5, c, b, THREEFRY4_TURN_5_SECOND)
        MIX(6, a, b, THREEFRY4_TURN_6) MIX(6, c, d, THREEFRY4_TURN_6_SECOND)
        MIX(7, a, d, THREEFRY4_TURN_7) MIX(7, c, b, THREEFRY4_TURN_7_SECOND)
        ADD_KEY(8)
    }
#undef ADD_KEY
    counter.v[0] = a;
    counter.v[1] = b;
    counter.v[2] = c;
    counter.v[3] = d;
    return counter;
}

#undef MIX
#undef NAME
#undef THREEFRY2_TURN_0
#undef THREEFRY2_TURN_1
#undef THREEFRY2_TURN_2
#undef THREEFRY2_TURN_3
#undef THREEFRY2_TURN_4
#undef THREEFRY2_TURN_5
#undef THREEFRY2_TURN_6
#undef THREEFRY2_TURN_7
#undef THREEFRY4_TURN_0
#undef THREEFRY4_TURN_0_SECOND
#undef THREEFRY4_TURN_1
#undef THREEFRY4_TURN_1_SECOND
#undef THREEFRY4_TURN_2
#undef THREEFRY4_TURN_2_SECOND
#undef THREEFRY4_TURN_3
#undef THREEFRY4_TURN_3_SECOND
#undef THREEFRY4_TURN_4
#undef THREEFRY4_TURN_4_SECOND
#undef THREEFRY4_TURN_5
#undef THREEFRY4_TURN_5_SECOND
#undef THREEFRY4_TURN_6
#undef THREEFRY4_TURN_6_SECOND
#undef THREEFRY4_TURN_7
#undef THREEFRY4_TURN_7_SECOND
