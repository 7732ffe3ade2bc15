// One tile per work-group, in squares of VECTOR by VECTOR elements. What lies
// along the rows of the tile, whereas the output lies along its columns, is
// turned square by square in registers, and as a whole in local memory: reads
// and writes are both of vectors next to each other.
#define SIDE (TILE / VECTOR)
// The vector of a tile that has element (r, c): those of a column lie in
// different banks.
#define WORD(r, c) ((r) * SIDE + ((c) / VECTOR + (r) / VECTOR) % SIDE)
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
    // Memory that others made may begin anywhere.
    if (@aligned@ && left + TILE <= @columns@ && top + TILE <= @rows@) {
        #pragma unroll
        for (uint k = 0; k < (SIDE * SIDE + GROUP - 1) / GROUP; ++k) {
            const uint e = k * GROUP + lane;
            const uint r = e % SIDE * VECTOR, c = e / SIDE * VECTOR;
            if (SIDE * SIDE % GROUP == 0 || e < SIDE * SIDE) {
                const index_t @row@ = top + r;
                @turn@
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (uint k = 0; k < SIDE * TILE / GROUP; ++k) {
            const uint e = k * GROUP + lane;
            const uint r = e / SIDE, c = e % SIDE * VECTOR;
            const index_t @row@ = top + r, @column@ = left + c;
            @stores@
        }
    } else {
        #pragma unroll 1
        for (uint e = lane; e < TILE * TILE; e += GROUP) {
            const uint r = e % TILE, c = e / TILE;
            const index_t @row@ = top + r, @column@ = left + c;
            if (@row@ < @rows@ && @column@ < @columns@) {
                @fill@
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll 1
        for (uint e = lane; e < TILE * TILE; e += GROUP) {
            const uint r = e / TILE, c = e % TILE;
            const index_t @row@ = top + r, @column@ = left + c;
            if (@row@ < @rows@ && @column@ < @columns@) {
                @store@
            }
        }
    }
}
