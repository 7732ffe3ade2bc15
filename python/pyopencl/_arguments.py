"""Declarations of kernel arguments: what they are called, of what type they are, how C writes that down."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

# Of OpenCL C, by kind and size in bytes; complex numbers have the names of pyopencl-complex.h.
_C_NAMES = {
    "i": {1: "char", 2: "short", 4: "int", 8: "long"},
    "u": {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"},
    "f": {4: "float", 8: "double"},
    "c": {8: "cfloat_t", 16: "cdouble_t"},
}


def _c_name(dtype: np.dtype[Any]) -> str:
    try:
        return _C_NAMES[dtype.kind][dtype.itemsize]
    except KeyError:
        raise ValueError(f"unable to map dtype '{dtype}'") from None


class Argument(ABC):
    """An argument of a kernel."""

    @abstractmethod
    def declarator(self) -> str:
        """The declaration in OpenCL C."""


@dataclass(frozen=True, init=False)
class DtypedArgument(Argument):
    """An argument of a kernel that has a NumPy dtype, or points at elements of one."""

    dtype: np.dtype[Any]
    name: str

    def __init__(self, dtype: DTypeLike, name: str) -> None:
        object.__setattr__(self, "dtype", np.dtype(dtype))
        object.__setattr__(self, "name", name)


@dataclass(frozen=True, init=False)
class VectorArg(DtypedArgument):
    """An array as an argument of a kernel: a pointer, followed, *with_offset*, by an offset in bytes."""

    with_offset: bool = False

    def __init__(self, dtype: DTypeLike, name: str, with_offset: bool = False) -> None:
        super().__init__(dtype, name)
        object.__setattr__(self, "with_offset", with_offset)

    def declarator(self) -> str:
        """The declaration in OpenCL C; with an offset, of ``<name>__base`` and ``<name>__offset``."""
        c_name = _c_name(self.dtype)
        if self.with_offset:
            return f"__global {c_name} *{self.name}__base, long {self.name}__offset"
        return f"__global {c_name} *{self.name}"
