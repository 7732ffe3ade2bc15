// `#include <pyopencl-hankel-complex.cl>`: Hankel functions of the first kind of
// complex argument in double precision; hankel_01_complex(z, &h0, &h1, 1) gives
// orders 0 and 1, the latter if its last argument is not 0.

#if !defined(PYOPENCL_HANKEL_COMPLEX)
#define PYOPENCL_HANKEL_COMPLEX

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

static inline void hankel_01_complex(
    const cdouble_t z, cdouble_t *h0, cdouble_t *h1, const int with_first_order)
{
    *h0 = cdouble_hankel_0(z);
    if (with_first_order)
        *h1 = cdouble_hankel_1(z);
}

#endif
