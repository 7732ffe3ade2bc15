// A block of values at a time, combined by vectors; LANES of them are apart.
#define VECTORS(count) ((count) * sizeof(accumulator_t) / sizeof(accumulators_t))
accumulators_t block[VECTORS(BLOCK)], all[VECTORS(LANES)];
accumulator_t *const each = (accumulator_t *)block;
for (int k = 0; k < (int)VECTORS(LANES); ++k)
    all[k] = (accumulators_t)IDENTITY;
for (index_t from = begin; from < end; from += BLOCK) {
    const index_t to = min(from + BLOCK, end);
    for (index_t i = from; i < to; ++i)
        each[i - from] = @fresh@;
    for (index_t k = to - from; k < BLOCK; ++k)
        each[k] = IDENTITY;
    for (int k = 0; k < (int)VECTORS(BLOCK); k += VECTORS(LANES)) {
        for (int m = 0; m < (int)VECTORS(LANES); ++m)
            all[m] = combine_all(all[m], block[k + m]);
    }
}
for (int k = 0; k < LANES; ++k)
    sums[k] = ((const accumulator_t *)all)[k];
