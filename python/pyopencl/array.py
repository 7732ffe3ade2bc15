"""Arrays on a device, with the manners of NumPy's.

:class:`Array` and what works on it live in the native module; here are the functions around them.
"""

from __future__ import annotations

import builtins
import sys
import warnings
from collections.abc import Callable
from numbers import Number
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

import pyopencl._cl as _cl
from pyopencl._cl import (
    Array,
    as_strided,
    concatenate,
    cumsum,
    diff,
    dot,
    hstack,
    if_positive,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multi_put,
    multi_take,
    multi_take_put,
    stack,
    subset_dot,
    subset_max,
    subset_min,
    take,
    to_device,
    vdot,
    zeros,
)
from pyopencl._fuse import fuse
from pyopencl._kernel_runner import elwise_kernel_runner
from pyopencl._kernel_runner import splay as _splay
from pyopencl._pickling import queue_for_pickling
from pyopencl._promotion import DoubleDowncastWarning
from pyopencl._promotion import common_dtype as _get_common_dtype
from pyopencl.characterize import has_double_support
from pyopencl.typing import Allocator

if TYPE_CHECKING:
    from pyopencl._cl import CommandQueue
    from pyopencl.typing import WaitList

__all__ = (
    "ARRAY_KERNEL_EXEC_HOOK",
    "SCALAR_CLASSES",
    "Allocator",
    "Array",
    "ArrayHasOffsetError",
    "ArrayT",
    "DefaultAllocator",
    "DoubleDowncastWarning",
    "InconsistentOpenCLQueueWarning",
    "ScalarLike",
    "VecLookupWarner",
    "_get_common_dtype",
    "_splay",
    "all",
    "any",
    "arange",
    "as_strided",
    "concatenate",
    "cumsum",
    "diff",
    "dot",
    "elwise_kernel_runner",
    "empty",
    "empty_like",
    "fuse",
    "has_double_support",
    "hstack",
    "if_positive",
    "logical_and",
    "logical_not",
    "logical_or",
    "max",
    "maximum",
    "min",
    "minimum",
    "multi_put",
    "multi_take",
    "multi_take_put",
    "queue_for_pickling",
    "reshape",
    "stack",
    "subset_dot",
    "subset_max",
    "subset_min",
    "sum",
    "take",
    "to_device",
    "transpose",
    "vdot",
    "vec",
    "zeros",
    "zeros_like",
)

empty = Array

ArrayT = TypeVar("ArrayT", bound=Array)
ScalarLike = int | float | complex | np.number[Any]
SCALAR_CLASSES = (Number, np.bool_, bool)

# Called, if it is set, in place of the kernels of arrays: with the kernel, queue, global and local size, the
# arguments, and the keyword `wait_for`. It launches the kernel and returns the event.
ARRAY_KERNEL_EXEC_HOOK: Callable[..., _cl.Event] | None = None


class InconsistentOpenCLQueueWarning(UserWarning):
    """The queue of an array is not the one that its shared virtual memory is bound to.

    Nothing goes wrong: the memory is freed, or lent again, after all commands that use it.
    """


class VecLookupWarner:
    """Finds the vector types of :mod:`pyopencl.cltypes`, where they are now, with a warning."""

    def __getattr__(self, name: str) -> Any:
        warnings.warn(
            "pyopencl.array.vec is deprecated: the vector types are in pyopencl.cltypes",
            DeprecationWarning,
            stacklevel=2,
        )
        from pyopencl import cltypes

        return getattr(cltypes, name)


vec = VecLookupWarner()


