// One element per work-item and step, ITEMS of them a group's width apart:
// loads first, then stores.
kernel void elementwise(
    const index_t n,
    @parameters@)
{
    @bindings@
    const index_t base = (index_t)get_group_id(0) * (GROUP * ITEMS) + (index_t)get_local_id(0);
    if (base + (ITEMS - 1) * GROUP < n) {
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
            @locate_output@
            @store_kept@
        }
    } else {
        for (index_t i = base; i < n; i += GROUP) {
            @locate_all@
            @store@
        }
    }
}
