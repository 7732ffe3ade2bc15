// Elementary functions of complex numbers, instantiated as
// pyopencl-complex-arithmetic.h is, after it; PYOPENCL_CONST(M_PI) and
// PYOPENCL_LIMIT(MAX) are the constants of the type.
//
// Principal values, branch cuts (continuous from the side that the sign of a
// zero names), infinities and NaN are C's: W. Kahan, "Branch cuts for complex
// elementary functions, or much ado about nothing's sign bit", in: The State of
// the Art in Numerical Analysis, 1987; C99, annex G. Which part of a result
// that is not finite has which sign is left open where C leaves it open.
//
// Square root, tanh and atanh are Kahan's; asin and acos: T. E. Hull, T. F.
// Fairgrieve, P. T. P. Tang, "Implementing the complex arcsine and arccosine
// functions using exception handling", ACM TOMS 23 (1997).
//
// Errors are a few units in the last place of the magnitude of the result where
// the real functions of the device have a few.

// exp(x) * size, where exp(x) alone may overflow.
static inline pyopencl_real PYOPENCL_NAME(exp_times)(const pyopencl_real x, const pyopencl_real size)
{
    if (x < (PYOPENCL_LIMIT(MAX_EXP) - 2) * PYOPENCL_CONST(M_LN2))
        return exp(x) * size;
    const pyopencl_real half_way = exp(x / 2);
    return half_way * size * half_way;
}

// scale * exp(x) * (cos(angle) + i sin(angle))
static inline pyopencl_complex PYOPENCL_NAME(exp_polar)(
    const pyopencl_real x, const pyopencl_real angle, const float scale)
{
    if (!isfinite(angle)) {
        if (x == -INFINITY)
            return PYOPENCL_NAME(new)(0, copysign((pyopencl_real)0, angle));
        return PYOPENCL_NAME(new)(x == INFINITY ? x : (pyopencl_real)NAN, NAN);
    }
    pyopencl_real cosine;
    const pyopencl_real sine = sincos(angle, &cosine);
    return PYOPENCL_NAME(new)(
        PYOPENCL_NAME(exp_times)(x, scale * cosine), PYOPENCL_NAME(exp_times)(x, scale * sine));
}

static inline pyopencl_complex PYOPENCL_NAME(exp)(const pyopencl_complex z)
{
    if (z.y == 0)
        return PYOPENCL_NAME(new)(exp(z.x), z.y);
    return PYOPENCL_NAME(exp_polar)(z.x, z.y, 1);
}

// A base, at most 10, to the power of x + i y, from the base to the power of x / 2
// and its logarithm in two parts: the angle has the digits of both, and the
// modulus is that of x also where the angle has none left.
static inline pyopencl_complex PYOPENCL_NAME(base_power)(
    const pyopencl_real half_way, const pyopencl_real y, const pyopencl_real log_high, const float log_low)
{
#pragma OPENCL FP_CONTRACT OFF
    // Angles so large have no digits: these are finite.
    const pyopencl_real turn = clamp(y, -PYOPENCL_LIMIT(MAX) / 4, PYOPENCL_LIMIT(MAX) / 4);
    const pyopencl_real angle = turn * log_high;
    const pyopencl_real rest = fma(turn, log_high, -angle) + turn * log_low;
    pyopencl_real cosine, rest_cosine;
    const pyopencl_real sine = sincos(angle, &cosine), rest_sine = sincos(rest, &rest_cosine);
    return PYOPENCL_NAME(new)(half_way * (cosine * rest_cosine - sine * rest_sine) * half_way,
        half_way * (sine * rest_cosine + cosine * rest_sine) * half_way);
}

static inline pyopencl_complex PYOPENCL_NAME(exp2)(const pyopencl_complex z)
{
    if (z.y == 0)
        return PYOPENCL_NAME(new)(exp2(z.x), z.y);
    if (!isfinite(z.x) || !isfinite(z.y))
        return PYOPENCL_NAME(exp_polar)(z.x, z.y * PYOPENCL_CONST(M_LN2), 1);
    const float low = sizeof(z.x) == 4 ? -1.9046543e-9f : 2.31904681e-17f;
    return PYOPENCL_NAME(base_power)(exp2(z.x / 2), z.y, PYOPENCL_CONST(M_LN2), low);
}

