// The integer types of C99, for the generators beside this file.

#if !defined(PYOPENCL_RANDOM123_OPENCLFEATURES)
#define PYOPENCL_RANDOM123_OPENCLFEATURES

typedef uint uint32_t;
typedef ulong uint64_t;
typedef uchar uint8_t;

#endif
