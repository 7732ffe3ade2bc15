// `#include <pyopencl-bessel-j.cl>`: bessel_j(n, x) is J_n(x), in double precision.

#if !defined(PYOPENCL_BESSEL_J)
#define PYOPENCL_BESSEL_J

#include <pyopencl-bessel.h>

static inline double bessel_j(const int n, const double x)
{
    return pyopencl_bessel_jn(n, x);
}

#endif