class DefaultAllocator(_cl.DeferredAllocator):
    """The same as :class:`pyopencl.tools.DeferredAllocator`, with a warning."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            "pyopencl.array.DefaultAllocator is deprecated: use pyopencl.tools.DeferredAllocator",
            DeprecationWarning,
            stacklevel=2,
        )


class _copy_queue:
    """Stands for "the queue of the array that is copied"."""


class _same_as_transfer:
    """Stands for "the queue of the transfer"."""


class _NoValue:
    """Stands for an argument that is not given."""


class ArrayHasOffsetError(ValueError):
    """The memory of an array was asked for, but the array begins somewhere inside of it."""

    def __init__(self, val: str = "the array begins at an offset: use base_data and offset") -> None:
        super().__init__(val)


def arange(queue: CommandQueue, *args: Any, **kwargs: Any) -> Array:
    """Make an array of evenly spaced numbers: ``arange(queue, [start,] stop[, step], dtype=None)``.

    Without *dtype* it is the one that NumPy gives *start*, *stop* and *step* together. *allocator* makes the
    memory. Raises :class:`TypeError` for other arguments.
    """
    start, stop, step = kwargs.pop("start", None), kwargs.pop("stop", None), kwargs.pop("step", None)
    dtype, allocator = kwargs.pop("dtype", None), kwargs.pop("allocator", None)
    if kwargs:
        raise TypeError(f"arange() got unexpected keyword arguments: {', '.join(kwargs)}")
    if args and not isinstance(args[-1], (int, float, complex, np.number)):
        args, dtype = args[:-1], args[-1]
    if len(args) == 1 and stop is None:
        (stop,) = args
    elif len(args) == 1:
        (start,) = args
    elif len(args) == 2:
        start, stop = args
    elif len(args) == 3:
        start, stop, step = args
    elif args:
        raise TypeError(f"arange() takes at most 3 numbers, got {len(args)}")
    if stop is None:
        raise TypeError("arange() needs a number to stop at")
    start = 0 if start is None else start
    step = 1 if step is None else step
    if dtype is None:
        dtype = np.array([start, stop, step]).dtype
    return _cl._arange(queue, start, stop, step, dtype, allocator)


def _array(given: Array, function: str, *others: type) -> Array:
    """Give back what is an array of a device, or of *others*; raise :class:`TypeError` for anything else."""
    if not isinstance(given, (Array, *others)):
        raise TypeError(
            f"{function}: expected a pyopencl.array.Array, found an object of {type(given)}; "
            "pyopencl.array.to_device(queue, host_array) makes one"
        )
    return given


def empty_like(ary: Array, queue: Any = _copy_queue, allocator: Any = None) -> Array:
    """Make an array of the shape, dtype and order of *ary*, without defined contents."""
    return _array(ary, "empty_like")._new_with_changes(data=None, offset=0, queue=queue, allocator=allocator)


def zeros_like(ary: Array) -> Array:
    """Make an array of zeros of the shape, dtype and order of *ary*."""
    zeros = _array(ary, "zeros_like")._new_like_me()
    zeros._zero_fill()
    return zeros


def reshape(a: Array, shape: Any) -> Array:
    """Give an array another shape: a view where possible, else a copy."""
    return _array(a, "reshape", np.ndarray).reshape(shape)


def transpose(a: Array, axes: Any = None) -> Array:
    """Put the axes of an array into another order: a view."""
    return _array(a, "transpose", np.ndarray).transpose(axes)


def _given(initial: Any) -> Any:
    return None if initial is _NoValue else initial


def sum(
    a: Array,
    dtype: Any = None,
    queue: CommandQueue | None = None,
    slice: builtins.slice | None = None,  # noqa: A002  (the name of the API)
    initial: Any = _NoValue,
) -> Array:
    """Add all elements up, in *dtype* if given: an array without dimensions.

    *slice* takes a part of the array; *initial* is added.
    """
    return _cl._sum(_array(a, "sum"), dtype, queue, slice, _given(initial))


def any(a: Array, queue: CommandQueue | None = None, wait_for: WaitList = None) -> Array:
    """Tell whether an element is not zero: an int8 array without dimensions, 0 for no elements."""
    return _array(a, "any").any(queue, wait_for)


def all(a: Array, queue: CommandQueue | None = None, wait_for: WaitList = None) -> Array:
    """Tell whether no element is zero: an int8 array without dimensions, 1 for no elements."""
    return _array(a, "all").all(queue, wait_for)


def _is_number(given: Any) -> bool:
    return isinstance(given, SCALAR_CLASSES)


@overload
def max(a: Array, queue: CommandQueue | None = None, initial: Any = _NoValue) -> Array: ...
@overload
def max(a: ScalarLike, queue: CommandQueue | None = None, initial: Any = _NoValue) -> Any: ...
def max(a: Any, queue: CommandQueue | None = None, initial: Any = _NoValue) -> Any:
    """Find the greatest element, NaN if there is one: an array without dimensions. Of a number, itself.

    Raises :class:`ValueError` for an array without elements.
    """
    if initial is _NoValue and _is_number(a):
        return np.max(np.asarray(a))
    return _cl._max(_array(a, "max"), queue, _given(initial))


@overload
def min(a: Array, queue: CommandQueue | None = None, initial: Any = _NoValue) -> Array: ...
@overload
def min(a: ScalarLike, queue: CommandQueue | None = None, initial: Any = _NoValue) -> Any: ...
def min(a: Any, queue: CommandQueue | None = None, initial: Any = _NoValue) -> Any:
    """Find the least element, NaN if there is one: an array without dimensions. Of a number, itself.

    Raises :class:`ValueError` for an array without elements.
    """
    if initial is _NoValue and _is_number(a):
        return np.min(np.asarray(a))
    return _cl._min(_array(a, "min"), queue, _given(initial))


class _Module(ModuleType):
    """This module, which tells the native one of its hook."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "ARRAY_KERNEL_EXEC_HOOK":
            _cl._set_array_kernel_hook(value)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Module
