"""Kernels that work on arrays element by element: snippets of OpenCL C, and kernels for known operations.

:class:`ElementwiseKernel` is a snippet as a function of arrays, :class:`ElementwiseTemplate` one whose types
and values are filled in when it is built. The functions ``get_..._kernel`` make kernels for one operation
each.
"""

from __future__ import annotations

import builtins
import re
import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import pyopencl as cl
from pyopencl._arguments import Argument, DtypedArgument, ScalarArg, VectorArg, parse_arg_list
from pyopencl._cl import Array, _ElementwiseKernel
from pyopencl._elementwise_functions import (
    get_array_comparison_kernel,
    get_array_scalar_comparison_kernel,
    get_bessel_kernel,
    get_binary_func_kernel,
    get_float_binary_func_kernel,
    get_fmod_kernel,
    get_frexp_kernel,
    get_hankel_01_kernel,
    get_if_positive_kernel,
    get_ldexp_kernel,
    get_logical_not_kernel,
    get_minmaximum_kernel,
    get_modf_kernel,
    get_unary_func_kernel,
)
from pyopencl._elementwise_kernels import (
    ArgumentKind,
    complex_dtype_to_name,
    get_arange_kernel,
    get_argument_kind,
    get_array_binop_kernel,
    get_array_scalar_binop_kernel,
    get_axpbyz_kernel,
    get_axpbz_kernel,
    get_copy_kernel,
    get_decl_and_access_for_kind,
    get_diff_kernel,
    get_divide_kernel,
    get_fill_kernel,
    get_multiply_kernel,
    get_pow_kernel,
    get_put_kernel,
    get_rdivide_elwise_kernel,
    get_reverse_kernel,
    get_take_kernel,
    get_take_put_kernel,
    get_unop_kernel,
    real_dtype,
)
from pyopencl._templates import KernelTemplateBase
from pyopencl.compyte.dtypes import dtype_to_ctype
from pyopencl.tools import context_dependent_memoize, dtype_to_c_struct

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from typing import TextIO

    from numpy.typing import DTypeLike

    from pyopencl.typing import WaitList

    _Arguments = str | Sequence[Argument]
    _Options = str | bytes | Sequence[str | bytes] | None

__all__ = (
    "Argument",
    "ArgumentKind",
    "DtypedArgument",
    "ElementwiseKernel",
    "ElementwiseTemplate",
    "KernelTemplateBase",
    "ScalarArg",
    "VectorArg",
    "complex_dtype_to_name",
    "context_dependent_memoize",
    "dtype_to_c_struct",
    "dtype_to_ctype",
    "get_arange_kernel",
    "get_argument_kind",
    "get_array_binop_kernel",
    "get_array_comparison_kernel",
    "get_array_scalar_binop_kernel",
    "get_array_scalar_comparison_kernel",
    "get_axpbyz_kernel",
    "get_axpbz_kernel",
    "get_binary_func_kernel",
    "get_copy_kernel",
    "get_decl_and_access_for_kind",
    "get_diff_kernel",
    "get_divide_kernel",
    "get_elwise_kernel",
    "get_elwise_kernel_and_types",
    "get_elwise_program",
    "get_fill_kernel",
    "get_float_binary_func_kernel",
    "get_fmod_kernel",
    "get_bessel_kernel",
    "get_frexp_kernel",
    "get_hankel_01_kernel",
    "get_if_positive_kernel",
    "get_ldexp_kernel",
    "get_logical_not_kernel",
    "get_minmaximum_kernel",
    "get_modf_kernel",
    "get_multiply_kernel",
    "get_pow_kernel",
    "get_put_kernel",
    "get_rdivide_elwise_kernel",
    "get_reverse_kernel",
    "get_take_kernel",
    "get_take_put_kernel",
    "get_unary_func_kernel",
    "get_unop_kernel",
    "real_dtype",
)


def _parameter(arg: Argument) -> tuple[str, str, str, np.dtype[Any] | None]:
    """Describe an argument for the native class."""
    if isinstance(arg, VectorArg):
        kind = "array with offset" if arg.with_offset else "array"
        return kind, dtype_to_ctype(arg.dtype), arg.name, arg.dtype
    if isinstance(arg, ScalarArg):
        return "scalar", dtype_to_ctype(arg.dtype), arg.name, arg.dtype
    return "other", arg.declarator(), getattr(arg, "name", ""), None


