// J of real order and argument in double precision, for kernels (needs
// cl_khr_fp64); pyopencl-bessel-j.cl names it.
//
// The orders from the fraction of the given one on: by Miller's backward
// recurrence, made sure by (x/2)^v = sum of (v + 2k) Gamma(v + k)/k! J_(v+2k)
// (NIST DLMF 3.6, 10.23.15), for large x by Hankel's expansions (DLMF 10.17.3);
// others by recurrence in the stable direction, negative ones downwards. Errors
// are relative to the size of the oscillation, not to the value near a zero.

#if !defined(PYOPENCL_BESSEL_ORDER_H)
#define PYOPENCL_BESSEL_ORDER_H

#include <pyopencl-bessel.h>

// From this x on Hankel's expansion is exact to rounding.
#define BESSEL_ORDER_FAR 25

// J_order, J_first and J_(first+1).
typedef struct {
    double order, zero, one;
} pyopencl_bessel_orders;

static inline double pyopencl_bessel_order_far(const double order, const double x)
{
    const double squared = 4 * order * order;
    double p = 1, q = 0, term = 1;
    for (int k = 1; k < 2 * BESSEL_ORDER_FAR; ++k) {
        const double odd = 2 * k - 1;
        term *= (squared - odd * odd) / (8 * k * x);
        const double sign = k & 2 ? -1 : 1;
        if (k & 1)
            q += sign * term;
        else
            p += sign * term;
        if (fabs(term) < 1e-17)
            break;
    }
    double cosine;
    const double sine = sincos(x, &cosine);
    const double turn = order / 2 + 0.25;
    const double c = cosine * cospi(turn) + sine * sinpi(turn), s = sine * cospi(turn) - cosine * sinpi(turn);
    return (p * c - q * s) * sqrt(M_2_PI / x);
}

// Of orders first (from 0 to 1, but neither), first + 1 and first + n.
static inline pyopencl_bessel_orders pyopencl_bessel_order_near(const double first, const int n, const double x)
{
    pyopencl_bessel_orders j = {0, 0, 0};
    const double half_x = x / 2;
    if (x < 0.001) {
        // The first terms of the power series (DLMF 10.2.2).
        const double square = half_x * half_x, m = first + n + 1;
        j.zero = pow(half_x, first) / tgamma(first + 1) * (1 - square / (first + 1));
        j.one = pow(half_x, first + 1) / tgamma(first + 2) * (1 - square / (first + 2));
        j.order = exp((m - 1) * log(half_x) - lgamma(m)) * (1 - square / m);
        if (n < 100)
            j.order = pow(half_x, m - 1) / tgamma(m) * (1 - square / m);
        return j;
    }
    const double top = fmax(x, first + n);
    int k = 2 * ((int)(top + sqrt(60 * top) + 22) / 2);
    // Gamma(first + pair) / (pair! Gamma(first + 1)) for pair = k / 2
    double weight = 1;
    for (int pair = 1; pair < k / 2; ++pair)
        weight *= (first + pair) / (pair + 1);
    double above = 0, here = 1e-10, sum = (first + k) * weight * here;
    const double step = 2 / x;
    for (; k > 0; --k) {
        const double below = (first + k) * step * here - above;
        above = here;
        here = below;
        // Now of order first + k - 1.
        if (k - 1 == n)
            j.order = here;
        if (k == 2)
            j.one = here;
        if (k & 1) {
            const int pair = k / 2;
            weight *= pair > 0 ? (pair + 1) / (first + pair) : 1;
            sum += pair > 0 ? (first + 2 * pair) * weight * here : here;
        }
        if (fabs(here) > 1e10) {
            const double down = 1e-10;
            above *= down;
            here *= down;
            sum *= down;
            j.order *= down;
            j.one *= down;
        }
    }
    j.zero = here;
    double norm;
    if (x < BESSEL_ORDER_FAR) {
        norm = pow(half_x, first) / (tgamma(first + 1) * sum);
    } else if (fabs(j.zero) > fabs(j.one)) {
        norm = pyopencl_bessel_order_far(first, x) / j.zero;
    } else {
        norm = pyopencl_bessel_order_far(first + 1, x) / j.one;
    }
    j.order *= norm;
    j.zero *= norm;
    j.one *= norm;
    return j;
}

static inline double pyopencl_bessel_jv(const double order, const double x)
{
    const double whole = floor(order);
    if (isnan(order) || isnan(x) || isinf(order))
        return NAN;
    if (order == whole && fabs(order) < INT_MAX)
        return pyopencl_bessel_jn((int)order, x);
    if (x < 0)
        return NAN;
    if (isinf(x))
        return 0;
    // That of Gamma(order + 1), and so of J for small x.
    const double sign = order < 0 && fmod(whole + 1, 2) != 0 ? -1 : 1;
    if (x == 0)
        return order > 0 ? 0 : sign * INFINITY;
    const double first = order - whole;
    pyopencl_bessel_orders j;
    if (order > 0) {
        // Less than the least number where (e x / 2v)^v is.
        if (order > 2 * x + 100 && order * log(1.36 * x / order) < -800)
            return 0;
        if (x < BESSEL_ORDER_FAR || order > x)
            return pyopencl_bessel_order_near(first, (int)whole, x).order;
    } else if (x < BESSEL_ORDER_FAR) {
        j = pyopencl_bessel_order_near(first, 0, x);
    }
    if (x >= BESSEL_ORDER_FAR) {
        j.zero = pyopencl_bessel_order_far(first, x);
        j.one = pyopencl_bessel_order_far(first + 1, x);
    }
    for (double k = 1; k < whole; ++k) {
        const double above = 2 * (first + k) / x * j.one - j.zero;
        j.zero = j.one;
        j.one = above;
    }
    if (order > 0)
        return whole > 0 ? j.one : j.zero;
    for (double k = 0; k > whole; --k) {
        const double below = 2 * (first + k) / x * j.zero - j.one;
        j.one = j.zero;
        j.zero = below;
        if (isinf(below))
            return sign * INFINITY;
    }
    return j.zero;
}

#undef BESSEL_ORDER_FAR

#endif
