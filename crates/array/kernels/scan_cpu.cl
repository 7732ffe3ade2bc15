// Each work-item scans a contiguous share; launched with local size 1.
kernel void scan(
    const index_t n,
    @parameters@)
{
    @bindings@
    const index_t share = ((n + get_global_size(0) - 1) / get_global_size(0) + 63) / 64 * 64;
    const index_t begin = min(get_global_id(0) * share, n);
    const index_t end = min(begin + share, n);
    accumulator_t sum = @carry@;
    @walk@
    @finish@
}
