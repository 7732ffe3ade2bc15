// Vectors of LANES_BYTES bytes, by which functions are called.
#if LANES_BYTES == 64
#define floats float16
#define doubles double8
#else
#define floats float8
#define doubles double4
#endif
// Elements of a block, for which a function is called at a time.
#define BLOCK 128
