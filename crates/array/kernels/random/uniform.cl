// Uniform random numbers of the words of a block.
//
// Floating point: `low` + a fraction of `range`, of as many bits as fit.
// Integers: `low` + the integer part of a fraction of `range`, which counts the
// possible values (0: all of 64 bits). The fraction has 32 bits more than the
// dtype at least, so that no value is preferred by more than one in 2^32.
#if defined(FLOATING)
typedef value_t parameter_t;

static inline void values_of(const uint4 words, const value_t low, const value_t range, value_t *out)
{
#if BITS == 64
    out[0] = low + range * ((double)(join(words.x, words.y) >> 11) * 0x1p-53);
    out[1] = low + range * ((double)(join(words.z, words.w) >> 11) * 0x1p-53);
#elif BITS == 32
    vstore4(low + range * (convert_float4(words >> 8) * 0x1p-24f), 0, out);
#else
    vstore4(low + range * (convert_float4(words >> 21) * 0x1p-11f), 0, out);
#endif
}
#else
typedef ulong parameter_t;

static inline void values_of(const uint4 words, const value_t low, const ulong range, value_t *out)
{
#if BITS == 64
    const ulong first = join(words.z, words.w);
    const ulong carry = mul_hi(join(words.x, words.y), range);
    const ulong part = mul_hi(first, range) + (first * range + carry < carry);
    out[0] = (value_t)((ulong)low + (range == 0 ? first : part));
#else
    out[0] = (value_t)((uint)low + (uint)mul_hi(join(words.x, words.y), range));
    out[1] = (value_t)((uint)low + (uint)mul_hi(join(words.z, words.w), range));
#endif
}
#endif
