// `#include <pyopencl-airy.cl>`: airy(x, &ai, &aip, &bi, &bip) gives Airy's
// functions Ai and Bi and their derivatives, in double precision (needs
// cl_khr_fp64), and returns 0.
//
// Near 0, and Bi up to 10, by Maclaurin's series (NIST DLMF 9.4); below by J of
// orders of thirds (DLMF 9.6.6-9); Ai beyond by K (DLMF 9.6.2-3), an integral
// (DLMF 10.32.9) for which the trapezoidal rule is exact to rounding; Bi beyond
// by its expansion (DLMF 9.7.7-8). Below 0 errors are relative to the size of
// the oscillation.

#if !defined(PYOPENCL_AIRY)
#define PYOPENCL_AIRY

#include <pyopencl-bessel-order.h>

#define AIRY_ROOT_3 1.73205080756887729353

static inline void pyopencl_airy_series(const double x, double *ai, double *aip, double *bi, double *bip)
{
    const double cube = x * x * x;
    double f = 1, f_term = 1, g = x, g_term = x;
    double fp = x * x / 2, fp_term = fp, gp = 1, gp_term = 1;
    for (int k = 3; k < 300; k += 3) {
        f_term *= cube / ((k - 1) * (double)k);
        g_term *= cube / (k * (double)(k + 1));
        fp_term *= cube / (k * (double)(k + 2));
        gp_term *= cube / ((k - 2) * (double)k);
        f += f_term;
        g += g_term;
        fp += fp_term;
        gp += gp_term;
        if (fabs(f_term) < 1e-18 * fabs(f) && fabs(gp_term) < 1e-18 * fabs(gp))
            break;
    }
    // Ai(0) and -Ai'(0)
    const double at_zero = 0.35502805388781723926, slope = 0.25881940379280679840;
    *ai = at_zero * f - slope * g;
    *aip = at_zero * fp - slope * gp;
    *bi = AIRY_ROOT_3 * (at_zero * f + slope * g);
    *bip = AIRY_ROOT_3 * (at_zero * fp + slope * gp);
}

// K_order(z) exp(z) for z of a half and more.
static inline double pyopencl_airy_k(const double order, const double z)
{
    const double step = fmin(0.2, 0.55 / sqrt(z));
    double sum = 0.5;
    for (int k = 1; k < 100; ++k) {
        const double sine = sinh(k * step / 2);
        const double term = exp(-2 * z * sine * sine) * cosh(order * k * step);
        sum += term;
        if (term < 1e-18 * sum)
            break;
    }
    return step * sum;
}

static inline int airy(const double x, double *ai, double *aip, double *bi, double *bip)
{
    const double magnitude = fabs(x);
    if (!(magnitude > 1)) {
        pyopencl_airy_series(x, ai, aip, bi, bip);
        return 0;
    }
    const double root = sqrt(magnitude), zeta = magnitude * root * 2 / 3;
    if (x < 0) {
        const double third = 1.0 / 3, two = 2.0 / 3;
        const double a = pyopencl_bessel_jv(third, zeta), b = pyopencl_bessel_jv(-third, zeta);
        const double c = pyopencl_bessel_jv(two, zeta), d = pyopencl_bessel_jv(-two, zeta);
        *ai = root / 3 * (b + a);
        *bi = root / AIRY_ROOT_3 * (b - a);
        *aip = magnitude / 3 * (c - d);
        *bip = magnitude / AIRY_ROOT_3 * (d + c);
        return 0;
    }
    if (isinf(x)) {
        *ai = 0;
        *aip = 0;
        *bi = INFINITY;
        *bip = INFINITY;
        return 0;
    }
    if (x <= 10) {
        pyopencl_airy_series(x, ai, aip, bi, bip);
    } else {
        double u = 1, sum = 1, slope_sum = 1;
        for (int k = 1; k < 40; ++k) {
            const double six = 6 * k;
            u *= (six - 5) * (six - 3) * (six - 1) / ((2 * k - 1) * 216.0 * k * zeta);
            sum += u;
            slope_sum -= (six + 1) / (six - 1) * u;
            if (u < 1e-18)
                break;
        }
        // exp(zeta) may be too large where its half is not.
        const double half_growth = exp(zeta / 2), fourth = sqrt(root), root_pi = 1.77245385090551602730;
        *bi = half_growth * (half_growth / (root_pi * fourth) * sum);
        *bip = half_growth * (half_growth * fourth / root_pi * slope_sum);
    }
    const double decay = exp(-zeta) * M_1_PI;
    *ai = decay * root / AIRY_ROOT_3 * pyopencl_airy_k(1.0 / 3, zeta);
    *aip = -decay * x / AIRY_ROOT_3 * pyopencl_airy_k(2.0 / 3, zeta);
    return 0;
}

#undef AIRY_ROOT_3

#endif