static inline pyopencl_complex PYOPENCL_NAME(exp10)(const pyopencl_complex z)
{
    if (z.y == 0)
        return PYOPENCL_NAME(new)(exp10(z.x), z.y);
    if (!isfinite(z.x) || !isfinite(z.y))
        return PYOPENCL_NAME(exp_polar)(z.x, z.y * PYOPENCL_CONST(M_LN10), 1);
    const float low = sizeof(z.x) == 4 ? -3.19754367e-8f : -2.17075622e-16f;
    return PYOPENCL_NAME(base_power)(exp10(z.x / 2), z.y, PYOPENCL_CONST(M_LN10), low);
}

// exp(z) - 1: expm1(x) cos y - 2 sin(y/2)^2 + i exp(x) sin y
static inline pyopencl_complex PYOPENCL_NAME(expm1)(const pyopencl_complex z)
{
    if (z.y == 0)
        return PYOPENCL_NAME(new)(expm1(z.x), z.y);
    const pyopencl_complex power = PYOPENCL_NAME(exp)(z);
    if (!isfinite(z.x) || !isfinite(z.y) || z.x > 40)
        return PYOPENCL_NAME(new)(power.x - 1, power.y);
    const pyopencl_real half_sine = sin(z.y / 2);
    return PYOPENCL_NAME(new)(expm1(z.x) * cos(z.y) - 2 * half_sine * half_sine, power.y);
}

// log(|z|). Near the unit circle by |z|^2 - 1, which is computed in doubled
// precision (T. J. Dekker, Numer. Math. 18, 1971; with fma).
static inline pyopencl_real PYOPENCL_NAME(log_abs)(const pyopencl_complex z)
{
#pragma OPENCL FP_CONTRACT OFF
    const pyopencl_real a = fmax(fabs(z.x), fabs(z.y)), b = fmin(fabs(z.x), fabs(z.y));
    if (isinf(z.x) || isinf(z.y))
        return INFINITY;
    if (isnan(z.x) || isnan(z.y))
        return NAN;
    if (a > 0.5f && a < 2) {
        const pyopencl_real aa = a * a, bb = b * b;
        const pyopencl_real rest = fma(a, a, -aa) + fma(b, b, -bb);
        const pyopencl_real more = aa - 1;
        const pyopencl_real sum = more + bb, back = sum - more;
        const pyopencl_real lost = (more - (sum - back)) + (bb - back);
        return log1p(sum + (lost + rest)) / 2;
    }
    if (a > PYOPENCL_LIMIT(MAX) / 4)
        return log(hypot(a / 4, b / 4)) + 2 * PYOPENCL_CONST(M_LN2);
    if (a != 0 && a < 4 * PYOPENCL_LIMIT(MIN) / PYOPENCL_LIMIT(EPSILON)) {
        const int up = 2 * PYOPENCL_LIMIT(MANT_DIG);
        return log(hypot(ldexp(a, up), ldexp(b, up))) - up * PYOPENCL_CONST(M_LN2);
    }
    return log(hypot(a, b));
}

static inline pyopencl_complex PYOPENCL_NAME(log)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(new)(PYOPENCL_NAME(log_abs)(z), atan2(z.y, z.x));
}

static inline pyopencl_complex PYOPENCL_NAME(log2)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(mulr)(PYOPENCL_NAME(log)(z), PYOPENCL_CONST(M_LOG2E));
}

static inline pyopencl_complex PYOPENCL_NAME(log10)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(mulr)(PYOPENCL_NAME(log)(z), PYOPENCL_CONST(M_LOG10E));
}

// log(1 + z); |1 + z|^2 - 1 = x (2 + x) + y^2
static inline pyopencl_complex PYOPENCL_NAME(log1p)(const pyopencl_complex z)
{
    if (fabs(z.x) < 0.5f && fabs(z.y) < 0.5f)
        return PYOPENCL_NAME(new)(log1p(z.x * (2 + z.x) + z.y * z.y) / 2, atan2(z.y, 1 + z.x));
    return PYOPENCL_NAME(log)(PYOPENCL_NAME(new)(1 + z.x, z.y));
}

