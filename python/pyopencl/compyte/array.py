"""Strides, flags and dtypes of arrays of any package: whatever has ``shape``, ``strides`` and ``dtype``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.lib.stride_tricks import as_strided as as_strided

if TYPE_CHECKING:
    from collections.abc import Sequence


class ArrayIsh(Protocol):
    """What the functions here need of an array."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]


def c_contiguous_strides(itemsize: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Compute the strides in bytes of an array without gaps whose last index runs fastest."""
    return f_contiguous_strides(itemsize, shape[::-1])[::-1]


def f_contiguous_strides(itemsize: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Compute the strides in bytes of an array without gaps whose first index runs fastest."""
    strides = []
    for length in shape:
        strides.append(itemsize)
        itemsize *= max(length, 1)
    return tuple(strides)


def equal_strides(strides1: Sequence[int], strides2: Sequence[int], shape: Sequence[int]) -> bool:
    """Tell whether strides are the same, but for axes of length 1."""
    if not len(strides1) == len(strides2) == len(shape):
        return False
    return all(length == 1 or a == b for a, b, length in zip(strides1, strides2, shape, strict=True))


def is_c_contiguous_strides(strides: Sequence[int], itemsize: int, shape: Sequence[int]) -> bool:
    """Tell whether an array has no gaps, and its last index runs fastest."""
    return 0 in shape or equal_strides(strides, c_contiguous_strides(itemsize, shape), shape)


def is_f_contiguous_strides(strides: Sequence[int], itemsize: int, shape: Sequence[int]) -> bool:
    """Tell whether an array has no gaps, and its first index runs fastest."""
    return 0 in shape or equal_strides(strides, f_contiguous_strides(itemsize, shape), shape)


class ArrayFlags:
    """Whether an array has gaps: ``c_contiguous``, ``f_contiguous``, and ``forc`` for either."""

    def __init__(self, ary: ArrayIsh) -> None:
        itemsize = ary.dtype.itemsize
        self.f_contiguous = is_f_contiguous_strides(ary.strides, itemsize, ary.shape)
        self.c_contiguous = is_c_contiguous_strides(ary.strides, itemsize, ary.shape)
        self.forc = self.f_contiguous or self.c_contiguous

    def __repr__(self) -> str:
        return f"  C_CONTIGUOUS : {self.c_contiguous}\n  F_CONTIGUOUS : {self.f_contiguous}"

    def __str__(self) -> str:
        return repr(self)


def get_common_dtype(obj1: Any, obj2: Any, allow_double: bool) -> np.dtype[Any]:
    """Tell the dtype of results of two arrays or scalars; numbers of Python take that of the other one.

    Unless *allow_double*, double precision becomes single.
    """
    common = np.result_type(*(getattr(obj, "dtype", obj) for obj in (obj1, obj2)))
    if not allow_double:
        common = {np.dtype("f8"): np.dtype("f4"), np.dtype("c16"): np.dtype("c8")}.get(common, common)
    return common


def bound(a: Any) -> tuple[int, int]:
    """Tell the addresses of the first byte of an array and of the first one after it.

    For arrays of this package that is within their buffer (``base_data``), for others an address: that of
    ``gpudata``, or that of ``__array_interface__``.
    """
    if hasattr(a, "base_data"):
        start = a.offset
    elif hasattr(a, "gpudata"):
        start = int(a.gpudata)
    else:
        start = a.__array_interface__["data"][0]
    reach = [(length - 1) * stride for length, stride in zip(a.shape, a.strides, strict=True)]
    if 0 in a.shape:
        return start, start
    return start + sum(r for r in reach if r < 0), start + sum(r for r in reach if r > 0) + a.dtype.itemsize


def may_share_memory(a: Any, b: Any) -> bool:
    """Tell whether the bytes between the ends of two arrays meet, as ``numpy.may_share_memory`` does."""
    memory_a, memory_b = (getattr(ary, "base_data", None) for ary in (a, b))
    if memory_a != memory_b:
        return False
    (a_low, a_high), (b_low, b_high) = bound(a), bound(b)
    return a_low < b_high and b_low < a_high
