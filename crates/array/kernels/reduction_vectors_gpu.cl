// As other reductions, but VECTOR elements next to each other are one load.
// What is combined so is the same in any order.
kernel void reduction(
    const index_t n,
    @parameters@)
{
    local accumulator_t scratch[GROUP];
    @bindings@
    const index_t lane = (index_t)get_local_id(0);
    const index_t step = (index_t)get_num_groups(0) * (GROUP * ITEMS);
    // Memory that others made may begin anywhere.
    const index_t vectors = ((@addresses@) & 15) == 0 ? n / VECTOR : 0;
    accumulator_t sums[ITEMS];
    #pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        sums[k] = IDENTITY;
    index_t base = (index_t)get_group_id(0) * (GROUP * ITEMS) + lane;
    for (; base + (ITEMS - 1) * GROUP < vectors; base += step) {
        @values@
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t v = base + k * GROUP;
            @loads@
        }
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            @combines@
        }
    }
    for (index_t v = base; v < vectors; v += GROUP) {
        #pragma unroll 1
        for (index_t i = v * VECTOR; i < (v + 1) * VECTOR; ++i)
            sums[0] = combine(sums[0], @fresh@);
    }
    #pragma unroll 1
    for (index_t i = vectors * VECTOR + (index_t)get_global_id(0); i < n; i += (index_t)get_global_size(0))
        sums[0] = combine(sums[0], @fresh@);
    #pragma unroll
    for (int k = 1; k < ITEMS; ++k)
        sums[0] = combine(sums[0], sums[k]);
    scratch[lane] = sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        if (lane < width)
            scratch[lane] = combine(scratch[lane], scratch[lane + width]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) {
        const index_t i = (index_t)get_group_id(0);
        @store@
    }
}
