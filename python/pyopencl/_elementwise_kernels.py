"""Kernels for one operation each, for :mod:`pyopencl.elementwise`: every function describes arguments and a
statement in OpenCL C, which become a kernel as every snippet does.

Arrays are arguments by memory and offset in bytes; the number of elements, an ``int64``, is the last
argument. Operands are converted to the dtype of the result first. Kernels are kept by context and arguments.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pyopencl._arguments import Argument, ScalarArg, VectorArg
from pyopencl._cl import Array
from pyopencl.compyte.dtypes import dtype_to_ctype
from pyopencl.tools import context_dependent_memoize

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyopencl as cl

    _DType = np.dtype[Any]
    _Function = TypeVar("_Function", bound=Callable[..., cl.Kernel])


def _kept(function: _Function) -> _Function:
    """Keep the kernels that a function makes, by context and arguments."""
    kept: Any = context_dependent_memoize(function)
    return kept  # type: ignore[no-any-return]


def _kernel(
    context: cl.Context, name: str, arguments: list[Argument], operation: str, preamble: str = ""
) -> cl.Kernel:
    from pyopencl.elementwise import get_elwise_kernel

    return get_elwise_kernel(context, arguments, operation, name=name, preamble=preamble)


def _arrays(**dtypes: _DType) -> list[Argument]:
    return [VectorArg(dtype, name, with_offset=True) for name, dtype in dtypes.items()]


def _operand(name: str, dtype: _DType, is_array: bool) -> Argument:
    return VectorArg(dtype, name, with_offset=True) if is_array else ScalarArg(dtype, name)


# --- text


def _complex_name(dtype: _DType, function: str) -> str:
    return f"{complex_dtype_to_name(dtype)}_{function}"


def _convert(text: str, source: _DType, target: _DType) -> str:
    """Convert a value from one dtype to another, as an assignment does."""
    if source == target:
        return text
    if target.kind == "c":
        if source.kind == "c":
            return f"{_complex_name(target, 'cast')}({text})"
        return f"{_complex_name(target, 'fromreal')}(({dtype_to_ctype(real_dtype(target))}) ({text}))"
    if source.kind == "c":
        text = f"({text}).real"
    return f"(({dtype_to_ctype(target)}) ({text}))"


_COMPLEX_OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "divide"}


def _binary(operator: str, a: str, b: str, dtype: _DType) -> str:
    """Combine two values of a dtype."""
    if dtype.kind != "c":
        return f"({a} {operator} {b})"
    try:
        return f"{_complex_name(dtype, _COMPLEX_OPERATIONS[operator])}({a}, {b})"
    except KeyError:
        raise TypeError(f"'{operator}' is not defined for {dtype}") from None


def _converted(operator: str, a: tuple[str, _DType], b: tuple[str, _DType], dtype: _DType) -> str:
    """Combine two values after their conversion to a dtype."""
    return _binary(operator, _convert(*a, dtype), _convert(*b, dtype), dtype)


def _element(name: str, is_scalar: bool = False) -> str:
    return f"{name}[0]" if is_scalar else f"{name}[i]"


# --- dtypes and arguments


def complex_dtype_to_name(dtype: _DType) -> str:
    """Tell how the names of functions for a complex dtype begin: ``cfloat`` or ``cdouble``."""
    if dtype == np.complex64:
        return "cfloat"
    if dtype == np.complex128:
        return "cdouble"
    raise RuntimeError(f"invalid complex type: {dtype}")


def real_dtype(dtype: _DType) -> _DType:
    """Tell the dtype of the parts of a complex dtype; any other is its own."""
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


class ArgumentKind(enum.Enum):
    """What an operand is."""

    ARRAY = 1
    DEV_SCALAR = 2
    """An array without dimensions."""
    SCALAR = 3


def get_argument_kind(v: Any) -> ArgumentKind:
    """Tell what an operand is."""
    if not isinstance(v, Array):
        return ArgumentKind.SCALAR
    return ArgumentKind.ARRAY if v.shape else ArgumentKind.DEV_SCALAR


def get_decl_and_access_for_kind(name: str, kind: ArgumentKind) -> tuple[str, str]:
    """Tell how C declares an operand after its type, and how it reads it."""
    if kind is ArgumentKind.SCALAR:
        return name, name
    return f"*{name}", _element(name, kind is ArgumentKind.DEV_SCALAR)


# --- moving elements


@_kept
def get_copy_kernel(context: cl.Context, dtype_dest: _DType, dtype_src: _DType) -> cl.Kernel:
    """``dest = src``."""
    value = _convert("src[i]", dtype_src, dtype_dest)
    return _kernel(context, "copy", _arrays(dest=dtype_dest, src=dtype_src), f"dest[i] = {value}")


@_kept
def get_fill_kernel(context: cl.Context, dtype: _DType) -> cl.Kernel:
    """``z = a``, a number."""
    return _kernel(context, "fill", [*_arrays(z=dtype), ScalarArg(dtype, "a")], "z[i] = a")


@_kept
def get_arange_kernel(context: cl.Context, dtype: _DType) -> cl.Kernel:
    """``z = start + i*step``, with numbers."""
    steps = _binary("*", _convert("i", np.dtype(np.int64), dtype), "_cl_step", dtype)
    arguments = [*_arrays(z=dtype), ScalarArg(dtype, "start"), ScalarArg(dtype, "_cl_step")]
    return _kernel(context, "arange", arguments, f"z[i] = {_binary('+', 'start', steps, dtype)}")


@_kept
def get_reverse_kernel(context: cl.Context, dtype: _DType) -> cl.Kernel:
    """``z = y[::-1]``."""
    return _kernel(context, "reverse", _arrays(z=dtype, y=dtype), "z[i] = y[n-1-i]")


@_kept
def get_diff_kernel(context: cl.Context, dtype: _DType) -> cl.Kernel:
    """``result = array[1:] - array[:-1]``."""
    value = _binary("-", "array[i+1]", "array[i]", dtype)
    return _kernel(context, "diff", _arrays(result=dtype, array=dtype), f"result[i] = {value}")


def _numbered(name: str, dtype: _DType, count: int, with_offset: bool = True) -> list[Argument]:
    return [VectorArg(dtype, f"{name}{k}", with_offset) for k in range(count)]


@_kept
def get_take_kernel(context: cl.Context, dtype: _DType, idx_dtype: _DType, vec_count: int = 1) -> cl.Kernel:
    """``dest0 = src0[idx]``, for several pairs of arrays: all ``dest``, all ``src``, ``idx``."""
    arguments = _numbered("dest", dtype, vec_count) + _numbered("src", dtype, vec_count)
    statements = [f"dest{k}[i] = src{k}[from];" for k in range(vec_count)]
    operation = f"{dtype_to_ctype(idx_dtype)} from = idx[i]; {' '.join(statements)}"
    return _kernel(context, "take", arguments + _arrays(idx=idx_dtype), operation)


@_kept
def get_take_put_kernel(
    context: cl.Context, dtype: _DType, idx_dtype: _DType, with_offsets: bool, vec_count: int = 1
) -> cl.Kernel:
    """``dest0[gmem_dest_idx] = src0[gmem_src_idx]``, for several pairs of arrays.

    The arrays ``dest`` have no offset as an argument. *with_offsets*, numbers ``offset0`` and so on follow
    the arrays ``src``; they are added to the indices into those.
    """
    arguments = _numbered("dest", dtype, vec_count, with_offset=False)
    arguments += _arrays(gmem_dest_idx=idx_dtype, gmem_src_idx=idx_dtype)
    arguments += _numbered("src", dtype, vec_count)
    if with_offsets:
        arguments += [ScalarArg(idx_dtype, f"offset{k}") for k in range(vec_count)]
    begins = [f" + offset{k}" if with_offsets else "" for k in range(vec_count)]
    statements = [f"dest{k}[to] = src{k}[from{begin}];" for k, begin in enumerate(begins)]
    index = dtype_to_ctype(idx_dtype)
    operation = f"{index} to = gmem_dest_idx[i], from = gmem_src_idx[i]; {' '.join(statements)}"
    return _kernel(context, "take_put", arguments, operation)


@_kept
def get_put_kernel(context: cl.Context, dtype: _DType, idx_dtype: _DType, vec_count: int = 1) -> cl.Kernel:
    """``dest0[gmem_dest_idx] = src0``, for several pairs of arrays.

    Behind the arrays ``src``, ``use_fill`` (``uint8``) tells for each pair whether the first element of
    ``src`` is used for all, and ``val_ary_lengths`` (``int64``) after how many elements ``src`` begins anew.
    """
    arguments = _numbered("dest", dtype, vec_count) + _arrays(gmem_dest_idx=idx_dtype)
    arguments += _numbered("src", dtype, vec_count)
    arguments += _arrays(use_fill=np.dtype(np.uint8), val_ary_lengths=np.dtype(np.int64))
    statements = [
        f"dest{k}[to] = src{k}[use_fill[{k}] ? 0 : i % val_ary_lengths[{k}]];" for k in range(vec_count)
    ]
    operation = f"{dtype_to_ctype(idx_dtype)} to = gmem_dest_idx[i]; {' '.join(statements)}"
    return _kernel(context, "put", arguments, operation)


# --- arithmetic


@_kept
def get_axpbyz_kernel(
    context: cl.Context,
    dtype_x: _DType,
    dtype_y: _DType,
    dtype_z: _DType,
    x_is_scalar: bool = False,
    y_is_scalar: bool = False,
) -> cl.Kernel:
    """``z = a*x + b*y``, with numbers ``a`` and ``b``: arguments ``z, a, x, b, y``.

    *x_is_scalar* and *y_is_scalar* are for arrays without dimensions.
    """
    ax = _converted("*", ("a", dtype_z), (_element("x", x_is_scalar), dtype_x), dtype_z)
    by = _converted("*", ("b", dtype_z), (_element("y", y_is_scalar), dtype_y), dtype_z)
    (z, x, y), (a, b) = _arrays(z=dtype_z, x=dtype_x, y=dtype_y), (ScalarArg(dtype_z, name) for name in "ab")
    return _kernel(context, "axpbyz", [z, a, x, b, y], f"z[i] = {_binary('+', ax, by, dtype_z)}")


@_kept
def get_axpbz_kernel(
    context: cl.Context, dtype_a: _DType, dtype_x: _DType, dtype_b: _DType, dtype_z: _DType
) -> cl.Kernel:
    """``z = a*x + b``, with numbers ``a`` and ``b``: arguments ``z, a, x, b``."""
    ax = _converted("*", ("a", dtype_a), ("x[i]", dtype_x), dtype_z)
    z, x = _arrays(z=dtype_z, x=dtype_x)
    arguments = [z, ScalarArg(dtype_a, "a"), x, ScalarArg(dtype_b, "b")]
    value = _binary("+", ax, _convert("b", dtype_b, dtype_z), dtype_z)
    return _kernel(context, "axpb", arguments, f"z[i] = {value}")


@_kept
def get_multiply_kernel(
    context: cl.Context,
    dtype_x: _DType,
    dtype_y: _DType,
    dtype_z: _DType,
    x_is_scalar: bool = False,
    y_is_scalar: bool = False,
) -> cl.Kernel:
    """``z = x*y``; *x_is_scalar* and *y_is_scalar* are for arrays without dimensions."""
    x, y = (_element("x", x_is_scalar), dtype_x), (_element("y", y_is_scalar), dtype_y)
    arguments = _arrays(z=dtype_z, x=dtype_x, y=dtype_y)
    return _kernel(context, "multiply", arguments, f"z[i] = {_converted('*', x, y, dtype_z)}")


@_kept
def get_divide_kernel(
    context: cl.Context,
    dtype_x: _DType,
    dtype_y: _DType,
    dtype_z: _DType,
    x_is_scalar: bool = False,
    y_is_scalar: bool = False,
) -> cl.Kernel:
    """``z = x/y``; *x_is_scalar* and *y_is_scalar* are for arrays without dimensions."""
    x, y = (_element("x", x_is_scalar), dtype_x), (_element("y", y_is_scalar), dtype_y)
    arguments = _arrays(z=dtype_z, x=dtype_x, y=dtype_y)
    return _kernel(context, "divide", arguments, f"z[i] = {_converted('/', x, y, dtype_z)}")


@_kept
def get_rdivide_elwise_kernel(
    context: cl.Context, dtype_x: _DType, dtype_y: _DType, dtype_z: _DType
) -> cl.Kernel:
    """``z = y/x``, with a number ``y``: arguments ``z, x, y``."""
    arguments = [*_arrays(z=dtype_z, x=dtype_x), ScalarArg(dtype_y, "y")]
    value = _converted("/", ("y", dtype_y), ("x[i]", dtype_x), dtype_z)
    return _kernel(context, "divide_r", arguments, f"z[i] = {value}")


@_kept
def get_array_binop_kernel(
    context: cl.Context,
    operator: str,
    dtype_res: _DType,
    dtype_a: _DType,
    dtype_b: _DType,
    a_is_scalar: bool = False,
    b_is_scalar: bool = False,
) -> cl.Kernel:
    """``out = a operator b``; *a_is_scalar* and *b_is_scalar* are for arrays without dimensions."""
    a, b = (_element("a", a_is_scalar), dtype_a), (_element("b", b_is_scalar), dtype_b)
    arguments = _arrays(out=dtype_res, a=dtype_a, b=dtype_b)
    return _kernel(context, "binop_kernel", arguments, f"out[i] = {_converted(operator, a, b, dtype_res)}")


@_kept
def get_array_scalar_binop_kernel(
    context: cl.Context, operator: str, dtype_res: _DType, dtype_a: _DType, dtype_b: _DType
) -> cl.Kernel:
    """``out = a operator b``, with a number ``b``."""
    arguments = [*_arrays(out=dtype_res, a=dtype_a), ScalarArg(dtype_b, "b")]
    value = _converted(operator, ("a[i]", dtype_a), ("b", dtype_b), dtype_res)
    return _kernel(context, "scalar_binop_kernel", arguments, f"out[i] = {value}")


@_kept
def get_unop_kernel(context: cl.Context, operator: str, res_dtype: _DType, in_dtype: _DType) -> cl.Kernel:
    """``z = operator y``."""
    value = _convert("y[i]", in_dtype, res_dtype)
    value = f"{_complex_name(res_dtype, 'neg')}({value})" if res_dtype.kind == "c" else f"{operator} {value}"
    if res_dtype.kind == "c" and operator != "-":
        raise TypeError(f"'{operator}' is not defined for {res_dtype}")
    return _kernel(context, "unary_op_kernel", _arrays(z=res_dtype, y=in_dtype), f"z[i] = {value}")


@_kept
def get_pow_kernel(
    context: cl.Context,
    dtype_x: _DType,
    dtype_y: _DType,
    dtype_z: _DType,
    is_base_array: bool,
    is_exp_array: bool,
) -> cl.Kernel:
    """``z = x**y``; what is no array is a number. Integers wrap, and negative powers of them are cut."""
    x, y = "x[i]" if is_base_array else "x", "y[i]" if is_exp_array else "y"
    arguments = [
        *_arrays(z=dtype_z),
        _operand("x", dtype_x, is_base_array),
        _operand("y", dtype_y, is_exp_array),
    ]
    base, exponent = _convert(x, dtype_x, dtype_z), _convert(y, dtype_y, dtype_z)
    if dtype_z.kind == "c":
        if dtype_y.kind != "c":
            exponent = _convert(y, dtype_y, real_dtype(dtype_z))
        function = _complex_name(dtype_z, "pow" if dtype_y.kind == "c" else "powr")
        return _kernel(context, "pow_method", arguments, f"z[i] = {function}({base}, {exponent})")
    if dtype_z.kind == "f":
        return _kernel(context, "pow_method", arguments, f"z[i] = pow({base}, {exponent})")
    return _kernel(context, "pow_method", arguments, _integer_power(base, exponent, dtype_z))


def _integer_power(base: str, exponent: str, dtype: _DType) -> str:
    """Set ``z[i]`` by repeated squaring, in unsigned numbers, which wrap."""
    unsigned = dtype_to_ctype(np.dtype(f"u{dtype.itemsize}"))
    steps = "left >>= 1, square *= square"
    statements = [
        f"{dtype_to_ctype(dtype)} base = {base}, exponent = {exponent};",
        f"{unsigned} square = base, power = 1;",
        f"for (ulong left = exponent < 0 ? 0 : exponent; left != 0; {steps}) power *= left & 1 ? square : 1;",
        "z[i] = exponent < 0 && base != 1 ? (base != -1 ? 0 : exponent & 1 ? -1 : 1) : power;",
    ]
    return "\n".join(statements)
