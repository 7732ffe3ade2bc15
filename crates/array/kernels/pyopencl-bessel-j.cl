// `#include <pyopencl-bessel-j.cl>`: bessel_j0(x), bessel_j1(x), bessel_jn(n, x)
// for integer n and bessel_jv(v, x) are J in double precision. Airy's functions
// come with them, as do polynomials from tables.

#if !defined(PYOPENCL_BESSEL_J)
#define PYOPENCL_BESSEL_J

#include <pyopencl-airy.cl>
#include <pyopencl-bessel-order.h>
#include <pyopencl-bessel.h>
#include <pyopencl-eval-tbl.cl>

static inline double bessel_j0(const double x)
{
    return pyopencl_bessel_jn(0, x);
}

static inline double bessel_j1(const double x)
{
    return pyopencl_bessel_jn(1, x);
}

static inline double bessel_jn(const int n, const double x)
{
    return pyopencl_bessel_jn(n, x);
}

static inline double bessel_jv(const double v, const double x)
{
    return pyopencl_bessel_jv(v, x);
}

#endif
