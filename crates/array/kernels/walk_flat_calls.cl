for (index_t from = begin; from < end; from += BLOCK) {
    const index_t to = min(from + BLOCK, end);
    @stages@
    for (index_t i = from; i < to; ++i) {
        @body@
    }
}
