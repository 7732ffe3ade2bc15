// Bessel functions of complex argument: J_n, and Hankel's H^(1) of order 0 and
// 1. Instantiated as pyopencl-complex-functions.h is, after it.
//
// Near: Miller's backward recurrence, made sure by exp(-iz) = J_0 + 2 sum
// (-i)^k J_k, which does not cancel in the upper half plane (DLMF 10.12.2), and
// Neumann's series (Abramowitz & Stegun 9.1.88). Away from the real axis, where
// H^(1) = J + i Y cancels, by K, from Steed's continued fraction (N. M. Temme, J.
// Comput. Phys. 19, 1975; I. J. Thompson, A. R. Barnett, Comput. Phys. Commun.
// 47, 1987). Far: Hankel's expansions (DLMF 10.17.3, 10.17.5). The rest of the
// plane by J_n(-z) = (-1)^n J_n(z), conjugation, and H^(1) = 2 J - H^(2).

#define BESSEL_FAR (sizeof(pyopencl_real) == 4 ? 12 : 25)

typedef struct {
    pyopencl_complex order, zero, one, sum_zero, sum_one;
} PYOPENCL_NAME(bessel_values);

// J and the sums of Neumann's series for Im z >= 0.
static inline PYOPENCL_NAME(bessel_values) PYOPENCL_NAME(bessel_near)(const int n, const pyopencl_complex z)
{
    const pyopencl_complex none = PYOPENCL_NAME(fromreal)(0);
    PYOPENCL_NAME(bessel_values) j = {none, none, none, none, none};
    const pyopencl_complex half_z = PYOPENCL_NAME(mulr)(z, 0.5f);
    const pyopencl_real size = PYOPENCL_NAME(abs)(z);
    if (size < 0.0001f) {
        // The first terms of the power series (DLMF 10.2.2).
        const pyopencl_complex square = PYOPENCL_NAME(mul)(half_z, half_z);
        pyopencl_complex power = PYOPENCL_NAME(fromreal)(1);
        for (int k = 1; k <= n && (power.x != 0 || power.y != 0); ++k)
            power = PYOPENCL_NAME(mul)(power, PYOPENCL_NAME(mulr)(half_z, (pyopencl_real)1 / k));
        const pyopencl_complex first = PYOPENCL_NAME(mulr)(square, -1 / ((pyopencl_real)n + 1));
        j.order = PYOPENCL_NAME(fma)(power, first, power);
        j.zero = PYOPENCL_NAME(rmul)(-1, PYOPENCL_NAME(addr)(square, -1));
        j.one = PYOPENCL_NAME(fma)(half_z, PYOPENCL_NAME(mulr)(square, -0.5f), half_z);
        j.sum_zero = PYOPENCL_NAME(mulr)(square, -0.5f);
        j.sum_one = PYOPENCL_NAME(mulr)(PYOPENCL_NAME(mul)(square, half_z), -0.25f);
        return j;
    }
    const pyopencl_real top = fmax(size, (pyopencl_real)n);
    int k = 2 * ((int)(top + sqrt(60 * top) + 22) / 2);
    const pyopencl_complex step = PYOPENCL_NAME(rdivide)(2, z);
    pyopencl_complex above = none, here = PYOPENCL_NAME(fromreal)(1e-10f), sum = none;
    for (; k > 0; --k) {
        const pyopencl_complex below =
            PYOPENCL_NAME(sub)(PYOPENCL_NAME(mul)(PYOPENCL_NAME(mulr)(step, k), here), above);
        above = here;
        here = below;
        // Now of order k - 1.
        const int order = k - 1, half_order = order / 2;
        const pyopencl_real sign = half_order & 1 ? -1 : 1;
        if (order == n)
            j.order = here;
        if (order & 1) {
            // (-i)^order times here
            sum = PYOPENCL_NAME(add)(sum, PYOPENCL_NAME(new)(sign * here.y, -sign * here.x));
            const pyopencl_real weight = sign * order / ((pyopencl_real)half_order * (half_order + 1));
            if (half_order > 0)
                j.sum_one = PYOPENCL_NAME(add)(j.sum_one, PYOPENCL_NAME(mulr)(here, weight));
            else
                j.one = here;
        } else {
            sum = PYOPENCL_NAME(add)(sum, PYOPENCL_NAME(mulr)(here, sign));
            if (half_order > 0)
                j.sum_zero = PYOPENCL_NAME(add)(j.sum_zero, PYOPENCL_NAME(mulr)(here, sign / half_order));
        }
        if (fabs(here.x) + fabs(here.y) > 1e10f) {
            const float down = 1e-10f;
            above = PYOPENCL_NAME(mulr)(above, down);
            here = PYOPENCL_NAME(mulr)(here, down);
            sum = PYOPENCL_NAME(mulr)(sum, down);
            j.order = PYOPENCL_NAME(mulr)(j.order, down);
            j.one = PYOPENCL_NAME(mulr)(j.one, down);
            j.sum_zero = PYOPENCL_NAME(mulr)(j.sum_zero, down);
            j.sum_one = PYOPENCL_NAME(mulr)(j.sum_one, down);
        }
    }
    const pyopencl_complex norm = PYOPENCL_NAME(divide)(
        PYOPENCL_NAME(exp)(PYOPENCL_NAME(new)(z.y, -z.x)),
        PYOPENCL_NAME(sub)(PYOPENCL_NAME(mulr)(sum, 2), here));
    j.zero = PYOPENCL_NAME(mul)(here, norm);
    j.order = PYOPENCL_NAME(mul)(j.order, norm);
    j.one = PYOPENCL_NAME(mul)(j.one, norm);
    j.sum_zero = PYOPENCL_NAME(mul)(j.sum_zero, norm);
    j.sum_one = PYOPENCL_NAME(mul)(j.sum_one, norm);
    return j;
}

