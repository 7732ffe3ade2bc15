// `#include <pyopencl-bessel-j-complex.cl>`: bessel_j_complex(n, z, &j, &next) gives
// J of complex argument and the integer orders n and n + 1, in double precision.

#if !defined(PYOPENCL_BESSEL_J_COMPLEX)
#define PYOPENCL_BESSEL_J_COMPLEX

#include <pyopencl-bessel-complex.h>

static inline void bessel_j_complex(const int n, const cdouble_t z, cdouble_t *j, cdouble_t *next)
{
    *j = cdouble_bessel_jn(n, z);
    *next = cdouble_bessel_jn(n + 1, z);
}

#endif
