// VECTOR elements next to each other are one load and one store of a
// work-item; ITEMS such vectors a group's width apart, loads first, then stores.
kernel void elementwise(
    const index_t n,
    @parameters@)
{
    @bindings@
    const index_t first = (index_t)get_group_id(0) * (GROUP * ITEMS * VECTOR);
    const index_t lane = (index_t)get_local_id(0);
    // Memory that others made may begin anywhere.
    const bool aligned = ((@addresses@) & 15) == 0;
    if (aligned && first + GROUP * ITEMS * VECTOR <= n) {
        @values@
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t v = first / VECTOR + k * GROUP + lane;
            @loads@
        }
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t v = first / VECTOR + k * GROUP + lane;
            @stores@
        }
    } else {
        const index_t end = min(n, first + GROUP * ITEMS * VECTOR);
        for (index_t i = first + lane; i < end; i += GROUP) {
            @store@
        }
    }
}
