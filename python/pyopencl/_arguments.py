"""Declarations of kernel arguments: what they are called, of what type they are, how C writes that down.

The names of types are those of :data:`pyopencl.compyte.dtypes.TYPE_REGISTRY`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pyopencl._cl import _split_declarations
from pyopencl.compyte.dtypes import dtype_to_ctype, parse_c_arg_backend

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import DTypeLike


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
        c_name = dtype_to_ctype(self.dtype)
        if self.with_offset:
            return f"__global {c_name} *{self.name}__base, long {self.name}__offset"
        return f"__global {c_name} *{self.name}"


class ScalarArg(DtypedArgument):
    """A number, a vector or a struct as an argument of a kernel."""

    def declarator(self) -> str:
        """The declaration in OpenCL C."""
        return f"{dtype_to_ctype(self.dtype)} {self.name}"


@dataclass(frozen=True)
class OtherArg(Argument):
    """An argument of a kernel that has no dtype, as an image: *decl* declares it."""

    decl: str
    name: str

    def declarator(self) -> str:
        """The declaration in OpenCL C."""
        return self.decl


ArgType: TypeAlias = np.dtype[Any] | VectorArg
ArgDType: TypeAlias = np.dtype[Any] | None


def parse_c_arg(c_arg: str, with_offset: bool = False) -> DtypedArgument:
    """Read the declaration of an argument in OpenCL C.

    A pointer gives a :class:`VectorArg`, anything else a :class:`ScalarArg`. Qualifiers are left out.
    Raises :class:`ValueError` for text that is no declaration and for types that are not known, and
    :class:`RuntimeError` for local and constant memory.
    """

    def vector(dtype: DTypeLike, name: str) -> DtypedArgument:
        return VectorArg(dtype, name, with_offset)

    return parse_c_arg_backend(c_arg, ScalarArg, vector)


def parse_arg_list(
    arguments: str | Iterable[str | Argument], with_offset: bool = False
) -> Sequence[Argument]:
    """Read declarations of arguments: one text with commas, or texts and :class:`Argument` objects.

    *with_offset* is for the pointers that are read. Raises what :func:`parse_c_arg` does.
    """
    if isinstance(arguments, str):
        arguments = _split_declarations(arguments)
    return [parse_c_arg(arg, with_offset) if isinstance(arg, str) else arg for arg in arguments]


def get_arg_list_arg_types(arg_types: Iterable[Argument]) -> tuple[ArgType, ...]:
    """List what ``Kernel.set_arg_types`` takes for these arguments.

    Raises :class:`RuntimeError` for an :class:`OtherArg`.
    """
    return tuple(arg if isinstance(arg, VectorArg) else _scalar(arg).dtype for arg in arg_types)


def get_arg_list_scalar_arg_dtypes(arg_types: Iterable[Argument]) -> list[ArgDType]:
    """List what ``Kernel.set_scalar_arg_dtypes`` takes for these arguments, offsets included.

    Raises :class:`RuntimeError` for an :class:`OtherArg`.
    """
    dtypes: list[ArgDType] = []
    for arg in arg_types:
        if not isinstance(arg, VectorArg):
            dtypes.append(_scalar(arg).dtype)
        else:
            dtypes += [None, np.dtype(np.int64)] if arg.with_offset else [None]
    return dtypes


def _scalar(arg: Argument) -> ScalarArg:
    if isinstance(arg, ScalarArg):
        return arg
    raise RuntimeError(f"an argument with a dtype is needed, not one of {type(arg)}")


def get_arg_offset_adjuster_code(arg_types: Iterable[Argument]) -> str:
    """Write the lines of OpenCL C that make pointers with offsets pointers to their first elements."""
    lines = []
    for arg in arg_types:
        if isinstance(arg, VectorArg) and arg.with_offset:
            pointer = f"__global {dtype_to_ctype(arg.dtype)} *"
            begin = f"(__global char *) {arg.name}__base + {arg.name}__offset"
            lines.append(f"{pointer}{arg.name} = ({pointer}) ({begin});")
    return "\n".join(lines)
