// Half precision by its bits, which are moved in vectors: not every compiler
// loads and stores vectors of half precision as a whole.
static inline float half_value(const ushort bits)
{
    return vload_half(0, (const private half *)&bits);
}

static inline ushort half_bits(const float value)
{
    ushort bits;
    vstore_half_rte(value, 0, (private half *)&bits);
    return bits;
}
