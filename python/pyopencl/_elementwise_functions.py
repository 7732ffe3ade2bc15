"""Kernels for functions, comparisons and choices, made as those of :mod:`pyopencl._elementwise_kernels`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyopencl._arguments import ScalarArg
from pyopencl._elementwise_kernels import (
    ArgumentKind,
    _arrays,
    _convert,
    _element,
    _kept,
    _kernel,
    _operand,
    get_decl_and_access_for_kind,
    real_dtype,
)
from pyopencl.compyte.dtypes import dtype_to_ctype

if TYPE_CHECKING:
    import pyopencl as cl

    _DType = np.dtype[Any]

_TRUTH = np.dtype(np.int8)
_SINGLE = np.dtype(np.float32)
_COMPLEX = np.dtype(np.complex128)
_HANKEL = "#include <pyopencl-hankel-complex.cl>"

# --- functions of OpenCL C and of preambles


@_kept
def get_unary_func_kernel(
    context: cl.Context, func_name: str, in_dtype: _DType, out_dtype: _DType | None = None
) -> cl.Kernel:
    """``z = func_name(y)``; *out_dtype* is *in_dtype* by default."""
    arguments = _arrays(z=in_dtype if out_dtype is None else out_dtype, y=in_dtype)
    return _kernel(context, f"{func_name}_kernel", arguments, f"z[i] = {func_name}(y[i])")


@_kept
def get_binary_func_kernel(
    context: cl.Context,
    func_name: str,
    x_dtype: _DType,
    y_dtype: _DType,
    out_dtype: _DType,
    preamble: str = "",
    name: str | None = None,
) -> cl.Kernel:
    """``z = func_name(x, y)``; *name* is the kernel's, *preamble* may define the function."""
    arguments = _arrays(z=out_dtype, x=x_dtype, y=y_dtype)
    operation = f"z[i] = {func_name}(x[i], y[i])"
    return _kernel(context, f"{name or func_name}_kernel", arguments, operation, preamble)


@_kept
def get_float_binary_func_kernel(
    context: cl.Context,
    func_name: str,
    x_dtype: _DType,
    y_dtype: _DType,
    out_dtype: _DType,
    preamble: str = "",
    name: str | None = None,
) -> cl.Kernel:
    """``z = func_name(x, y)`` in floating point: double if operands or result are, else single.

    *name* is the kernel's, *preamble* may define the function.
    """
    wide = np.dtype(np.float64) in (x_dtype, y_dtype, out_dtype)
    computed = np.dtype(np.float64 if wide else np.float32)
    x, y = _convert("x[i]", x_dtype, computed), _convert("y[i]", y_dtype, computed)
    operation = f"z[i] = {_convert(f'{func_name}({x}, {y})', computed, out_dtype)}"
    arguments = _arrays(z=out_dtype, x=x_dtype, y=y_dtype)
    return _kernel(context, f"{name or func_name}_kernel", arguments, operation, preamble)


def get_fmod_kernel(
    context: cl.Context,
    out_dtype: _DType = _SINGLE,
    arg_dtype: _DType = _SINGLE,
    mod_dtype: _DType = _SINGLE,
) -> cl.Kernel:
    """``z = fmod(x, y)``."""
    kernel: cl.Kernel = get_float_binary_func_kernel(context, "fmod", arg_dtype, mod_dtype, out_dtype)
    return kernel


@_kept
def get_modf_kernel(
    context: cl.Context,
    int_dtype: _DType = _SINGLE,
    frac_dtype: _DType = _SINGLE,
    x_dtype: _DType = _SINGLE,
) -> cl.Kernel:
    """``fracpart, intpart = modf(x)``: arguments ``intpart, fracpart, x``."""
    operation = f"{dtype_to_ctype(x_dtype)} whole; fracpart[i] = modf(x[i], &whole); intpart[i] = whole"
    arguments = _arrays(intpart=int_dtype, fracpart=frac_dtype, x=x_dtype)
    return _kernel(context, "modf_kernel", arguments, operation)


