// `#include <pyopencl-bessel-y.cl>`: bessel_y(n, x) is Y_n(x), in double precision.

#if !defined(PYOPENCL_BESSEL_Y)
#define PYOPENCL_BESSEL_Y

#include <pyopencl-bessel.h>

static inline double bessel_y(const int n, const double x)
{
    return pyopencl_bessel_yn(n, x);
}

#endif
