// Arithmetic of complex numbers, instantiated for pyopencl_real,
// pyopencl_complex and PYOPENCL_NAME(function) by what includes it;
// PYOPENCL_NAME(new) is there.
//
// Products are those of the definition, as in NumPy and C's CX_LIMITED_RANGE:
// they do not recover infinities from NaN. Division: R. L. Smith, "Algorithm
// 116: Complex division", CACM 5 (1962), which over- and underflows only where
// the quotient does. Powers: repeated squaring for small integer exponents, else
// z^w = exp(w log z) in polar form (Abramowitz & Stegun, 4.2.7-4.2.9).

static inline pyopencl_real PYOPENCL_NAME(real)(const pyopencl_complex a)
{
    return a.x;
}

static inline pyopencl_real PYOPENCL_NAME(imag)(const pyopencl_complex a)
{
    return a.y;
}

static inline pyopencl_complex PYOPENCL_NAME(fromreal)(const pyopencl_real a)
{
    return PYOPENCL_NAME(new)(a, 0);
}

static inline pyopencl_complex PYOPENCL_NAME(neg)(const pyopencl_complex a)
{
    return PYOPENCL_NAME(new)(-a.x, -a.y);
}

static inline pyopencl_complex PYOPENCL_NAME(conj)(const pyopencl_complex a)
{
    return PYOPENCL_NAME(new)(a.x, -a.y);
}

static inline pyopencl_real PYOPENCL_NAME(abs)(const pyopencl_complex a)
{
    return hypot(a.x, a.y);
}

static inline pyopencl_real PYOPENCL_NAME(abs_squared)(const pyopencl_complex a)
{
    return a.x * a.x + a.y * a.y;
}

static inline pyopencl_complex PYOPENCL_NAME(add)(const pyopencl_complex a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(new)(a.x + b.x, a.y + b.y);
}

static inline pyopencl_complex PYOPENCL_NAME(addr)(const pyopencl_complex a, const pyopencl_real b)
{
    return PYOPENCL_NAME(new)(a.x + b, a.y);
}

static inline pyopencl_complex PYOPENCL_NAME(radd)(const pyopencl_real a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(new)(a + b.x, b.y);
}

static inline pyopencl_complex PYOPENCL_NAME(sub)(const pyopencl_complex a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(new)(a.x - b.x, a.y - b.y);
}

static inline pyopencl_complex PYOPENCL_NAME(mul)(const pyopencl_complex a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(new)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static inline pyopencl_complex PYOPENCL_NAME(mulr)(const pyopencl_complex a, const pyopencl_real b)
{
    return PYOPENCL_NAME(new)(a.x * b, a.y * b);
}

static inline pyopencl_complex PYOPENCL_NAME(rmul)(const pyopencl_real a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(new)(a * b.x, a * b.y);
}

// a * b + c
static inline pyopencl_complex PYOPENCL_NAME(fma)(
    const pyopencl_complex a, const pyopencl_complex b, const pyopencl_complex c)
{
    return PYOPENCL_NAME(add)(PYOPENCL_NAME(mul)(a, b), c);
}

static inline pyopencl_complex PYOPENCL_NAME(divide)(const pyopencl_complex a, const pyopencl_complex b)
{
    if (fabs(b.x) >= fabs(b.y)) {
        if (b.x == 0 && b.y == 0)
            return PYOPENCL_NAME(new)(a.x / fabs(b.x), a.y / fabs(b.x));
        const pyopencl_real ratio = b.y / b.x;
        const pyopencl_real scale = (pyopencl_real)1 / (b.x + b.y * ratio);
        return PYOPENCL_NAME(new)((a.x + a.y * ratio) * scale, (a.y - a.x * ratio) * scale);
    }
    const pyopencl_real ratio = b.x / b.y;
    const pyopencl_real scale = (pyopencl_real)1 / (b.y + b.x * ratio);
    return PYOPENCL_NAME(new)((a.x * ratio + a.y) * scale, (a.y * ratio - a.x) * scale);
}

static inline pyopencl_complex PYOPENCL_NAME(divider)(const pyopencl_complex a, const pyopencl_real b)
{
    return PYOPENCL_NAME(new)(a.x / b, a.y / b);
}

static inline pyopencl_complex PYOPENCL_NAME(rdivide)(const pyopencl_real a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(divide)(PYOPENCL_NAME(fromreal)(a), b);
}

static inline pyopencl_complex PYOPENCL_NAME(integer_power)(pyopencl_complex base, const int exponent)
{
    const bool inverse = exponent < 0;
    uint left = inverse ? 0u - (uint)exponent : (uint)exponent;
    pyopencl_complex result = PYOPENCL_NAME(fromreal)(1);
    while (left != 0) {
        if (left & 1u)
            result = PYOPENCL_NAME(mul)(result, base);
        left >>= 1;
        if (left != 0)
            base = PYOPENCL_NAME(mul)(base, base);
    }
    return inverse ? PYOPENCL_NAME(rdivide)(1, result) : result;
}

static inline pyopencl_complex PYOPENCL_NAME(pow)(const pyopencl_complex base, const pyopencl_complex exponent)
{
    if (exponent.x == 0 && exponent.y == 0)
        return PYOPENCL_NAME(fromreal)(1);
    if (base.x == 0 && base.y == 0) {
        const pyopencl_real undefined = (pyopencl_real)0 / base.x;
        return exponent.x > 0 ? PYOPENCL_NAME(fromreal)(0) : PYOPENCL_NAME(new)(undefined, undefined);
    }
    if (exponent.y == 0 && fabs(exponent.x) < 100 && exponent.x == rint(exponent.x))
        return PYOPENCL_NAME(integer_power)(base, (int)exponent.x);
    const pyopencl_real log_size = log(hypot(base.x, base.y));
    const pyopencl_real angle = atan2(base.y, base.x);
    // The size may overflow where the parts do not.
    const pyopencl_real half_way = exp((exponent.x * log_size - exponent.y * angle) / 2);
    const pyopencl_real turn = exponent.y * log_size + exponent.x * angle;
    return PYOPENCL_NAME(new)(half_way * cos(turn) * half_way, half_way * sin(turn) * half_way);
}

static inline pyopencl_complex PYOPENCL_NAME(powr)(const pyopencl_complex base, const pyopencl_real exponent)
{
    return PYOPENCL_NAME(pow)(base, PYOPENCL_NAME(fromreal)(exponent));
}

static inline pyopencl_complex PYOPENCL_NAME(rpow)(const pyopencl_real base, const pyopencl_complex exponent)
{
    return PYOPENCL_NAME(pow)(PYOPENCL_NAME(fromreal)(base), exponent);
}
