// The counters and keys of the generators beside this file: some words `v`.

#if !defined(PYOPENCL_RANDOM123_ARRAY)
#define PYOPENCL_RANDOM123_ARRAY

#include <pyopencl-random123/openclfeatures.h>

#define PYOPENCL_R123_ARRAY(COUNT, BITS)                                      \
    typedef struct r123array##COUNT##x##BITS {                                \
        uint##BITS##_t v[COUNT];                                              \
    } r123array##COUNT##x##BITS##_t;                                          \
    typedef r123array##COUNT##x##BITS##_t r123array##COUNT##x##BITS;

PYOPENCL_R123_ARRAY(1, 32)
PYOPENCL_R123_ARRAY(2, 32)
PYOPENCL_R123_ARRAY(4, 32)
PYOPENCL_R123_ARRAY(8, 32)
PYOPENCL_R123_ARRAY(1, 64)
PYOPENCL_R123_ARRAY(2, 64)
PYOPENCL_R123_ARRAY(4, 64)
PYOPENCL_R123_ARRAY(16, 8)

#undef PYOPENCL_R123_ARRAY

#endif
