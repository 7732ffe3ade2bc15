// Complex numbers for kernels: `#include <pyopencl-complex.h>`.
//
// The types are cfloat_t and, if PYOPENCL_DEFINE_CDOUBLE is defined before
// (which needs cl_khr_fp64), cdouble_t. Their parts are .real and .imag, or .x
// and .y. The functions are cfloat_add, cdouble_add and so on: arithmetic in
// pyopencl-complex-arithmetic.h, elementary functions in
// pyopencl-complex-functions.h; a real operand is told by an `r` before the
// operation (on the left: cfloat_rmul(2, z)) or after it (cfloat_mulr(z, 2)).

#if !defined(PYOPENCL_COMPLEX_FLOAT)
#define PYOPENCL_COMPLEX_FLOAT

typedef union {
    struct { float x, y; };
    struct { float real, imag; };
} cfloat_t;

static inline cfloat_t cfloat_new(const float real, const float imag)
{
    cfloat_t z;
    z.x = real;
    z.y = imag;
    return z;
}

// From a complex number of either precision.
#define cfloat_cast(z) cfloat_new((float)(z).x, (float)(z).y)

#define pyopencl_real float
#define pyopencl_complex cfloat_t
#define PYOPENCL_NAME(function) cfloat_##function
#define PYOPENCL_CONST(name) name##_F
#define PYOPENCL_LIMIT(name) FLT_##name
#include <pyopencl-complex-arithmetic.h>
#include <pyopencl-complex-functions.h>
#undef pyopencl_real
#undef pyopencl_complex
#undef PYOPENCL_NAME
#undef PYOPENCL_CONST
#undef PYOPENCL_LIMIT

#endif

#if defined(PYOPENCL_DEFINE_CDOUBLE) && !defined(PYOPENCL_COMPLEX_DOUBLE)
#define PYOPENCL_COMPLEX_DOUBLE

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef union {
    struct { double x, y; };
    struct { double real, imag; };
} cdouble_t;

static inline cdouble_t cdouble_new(const double real, const double imag)
{
    cdouble_t z;
    z.x = real;
    z.y = imag;
    return z;
}

// From a complex number of either precision.
#define cdouble_cast(z) cdouble_new((double)(z).x, (double)(z).y)

#define pyopencl_real double
#define pyopencl_complex cdouble_t
#define PYOPENCL_NAME(function) cdouble_##function
#define PYOPENCL_CONST(name) name
#define PYOPENCL_LIMIT(name) DBL_##name
#include <pyopencl-complex-arithmetic.h>
#include <pyopencl-complex-functions.h>
#undef pyopencl_real
#undef pyopencl_complex
#undef PYOPENCL_NAME
#undef PYOPENCL_CONST
#undef PYOPENCL_LIMIT

#endif
