for (index_t i = begin; i < end; ++i) {
    @body@
}
