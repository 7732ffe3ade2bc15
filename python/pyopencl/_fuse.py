"""Fusion: several operations on arrays in one kernel."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar, overload

from pyopencl._cl import _Fusing

if TYPE_CHECKING:
    from collections.abc import Callable

_P = ParamSpec("_P")
_R = TypeVar("_R")

# Generators, coroutines, asynchronous generators: their bodies run after the call.
_RUNS_LATER = 0x20 | 0x80 | 0x200


@overload
def fuse(function: None = None) -> _Fusing: ...
@overload
def fuse(function: Callable[_P, _R]) -> Callable[_P, _R]: ...
def fuse(function: Callable[_P, _R] | None = None) -> _Fusing | Callable[_P, _R]:
    """Compute results of operators and functions on arrays later, together: a decorator, a context manager.

    ::

        @fuse
        def step(x, y):
            return 2 * x + y * x        # one kernel

        with fuse():
            d = x - y
            distance = cla.sum(d**2)    # one kernel

    Values, dtypes, shapes, strides and errors are those without fusion, and errors appear where an
    operation is written. What is not known before a kernel runs (that it does not build, that memory is
    exhausted) appears where elements are asked for.

    **What is computed later**: arithmetic, comparisons, ``abs``, ``~``, ``astype``, ``real``, ``imag``,
    ``conj``, :func:`maximum`, :func:`minimum`, ``logical_*``, :func:`if_positive` and the functions of
    :mod:`pyopencl.clmath` that have one result, without *out* and *queue*. Their results are ordinary
    arrays, of known shape and dtype, whose elements are missing yet. ``a += b`` to such an array is
    computed later as well. Results of subclasses are computed at once.

    **What computes**: whatever else is done with such an array: ``get()``, views and indices, ``data``,
    transfer, kernels, other functions. These take what is missing into their own kernel: :func:`sum`,
    :func:`max`, :func:`min`, ``any()``, ``all()``, assignment (``a[...] = expression``), operations in
    place (``a += expression``), *out*. At the end of the block, or of the function, what is left is
    computed, unless nobody refers to it any more.

    **Writes**: an expression means its operands as they were where it is written. Before an array is
    written, by whatever operation on arrays, all expressions that read its memory are computed. In
    ``a[...] = f(a)`` that is the same kernel, in ``a += f(a)`` one before. If the memory of an operand
    was handed out (``data``, ``base_data``, arrays over a buffer), any command that is enqueued in the
    same thread may write it, so that the expressions are computed before the command. Commands of other
    threads on such memory are not seen.

    **Size**: an expression of more than 64 operations, numbers and arrays, 16 arrays, or 1024 bytes of
    kernel arguments is computed in parts. An array that several expressions refer to, by a name for
    instance, is computed in each of them anew: what is costly and used often is better computed before
    (``.finish()``).

    Inside of another fusion, a fusion is a part of the other one, which ends later. An exception ends a
    fusion as the end of the block does. It concerns one thread or, with :mod:`asyncio`, one task.
    Functions whose body runs later (coroutines, generators) cannot be decorated: :class:`TypeError`.
    """
    if function is None:
        return _Fusing()
    if not callable(function):
        raise TypeError(f"fuse takes a function, not an object of {type(function)}")
    code = getattr(function, "__code__", None)
    if code is not None and code.co_flags & _RUNS_LATER:
        raise TypeError(
            f"fuse: the body of {function.__qualname__}() runs later: use 'with fuse():' inside of it"
        )

    @wraps(function)
    def fused(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with _Fusing():
            return function(*args, **kwargs)

    return fused