@_kept
def get_frexp_kernel(
    context: cl.Context,
    sign_dtype: _DType = _SINGLE,
    exp_dtype: _DType = _SINGLE,
    x_dtype: _DType = _SINGLE,
) -> cl.Kernel:
    """``significand, exponent = frexp(x)``."""
    operation = "int power; significand[i] = frexp(x[i], &power); exponent[i] = power"
    arguments = _arrays(significand=sign_dtype, exponent=exp_dtype, x=x_dtype)
    return _kernel(context, "frexp_kernel", arguments, operation)


@_kept
def get_bessel_kernel(
    context: cl.Context, which_func: str, out_dtype: _DType, order_dtype: _DType, x_dtype: _DType
) -> cl.Kernel:
    """``z`` is the Bessel function J (*which_func* ``"j"``) or Y (``"y"``) of order ``ord_n`` at ``x``.

    Computed in double precision by the header ``pyopencl-bessel-j.cl`` or ``-y.cl``.
    """
    if which_func not in ("j", "y"):
        raise ValueError(f"which_func must be 'j' or 'y', not {which_func!r}")
    arguments = [*_arrays(z=out_dtype), ScalarArg(order_dtype, "ord_n"), *_arrays(x=x_dtype)]
    preamble = f"#include <pyopencl-bessel-{which_func}.cl>"
    operation = f"z[i] = bessel_{which_func}n(ord_n, x[i])"
    return _kernel(context, "bessel_kernel", arguments, operation, preamble)


@_kept
def get_hankel_01_kernel(context: cl.Context, out_dtype: _DType, x_dtype: _DType) -> cl.Kernel:
    """``h0, h1`` are the Hankel functions of the first kind of orders 0 and 1 at ``x``, all complex.

    Computed in double precision by the header ``pyopencl-hankel-complex.cl``.
    """
    value = _convert("x[i]", x_dtype, _COMPLEX)
    first, second = (_convert(name, _COMPLEX, out_dtype) for name in ("first", "second"))
    operation = (
        f"cdouble_t first, second; hankel_01_complex({value}, &first, &second, 1);"
        f" h0[i] = {first}; h1[i] = {second}"
    )
    arguments = _arrays(h0=out_dtype, h1=out_dtype, x=x_dtype)
    return _kernel(context, "complex_hankel_kernel", arguments, operation, _HANKEL)


@_kept
def get_ldexp_kernel(
    context: cl.Context,
    out_dtype: _DType = _SINGLE,
    sig_dtype: _DType = _SINGLE,
    expt_dtype: _DType = _SINGLE,
) -> cl.Kernel:
    """``z = ldexp(x, y)``, with ``y`` cut to an integer."""
    operation = f"z[i] = ldexp({_convert('x[i]', sig_dtype, out_dtype)}, (int) y[i])"
    arguments = _arrays(z=out_dtype, x=sig_dtype, y=expt_dtype)
    return _kernel(context, "ldexp_kernel_kernel", arguments, operation)


# --- comparisons and choices


def _compared(operator: str, a: tuple[str, _DType], b: tuple[str, _DType]) -> str:
    """Compare two values as NumPy does: after promotion, complex numbers by their parts."""
    dtype = np.promote_types(a[1], b[1])
    left, right = _convert(*a, dtype), _convert(*b, dtype)
    if dtype.kind != "c":
        return f"({left} {operator} {right})"
    real, imag = (f"(({left}).{part} {{}} ({right}).{part})" for part in ("real", "imag"))
    if operator in ("==", "!="):
        return f"({real.format(operator)} {'&&' if operator == '==' else '||'} {imag.format(operator)})"
    return f"({real.format(operator[0])} || ({real.format('==')} && {imag.format(operator)}))"


