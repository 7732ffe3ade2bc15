// Each group reduces a strided share of the elements: ITEMS independent loads
// a step, then a tree in local memory. Launched again with one group over the
// groups' results.
kernel void reduction(
    const index_t n,
    @parameters@)
{
    local accumulator_t scratch[GROUP];
    @bindings@
    const index_t lane = (index_t)get_local_id(0);
    const index_t step = (index_t)get_num_groups(0) * (GROUP * ITEMS);
    accumulator_t sums[ITEMS];
    #pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        sums[k] = IDENTITY;
    index_t base = (index_t)get_group_id(0) * (GROUP * ITEMS) + lane;
    for (; base + (ITEMS - 1) * GROUP < n; base += step) {
        @values@
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t i = base + k * GROUP;
            @locate_inputs@
            @loads@
        }
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t i = base + k * GROUP;
            sums[k] = combine(sums[k], @kept@);
        }
    }
    for (index_t i = base; i < n; i += GROUP) {
        @locate_inputs@
        sums[0] = combine(sums[0], @fresh@);
    }
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
