// One contiguous chunk per work-item with LANES independent accumulators;
// launched with local size 1, and again with one work-item over the results.
kernel void reduction(
    const index_t n,
    @parameters@)
{
    @bindings@
    const index_t share = ((n + get_global_size(0) - 1) / get_global_size(0) + 63) / 64 * 64;
    const index_t begin = min(get_global_id(0) * share, n);
    const index_t end = min(begin + share, n);
    accumulator_t sums[LANES];
    for (int k = 0; k < LANES; ++k)
        sums[k] = IDENTITY;
    @walk@
    for (int k = 1; k < LANES; ++k)
        sums[0] = combine(sums[0], sums[k]);
    const index_t i = get_global_id(0);
    @store@
}