@_kept
def get_array_comparison_kernel(
    context: cl.Context, operator: str, dtype_a: _DType, dtype_b: _DType
) -> cl.Kernel:
    """``out = a operator b``, an ``int8``."""
    value = _compared(operator, ("a[i]", dtype_a), ("b[i]", dtype_b))
    arguments = _arrays(out=_TRUTH, a=dtype_a, b=dtype_b)
    return _kernel(context, "comparison_kernel", arguments, f"out[i] = {value}")


@_kept
def get_array_scalar_comparison_kernel(context: cl.Context, operator: str, dtype_a: _DType) -> cl.Kernel:
    """``out = a operator b``, an ``int8``, with a number ``b`` of the dtype of ``a``."""
    arguments = [*_arrays(out=_TRUTH, a=dtype_a), ScalarArg(dtype_a, "b")]
    value = _compared(operator, ("a[i]", dtype_a), ("b", dtype_a))
    return _kernel(context, "scalar_comparison_kernel", arguments, f"out[i] = {value}")


@_kept
def get_logical_not_kernel(context: cl.Context, in_dtype: _DType) -> cl.Kernel:
    """``z = y == 0``, an ``int8``."""
    value = _compared("==", ("y[i]", in_dtype), ("0", np.dtype(np.int8)))
    return _kernel(context, "logical_not_kernel", _arrays(z=_TRUTH, y=in_dtype), f"z[i] = {value}")


@_kept
def get_if_positive_kernel(
    context: cl.Context,
    crit_dtype: _DType,
    then_else_dtype: _DType,
    is_then_array: bool,
    is_else_array: bool,
    is_then_scalar: bool,
    is_else_scalar: bool,
) -> cl.Kernel:
    """``result = then_ if crit > 0 else else_``: arguments ``result, crit, then_, else_``.

    A choice is an array, an array without dimensions (both its flags are set), or a number (``is_..._scalar``
    alone). Raises :class:`ValueError` if it is nothing of these.
    """
    if not (is_then_array or is_then_scalar) or not (is_else_array or is_else_scalar):
        raise ValueError("a choice is neither an array nor a scalar")
    then = _element("then_", is_then_scalar) if is_then_array else "then_"
    otherwise = _element("else_", is_else_scalar) if is_else_array else "else_"
    arguments = [
        *_arrays(result=then_else_dtype, crit=crit_dtype),
        _operand("then_", then_else_dtype, is_then_array),
        _operand("else_", then_else_dtype, is_else_array),
    ]
    operation = f"if (crit[i] > 0) result[i] = {then}; else result[i] = {otherwise}"
    return _kernel(context, "if_positive", arguments, operation)


@_kept
def get_minmaximum_kernel(
    context: cl.Context,
    minmax: str,
    dtype_z: _DType,
    dtype_x: _DType,
    dtype_y: _DType,
    kind_x: ArgumentKind,
    kind_y: ArgumentKind,
) -> cl.Kernel:
    """``z = minmax(x, y)``, which is ``"min"`` or ``"max"``; NaN if one of them is.

    Raises :class:`ValueError` for another *minmax*.
    """
    try:
        operator = {"min": "<", "max": ">"}[minmax]
    except KeyError:
        raise ValueError(f"{minmax!r} is neither 'min' nor 'max'") from None
    arguments = _arrays(z=dtype_z)
    values = []
    for name, dtype, kind in ("x", dtype_x, kind_x), ("y", dtype_y, kind_y):
        arguments.append(_operand(name, dtype, kind is not ArgumentKind.SCALAR))
        values.append((get_decl_and_access_for_kind(name, kind)[1], dtype))
    first = _compared(operator, values[0], values[1])
    if real_dtype(dtype_x).kind == "f":
        first = f"({first} || !{_compared('==', values[0], values[0])})"
    x, y = (_convert(text, dtype, dtype_z) for text, dtype in values)
    operation = f"if ({first}) z[i] = {x}; else z[i] = {y}"
    return _kernel(context, f"{minmax}imum", arguments, operation)
