// `#include <pyopencl-hankel-complex.cl>`: Hankel functions of the first kind of
// complex argument in double precision; hankel_01_complex(z, &h0, &h1, 1) gives
// orders 0 and 1, both times exp(-iz) if its last argument is 0.

#if !defined(PYOPENCL_HANKEL_COMPLEX)
#define PYOPENCL_HANKEL_COMPLEX

#include <pyopencl-bessel-complex.h>

static inline void hankel_01_complex(
    const cdouble_t z, cdouble_t *h0, cdouble_t *h1, const int with_exponential)
{
    *h0 = cdouble_hankel(0, z, !with_exponential);
    *h1 = cdouble_hankel(1, z, !with_exponential);
}

#endif