// The sums P and Q of Hankel's expansions.
static inline void PYOPENCL_NAME(bessel_far)(
    const int n, const pyopencl_complex z, pyopencl_complex *p, pyopencl_complex *q)
{
    const pyopencl_real squared = 4 * (pyopencl_real)n * n;
    const pyopencl_complex step = PYOPENCL_NAME(rdivide)(0.125f, z);
    pyopencl_complex term = PYOPENCL_NAME(fromreal)(1);
    *p = term;
    *q = PYOPENCL_NAME(fromreal)(0);
    for (int k = 1; k < 2 * BESSEL_FAR; ++k) {
        const pyopencl_real odd = 2 * k - 1;
        term = PYOPENCL_NAME(mul)(term, PYOPENCL_NAME(mulr)(step, (squared - odd * odd) / k));
        const pyopencl_complex signed_term = k & 2 ? PYOPENCL_NAME(neg)(term) : term;
        if (k & 1)
            *q = PYOPENCL_NAME(add)(*q, signed_term);
        else
            *p = PYOPENCL_NAME(add)(*p, signed_term);
        if (fabs(term.x) + fabs(term.y) < 1e-17f)
            break;
    }
}

// sqrt(2 / (pi z))
static inline pyopencl_complex PYOPENCL_NAME(bessel_amplitude)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(sqrt)(PYOPENCL_NAME(rdivide)(PYOPENCL_CONST(M_2_PI), z));
}

static inline pyopencl_complex PYOPENCL_NAME(bessel_jn)(const int order, const pyopencl_complex argument)
{
    const int n = order < 0 ? -max(order, -INT_MAX) : order;
    const bool turned = argument.x < 0, lower = turned ? argument.y > 0 : argument.y < 0;
    const pyopencl_real sign = (n & 1) && ((order < 0) != turned) ? -1 : 1;
    // In the first quadrant.
    const pyopencl_complex z = PYOPENCL_NAME(new)(fabs(argument.x), fabs(argument.y));
    const pyopencl_real size = PYOPENCL_NAME(abs)(z);
    pyopencl_complex value;
    if (isnan(size)) {
        return PYOPENCL_NAME(new)(NAN, NAN);
    } else if (size < BESSEL_FAR || size < (pyopencl_real)n * n / 2) {
        if (n > 2 * size + 100 && n * log(1.36f * size / n) < -800)
            return PYOPENCL_NAME(fromreal)(0);
        value = PYOPENCL_NAME(bessel_near)(n, z).order;
    } else {
        pyopencl_complex p, q;
        PYOPENCL_NAME(bessel_far)(n, z, &p, &q);
        const pyopencl_complex cosine = PYOPENCL_NAME(cos)(z), sine = PYOPENCL_NAME(sin)(z);
        // Cosine and sine of z - n pi/2 - pi/4, times sqrt(2).
        pyopencl_complex c = PYOPENCL_NAME(add)(cosine, sine), s = PYOPENCL_NAME(sub)(sine, cosine);
        if (n & 1) {
            const pyopencl_complex quarter = s;
            s = PYOPENCL_NAME(neg)(c);
            c = quarter;
        }
        value = PYOPENCL_NAME(sub)(PYOPENCL_NAME(mul)(p, c), PYOPENCL_NAME(mul)(q, s));
        value = PYOPENCL_NAME(mul)(value, PYOPENCL_NAME(bessel_amplitude)(z));
        value = PYOPENCL_NAME(mulr)(value, n & 2 ? -PYOPENCL_CONST(M_SQRT1_2) : PYOPENCL_CONST(M_SQRT1_2));
    }
    return PYOPENCL_NAME(new)(sign * value.x, lower ? -sign * value.y : sign * value.y);
}

