// Functions of OpenCL C that give two results, one at a time, and defined for
// infinities and NaN as C does (C99, 7.12.6.4 and 7.12.6.12, F.9.3).
// Instantiated for REAL and NAME(function) by the text around it.

static inline REAL NAME(frexp_significand)(const REAL x)
{
    int exponent;
    return isfinite(x) ? frexp(x, &exponent) : x;
}

static inline int NAME(frexp_exponent)(const REAL x)
{
    int exponent;
    frexp(x, &exponent);
    return isfinite(x) ? exponent : 0;
}

static inline REAL NAME(modf_fraction)(const REAL x)
{
    return copysign(isinf(x) ? (REAL)0 : x - trunc(x), x);
}

static inline REAL NAME(modf_whole)(const REAL x)
{
    return trunc(x);
}
