// Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011. The key is its first two words.
static inline uint4 block_words(uint4 counter, const uint4 words)
{
    uint2 key = words.xy;
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
