// The order of complex numbers, instantiated as the arithmetic is: by real part,
// then by imaginary part, nothing being less than or greater than NaN.

static inline bool PYOPENCL_NAME(less)(const pyopencl_complex a, const pyopencl_complex b)
{
    return (a.x < b.x && a.y == a.y && b.y == b.y) || (a.x == b.x && a.y < b.y);
}

static inline bool PYOPENCL_NAME(less_equal)(const pyopencl_complex a, const pyopencl_complex b)
{
    return (a.x < b.x && a.y == a.y && b.y == b.y) || (a.x == b.x && a.y <= b.y);
}

static inline bool PYOPENCL_NAME(equal)(const pyopencl_complex a, const pyopencl_complex b)
{
    return a.x == b.x && a.y == b.y;
}

static inline bool PYOPENCL_NAME(is_nan)(const pyopencl_complex a)
{
    return a.x != a.x || a.y != a.y;
}

static inline pyopencl_complex PYOPENCL_NAME(maximum)(const pyopencl_complex a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(is_nan)(a) || PYOPENCL_NAME(less_equal)(b, a) ? a : b;
}

static inline pyopencl_complex PYOPENCL_NAME(minimum)(const pyopencl_complex a, const pyopencl_complex b)
{
    return PYOPENCL_NAME(is_nan)(a) || PYOPENCL_NAME(less_equal)(a, b) ? a : b;
}
