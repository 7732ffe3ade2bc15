"""Functions of the elements of arrays, by their names in OpenCL C.

Each function makes a new array, in one launch, on *queue* or the queue of the array. Integers and truth
values become floating-point numbers as in NumPy (those of 8 bits half precision, of 16 bits single
precision, others double precision); :func:`ceil`, :func:`floor`, :func:`round`, :func:`trunc` and
:func:`fmod` leave them what they are. Functions that mathematics has for complex numbers take them too,
with the branch cuts of C. Half precision is computed in single precision. Where two operands are taken, one
may be a number or a NumPy array, and they are broadcast.

Errors in units in the last place are those that OpenCL C allows its functions; of complex results, of their
magnitude.

All functions raise :class:`TypeError` for operands that are no arrays and dtypes that they do not take, and
:class:`ValueError` for shapes that do not broadcast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyopencl._cl import _call

if TYPE_CHECKING:
    from pyopencl._cl import Array, CommandQueue, _Operand


def acos(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the arc cosine."""
    return _call("acos", array, None, queue)


def acosh(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the inverse hyperbolic cosine."""
    return _call("acosh", array, None, queue)


def acospi(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the arc cosine, divided by pi."""
    return _call("acospi", array, None, queue)


def asin(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the arc sine."""
    return _call("asin", array, None, queue)


def asinh(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the inverse hyperbolic sine."""
    return _call("asinh", array, None, queue)


def asinpi(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the arc sine, divided by pi."""
    return _call("asinpi", array, None, queue)


def atan(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the arc tangent."""
    return _call("atan", array, None, queue)


def atan2(y: _Operand, x: _Operand, queue: CommandQueue | None = None) -> Array:
    """Compute the angle of the points (*x*, *y*), between minus pi and pi."""
    return _call("atan2", y, x, queue)


def atan2pi(y: _Operand, x: _Operand, queue: CommandQueue | None = None) -> Array:
    """Compute the angle of the points (*x*, *y*), divided by pi."""
    return _call("atan2pi", y, x, queue)


def atanh(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the inverse hyperbolic tangent."""
    return _call("atanh", array, None, queue)


def atanpi(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the arc tangent, divided by pi."""
    return _call("atanpi", array, None, queue)


def bessel_jn(n: _Operand, x: _Operand, queue: CommandQueue | None = None) -> Array:
    """Compute Bessel functions of the first kind, of integer order *n* and real or complex *x*."""
    return _call("bessel_jn", n, x, queue)


def bessel_yn(n: _Operand, x: _Operand, queue: CommandQueue | None = None) -> Array:
    """Compute Bessel functions of the second kind, of integer order *n* and real *x*: NaN below 0."""
    return _call("bessel_yn", n, x, queue)


def cbrt(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the cube root."""
    return _call("cbrt", array, None, queue)


def ceil(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the least whole number that is not less."""
    return _call("ceil", array, None, queue)


def cos(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the cosine."""
    return _call("cos", array, None, queue)


def cosh(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the hyperbolic cosine."""
    return _call("cosh", array, None, queue)


def cospi(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the cosine of pi times each element."""
    return _call("cospi", array, None, queue)


def erf(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the error function."""
    return _call("erf", array, None, queue)


def erfc(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute one minus the error function."""
    return _call("erfc", array, None, queue)


def exp(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the exponential function."""
    return _call("exp", array, None, queue)


def exp10(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute 10 to the power of each element."""
    return _call("exp10", array, None, queue)


def exp2(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute 2 to the power of each element."""
    return _call("exp2", array, None, queue)


def expm1(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the exponential function minus one."""
    return _call("expm1", array, None, queue)


def fabs(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the magnitude of real numbers, as a floating-point number."""
    return _call("fabs", array, None, queue)


def floor(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the greatest whole number that is not greater."""
    return _call("floor", array, None, queue)


def fmod(arg: _Operand, mod: _Operand, queue: CommandQueue | None = None) -> Array:
    """Compute the rest of *arg* divided by *mod*, with the sign of *arg*."""
    return _call("fmod", arg, mod, queue)


def frexp(arg: Array, queue: CommandQueue | None = None) -> tuple[Array, Array]:
    """Split into a significand from 0.5 to 1 and an exponent (int32) of 2, of what is not finite 0."""
    return _call("frexp_significand", arg, None, queue), _call("frexp_exponent", arg, None, queue)


def hankel_01(x: Array, queue: CommandQueue | None = None) -> tuple[Array, Array]:
    """Compute Hankel functions of the first kind, of orders 0 and 1; real numbers become complex ones.

    On the branch cut, the negative real axis, the sign of the imaginary zero names the side.
    """
    return _call("hankel_0", x, None, queue), _call("hankel_1", x, None, queue)


def ilogb(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the binary exponent, as a floating-point number."""
    return _call("ilogb", array, None, queue)


def ldexp(significand: _Operand, exponent: _Operand, queue: CommandQueue | None = None) -> Array:
    """Compute *significand* times 2 to the power of the integer *exponent*."""
    return _call("ldexp", significand, exponent, queue)


def lgamma(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the logarithm of the magnitude of the gamma function."""
    return _call("lgamma", array, None, queue)


def log(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the natural logarithm."""
    return _call("log", array, None, queue)


def log10(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the logarithm to base 10."""
    return _call("log10", array, None, queue)


def log1p(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the natural logarithm of one plus each element."""
    return _call("log1p", array, None, queue)


def log2(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the logarithm to base 2."""
    return _call("log2", array, None, queue)


def logb(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the binary exponent, minus infinity for zero."""
    return _call("logb", array, None, queue)


def modf(arg: Array, queue: CommandQueue | None = None) -> tuple[Array, Array]:
    """Split into the digits after the point and the whole number, both with the sign of *arg*."""
    return _call("modf_fraction", arg, None, queue), _call("modf_whole", arg, None, queue)


def nan(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute a NaN with the bits of each integer."""
    return _call("nan", array, None, queue)


def rint(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the nearest whole number, the even one of two."""
    return _call("rint", array, None, queue)


def round(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the nearest whole number, the one away from zero of two."""
    return _call("round", array, None, queue)


def sin(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the sine."""
    return _call("sin", array, None, queue)


def sinh(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the hyperbolic sine."""
    return _call("sinh", array, None, queue)


def sinpi(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the sine of pi times each element."""
    return _call("sinpi", array, None, queue)


def sqrt(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the square root."""
    return _call("sqrt", array, None, queue)


def tan(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the tangent."""
    return _call("tan", array, None, queue)


def tanh(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the hyperbolic tangent."""
    return _call("tanh", array, None, queue)


def tanpi(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the tangent of pi times each element."""
    return _call("tanpi", array, None, queue)


def tgamma(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the gamma function."""
    return _call("tgamma", array, None, queue)


def trunc(array: Array, queue: CommandQueue | None = None) -> Array:
    """Compute the whole number that remains without the digits after the point."""
    return _call("trunc", array, None, queue)
