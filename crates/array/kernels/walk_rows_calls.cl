for (index_t start = begin; start < end;) {
    @locate_row@
    const index_t run = min(end - start, inner - @inner_start@);
    for (index_t from = 0; from < run; from += BLOCK) {
        const index_t to = min(from + BLOCK, run);
        @stages@
        for (index_t j = from; j < to; ++j) {
            @body@
        }
    }
    start += run;
}