static inline pyopencl_complex PYOPENCL_NAME(sqrt)(const pyopencl_complex z)
{
    pyopencl_real x = fabs(z.x), y = fabs(z.y);
    if (isinf(y))
        return PYOPENCL_NAME(new)(y, z.y);
    if (isnan(z.x))
        return PYOPENCL_NAME(new)(z.x, z.x);
    if (isinf(x)) {
        const pyopencl_real zero = isnan(y) ? y : (pyopencl_real)0;
        return z.x > 0 ? PYOPENCL_NAME(new)(x, copysign(zero, z.y))
                       : PYOPENCL_NAME(new)(zero, copysign(x, z.y));
    }
    if (x == 0 && y == 0)
        return PYOPENCL_NAME(new)(0, z.y);
    // Twice the exponent of the scale, so that nothing over- or underflows.
    int half_scale = 0;
    if (fmax(x, y) > PYOPENCL_LIMIT(MAX) / 8)
        half_scale = 2;
    else if (fmax(x, y) < 4 * PYOPENCL_LIMIT(MIN) / PYOPENCL_LIMIT(EPSILON))
        half_scale = -PYOPENCL_LIMIT(MANT_DIG);
    if (half_scale != 0) {
        x = ldexp(x, -2 * half_scale);
        y = ldexp(y, -2 * half_scale);
    }
    pyopencl_real large = sqrt((x + hypot(x, y)) / 2);
    pyopencl_real small = y / (2 * large);
    if (half_scale != 0) {
        large = ldexp(large, half_scale);
        small = ldexp(small, half_scale);
    }
    return z.x >= 0 ? PYOPENCL_NAME(new)(large, copysign(small, z.y))
                    : PYOPENCL_NAME(new)(small, copysign(large, z.y));
}

// cosh x cos y + i sinh x sin y
static inline pyopencl_complex PYOPENCL_NAME(cosh)(const pyopencl_complex z)
{
    if (z.y == 0)
        return PYOPENCL_NAME(new)(cosh(z.x), copysign((pyopencl_real)1, z.x) * z.y);
    if (z.x == 0)
        return PYOPENCL_NAME(new)(cos(z.y), isfinite(z.y) ? z.x * sin(z.y) : z.x);
    if (!isfinite(z.y))
        return PYOPENCL_NAME(new)(isinf(z.x) ? (pyopencl_real)INFINITY : (pyopencl_real)NAN, NAN);
    if (fabs(z.x) < PYOPENCL_LIMIT(MANT_DIG))
        return PYOPENCL_NAME(new)(cosh(z.x) * cos(z.y), sinh(z.x) * sin(z.y));
    const pyopencl_complex power = PYOPENCL_NAME(exp_polar)(fabs(z.x), z.y, 0.5f);
    return PYOPENCL_NAME(new)(power.x, z.x < 0 ? -power.y : power.y);
}

// sinh x cos y + i cosh x sin y
static inline pyopencl_complex PYOPENCL_NAME(sinh)(const pyopencl_complex z)
{
    if (z.y == 0)
        return PYOPENCL_NAME(new)(sinh(z.x), z.y);
    if (z.x == 0)
        return PYOPENCL_NAME(new)(isfinite(z.y) ? z.x * cos(z.y) : z.x, sin(z.y));
    if (!isfinite(z.y))
        return PYOPENCL_NAME(new)(isinf(z.x) ? z.x : (pyopencl_real)NAN, NAN);
    if (fabs(z.x) < PYOPENCL_LIMIT(MANT_DIG))
        return PYOPENCL_NAME(new)(sinh(z.x) * cos(z.y), cosh(z.x) * sin(z.y));
    const pyopencl_complex power = PYOPENCL_NAME(exp_polar)(fabs(z.x), z.y, 0.5f);
    return PYOPENCL_NAME(new)(z.x < 0 ? -power.x : power.x, power.y);
}

static inline pyopencl_complex PYOPENCL_NAME(tanh)(const pyopencl_complex z)
{
    if (z.y == 0)
        return PYOPENCL_NAME(new)(tanh(z.x), z.y);
    const bool turns = isfinite(z.y);
    if (fabs(z.x) > 0.4f * PYOPENCL_LIMIT(MANT_DIG)) {
        // 1 - O(exp(-2x)) + i 4 sin y cos y exp(-2x)
        const pyopencl_real angle = turns ? sin(z.y) * cos(z.y) : copysign((pyopencl_real)0, z.y);
        const pyopencl_real small = exp(-fabs(z.x));
        return PYOPENCL_NAME(new)(copysign((pyopencl_real)1, z.x), 4 * small * angle * small);
    }
    if (!turns)
        return PYOPENCL_NAME(new)(z.x == 0 ? z.x : (pyopencl_real)NAN, NAN);
    const pyopencl_real tangent = tan(z.y), sine = sinh(z.x);
    const pyopencl_real cosine = sqrt(1 + sine * sine);
    if (isinf(tangent))
        return PYOPENCL_NAME(new)(cosine / sine, 1 / tangent);
    const pyopencl_real secant_squared = 1 + tangent * tangent;
    const pyopencl_real scale = 1 / (1 + secant_squared * sine * sine);
    return PYOPENCL_NAME(new)(secant_squared * cosine * sine * scale, tangent * scale);
}

