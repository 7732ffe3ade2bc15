// Half precision is computed in single precision, so that it works without
// cl_khr_fp16; this rounds an intermediate result to half precision.
static inline float round_half(const float value)
{
    ushort bits;
    vstore_half_rte(value, 0, (private half *)&bits);
    return vload_half(0, (const private half *)&bits);
}
