// What random numbers are made of and stored as. Built with the number of BITS
// of an element and, of the two, FLOATING or the type INTEGER defined.
#pragma OPENCL FP_CONTRACT OFF

#if !defined(FLOATING)
typedef INTEGER element_t;
typedef INTEGER value_t;
#elif BITS == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double element_t;
typedef double value_t;
#elif BITS == 32
typedef float element_t;
typedef float value_t;
#else
typedef half element_t;
typedef float value_t;
#endif

#if defined(FLOATING) && BITS == 16
#define STORE(VALUE, PLACE) vstore_half_rte(VALUE, PLACE, out)
#else
#define STORE(VALUE, PLACE) out[PLACE] = VALUE
#endif

static inline uint4 count(const ulong low, const ulong high, const ulong block)
{
    const ulong sum = low + block;
    const ulong carried = high + (sum < low);
    return (uint4)((uint)sum, (uint)(sum >> 32), (uint)carried, (uint)(carried >> 32));
}

static inline ulong join(const uint low, const uint high)
{
    return (ulong)high << 32 | low;
}
