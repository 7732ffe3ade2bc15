// Bessel and Hankel functions of complex argument in double precision, for
// kernels (needs cl_khr_fp64); pyopencl-bessel-j-complex.cl and
// pyopencl-hankel-complex.cl name them.

#if !defined(PYOPENCL_BESSEL_COMPLEX_H)
#define PYOPENCL_BESSEL_COMPLEX_H

#define PYOPENCL_DEFINE_CDOUBLE
#include <pyopencl-complex.h>

#define pyopencl_real double
#define pyopencl_complex cdouble_t
#define PYOPENCL_NAME(function) cdouble_##function
#define PYOPENCL_CONST(name) name
#define PYOPENCL_LIMIT(name) DBL_##name
#include <bessel_complex.h.cl>
#undef pyopencl_real
#undef pyopencl_complex
#undef PYOPENCL_NAME
#undef PYOPENCL_CONST
#undef PYOPENCL_LIMIT

#endif
