// `#include <pyopencl-eval-tbl.cl>`: polynomials from tables of coefficients, by
// Horner's rule, in double precision.

#if !defined(PYOPENCL_EVAL_TBL)
#define PYOPENCL_EVAL_TBL

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// table[0] x^degree + table[1] x^(degree-1) + ... + table[degree]
static inline double cephes_polevl(const double x, constant const double *table, const int degree)
{
    double sum = table[0];
    for (int k = 1; k <= degree; ++k)
        sum = sum * x + table[k];
    return sum;
}

// The same with 1 for the first coefficient, which the table lacks.
static inline double cephes_p1evl(const double x, constant const double *table, const int degree)
{
    double sum = 1;
    for (int k = 0; k < degree; ++k)
        sum = sum * x + table[k];
    return sum;
}

#endif
