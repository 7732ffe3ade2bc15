for (index_t start = begin; start < end;) {
    @locate_row@
    const index_t run = min(end - start, inner - @inner_start@);
    index_t from = 0;
    for (; from + LANES <= run; from += LANES) {
        for (int k = 0; k < LANES; ++k) {
            const index_t j = from + k;
            sums[k] = combine(sums[k], @fresh@);
        }
    }
    for (index_t j = from; j < run; ++j)
        sums[0] = combine(sums[0], @fresh@);
    start += run;
}