def _native(
    context: cl.Context,
    arguments: Sequence[Argument],
    operation: str,
    *,
    name: str = "elwise_kernel",
    options: _Options = None,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> _ElementwiseKernel:
    parameters = [_parameter(arg) for arg in arguments]
    return _ElementwiseKernel(context, parameters, operation, name, options, preamble, loop_prep, after_loop)


def _warn_of_return(operation: str) -> None:
    if re.search(r"\breturn\b", operation) is not None:
        warnings.warn(
            "'return' in an element-wise operation ends one element here, and more in PyOpenCL: "
            "write PYOPENCL_ELWISE_CONTINUE",
            stacklevel=3,
        )


def _numbers(use_range: bool) -> list[ScalarArg]:
    """The arguments behind those of the snippet."""
    names = ("start", "stop", "step") if use_range else ("n",)
    return [ScalarArg(np.int64, name) for name in names]


def _with_types(kernel: cl.Kernel, arguments: Sequence[Argument]) -> cl.Kernel:
    """Tell a kernel the types of its arguments."""
    dtypes: list[np.dtype[Any] | None] = []
    for arg in arguments:
        dtypes.append(arg.dtype if isinstance(arg, ScalarArg) else None)
        if isinstance(arg, VectorArg) and arg.with_offset:
            dtypes.append(np.dtype(np.int64))
    kernel.set_scalar_arg_dtypes(dtypes)
    return kernel


def get_elwise_program(
    context: cl.Context,
    arguments: Sequence[Argument],
    operation: str,
    *,
    name: str = "elwise_kernel",
    options: _Options = None,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
    use_range: bool = False,
) -> cl.Program:
    """Make the program of a snippet, built: its only kernel has the name *name*.

    *arguments* are objects; ``n`` or, *use_range*, ``start``, ``stop`` and ``step`` follow them, if they are
    not the last ones already. For the other arguments see :class:`ElementwiseKernel`.
    """
    arguments, numbers = list(arguments), _numbers(use_range)
    if [getattr(arg, "name", None) for arg in arguments[-len(numbers) :]] == [arg.name for arg in numbers]:
        arguments = arguments[: -len(numbers)]
    native = _native(
        context,
        arguments,
        operation,
        name=name,
        options=options,
        preamble=preamble,
        loop_prep=loop_prep,
        after_loop=after_loop,
    )
    return cl.Program(context, native.source(use_range)).build(options)


def get_elwise_kernel_and_types(
    context: cl.Context,
    arguments: _Arguments,
    operation: str,
    *,
    name: str = "elwise_kernel",
    options: _Options = None,
    preamble: str = "",
    use_range: bool = False,
    **kwargs: Any,
) -> tuple[cl.Kernel, Sequence[Argument]]:
    """Make the kernel of a snippet, and list its arguments: those of the snippet and the numbers behind them.

    *kwargs* are ``loop_prep`` and ``after_loop``; for the other arguments see :class:`ElementwiseKernel`.
    """
    _warn_of_return(operation)
    parsed = parse_arg_list(arguments, with_offset=True)
    native = _native(context, parsed, operation, name=name, options=options, preamble=preamble, **kwargs)
    described = [*parsed, *_numbers(use_range)]
    return _with_types(native.kernel(use_range), described), described


def get_elwise_kernel(
    context: cl.Context,
    arguments: _Arguments,
    operation: str,
    *,
    name: str = "elwise_kernel",
    options: _Options = None,
    **kwargs: Any,
) -> cl.Kernel:
    """Make the kernel of a snippet: see :func:`get_elwise_kernel_and_types`."""
    kernel, _ = get_elwise_kernel_and_types(
        context, arguments, operation, name=name, options=options, **kwargs
    )
    return kernel


class ElementwiseKernel:
    """A snippet of OpenCL C that is done for each element of arrays: a function of arrays and numbers.

    *arguments* declare the parameters as in C, pointers being arrays (``"float a, float *x, float *z"``), or
    are a list of :class:`~pyopencl.tools.VectorArg`, :class:`~pyopencl.tools.ScalarArg` and
    :class:`~pyopencl.tools.OtherArg`. *operation* is a statement, or several: ``"z[i] = a*x[i]"``. In it,
    ``i`` is the number of the element and ``n`` how many there are. ``PYOPENCL_ELWISE_CONTINUE`` goes on to
    the next element.

    The first array among the arguments decides how many elements there are: as many as it has itself. Sizes
    of the others are not looked at: from shorter ones the text reads, and to them it writes, past their end
    if it says so. That is undefined: a crash, or changed memory of others.

    *name* is the kernel's name, *options* are for the compiler. Further keywords are texts: *preamble* comes
    before the kernel, *loop_prep* and *after_loop* are done by each work-item around its elements.

    Arrays of the first one's shape may have any strides: ``x[i]`` is the same element in all. ``i`` counts in
    C order or, if the first array lies in memory that way, in Fortran's. Arrays that lie otherwise are copied
    for the call.

    An array of another dtype than declared is taken as its memory, without conversion: ``float4 *v`` for
    ``float32`` elements of shape ``(n, 4)``, ``unsigned char *raw`` for the bytes of any array. It must lie
    without gaps.
    """

    context: cl.Context
    arguments: _Arguments
    operation: str
    name: str
    options: _Options
    kwargs: dict[str, Any]

    def __init__(
        self,
        context: cl.Context,
        arguments: _Arguments,
        operation: str,
        name: str = "elwise_kernel",
        options: _Options = None,
        **kwargs: Any,
    ) -> None:
        if unknown := kwargs.keys() - {"preamble", "loop_prep", "after_loop"}:
            raise TypeError(
                f"ElementwiseKernel() got unexpected keyword arguments: {', '.join(sorted(unknown))}"
            )
        _warn_of_return(operation)
        self.context = context
        self.arguments = arguments
        self.operation = operation
        self.name = name
        self.options = options
        self.kwargs = kwargs

    @cached_property
    def _parsed(self) -> Sequence[Argument]:
        return parse_arg_list(self.arguments, with_offset=True)

    @cached_property
    def _native(self) -> _ElementwiseKernel:
        return _native(
            self.context, self._parsed, self.operation, name=self.name, options=self.options, **self.kwargs
        )

    def get_kernel(self, use_range: bool) -> tuple[cl.Kernel, Sequence[Argument]]:
        """Make the kernel itself, and list its arguments.

        Those are the snippet's (of an array its memory and the offset in bytes), then ``n`` or, *use_range*,
        ``start``, ``stop`` and ``step``, of 64 bits. It may be called with any one-dimensional sizes.
        """
        described = [*self._parsed, *_numbers(use_range)]
        return _with_types(self._native.kernel(use_range), described), described

    def __call__(
        self,
        *args: Any,
        range: builtins.slice | builtins.range | None = None,  # noqa: A002  (the name of the API)
        slice: builtins.slice | None = None,  # noqa: A002  (the name of the API)
        capture_as: str | os.PathLike[str] | TextIO | None = None,
        queue: cl.CommandQueue | None = None,
        wait_for: WaitList = None,
        **kwargs: Any,
    ) -> cl.Event:
        """Do it, with arrays and numbers as *args*; gives an event that completes when all is done.

        *range* numbers the elements from its start (0 by default) to its stop in steps, which then are
        ``start``, ``stop`` and ``step`` in the snippet. These are numbers for ``i``, whatever the sizes of
        arrays: negative ones do not count from the end, and beyond the end the text has to use ``i`` for what
        exists. *slice* does so with the elements that it means of the first array, as Python's slices do.
        *queue* is, by default, that of the first array. *capture_as* writes the call down as a program of its
        own, see :meth:`pyopencl.Kernel.capture_call`.

        Raises :class:`TypeError` for arguments that do not fit, among them arrays with gaps of another dtype
        than declared, and :class:`RuntimeError` if none is an array.
        """
        if kwargs:
            raise TypeError(f"unknown keyword arguments: {', '.join(map(repr, kwargs))}")
        if capture_as is not None:
            self._capture(capture_as, args, range, slice, queue, wait_for)
        return self._native(args, range, slice, queue, wait_for)

    def _capture(
        self,
        output: str | os.PathLike[str] | TextIO,
        args: Sequence[Any],
        range: builtins.slice | builtins.range | None,  # noqa: A002
        slice: builtins.slice | None,  # noqa: A002
        queue: cl.CommandQueue | None,
        wait_for: WaitList,
    ) -> None:
        first = next(arg for arg in args if isinstance(arg, Array))
        if slice is not None:
            range = builtins.range(*slice.indices(first.size))
        kernel, described = self.get_kernel(range is not None)
        passed: list[Any] = []
        for described_arg, arg in zip(described, args, strict=False):
            if isinstance(described_arg, VectorArg):
                passed.append(arg.base_data)
                if described_arg.with_offset:
                    passed.append(np.int64(arg.offset))
            elif isinstance(described_arg, ScalarArg):
                passed.append(np.array(arg, described_arg.dtype)[()])
            else:
                passed.append(arg)
        numbers = (first.size,) if range is None else (range.start or 0, range.stop, range.step or 1)
        passed += map(np.int64, numbers)
        used = first.queue if queue is None else queue
        assert used is not None, "arrays without a queue are refused when the kernel is called"
        kernel.capture_call(output, used, (max(first.size, 1),), None, *passed, wait_for=wait_for)


class ElementwiseTemplate(KernelTemplateBase):
    """An :class:`ElementwiseKernel` whose types and values are filled in when it is built.

    In *arguments*, names of types may stand that only :meth:`build` explains; it may be a list of arguments.
    Texts are filled in by the *template_processor*, see :class:`KernelTemplateBase`.
    """

    def __init__(
        self,
        arguments: str | Sequence[Argument],
        operation: str,
        name: str = "elwise",
        preamble: str = "",
        template_processor: str | None = None,
    ) -> None:
        super().__init__(template_processor=template_processor)
        self.arguments = arguments
        self.operation = operation
        self.name = name
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
    ) -> ElementwiseKernel:
        """Make the kernel for types and values; :meth:`build` keeps it.

        *type_aliases* are names with their dtypes, *var_values* names with the values that texts are filled
        in with. *declare_types* are dtypes, of which structs are declared before the preamble.
        *more_arguments* and *more_preamble* come last. Raises :class:`ValueError` for a type that is not
        known.
        """
        renderer = self.get_renderer(type_aliases, var_values, context, options)
        arguments = renderer.arguments(self.arguments, with_offset=True)
        arguments += renderer.arguments(more_arguments, with_offset=True)
        types = renderer.type_declarations(context.devices[0], declare_types)
        preamble = types + renderer(self.preamble) + "\n" + renderer(more_preamble)
        return ElementwiseKernel(
            context, arguments, renderer(self.operation), renderer(self.name), options, preamble=preamble
        )
