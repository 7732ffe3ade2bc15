// A second kernel of a program: what it defines has names of its own.
#define element second_element
#define combine second_combine
#define combine_all second_combine_all
#define accumulator_t second_accumulator_t
#define accumulators_t second_accumulators_t
#define index_t second_index_t
#define offset_t second_offset_t
#define reduction second_reduction
#undef IDENTITY
#undef ITEMS
#define ITEMS @items@

