// Division of floating-point numbers with a whole quotient, rounded towards
// minus infinity, and a remainder with the divisor's sign: quotient * b +
// remainder = a, as Python's language reference defines `//` and `%`.
// Instantiated for REAL and NAME(function) by the text around it.
//
// fmod is exact, so the quotient of a less the remainder is whole but for the
// rounding of the division, which the last step takes away.

static inline REAL NAME(remainder)(const REAL a, const REAL b)
{
    const REAL rest = fmod(a, b);
    if (rest == 0)
        return copysign((REAL)0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

static inline REAL NAME(floor_divide)(const REAL a, const REAL b)
{
    if (b == 0)
        return a / b;
    const REAL rest = fmod(a, b);
    REAL quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign((REAL)0, a / b);
    const REAL whole = floor(quotient);
    return quotient - whole > (REAL)0.5 ? whole + 1 : whole;
}