// sin, cos and tan are sinh, cosh and tanh of i z, turned back.
static inline pyopencl_complex PYOPENCL_NAME(sin)(const pyopencl_complex z)
{
    const pyopencl_complex turned = PYOPENCL_NAME(sinh)(PYOPENCL_NAME(new)(-z.y, z.x));
    return PYOPENCL_NAME(new)(turned.y, -turned.x);
}

static inline pyopencl_complex PYOPENCL_NAME(cos)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(cosh)(PYOPENCL_NAME(new)(-z.y, z.x));
}

static inline pyopencl_complex PYOPENCL_NAME(tan)(const pyopencl_complex z)
{
    const pyopencl_complex turned = PYOPENCL_NAME(tanh)(PYOPENCL_NAME(new)(-z.y, z.x));
    return PYOPENCL_NAME(new)(turned.y, -turned.x);
}

// asin(x + i y), or acos with the imaginary part's sign turned, for finite x and
// y that are not negative.
static inline pyopencl_complex PYOPENCL_NAME(arc)(
    const pyopencl_real x, const pyopencl_real y, const bool cosine)
{
    const pyopencl_real most = sqrt(PYOPENCL_LIMIT(MAX)) / 8, least = 4 * sqrt(PYOPENCL_LIMIT(MIN));
    const pyopencl_real right = x + 1, left = x - 1;
    pyopencl_real angle, size;
    if (x > least && x < most && y > least && y < most) {
        const pyopencl_real yy = y * y;
        const pyopencl_real r = sqrt(right * right + yy), s = sqrt(left * left + yy);
        const pyopencl_real a = (r + s) / 2, b = x / a;
        if (b <= 0.6417f) {
            angle = cosine ? acos(b) : asin(b);
        } else {
            const pyopencl_real ax = a + x;
            const pyopencl_real side = x <= 1 ? sqrt(ax / 2 * (yy / (r + right) + (s - left)))
                                              : y * sqrt((ax / (r + right) + ax / (s + left)) / 2);
            angle = cosine ? atan2(side, x) : atan2(x, side);
        }
        if (a <= 1.5f) {
            const pyopencl_real beyond =
                (yy / (r + right) + (x < 1 ? yy / (s - left) : s + left)) / 2;
            size = log1p(beyond + sqrt(beyond * (a + 1)));
        } else {
            size = log(a + sqrt(a * a - 1));
        }
    } else if (y <= PYOPENCL_LIMIT(EPSILON) * fabs(left)) {
        if (x < 1) {
            angle = cosine ? acos(x) : asin(x);
            size = y / sqrt(-left * right);
        } else {
            // In this order the root does not overflow.
            const pyopencl_real root = sqrt(left) * sqrt(right);
            angle = y == 0 ? (pyopencl_real)0 : y / root;
            angle = cosine ? angle : PYOPENCL_CONST(M_PI_2);
            size = x < most ? log1p(left + root) : PYOPENCL_CONST(M_LN2) + log(x);
        }
    } else if (y <= least) {
        size = sqrt(y);
        angle = cosine ? size : PYOPENCL_CONST(M_PI_2) - size;
    } else if (PYOPENCL_LIMIT(EPSILON) * y - 1 >= x) {
        angle = cosine ? PYOPENCL_CONST(M_PI_2) : x / y;
        size = PYOPENCL_CONST(M_LN2) + log(y);
    } else if (x > 1) {
        const pyopencl_real ratio = x / y;
        angle = cosine ? atan(y / x) : atan(ratio);
        size = PYOPENCL_CONST(M_LN2) + log(y) + log1p(ratio * ratio) / 2;
    } else {
        const pyopencl_real root = sqrt(1 + y * y);
        angle = cosine ? PYOPENCL_CONST(M_PI_2) : x / root;
        size = log1p(2 * y * (y + root)) / 2;
    }
    return PYOPENCL_NAME(new)(angle, size);
}

