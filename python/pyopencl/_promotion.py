"""The dtype in which two operands are computed, on devices that may lack double precision."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from pyopencl.characterize import has_double_support

if TYPE_CHECKING:
    from pyopencl._cl import CommandQueue

_SINGLE = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.complex128): np.dtype(np.complex64)}


class DoubleDowncastWarning(UserWarning):
    """A result has single instead of double precision, which the device lacks."""

    __module__ = "pyopencl.array"


def common_dtype(obj1: Any, obj2: Any, queue: CommandQueue) -> np.dtype[Any]:
    """Give the dtype of NumPy 2 for an operation of two arrays or numbers: Python's numbers are weak.

    On devices without double precision it is one of single precision, with a :class:`DoubleDowncastWarning`,
    unless an operand is an array of doubles.
    """
    dtypes = [_own(operand) for operand in (obj1, obj2)]
    strong = [dtype for dtype in dtypes if dtype is not None]
    if len(strong) == 2:
        result = np.result_type(*strong)
    elif strong:
        result = _weakly(strong[0], obj1 if dtypes[0] is None else obj2)
    else:
        result = np.result_type(np.array(obj1), np.array(obj2))
    if result in _SINGLE and result not in strong and not has_double_support(queue.device):
        text = f"{_SINGLE[result]} in place of {result}: {queue.device.name} lacks double precision"
        warnings.warn(text, DoubleDowncastWarning, stacklevel=3)
        return _SINGLE[result]
    return result


def _own(operand: Any) -> np.dtype[Any] | None:
    """Give the dtype of an operand that has one."""
    if isinstance(operand, bool):
        return np.dtype(np.bool_)
    if isinstance(operand, (int, float, complex)) and not isinstance(operand, np.generic):
        return None
    dtype: np.dtype[Any] = operand.dtype
    return dtype


def _weakly(dtype: np.dtype[Any], number: complex) -> np.dtype[Any]:
    """Give the dtype of an array of *dtype* together with a number of Python."""
    if isinstance(number, int):
        return np.dtype(np.int64) if dtype.kind == "b" else dtype
    if isinstance(number, float):
        return dtype if dtype.kind in "fc" else np.dtype(np.float64)
    return np.result_type(dtype, np.complex64 if dtype.kind in "fc" else np.complex128)
