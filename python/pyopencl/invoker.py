"""Generated Python code that sets a kernel's arguments and enqueues it.

:class:`pyopencl.Kernel` needs none of this. It is for packages that generate host code: the text calls
``Kernel._set_arg_multi`` and its relatives, with the arguments as ``arg0``, ``arg1`` and so on, the kernel as
``self`` and ``struct.pack`` as ``pack``.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from struct import pack
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

import pyopencl as cl
from pyopencl._arguments import VectorArg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import DTypeLike

__all__ = (
    "BUF_PACK_TYPECHARS",
    "VectorArg",
    "generate_enqueue_and_set_args",
    "generate_generic_arg_handling_body",
    "generate_specific_arg_handling_body",
    "invoker_cache",
)

# Formats of numbers for `Kernel._set_arg_buf_pack_multi`.
BUF_PACK_TYPECHARS = ["c", "b", "B", "h", "H", "i", "I", "l", "L", "f", "d"]
# The same with others that NumPy and `struct` have in common.
_NUMBERS = {*BUF_PACK_TYPECHARS, "q", "Q", "e", "?"}
_COMPLEX = {"F": "f", "D": "d"}

_Bug = str | bool


@dataclass
class GeneratedCode:
    """Lines of Python without indentation; :meth:`get` gives them as text."""

    code: list[str] = field(default_factory=list)

    def get(self) -> str:
        """The text; ``pass`` if there is nothing to do."""
        return "\n".join(self.code or ["pass"])

    def _call(self, method: str, items: Iterable[str]) -> None:
        """Add a call of a method of the kernel that takes a flat tuple, unless that is empty."""
        flat = ", ".join(items)
        if flat:
            self.code.append(f"self.{method}(({flat},))")


def generate_generic_arg_handling_body(num_args: int) -> GeneratedCode:
    """Generate what sets *num_args* arguments of unknown types."""
    body = GeneratedCode()
    body._call("_set_arg_multi", (f"{index}, arg{index}" for index in range(num_args)))
    return body


@overload
def generate_specific_arg_handling_body(
    function_name: str,
    num_cl_args: int,
    arg_types: Sequence[DTypeLike | VectorArg | None],
    *,
    work_around_arg_count_bug: _Bug,
    warn_about_arg_count_bug: bool,
    in_enqueue: Literal[True],
    include_debug_code: bool,
) -> tuple[GeneratedCode, list[str]]: ...
@overload
def generate_specific_arg_handling_body(
    function_name: str,
    num_cl_args: int,
    arg_types: Sequence[DTypeLike | VectorArg | None],
    *,
    work_around_arg_count_bug: _Bug,
    warn_about_arg_count_bug: bool,
    in_enqueue: Literal[False],
    include_debug_code: bool,
) -> GeneratedCode: ...
def generate_specific_arg_handling_body(
    function_name: str,
    num_cl_args: int,
    arg_types: Sequence[DTypeLike | VectorArg | None],
    *,
    work_around_arg_count_bug: _Bug,
    warn_about_arg_count_bug: bool,
    in_enqueue: bool,
    include_debug_code: bool,
) -> GeneratedCode | tuple[GeneratedCode, list[str]]:
    """Generate what sets arguments of these types.

    *arg_types* has a dtype for each number, vector or struct, a :class:`VectorArg` for each array, and
    ``None`` for everything else. *work_around_arg_count_bug* is what
    :func:`pyopencl.characterize.has_struct_arg_count_bug` says; where *warn_about_arg_count_bug*, complex
    numbers are warned of. With *include_debug_code*, arrays are checked to be contiguous and, *in_enqueue*,
    to belong to ``queue``.

    *in_enqueue*, the result is the code together with a list of expressions: the events to wait for. Raises
    :class:`TypeError` if the types make another number of arguments than *num_cl_args*, and
    :class:`NotImplementedError` for complex numbers that Apple's CPU driver cannot take.
    """
    body = GeneratedCode()
    objects: list[str] = []
    buffers: list[str] = []
    numbers: list[str] = []
    events: list[str] = []
    cl_index = 0
    types = [_normalised(arg_type) for arg_type in arg_types]
    if warn_about_arg_count_bug and any(isinstance(t, np.dtype) and t.kind == "c" for t in types):
        text = (
            f"some devices of {function_name!r} miscount struct arguments: complex numbers may arrive wrong"
        )
        warnings.warn(text, stacklevel=2)
    for index, arg_type in enumerate(types):
        arg = f"arg{index}"
        if arg_type is None:
            objects.append(f"{cl_index}, {arg}")
        elif isinstance(arg_type, VectorArg):
            if include_debug_code:
                body.code += _checks(arg, in_enqueue)
            objects.append(f"{cl_index}, {arg}.base_data")
            events.append(f"{arg}.events")
            if arg_type.with_offset:
                cl_index += 1
                numbers.append(f"{cl_index}, b'q', {arg}.offset")
        elif arg_type.char == "D" and work_around_arg_count_bug == "pocl":
            numbers.append(f"{cl_index}, b'd', {arg}.real, {cl_index + 1}, b'd', {arg}.imag")
            cl_index += 1
        elif arg_type.char == "D" and work_around_arg_count_bug == "apple":
            raise NotImplementedError(
                "complex numbers of double precision cannot be passed to Apple's CPU driver"
            )
        elif arg_type.char in _COMPLEX:
            code = _COMPLEX[arg_type.char] * 2
            buffers.append(f"{cl_index}, pack('{code}', {arg}.real, {arg}.imag)")
        elif arg_type.char in _NUMBERS:
            numbers.append(f"{cl_index}, b'{arg_type.char}', {arg}")
        else:
            buffers.append(f"{cl_index}, {arg}")
        cl_index += 1
    if cl_index != num_cl_args:
        raise TypeError(
            f"{function_name!r} takes {num_cl_args} arguments, and the types are those of {cl_index}"
        )
    body._call("_set_arg_multi", objects)
    body._call("_set_arg_buf_multi", buffers)
    body._call("_set_arg_buf_pack_multi", numbers)
    return (body, events) if in_enqueue else body


def _normalised(arg_type: DTypeLike | VectorArg | None) -> np.dtype[Any] | VectorArg | None:
    if arg_type is None or isinstance(arg_type, VectorArg):
        return arg_type
    return np.dtype(arg_type)


def _checks(arg: str, in_enqueue: bool) -> list[str]:
    lines = [
        f"if not {arg}.flags.forc:",
        f"    raise RuntimeError('{arg} is an array that is not contiguous')",
    ]
    if in_enqueue:
        same = f"{arg}.queue is None or {arg}.queue == queue"
        lines.append(f"assert {same}, '{arg} is an array of another queue than that of the call'")
    return lines


# --- whole functions

# By what they were generated from.
invoker_cache: dict[tuple[Any, ...], tuple[Callable[..., cl.Event], Callable[..., None]]] = {}


def generate_enqueue_and_set_args(
    function_name: str,
    num_passed_args: int,
    num_cl_args: int,
    arg_types: Sequence[DTypeLike | VectorArg | None] | None,
    work_around_arg_count_bug: _Bug,
    warn_about_arg_count_bug: bool,
    devs: Iterable[cl.Device],
) -> tuple[Callable[..., cl.Event], Callable[..., None]]:
    """Generate two functions: one that enqueues a kernel with its arguments, and one that sets them only.

    They take the kernel, the first one then *queue*, *global_size* and *local_size*, and both
    *num_passed_args* arguments; the first one also takes *global_offset*, *g_times_l*, *allow_empty_ndrange*
    and *wait_for*, and waits for the events of arrays. *arg_types* are those of
    :func:`generate_specific_arg_handling_body`, or ``None`` for arguments of unknown types. Warns of
    arguments that are too large for one of *devs*.
    """
    types = None if arg_types is None else tuple(_normalised(arg_type) for arg_type in arg_types)
    if types is not None:
        _check_arg_size(function_name, num_cl_args, types, devs)
    key = (
        *(function_name, num_passed_args, num_cl_args, types),
        *(work_around_arg_count_bug, warn_about_arg_count_bug),
    )
    if key not in invoker_cache:
        invoker_cache[key] = _generate(*key)
    return invoker_cache[key]


def _generate(
    function_name: str,
    num_passed_args: int,
    num_cl_args: int,
    types: tuple[np.dtype[Any] | VectorArg | None, ...] | None,
    bug: _Bug,
    warn: bool,
) -> tuple[Callable[..., cl.Event], Callable[..., None]]:
    events: list[str] = []
    if types is None:
        enqueue = set_args = generate_generic_arg_handling_body(num_passed_args)
    else:
        enqueue, events = generate_specific_arg_handling_body(
            function_name,
            num_cl_args,
            types,
            work_around_arg_count_bug=bug,
            warn_about_arg_count_bug=warn,
            in_enqueue=True,
            include_debug_code=__debug__,
        )
        set_args = generate_specific_arg_handling_body(
            function_name,
            num_cl_args,
            types,
            work_around_arg_count_bug=bug,
            warn_about_arg_count_bug=False,
            in_enqueue=False,
            include_debug_code=__debug__,
        )
    name = "enqueue_knl_" + re.sub(r"\W", "_", function_name)
    args = "".join(f", arg{index}" for index in range(num_passed_args))
    options = "global_offset=None, g_times_l=False, allow_empty_ndrange=False, wait_for=None"
    waiting = "".join(f", *{expression}" for expression in events)
    lines = [
        f"def {name}(self, queue, global_size, local_size{args}, {options}):",
        *(f"    {line}" for line in enqueue.get().splitlines()),
        *([f"    wait_for = [*(wait_for or ()){waiting}]"] if events else []),
        "    sizes = global_size, local_size, global_offset",
        "    return enqueue_nd_range_kernel(queue, self, *sizes, wait_for, g_times_l, allow_empty_ndrange)",
        "",
        f"def set_args(self{args}):",
        *(f"    {line}" for line in set_args.get().splitlines()),
    ]
    namespace: dict[str, Any] = {"pack": pack, "enqueue_nd_range_kernel": cl.enqueue_nd_range_kernel}
    exec(compile("\n".join(lines), f"<generated: invoker of {function_name!r}>", "exec"), namespace)
    return namespace[name], namespace["set_args"]


def _check_arg_size(
    function_name: str,
    num_cl_args: int,
    types: Sequence[np.dtype[Any] | VectorArg | None],
    devs: Iterable[cl.Device],
) -> None:
    """Warn of a kernel whose arguments are larger than a device says it takes."""
    for device in devs:
        pointer = device.address_bits // 8
        size = 0
        for arg_type in types:
            if isinstance(arg_type, np.dtype):
                size += arg_type.itemsize
            else:
                size += pointer + (8 if arg_type is not None and arg_type.with_offset else 0)
        limit = _parameter_limit(device)
        if size > limit:
            arguments = f"the {num_cl_args} arguments of {function_name!r}"
            warnings.warn(f"{arguments} have {size} bytes, {device!r} takes {limit}", stacklevel=3)


def _parameter_limit(device: cl.Device) -> int:
    """The bytes that all arguments of a kernel may have together."""
    limit = device.max_parameter_size
    if limit == 1024 and device.platform.name == "Portable Computing Language":
        # PoCL says the least that the specification allows, and takes more: NVIDIA's devices 4352 bytes (CUDA
        # Programming Guide, "Technical Specifications"), CPUs any amount.
        return 4352 if device.type & cl.device_type.GPU else 1 << 20
    return limit
