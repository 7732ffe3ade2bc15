index_t start = begin;
for (; start + LANES <= end; start += LANES) {
    for (int k = 0; k < LANES; ++k) {
        const index_t i = start + k;
        sums[k] = combine(sums[k], @fresh@);
    }
}
for (index_t i = start; i < end; ++i)
    sums[i - start] = combine(sums[i - start], @fresh@);
