"""Kernels that make one value of all elements: expressions of OpenCL C, and kernels for known reductions.

:class:`ReductionKernel` is a reduction as a function of arrays, :class:`ReductionTemplate` one whose types
and values are filled in when it is built. The functions ``get_..._kernel`` make kernels for one reduction
each.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import pyopencl as cl
from pyopencl._arguments import Argument, DtypedArgument, VectorArg, parse_arg_list
from pyopencl._cl import Array, _ReductionKernel
from pyopencl._elementwise_kernels import _arrays, _binary, _complex_name, _convert
from pyopencl._templates import KernelTemplateBase
from pyopencl.compyte.dtypes import dtype_to_ctype
from pyopencl.elementwise import _parameter
from pyopencl.tools import context_dependent_memoize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from numpy.typing import DTypeLike

    from pyopencl.typing import WaitList

    _DType = np.dtype[Any]
    _Arguments = str | Sequence[Argument]
    _Options = str | bytes | Sequence[str | bytes] | None
    _Function = TypeVar("_Function", bound=Callable[..., "ReductionKernel"])

__all__ = (
    "DtypedArgument",
    "KernelTemplateBase",
    "ReductionKernel",
    "ReductionTemplate",
    "context_dependent_memoize",
    "dtype_to_ctype",
    "get_all_kernel",
    "get_any_kernel",
    "get_dot_kernel",
    "get_minmax_kernel",
    "get_minmax_neutral",
    "get_reduction_kernel",
    "get_subset_dot_kernel",
    "get_subset_minmax_kernel",
    "get_sum_kernel",
)


@dataclass(frozen=True)
class _ReductionInfo:
    """One of the two kernels of a reduction: for the elements, or for the results of the groups."""

    context: cl.Context
    kernel: cl.Kernel
    arg_types: Sequence[Argument]


class ReductionKernel:
    """Expressions of OpenCL C that make one value of the elements of arrays, as a function of those.

    *arguments* declare the parameters, as for :class:`~pyopencl.elementwise.ElementwiseKernel`. *map_expr* is
    the value of element ``i``, ``"x[i]*y[i]"`` for instance; without it, ``in[i]`` of an array ``in``. Two
    values ``a`` and ``b`` become ``reduce_expr``, ``"a+b"`` for instance, in no particular order and
    grouping. *neutral* changes nothing, and is the result for no elements. Values have the dtype *dtype_out*.
    *name* is that of the kernels, with a number behind it; *options* are for the compiler, *preamble* comes
    before the kernels.

    The first array among the arguments decides how many elements there are, as many as it has itself; of
    shorter ones the text reads past their end if it says so, which is undefined. Arrays may have any strides,
    or another dtype than declared, as there.

    Raises :class:`ValueError` without *arguments*, and :class:`TypeError` if *neutral* is ``None``.
    """

    dtype_out: np.dtype[Any]

    def __init__(
        self,
        ctx: cl.Context,
        dtype_out: DTypeLike,
        neutral: Any,
        reduce_expr: str,
        map_expr: str | None = None,
        arguments: _Arguments | None = None,
        name: str = "reduce_kernel",
        options: _Options = None,
        preamble: str = "",
    ) -> None:
        self.context = ctx
        self.dtype_out = np.dtype(dtype_out)
        if neutral is None:
            raise TypeError("neutral: expected a number or an expression of OpenCL C, got None")
        if arguments is None:
            raise ValueError("arguments must not be None: declarations are needed, such as 'const float *in'")
        self._arguments = parse_arg_list(arguments, with_offset=True)
        self._native = _ReductionKernel(
            ctx,
            [_parameter(arg) for arg in self._arguments],
            "in[i]" if map_expr is None else map_expr,
            name,
            options,
            preamble,
            dtype_to_ctype(self.dtype_out),
            self.dtype_out,
            str(neutral),
            reduce_expr,
        )

    @cached_property
    def stage_1_inf(self) -> _ReductionInfo:
        """The kernel for the elements."""
        return _ReductionInfo(self.context, self._native.kernels(False)[0], self._arguments)

    @cached_property
    def stage_2_inf(self) -> _ReductionInfo:
        """The kernel for the results of the groups."""
        argument = VectorArg(self.dtype_out, "reduction_partial", with_offset=True)
        return _ReductionInfo(self.context, self._native.kernels(False)[1], [argument])

    def __call__(
        self,
        *args: Any,
        return_event: bool = False,
        queue: cl.CommandQueue | None = None,
        allocator: Any = None,
        wait_for: WaitList = None,
        out: Array | None = None,
        range: builtins.slice | builtins.range | None = None,  # noqa: A002  (the name of the API)
        slice: builtins.slice | None = None,  # noqa: A002  (the name of the API)
    ) -> Any:
        """Reduce, with arrays and numbers as *args*: gives an array without dimensions, or *out*.

        With *return_event*, gives that and an event that completes when the value is there. *range* numbers
        the elements from its start (0 by default) to its stop in steps, whatever the sizes of arrays:
        negative numbers do not count from the end. *slice* does so with the elements that it means of the
        first array, as Python's slices do. *queue* is, by default, that of the first array; *allocator* makes
        the memory of the result.

        With both *range* and *queue* no argument needs to be an array.

        Raises :class:`TypeError` for arguments that do not fit, and :class:`ValueError` for an *out* of
        another size.
        """
        if out is None and allocator is not None:
            arrays = (arg.queue for arg in args if isinstance(arg, Array))
            used = queue if queue is not None else next(arrays, None)
            if used is None:
                raise TypeError("queue= is needed if no argument is an array with a queue")
            out = Array(used, (), self.dtype_out, allocator=allocator)
        result, event = self._native(args, range, slice, out, queue, wait_for)
        return (result, event) if return_event else result


def get_reduction_kernel(
    stage: int,
    ctx: cl.Context,
    dtype_out: DTypeLike,
    neutral: Any,
    reduce_expr: str,
    map_expr: str | None = None,
    arguments: _Arguments | None = None,
    name: str = "reduce_kernel",
    preamble: str = "",
    device: cl.Device | None = None,
    options: _Options = None,
    max_group_size: int | None = None,
) -> _ReductionInfo:
    """Make one of the kernels of a reduction: for the elements (*stage* 1) or the groups' results (2).

    Sizes of groups are chosen for the device: *max_group_size* has no effect. For the other arguments see
    :class:`ReductionKernel`.
    """
    kernel = ReductionKernel(
        ctx, dtype_out, neutral, reduce_expr, map_expr, arguments, name, options, preamble
    )
    return kernel.stage_1_inf if stage == 1 else kernel.stage_2_inf


class ReductionTemplate(KernelTemplateBase):
    """A :class:`ReductionKernel` whose types and values are filled in when it is built.

    The dtype of the values is that of the type ``reduction_t``, which :meth:`build` must explain.
    """

    def __init__(
        self,
        arguments: str | Sequence[Argument],
        neutral: str,
        reduce_expr: str,
        map_expr: str | None = None,
        is_segment_start_expr: str | None = None,
        input_fetch_exprs: Any = None,
        name_prefix: str = "reduce",
        preamble: str = "",
        template_processor: str | None = None,
    ) -> None:
        super().__init__(template_processor=template_processor)
        if is_segment_start_expr is not None or input_fetch_exprs is not None:
            raise NotImplementedError("segments and fetched inputs belong to scans, reductions have none")
        self.arguments = arguments
        self.neutral = neutral
        self.reduce_expr = reduce_expr
        self.map_expr = map_expr
        self.name_prefix = name_prefix
        self.preamble = preamble

    def build_inner(
        self,
        context: cl.Context,
        type_aliases: Sequence[tuple[str, DTypeLike]] = (),
        var_values: Sequence[tuple[str, Any]] = (),
        more_preamble: str = "",
        more_arguments: str | Sequence[Argument] = (),
        declare_types: Iterable[DTypeLike] = (),
        options: _Options = None,
        devices: Sequence[cl.Device] | None = None,
    ) -> ReductionKernel:
        """Make the kernel for types and values; :meth:`build` keeps it.

        For the arguments see :class:`~pyopencl.elementwise.ElementwiseTemplate`. Raises :class:`KeyError` if
        ``reduction_t`` is not among the types.
        """
        renderer = self.get_renderer(type_aliases, var_values, context, options)
        arguments = renderer.arguments(self.arguments, with_offset=True)
        arguments += renderer.arguments(more_arguments, with_offset=True)
        dtype = renderer.type_aliases.pop("reduction_t")
        types = renderer.type_declarations(context.devices[0], [*declare_types, dtype])
        return ReductionKernel(
            context,
            dtype,
            renderer(self.neutral),
            renderer(self.reduce_expr),
            None if self.map_expr is None else renderer(self.map_expr),
            arguments,
            renderer(self.name_prefix) + "_kernel",
            options,
            types + renderer(self.preamble) + "\n" + renderer(more_preamble),
        )


# --- known reductions


def _kept(function: _Function) -> _Function:
    """Keep the kernels that a function makes, by context and arguments."""
    kept: Any = context_dependent_memoize(function)
    return kept  # type: ignore[no-any-return]


def _sum(ctx: cl.Context, dtype: _DType, value: str, arguments: list[Argument], name: str) -> ReductionKernel:
    neutral = _convert("0", np.dtype(np.int32), dtype)
    return ReductionKernel(ctx, dtype, neutral, _binary("+", "a", "b", dtype), value, arguments, name)


@_kept
def get_sum_kernel(ctx: cl.Context, dtype_out: _DType | None, dtype_in: _DType) -> ReductionKernel:
    """Add up an array ``in``; *dtype_out* is *dtype_in* by default."""
    dtype = dtype_in if dtype_out is None else np.dtype(dtype_out)
    value = _convert("in[i]", np.dtype(dtype_in), dtype)
    return _sum(ctx, dtype, value, [VectorArg(dtype_in, "in", with_offset=True)], "sum_kernel")


def _product(
    dtype_out: _DType | None, dtype_a: _DType | None, dtype_b: _DType | None, conjugate: bool, place: str
) -> tuple[_DType, list[Argument], str]:
    """The dtype of a product, the arrays, and the product of two elements."""
    if dtype_out is None:
        if dtype_a is None or dtype_b is None:
            raise ValueError("the dtypes of both operands are needed, or that of the result")
        dtype_out = np.promote_types(dtype_a, dtype_b)
    dtype = np.dtype(dtype_out)
    a_dtype, b_dtype = (dtype if given is None else np.dtype(given) for given in (dtype_a, dtype_b))
    a, b = _convert(f"a[{place}]", a_dtype, dtype), _convert(f"b[{place}]", b_dtype, dtype)
    if conjugate and a_dtype.kind == "c" and dtype.kind == "c":
        a = f"{_complex_name(dtype, 'conj')}({a})"
    return dtype, _arrays(a=a_dtype, b=b_dtype), _binary("*", a, b, dtype)


@_kept
def get_dot_kernel(
    ctx: cl.Context,
    dtype_out: _DType | None,
    dtype_a: _DType | None = None,
    dtype_b: _DType | None = None,
    conjugate_first: bool = False,
) -> ReductionKernel:
    """Add up the products of arrays ``a`` and ``b``; the first factors conjugated, if asked for."""
    dtype, arrays, value = _product(dtype_out, dtype_a, dtype_b, conjugate_first, "i")
    return _sum(ctx, dtype, value, arrays, "dot_kernel")


@_kept
def get_subset_dot_kernel(
    ctx: cl.Context,
    dtype_out: _DType | None,
    dtype_subset: _DType,
    dtype_a: _DType | None = None,
    dtype_b: _DType | None = None,
    conjugate_first: bool = False,
) -> ReductionKernel:
    """The same for the elements whose numbers an array ``lookup_tbl`` holds, the first argument."""
    dtype, arrays, value = _product(dtype_out, dtype_a, dtype_b, conjugate_first, "lookup_tbl[i]")
    return _sum(ctx, dtype, value, [*_arrays(lookup_tbl=dtype_subset), *arrays], "subset_dot_kernel")


def get_minmax_neutral(what: str, dtype: DTypeLike) -> str:
    """Write the number in C that no other exceeds (*what* is ``"min"``) or none is below (``"max"``)."""
    dtype = np.dtype(dtype)
    if what not in ("min", "max"):
        raise ValueError(f"{what!r} is neither 'min' nor 'max'")
    if dtype.kind == "f":
        return "INFINITY" if what == "min" else "-INFINITY"
    limits = np.iinfo(dtype)
    if dtype.itemsize < 8:
        return str(limits.max if what == "min" else limits.min)
    name = "LONG" if dtype.kind == "i" else "ULONG"
    return f"{name}_MAX" if what == "min" else "0" if dtype.kind == "u" else f"{name}_MIN"


def _extremum(
    ctx: cl.Context, what: str, dtype: _DType, value: str, arguments: list[Argument]
) -> ReductionKernel:
    first = f"a {'<' if what == 'min' else '>'} b"
    if dtype.kind == "f":
        first = f"isnan(a) || {first}"
    neutral = get_minmax_neutral(what, dtype)
    return ReductionKernel(ctx, dtype, neutral, f"({first}) ? a : b", value, arguments, f"{what}_kernel")


@_kept
def get_minmax_kernel(ctx: cl.Context, what: str, dtype: _DType) -> ReductionKernel:
    """Find the least (*what* is ``"min"``) or greatest (``"max"``) element of ``in``; NaN if one is."""
    return _extremum(ctx, what, np.dtype(dtype), "in[i]", [VectorArg(dtype, "in", with_offset=True)])


@_kept
def get_subset_minmax_kernel(
    ctx: cl.Context, what: str, dtype: _DType, dtype_subset: _DType
) -> ReductionKernel:
    """The same for the elements whose numbers an array ``lookup_tbl`` holds, the first argument."""
    arguments = [*_arrays(lookup_tbl=dtype_subset), VectorArg(dtype, "in", with_offset=True)]
    return _extremum(ctx, what, np.dtype(dtype), "in[lookup_tbl[i]]", arguments)


@_kept
def get_any_kernel(ctx: cl.Context, dtype_in: _DType) -> ReductionKernel:
    """Tell whether an element of an array ``in`` is not zero: an ``int8``."""
    arguments = [VectorArg(dtype_in, "in", with_offset=True)]
    return ReductionKernel(ctx, np.int8, "0", "a || b", "in[i] != 0", arguments, "any_kernel")


@_kept
def get_all_kernel(ctx: cl.Context, dtype_in: _DType) -> ReductionKernel:
    """Tell whether no element of an array ``in`` is zero: an ``int8``."""
    arguments = [VectorArg(dtype_in, "in", with_offset=True)]
    return ReductionKernel(ctx, np.int8, "1", "a && b", "in[i] != 0", arguments, "all_kernel")