static inline pyopencl_complex PYOPENCL_NAME(asin)(const pyopencl_complex z)
{
    if (isnan(z.x) || isnan(z.y)) {
        const pyopencl_real size = isinf(z.x) ? fabs(z.x) : z.x + z.y;
        return PYOPENCL_NAME(new)(z.x == 0 ? z.x : (pyopencl_real)NAN, isinf(z.y) ? z.y : size);
    }
    if (isinf(z.x) || isinf(z.y))
        return PYOPENCL_NAME(new)(atan2(z.x, fabs(z.y)), copysign((pyopencl_real)INFINITY, z.y));
    const pyopencl_complex arc = PYOPENCL_NAME(arc)(fabs(z.x), fabs(z.y), false);
    return PYOPENCL_NAME(new)(copysign(arc.x, z.x), copysign(arc.y, z.y));
}

static inline pyopencl_complex PYOPENCL_NAME(acos)(const pyopencl_complex z)
{
    if (isnan(z.x) || isnan(z.y)) {
        const pyopencl_real size = isinf(z.x) ? fabs(z.x) : z.x + z.y;
        return PYOPENCL_NAME(new)(
            z.x == 0 ? PYOPENCL_CONST(M_PI_2) : (pyopencl_real)NAN, isinf(z.y) ? -z.y : size);
    }
    if (isinf(z.x) || isinf(z.y))
        return PYOPENCL_NAME(new)(atan2(fabs(z.y), z.x), copysign((pyopencl_real)INFINITY, -z.y));
    const pyopencl_complex arc = PYOPENCL_NAME(arc)(fabs(z.x), fabs(z.y), true);
    return PYOPENCL_NAME(new)(z.x < 0 ? PYOPENCL_CONST(M_PI) - arc.x : arc.x, copysign(arc.y, -z.y));
}

static inline pyopencl_complex PYOPENCL_NAME(asinh)(const pyopencl_complex z)
{
    const pyopencl_complex turned = PYOPENCL_NAME(asin)(PYOPENCL_NAME(new)(-z.y, z.x));
    return PYOPENCL_NAME(new)(turned.y, -turned.x);
}

// i acos(z) or -i acos(z), whichever has a positive real part.
static inline pyopencl_complex PYOPENCL_NAME(acosh)(const pyopencl_complex z)
{
    const pyopencl_complex arc = PYOPENCL_NAME(acos)(z);
    return PYOPENCL_NAME(new)(fabs(arc.y), copysign(arc.x, z.y));
}

static inline pyopencl_complex PYOPENCL_NAME(atanh)(const pyopencl_complex z)
{
    const pyopencl_real x = fabs(z.x), y = fabs(z.y), most = sqrt(PYOPENCL_LIMIT(MAX)) / 4;
    pyopencl_real size, angle;
    if (isinf(z.x) || isinf(z.y) || x > most || y > most) {
        // The real part of 1 / z.
        const pyopencl_real ratio = x > y ? y / x : x / y;
        size = (x > y ? 1 / x : ratio / y) / (1 + ratio * ratio);
        size = isinf(z.x) || isinf(z.y) ? (pyopencl_real)0 : size;
        angle = isnan(y) ? y : PYOPENCL_CONST(M_PI_2);
    } else if (isnan(z.x) || isnan(z.y)) {
        return PYOPENCL_NAME(new)(z.x == 0 ? z.x : (pyopencl_real)NAN, NAN);
    } else {
        const pyopencl_real left = 1 - x;
        if (x == 1 && y < sqrt(PYOPENCL_LIMIT(MIN)))
            size = (PYOPENCL_CONST(M_LN2) - log(y)) / 2;
        else
            size = log1p(4 * x / (left * left + y * y)) / 4;
        angle = atan2(2 * y, left * (1 + x) - y * y) / 2;
    }
    return PYOPENCL_NAME(new)(copysign(size, z.x), copysign(angle, z.y));
}

static inline pyopencl_complex PYOPENCL_NAME(atan)(const pyopencl_complex z)
{
    const pyopencl_complex turned = PYOPENCL_NAME(atanh)(PYOPENCL_NAME(new)(-z.y, z.x));
    return PYOPENCL_NAME(new)(turned.y, -turned.x);
}

static inline pyopencl_complex PYOPENCL_NAME(rint)(const pyopencl_complex z)
{
    return PYOPENCL_NAME(new)(rint(z.x), rint(z.y));
}
