// Complex arithmetic on two-vectors (x real, y imaginary), instantiated for
// REAL, COMPLEX and NAME(function) by the text around it.
//
// Division: R. L. Smith, "Algorithm 116: Complex division", CACM 5 (1962).
// Powers: repeated squaring for small integer exponents, else
// z^w = exp(w log z) in polar form (Abramowitz & Stegun, 4.2.7-4.2.9).
// Order: by real part, then by imaginary part, nothing being less than or
// greater than NaN.

static inline COMPLEX NAME(multiply)(const COMPLEX a, const COMPLEX b)
{
    return (COMPLEX)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static inline COMPLEX NAME(divide)(const COMPLEX a, const COMPLEX b)
{
    if (fabs(b.x) >= fabs(b.y)) {
        if (b.x == 0 && b.y == 0)
            return (COMPLEX)(a.x / fabs(b.x), a.y / fabs(b.x));
        const REAL ratio = b.y / b.x;
        const REAL scale = (REAL)1 / (b.x + b.y * ratio);
        return (COMPLEX)((a.x + a.y * ratio) * scale, (a.y - a.x * ratio) * scale);
    }
    const REAL ratio = b.x / b.y;
    const REAL scale = (REAL)1 / (b.y + b.x * ratio);
    return (COMPLEX)((a.x * ratio + a.y) * scale, (a.y * ratio - a.x) * scale);
}

static inline COMPLEX NAME(integer_power)(COMPLEX base, int exponent)
{
    const bool inverse = exponent < 0;
    uint left = inverse ? 0u - (uint)exponent : (uint)exponent;
    COMPLEX result = (COMPLEX)(1, 0);
    while (left != 0) {
        if (left & 1u)
            result = NAME(multiply)(result, base);
        left >>= 1;
        if (left != 0)
            base = NAME(multiply)(base, base);
    }
    return inverse ? NAME(divide)((COMPLEX)(1, 0), result) : result;
}

static inline COMPLEX NAME(power)(const COMPLEX base, const COMPLEX exponent)
{
    if (exponent.x == 0 && exponent.y == 0)
        return (COMPLEX)(1, 0);
    if (base.x == 0 && base.y == 0) {
        const REAL undefined = (REAL)0 / base.x;
        return exponent.x > 0 ? (COMPLEX)(0, 0) : (COMPLEX)(undefined, undefined);
    }
    if (exponent.y == 0 && fabs(exponent.x) < 100 && exponent.x == rint(exponent.x))
        return NAME(integer_power)(base, (int)exponent.x);
    const REAL log_size = log(hypot(base.x, base.y));
    const REAL angle = atan2(base.y, base.x);
    const REAL size = exp(exponent.x * log_size - exponent.y * angle);
    const REAL turn = exponent.y * log_size + exponent.x * angle;
    return (COMPLEX)(size * cos(turn), size * sin(turn));
}

static inline bool NAME(less)(const COMPLEX a, const COMPLEX b)
{
    return (a.x < b.x && a.y == a.y && b.y == b.y) || (a.x == b.x && a.y < b.y);
}

static inline bool NAME(less_equal)(const COMPLEX a, const COMPLEX b)
{
    return (a.x < b.x && a.y == a.y && b.y == b.y) || (a.x == b.x && a.y <= b.y);
}

static inline bool NAME(equal)(const COMPLEX a, const COMPLEX b)
{
    return a.x == b.x && a.y == b.y;
}

static inline bool NAME(is_nan)(const COMPLEX a)
{
    return a.x != a.x || a.y != a.y;
}

static inline COMPLEX NAME(maximum)(const COMPLEX a, const COMPLEX b)
{
    return NAME(is_nan)(a) || NAME(less_equal)(b, a) ? a : b;
}

static inline COMPLEX NAME(minimum)(const COMPLEX a, const COMPLEX b)
{
    return NAME(is_nan)(a) || NAME(less_equal)(a, b) ? a : b;
}