// K_order(w) exp(w) by the continued fraction, for Re w >= 1.
static inline pyopencl_complex PYOPENCL_NAME(bessel_k)(const int order, const pyopencl_complex w)
{
    pyopencl_complex b = PYOPENCL_NAME(mulr)(PYOPENCL_NAME(addr)(w, 1), 2);
    pyopencl_complex d = PYOPENCL_NAME(rdivide)(1, b);
    pyopencl_complex change = d, fraction = d;
    pyopencl_complex older = PYOPENCL_NAME(fromreal)(0), old = PYOPENCL_NAME(fromreal)(1);
    pyopencl_real a = -0.25f, weight = 0.25f;
    pyopencl_complex total = PYOPENCL_NAME(fromreal)(weight);
    pyopencl_complex sum = PYOPENCL_NAME(addr)(PYOPENCL_NAME(mul)(total, change), 1);
    for (int k = 2; k < 500; ++k) {
        a -= 2 * (k - 1);
        weight = -a * weight / k;
        const pyopencl_complex fresh =
            PYOPENCL_NAME(mulr)(PYOPENCL_NAME(sub)(older, PYOPENCL_NAME(mul)(b, old)), 1 / a);
        older = old;
        old = fresh;
        total = PYOPENCL_NAME(add)(total, PYOPENCL_NAME(mulr)(fresh, weight));
        b = PYOPENCL_NAME(addr)(b, 2);
        d = PYOPENCL_NAME(rdivide)(1, PYOPENCL_NAME(add)(b, PYOPENCL_NAME(mulr)(d, a)));
        change = PYOPENCL_NAME(mul)(PYOPENCL_NAME(addr)(PYOPENCL_NAME(mul)(b, d), -1), change);
        fraction = PYOPENCL_NAME(add)(fraction, change);
        const pyopencl_complex more = PYOPENCL_NAME(mul)(total, change);
        sum = PYOPENCL_NAME(add)(sum, more);
        if (fabs(more.x) + fabs(more.y) < PYOPENCL_LIMIT(EPSILON) / 4 * (fabs(sum.x) + fabs(sum.y)))
            break;
    }
    const pyopencl_complex root = PYOPENCL_NAME(sqrt)(PYOPENCL_NAME(rdivide)(PYOPENCL_CONST(M_PI_2), w));
    const pyopencl_complex zero = PYOPENCL_NAME(divide)(root, sum);
    if (order == 0)
        return zero;
    const pyopencl_complex ratio = PYOPENCL_NAME(sub)(
        PYOPENCL_NAME(addr)(w, 0.5f), PYOPENCL_NAME(mulr)(fraction, 0.25f));
    return PYOPENCL_NAME(mul)(zero, PYOPENCL_NAME(divide)(ratio, w));
}

