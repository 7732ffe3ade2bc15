// Each group scans a contiguous share, a tile of GROUP * ITEMS elements after the
// other: each work-item takes ITEMS neighbours, their sums are scanned in local
// memory (W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986).
kernel void scan(
    const index_t n,
    @parameters@)
{
    local accumulator_t scratch[GROUP];
    @bindings@
    const uint lane = (uint)get_local_id(0);
    const index_t tiles = (n + (GROUP * ITEMS - 1)) / (GROUP * ITEMS);
    const index_t groups = (index_t)get_num_groups(0);
    const index_t share = (tiles + groups - 1) / groups * (GROUP * ITEMS);
    const index_t begin = min((index_t)get_group_id(0) * share, n);
    const index_t end = min(begin + share, n);
    accumulator_t carry = @carry@;
    for (index_t start = begin; start < end; start += GROUP * ITEMS) {
        const index_t first = start + lane * ITEMS;
        accumulator_t values[ITEMS];
        accumulator_t sum = IDENTITY;
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t i = first + k;
            values[k] = IDENTITY;
            if (i < end) {
                @locate_inputs@
                values[k] = @fresh@;
            }
            sum = combine(sum, values[k]);
        }
        scratch[lane] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint width = 1; width < GROUP; width *= 2) {
            if (lane >= width)
                sum = combine(scratch[lane - width], sum);
            barrier(CLK_LOCAL_MEM_FENCE);
            scratch[lane] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        @apply@
        carry = combine(carry, scratch[GROUP - 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    @finish@
}
