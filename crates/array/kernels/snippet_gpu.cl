// Neighbouring elements by neighbouring work-items.
const long elementwise_step = (long)get_global_size(0);
for (long elementwise_at = (long)get_global_id(0); elementwise_at < elementwise_count; elementwise_at += elementwise_step)
