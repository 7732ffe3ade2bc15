// Bessel functions of integer order and real argument in double precision, for
// kernels (needs cl_khr_fp64); pyopencl-bessel-j.cl and pyopencl-bessel-y.cl
// name them.

#if !defined(PYOPENCL_BESSEL_H)
#define PYOPENCL_BESSEL_H

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define REAL double
#define NAME(function) pyopencl_##function
#include <bessel.h.cl>
#undef REAL
#undef NAME

#endif
