// Fills memory with random numbers: between the words of a generator
// (philox.cl, threefry.cl) and a distribution (uniform.cl, normal.cl).
//
// Block b holds the four words of counter + b. Which words make an element
// depends on its index alone, so that every device gives the same numbers. With
// CHUNKS (CPUs) a work-item takes neighbouring blocks, else every so many.
kernel void fill(
    const ulong n,
    global uchar *memory,
    const ulong offset,
    const ulong key_low,
    const ulong key_high,
    const ulong counter_low,
    const ulong counter_high,
    const value_t first_parameter,
    const parameter_t second_parameter)
{
    global element_t *out = (global element_t *)(memory + offset);
    const uint4 key = (uint4)((uint)key_low, (uint)(key_low >> 32), (uint)key_high, (uint)(key_high >> 32));
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
        value_t values[BLOCK];
        values_of(block_words(count(counter_low, counter_high, block), key),
                  first_parameter, second_parameter, values);
        const ulong first = block * BLOCK;
        const int there = (int)min(n - first, (ulong)BLOCK);
        if (there == BLOCK) {
            #pragma unroll
            for (int k = 0; k < BLOCK; ++k)
                STORE(values[k], first + k);
        } else {
            for (int k = 0; k < there; ++k)
                STORE(values[k], first + k);
        }
    }
}
