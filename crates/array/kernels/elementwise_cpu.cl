// One contiguous chunk per work-item; launched with local size 1.
kernel void elementwise(
    const index_t n,
    @parameters@)
{
    @bindings@
    const index_t share = ((n + get_global_size(0) - 1) / get_global_size(0) + 63) / 64 * 64;
    const index_t begin = min(get_global_id(0) * share, n);
    const index_t end = min(begin + share, n);
    @walk@
}
