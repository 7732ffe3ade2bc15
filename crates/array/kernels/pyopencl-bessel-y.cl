// `#include <pyopencl-bessel-y.cl>`: bessel_y0(x), bessel_y1(x) and, for integer
// n, bessel_yn(n, x) are Y in double precision. What pyopencl-bessel-j.cl has comes
// with them.

#if !defined(PYOPENCL_BESSEL_Y)
#define PYOPENCL_BESSEL_Y

#include <pyopencl-bessel-j.cl>

static inline double bessel_y0(const double x)
{
    return pyopencl_bessel_yn(0, x);
}

static inline double bessel_y1(const double x)
{
    return pyopencl_bessel_yn(1, x);
}

static inline double bessel_yn(const int n, const double x)
{
    return pyopencl_bessel_yn(n, x);
}

#endif
