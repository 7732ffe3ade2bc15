for (index_t start = begin; start < end;) {
    @locate_row@
    const index_t run = min(end - start, inner - @inner_start@);
    for (index_t j = 0; j < run; ++j) {
        @body@
        @advance@
    }
    start += run;
}
