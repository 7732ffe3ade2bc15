// Each element goes to the lane to which it would go without rows.
for (index_t start = begin; start < end;) {
    @locate_row@
    const index_t run = min(end - start, inner - @inner_start@);
    const index_t lane = (start - begin) % LANES;
    index_t from = 0;
    for (; from < run && (lane + from) % LANES != 0; ++from) {
        const index_t j = from;
        sums[(lane + j) % LANES] = combine(sums[(lane + j) % LANES], @fresh@);
    }
    for (; from + LANES <= run; from += LANES) {
        for (int k = 0; k < LANES; ++k) {
            const index_t j = from + k;
            sums[k] = combine(sums[k], @fresh@);
        }
    }
    for (index_t j = from; j < run; ++j)
        sums[j - from] = combine(sums[j - from], @fresh@);
    start += run;
}
