// Sharpens one colour plane of a photograph by an unsharp mask: the plane plus `amount` times its difference
// from a blurred copy. The blur weighs the (2 * RADIUS + 1)^2 pixels around each pixel. Beyond the edge, the
// nearest pixel of the plane counts.
//
// RADIUS is given as a build option. Each work-group handles a tile of get_local_size(0) x get_local_size(1)
// pixels; `tile` holds those and RADIUS more on every side.

kernel void sharpen(global const float *plane,
                    global float *sharpened,
                    constant float *weights,
                    local float *tile,
                    const int width,
                    const int height,
                    const float amount)
{
    const int tile_width = (int)get_local_size(0) + 2 * RADIUS;
    const int tile_height = (int)get_local_size(1) + 2 * RADIUS;
    const int left = (int)(get_group_id(0) * get_local_size(0)) - RADIUS;
    const int top = (int)(get_group_id(1) * get_local_size(1)) - RADIUS;
    const int local_x = (int)get_local_id(0);
    const int local_y = (int)get_local_id(1);

    for (int y = local_y; y < tile_height; y += (int)get_local_size(1)) {
        for (int x = local_x; x < tile_width; x += (int)get_local_size(0)) {
            const int from_x = clamp(left + x, 0, width - 1);
            const int from_y = clamp(top + y, 0, height - 1);
            tile[y * tile_width + x] = plane[from_y * width + from_x];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // The last groups of a row or column reach over the edge: no `return` before the barrier.
    const int x = (int)get_global_id(0);
    const int y = (int)get_global_id(1);
    if (x >= width || y >= height)
        return;

    float blurred = 0.0f;
    for (int row = 0; row <= 2 * RADIUS; ++row)
        for (int column = 0; column <= 2 * RADIUS; ++column)
            blurred += weights[row * (2 * RADIUS + 1) + column]
                     * tile[(local_y + row) * tile_width + local_x + column];

    const float pixel = tile[(local_y + RADIUS) * tile_width + local_x + RADIUS];
    sharpened[y * width + x] = clamp(pixel + amount * (pixel - blurred), 0.0f, 255.0f);
}
