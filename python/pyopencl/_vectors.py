"""The dtypes of OpenCL's vectors, and functions that make such vectors, for :mod:`pyopencl.cltypes`.

A vector type is a record with the components ``s0``, ``s1``, …, of which the first four are also ``x``,
``y``, ``z`` and ``w``. One of three components is as large as one of four (OpenCL C specification,
"Alignment of Types"), so that ``padding0`` follows.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from pyopencl.compyte.dtypes import dtype_to_ctype, get_or_register_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DType: TypeAlias = np.dtype[Any]
_Function = TypeVar("_Function")
_Five: TypeAlias = tuple[_Function, _Function, _Function, _Function, _Function]

vec_types: dict[tuple[_DType, int], _DType] = {}
vec_type_to_scalar_and_count: dict[_DType, tuple[_DType, int]] = {}


def types(base: type[np.generic]) -> _Five[_DType]:
    """Make the types of 2, 3, 4, 8 and 16 components of *base*."""
    return _type(base, 2), _type(base, 3), _type(base, 4), _type(base, 8), _type(base, 16)


def _type(base: type[np.generic], count: int) -> _DType:
    scalar = np.dtype(base)
    fields: list[Any] = [((name, f"s{n}"), scalar) for n, name in enumerate("xyzw"[:count])]
    fields += [(f"s{n}", scalar) for n in range(4, count)]
    if count == 3:
        fields.append(("padding0", scalar))
    dtype = get_or_register_dtype(f"{dtype_to_ctype(scalar)}{count}", np.dtype(fields))
    vec_types[scalar, count] = dtype
    vec_type_to_scalar_and_count[dtype] = scalar, count
    return dtype


def makers(dtypes: _Five[_DType]) -> _Five[Callable[..., NDArray[Any]]]:
    """Make the functions ``make_…`` of vector types."""
    two, three, four, eight, sixteen = dtypes
    return _maker(two), _maker(three), _maker(four), _maker(eight), _maker(sixteen)


def _maker(dtype: _DType) -> Callable[..., NDArray[Any]]:
    _, count = vec_type_to_scalar_and_count[dtype]
    names = dtype.names or ()

    def make(*args: Any, **kwargs: Any) -> NDArray[Any]:
        """Make a vector, an array without dimensions, of components in order, then by name."""
        vector = np.array((*args, *[0] * (len(names) - len(args))), dtype)
        for name, value in kwargs.items():
            vector[name] = value
        left_out = set(names[len(args) : count]).difference(map(_component, kwargs))
        if left_out:
            warnings.warn(
                "leaving out components is deprecated: give all, or use the function `zeros_...` of the type",
                DeprecationWarning,
                stacklevel=2,
            )
        return vector

    return make


def _component(name: str) -> str:
    return f"s{'xyzw'.index(name)}" if name in tuple("xyzw") else name


def zeros(dtypes: _Five[_DType]) -> _Five[Callable[[], NDArray[Any]]]:
    """Make the functions ``zeros_…`` of vector types."""
    two, three, four, eight, sixteen = dtypes
    return _same(two, 0), _same(three, 0), _same(four, 0), _same(eight, 0), _same(sixteen, 0)


def ones(dtypes: _Five[_DType]) -> _Five[Callable[[], NDArray[Any]]]:
    """Make the functions ``ones_…`` of vector types."""
    two, three, four, eight, sixteen = dtypes
    return _same(two, 1), _same(three, 1), _same(four, 1), _same(eight, 1), _same(sixteen, 1)


def _same(dtype: _DType, value: int) -> Callable[[], NDArray[Any]]:
    fill = _filler(dtype)

    def make() -> NDArray[Any]:
        """Make a vector, an array without dimensions, of this one value."""
        return fill(value)

    return make


def fillers(dtypes: _Five[_DType]) -> _Five[Callable[[Any], NDArray[Any]]]:
    """Make the functions ``filled_…`` of vector types."""
    two, three, four, eight, sixteen = dtypes
    return _filler(two), _filler(three), _filler(four), _filler(eight), _filler(sixteen)


def _filler(dtype: _DType) -> Callable[[Any], NDArray[Any]]:
    _, count = vec_type_to_scalar_and_count[dtype]
    padding = [0] * (len(dtype.names or ()) - count)

    def filled(val: Any) -> NDArray[Any]:
        """Make a vector, an array without dimensions, with *val* in all components."""
        return np.array((*[val] * count, *padding), dtype)

    return filled
