// When a work-item is done: a tree in local memory, then one result for
// each group. A group may have one work-item.
local reduction_t reduction_scratch[REDUCTION_GROUP];
const uint reduction_lane = (uint)get_local_id(0);
reduction_scratch[reduction_lane] = reduction_value;
barrier(CLK_LOCAL_MEM_FENCE);
for (uint reduction_width = (uint)get_local_size(0) / 2; reduction_width > 0; reduction_width /= 2) {
    if (reduction_lane < reduction_width) {
        const reduction_t a = reduction_scratch[reduction_lane];
        const reduction_t b = reduction_scratch[reduction_lane + reduction_width];
        reduction_scratch[reduction_lane] = (@reduce@);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
if (reduction_lane == 0)
    reduction_result[get_group_id(0)] = reduction_scratch[0]
