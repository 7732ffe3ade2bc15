sum = carry;
if (lane > 0)
    sum = combine(carry, scratch[lane - 1]);
#pragma unroll
for (int k = 0; k < ITEMS; ++k) {
    const index_t i = first + k;
    if (i < end) {
        @step@
    }
}
