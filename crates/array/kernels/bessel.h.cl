// Bessel functions of integer order and real argument: J_n and Y_n.
// Instantiated for REAL and NAME(function) by the text around it.
//
// Below a bound: J by Miller's backward recurrence, made sure by
// 1 = J_0 + 2 (J_2 + J_4 + ...) (NIST DLMF 3.6, 10.12.4), Y_0 and Y_1 by
// Neumann's series in J (Abramowitz & Stegun 9.1.88). Beyond: Hankel's
// asymptotic expansions (DLMF 10.17.3-4). Higher orders by recurrence in the
// stable direction. Errors are relative to the size of the oscillation, not to
// the value near a zero.

// Magnitude at which Hankel's expansion is exact to rounding: its least term is
// of the order exp(-2x).
#define BESSEL_FAR (sizeof(REAL) == 4 ? 12 : 25)

// J_n, J_0, J_1, and the sums in Neumann's series of Y_0 and Y_1, in this order.
typedef struct {
    REAL order, zero, one, sum_zero, sum_one;
} NAME(bessel_values);

static inline NAME(bessel_values) NAME(bessel_near)(const int n, const REAL x)
{
    NAME(bessel_values) j = {0, 0, 0, 0, 0};
    const REAL half_x = x / 2, square = half_x * half_x;
    if (x < 0.001f) {
        // The first terms of the power series (DLMF 10.2.2).
        REAL power = 1;
        for (int k = 1; k <= n && power != 0; ++k)
            power *= half_x / k;
        const REAL m = (REAL)n + 1;
        j.order = power * (1 - square / m * (1 - square / (2 * (m + 1))));
        j.zero = 1 - square * (1 - square / 4);
        j.one = half_x * (1 - square / 2 * (1 - square / 6));
        j.sum_zero = -square / 2 * (1 - square / 3);
        j.sum_one = -square * half_x / 4;
        return j;
    }
    const REAL top = fmax(x, (REAL)n);
    int k = 2 * ((int)(top + sqrt(60 * top) + 22) / 2);
    REAL above = 0, here = 1e-10f, even = 0;
    const REAL step = 2 / x;
    for (; k > 0; --k) {
        const REAL below = k * step * here - above;
        above = here;
        here = below;
        // Now of order k - 1.
        const int half_order = (k - 1) / 2;
        const REAL sign = half_order & 1 ? -1 : 1;
        if (k - 1 == n)
            j.order = here;
        if (k & 1) {
            even += here;
            if (half_order > 0)
                j.sum_zero += sign * here / half_order;
        } else if (half_order > 0) {
            j.sum_one += sign * (k - 1) / ((REAL)half_order * (half_order + 1)) * here;
        } else {
            j.one = here;
        }
        if (fabs(here) > 1e10f) {
            const float down = 1e-10f;
            above *= down;
            here *= down;
            even *= down;
            j.order *= down;
            j.one *= down;
            j.sum_zero *= down;
            j.sum_one *= down;
        }
    }
    const REAL norm = 1 / (2 * even - here);
    j.zero = here * norm;
    j.order *= norm;
    j.one *= norm;
    j.sum_zero *= norm;
    j.sum_one *= norm;
    return j;
}

// J (first) and Y (second) of order 0 or 1 for large x.
static inline REAL NAME(bessel_far)(const int order, const REAL x, const bool second)
{
    const REAL squared = 4 * order;
    REAL p = 1, q = 0, term = 1;
    for (int k = 1; k < 2 * BESSEL_FAR; ++k) {
        const REAL odd = 2 * k - 1;
        term *= (squared - odd * odd) / (8 * k * x);
        const REAL sign = k & 2 ? -1 : 1;
        if (k & 1)
            q += sign * term;
        else
            p += sign * term;
        if (fabs(term) < 1e-17f)
            break;
    }
    REAL cosine;
    const REAL sine = sincos(x, &cosine);
    // Cosine and sine of x - pi/4, times sqrt(2); a further quarter turn for order 1.
    REAL c = cosine + sine, s = sine - cosine;
    if (order == 1) {
        const REAL turned = s;
        s = -c;
        c = turned;
    }
    return (second ? p * s + q * c : p * c - q * s) / sqrt(x * (REAL)3.14159265358979323846);
}

static inline REAL NAME(bessel_jn)(const int order, const REAL argument)
{
    const int n = order < 0 ? -max(order, -INT_MAX) : order;
    const REAL x = fabs(argument);
    if (isnan(x))
        return x;
    if (isinf(x))
        return 0;
    // J_-n(x) = J_n(-x) = (-1)^n J_n(x)
    const REAL sign = (n & 1) && ((order < 0) != (argument < 0)) ? -1 : 1;
    if (x < BESSEL_FAR || n > x) {
        // Less than the least number where (e x / 2n)^n is.
        if (n > 2 * x + 100 && n * log(1.36f * x / n) < -800)
            return 0;
        return sign * NAME(bessel_near)(n, x).order;
    }
    REAL below = NAME(bessel_far)(0, x, false);
    if (n == 0)
        return below;
    REAL here = NAME(bessel_far)(1, x, false);
    for (int k = 1; k < n; ++k) {
        const REAL above = 2 * k / x * here - below;
        below = here;
        here = above;
    }
    return sign * here;
}

static inline REAL NAME(bessel_yn)(const int order, const REAL x)
{
    const int n = order < 0 ? -max(order, -INT_MAX) : order;
    const REAL sign = (n & 1) && order < 0 ? -1 : 1;
    if (isnan(x) || x < 0)
        return NAN;
    if (isinf(x))
        return 0;
    if (x == 0)
        return sign * -INFINITY;
    REAL below, here;
    if (x < BESSEL_FAR) {
        const NAME(bessel_values) j = NAME(bessel_near)(0, x);
        const REAL two_over_pi = (REAL)0.63661977236758134308;
        const REAL logarithm = log(x / 2) + (REAL)0.57721566490153286061;
        below = two_over_pi * (logarithm * j.zero - 2 * j.sum_zero);
        here = two_over_pi * ((logarithm - 1) * j.one - j.sum_one - j.zero / x);
    } else {
        below = NAME(bessel_far)(0, x, true);
        here = NAME(bessel_far)(1, x, true);
    }
    if (n == 0)
        return below;
    for (int k = 1; k < n && !isinf(here); ++k) {
        const REAL above = 2 * k / x * here - below;
        below = here;
        here = above;
    }
    return sign * here;
}

#undef BESSEL_FAR
