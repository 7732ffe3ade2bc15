// One contiguous chunk per work-item.
const long elementwise_width = (long)get_global_size(0);
const long elementwise_share = (elementwise_count + elementwise_width - 1) / elementwise_width;
const long elementwise_begin = (long)get_global_id(0) * elementwise_share;
const long elementwise_end = min(elementwise_begin + elementwise_share, elementwise_count);
for (long elementwise_at = elementwise_begin; elementwise_at < elementwise_end; ++elementwise_at)
