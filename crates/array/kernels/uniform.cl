// Uniform random numbers from Philox4x32-10: J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011. Built with the NumPy name of one dtype defined, and with CHUNKS on
// CPUs: there a work-item takes neighbouring blocks, elsewhere every so many.
//
// Block b holds the four words of counter + b. Which words make an element
// depends on its index alone, so that every device gives the same numbers.

#pragma OPENCL FP_CONTRACT OFF

static inline uint4 philox(uint4 counter, uint2 key)
{
    #pragma unroll // PoCL does not by itself: three times slower
    for (int round = 0; round < 10; ++round) {
        const ulong even = (ulong)counter.x * 0xD2511F53u;
        const ulong odd = (ulong)counter.z * 0xCD9E8D57u;
        counter = (uint4)((uint)(odd >> 32) ^ counter.y ^ key.x, (uint)odd,
                          (uint)(even >> 32) ^ counter.w ^ key.y, (uint)even);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

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

// Floating point: `low` + a fraction of `range`, of as many bits as fit.
// Integers: `low` + the integer part of a fraction of `range`, which counts the
// possible values (0: all of 64 bits). The fraction has 32 bits more than the
// dtype at least, so that no value is preferred by more than one in 2^32.
#if defined(FLOAT32)
#define BLOCK 4
typedef float element_t;
typedef float range_t;

static inline void elements(const uint4 words, const float low, const float range, float *out)
{
    const float4 values = low + range * (convert_float4(words >> 8) * 0x1p-24f);
    vstore4(values, 0, out);
}
#elif defined(FLOAT64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define BLOCK 2
typedef double element_t;
typedef double range_t;

static inline void elements(const uint4 words, const double low, const double range, double *out)
{
    out[0] = low + range * ((double)(join(words.x, words.y) >> 11) * 0x1p-53);
    out[1] = low + range * ((double)(join(words.z, words.w) >> 11) * 0x1p-53);
}
#elif defined(INT32)
#define BLOCK 2
typedef int element_t;
typedef ulong range_t;

static inline void elements(const uint4 words, const int low, const ulong range, int *out)
{
    out[0] = (int)((uint)low + (uint)mul_hi(join(words.x, words.y), range));
    out[1] = (int)((uint)low + (uint)mul_hi(join(words.z, words.w), range));
}
#elif defined(INT64)
#define BLOCK 1
typedef long element_t;
typedef ulong range_t;

static inline void elements(const uint4 words, const long low, const ulong range, long *out)
{
    const ulong first = join(words.z, words.w);
    const ulong carry = mul_hi(join(words.x, words.y), range);
    const ulong part = mul_hi(first, range) + (first * range + carry < carry);
    out[0] = (long)((ulong)low + (range == 0 ? first : part));
}
#endif

kernel void uniform(
    const ulong n,
    global uchar *memory,
    const ulong offset,
    const uint key_low,
    const uint key_high,
    const ulong counter_low,
    const ulong counter_high,
    const element_t low,
    const range_t range)
{
    global element_t *out = (global element_t *)(memory + offset);
    const uint2 key = (uint2)(key_low, key_high);
    const ulong blocks = (n + BLOCK - 1) / BLOCK;
#if defined(CHUNKS)
    const ulong share = (blocks + get_global_size(0) - 1) / get_global_size(0);
    const ulong begin = min(get_global_id(0) * share, blocks);
    const ulong end = min(begin + share, blocks);
    const ulong step = 1;
#else
    const ulong begin = get_global_id(0);
    const ulong end = blocks;
    const ulong step = get_global_size(0);
#endif
    for (ulong block = begin; block < end; block += step) {
        element_t values[BLOCK];
        elements(philox(count(counter_low, counter_high, block), key), low, range, values);
        const ulong first = block * BLOCK;
        const int there = (int)min(n - first, (ulong)BLOCK);
        if (there == BLOCK) {
            #pragma unroll
            for (int k = 0; k < BLOCK; ++k)
                out[first + k] = values[k];
        } else {
            for (int k = 0; k < there; ++k)
                out[first + k] = values[k];
        }
    }
}
