// A chunk of tiles per work-item; launched with local size 1. What lies along
// the rows of the tile, whereas the output lies along its columns, is turned
// in private memory, so that caches are filled and emptied by whole lines.
kernel void elementwise(
    const index_t n,
    @parameters@)
{
    @tiles@
    @bindings@
    const index_t across = (@columns@ + TILE - 1) / TILE;
    const index_t down = (@rows@ + TILE - 1) / TILE;
    const index_t tiles = n / (@rows@ * @columns@) * down * across;
    const index_t share = (tiles + get_global_size(0) - 1) / get_global_size(0);
    const index_t begin = min(get_global_id(0) * share, tiles);
    const index_t end = min(begin + share, tiles);
    for (index_t tile = begin; tile < end; ++tile) {
        @outer@
        const index_t left = tile % across * TILE;
        const index_t top = tile / across % down * TILE;
        const index_t width = min((index_t)TILE, @columns@ - left);
        const index_t height = min((index_t)TILE, @rows@ - top);
        for (index_t c = 0; c < width; ++c) {
            const index_t @column@ = left + c;
            for (index_t r = 0; r < height; ++r) {
                const index_t @row@ = top + r;
                @fill@
            }
        }
        for (index_t r = 0; r < height; ++r) {
            const index_t @row@ = top + r;
            for (index_t c = 0; c < width; ++c) {
                const index_t @column@ = left + c;
                @store@
            }
        }
    }
}