// H^(1) of order 0 or 1 for Im z >= 0 or, from far on, Re z >= 0; `scaled` by
// exp(-iz), which may be there where H^(1) is too small for a number.
static inline pyopencl_complex PYOPENCL_NAME(hankel_upper)(
    const int order, const pyopencl_complex z, const bool scaled)
{
    const pyopencl_complex iz = PYOPENCL_NAME(new)(-z.y, z.x);
    const pyopencl_complex one = PYOPENCL_NAME(fromreal)(1);
    const pyopencl_complex decay = scaled ? one : PYOPENCL_NAME(exp)(iz);
    const pyopencl_real size = PYOPENCL_NAME(abs)(z);
    if (size >= BESSEL_FAR) {
        pyopencl_complex p, q;
        PYOPENCL_NAME(bessel_far)(order, z, &p, &q);
        const pyopencl_complex both = PYOPENCL_NAME(new)(p.x - q.y, p.y + q.x);
        const pyopencl_complex wave = PYOPENCL_NAME(mul)(decay, PYOPENCL_NAME(bessel_amplitude)(z));
        // exp(-i pi/4), and a quarter turn back for order 1.
        const pyopencl_complex phase = PYOPENCL_NAME(new)(
            order == 1 ? -PYOPENCL_CONST(M_SQRT1_2) : PYOPENCL_CONST(M_SQRT1_2), -PYOPENCL_CONST(M_SQRT1_2));
        return PYOPENCL_NAME(mul)(PYOPENCL_NAME(mul)(wave, phase), both);
    }
    if (size >= 2 && z.y >= 1) {
        const pyopencl_complex scaled_k = PYOPENCL_NAME(bessel_k)(order, PYOPENCL_NAME(neg)(iz));
        const pyopencl_complex k =
            PYOPENCL_NAME(mulr)(PYOPENCL_NAME(mul)(scaled_k, decay), -PYOPENCL_CONST(M_2_PI));
        return order == 1 ? k : PYOPENCL_NAME(new)(-k.y, k.x);
    }
    const PYOPENCL_NAME(bessel_values) j = PYOPENCL_NAME(bessel_near)(0, z);
    const pyopencl_complex logarithm = PYOPENCL_NAME(addr)(
        PYOPENCL_NAME(log)(PYOPENCL_NAME(mulr)(z, 0.5f)), (pyopencl_real)0.57721566490153286061);
    pyopencl_complex y;
    if (order == 0) {
        y = PYOPENCL_NAME(sub)(PYOPENCL_NAME(mul)(logarithm, j.zero), PYOPENCL_NAME(mulr)(j.sum_zero, 2));
    } else {
        y = PYOPENCL_NAME(mul)(PYOPENCL_NAME(addr)(logarithm, -1), j.one);
        y = PYOPENCL_NAME(sub)(y, PYOPENCL_NAME(add)(j.sum_one, PYOPENCL_NAME(divide)(j.zero, z)));
    }
    const pyopencl_complex first = order == 0 ? j.zero : j.one;
    const pyopencl_complex value = PYOPENCL_NAME(new)(
        first.x - PYOPENCL_CONST(M_2_PI) * y.y, first.y + PYOPENCL_CONST(M_2_PI) * y.x);
    return scaled ? PYOPENCL_NAME(mul)(value, PYOPENCL_NAME(exp)(PYOPENCL_NAME(neg)(iz))) : value;
}

static inline pyopencl_complex PYOPENCL_NAME(hankel)(
    const int order, const pyopencl_complex z, const bool scaled)
{
    if (!signbit(z.y) || (scaled && z.x >= 0 && PYOPENCL_NAME(abs)(z) >= BESSEL_FAR))
        return PYOPENCL_NAME(hankel_upper)(order, z, scaled);
    // 2 J - H^(2), which is the conjugate of H^(1) of the conjugate.
    const pyopencl_complex other = PYOPENCL_NAME(hankel_upper)(order, PYOPENCL_NAME(conj)(z), false);
    const pyopencl_complex first = PYOPENCL_NAME(bessel_jn)(order, z);
    const pyopencl_complex value = PYOPENCL_NAME(new)(2 * first.x - other.x, 2 * first.y + other.y);
    return scaled ? PYOPENCL_NAME(mul)(value, PYOPENCL_NAME(exp)(PYOPENCL_NAME(new)(z.y, -z.x))) : value;
}

static inline pyopencl_complex PYOPENCL_NAME(hankel_0)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(hankel)(0, z, false);
}

static inline pyopencl_complex PYOPENCL_NAME(hankel_1)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(hankel)(1, z, false);
}

#undef BESSEL_FAR
