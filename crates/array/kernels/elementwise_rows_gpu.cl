// VECTOR elements next to each other along the innermost dimension are one
// load and one store of a work-item; ITEMS such vectors a group's width apart,
// loads first, then stores.
kernel void elementwise(
    const index_t n,
    @parameters@)
{
    @bindings@
    const index_t base = ((index_t)get_group_id(0) * (GROUP * ITEMS) + (index_t)get_local_id(0)) * VECTOR;
    const index_t step = GROUP * VECTOR;
    if (@inner@ % VECTOR == 0 && @aligned@ && base + (ITEMS - 1) * step < n) {
        @values@
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t i = base + k * step;
            @locate_inputs@
            @loads@
        }
        #pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const index_t i = base + k * step;
            @locate_output@
            @stores@
        }
    } else {
        // Rare; unrolled loops would take registers from the usual one.
        #pragma unroll 1
        for (int k = 0; k < ITEMS; ++k) {
            const index_t first = base + k * step;
            if (first < n && first % @inner@ + VECTOR <= @inner@) {
                const index_t i = first;
                @locate_all@
                @declared@
                @loose_loads@
                @loose_stores@
            } else {
                // Where two rows meet.
                #pragma unroll 1
                for (index_t i = first; i < min(n, first + VECTOR); ++i) {
                    @locate_all@
                    @store@
                }
            }
        }
    }
}
