// Philox of words of a number of bits: instantiated for NAME(before, after), which
// puts that number between, by philox.cl.

typedef struct NAME(r123array2x, ) NAME(philox2x, _ctr_t);
typedef struct NAME(r123array1x, ) NAME(philox2x, _key_t);
typedef struct NAME(r123array1x, ) NAME(philox2x, _ukey_t);
typedef struct NAME(r123array4x, ) NAME(philox4x, _ctr_t);
typedef struct NAME(r123array2x, ) NAME(philox4x, _key_t);
typedef struct NAME(r123array2x, ) NAME(philox4x, _ukey_t);

static inline NAME(philox2x, _key_t) NAME(philox2x, keyinit)(const NAME(philox2x, _ukey_t) key)
{
    return key;
}

static inline NAME(philox4x, _key_t) NAME(philox4x, keyinit)(const NAME(philox4x, _ukey_t) key)
{
    return key;
}

static inline NAME(philox2x, _ctr_t) NAME(philox2x, _R)(
    const uint rounds, NAME(philox2x, _ctr_t) counter, NAME(philox2x, _key_t) key)
{
    #pragma unroll // PoCL does not by itself
    for (uint round = 0; round < rounds; ++round) {
        const NAME(uint, _t) word = counter.v[0];
        counter.v[0] = mul_hi(word, NAME(PHILOX_M2x, _0)) ^ key.v[0] ^ counter.v[1];
        counter.v[1] = word * NAME(PHILOX_M2x, _0);
        key.v[0] += NAME(PHILOX_W, _0);
    }
    return counter;
}

static inline NAME(philox4x, _ctr_t) NAME(philox4x, _R)(
    const uint rounds, NAME(philox4x, _ctr_t) counter, NAME(philox4x, _key_t) key)
{
    #pragma unroll // PoCL does not by itself
    for (uint round = 0; round < rounds; ++round) {
        const NAME(uint, _t) even = counter.v[0], odd = counter.v[2];
        counter.v[0] = mul_hi(odd, NAME(PHILOX_M4x, _1)) ^ counter.v[1] ^ key.v[0];
        counter.v[1] = odd * NAME(PHILOX_M4x, _1);
        counter.v[2] = mul_hi(even, NAME(PHILOX_M4x, _0)) ^ counter.v[3] ^ key.v[1];
        counter.v[3] = even * NAME(PHILOX_M4x, _0);
        key.v[0] += NAME(PHILOX_W, _0);
        key.v[1] += NAME(PHILOX_W, _1);
    }
    return counter;
}
