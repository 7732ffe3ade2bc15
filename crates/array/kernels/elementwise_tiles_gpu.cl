// One tile per work-group. What lies along the rows of the tile, whereas the
// output lies along its columns, is turned in local memory: reads and writes
// are both of neighbours.
kernel void elementwise(
    const index_t n,
    @parameters@)
{
    @tiles@
    @bindings@
    const index_t across = (@columns@ + TILE - 1) / TILE;
    const index_t tile = (index_t)get_group_id(0);
    @outer@
    const index_t left = tile % across * TILE;
    const index_t top = @down@ * TILE;
    const uint lane = (uint)get_local_id(0);
    if (left + TILE <= @columns@ && top + TILE <= @rows@) {
        #pragma unroll
        for (uint k = 0; k < TILE * TILE / GROUP; ++k) {
            const uint e = k * GROUP + lane;
            const uint r = e % TILE, c = e / TILE;
            const index_t @row@ = top + r, @column@ = left + c;
            @fill@
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (uint k = 0; k < TILE * TILE / GROUP; ++k) {
            const uint e = k * GROUP + lane;
            const uint r = e / TILE, c = e % TILE;
            const index_t @row@ = top + r, @column@ = left + c;
            @store@
        }
    } else {
        for (uint e = lane; e < TILE * TILE; e += GROUP) {
            const uint r = e % TILE, c = e / TILE;
            const index_t @row@ = top + r, @column@ = left + c;
            if (@row@ < @rows@ && @column@ < @columns@) {
                @fill@
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint e = lane; e < TILE * TILE; e += GROUP) {
            const uint r = e / TILE, c = e % TILE;
            const index_t @row@ = top + r, @column@ = left + c;
            if (@row@ < @rows@ && @column@ < @columns@) {
                @store@
            }
        }
    }
}
