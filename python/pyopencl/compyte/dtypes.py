"""Names of dtypes in C: which dtype a name stands for, what a dtype is called, declarations of arguments.

:data:`TYPE_REGISTRY` holds the names of OpenCL C, those of :mod:`pyopencl.cltypes`, and what programs add by
:func:`get_or_register_dtype`.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pyopencl._cl import _parse_declaration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike

_Arg = TypeVar("_Arg")


class TypeNameNotKnown(RuntimeError):
    """A name of a type that is not known. It is for functions that look names up."""


class DTypeRegistry:
    """Names of types in C, and their dtypes."""

    dtype_to_name: dict[np.dtype[Any] | str, str]
    """By dtype, and by what ``str`` makes of it: its first name."""
    name_to_dtype: dict[str, np.dtype[Any]]

    def __init__(self) -> None:
        self.dtype_to_name = {}
        self.name_to_dtype = {}

    def get_or_register_dtype(
        self, names: str | Sequence[str], dtype: DTypeLike | None = None
    ) -> np.dtype[Any]:
        """Find the dtype of a name, or, with *dtype*, make one or several names of it known.

        A dtype that is known already keeps its name, the new ones stand for it too; the object that is known
        is returned. Raises :class:`KeyError` for an unknown name, and :class:`RuntimeError` for a name of
        another dtype.
        """
        names = [names] if isinstance(names, str) else list(names)
        if dtype is None:
            dtype = self.name_to_dtype[names[0]]
            for name in names:
                _same(name, self.name_to_dtype[name], dtype)
            return dtype
        dtype = np.dtype(dtype)
        for name in names:
            dtype = _same(name, self.name_to_dtype.get(name, dtype), dtype)
        for name in names:
            self.name_to_dtype[name] = dtype
        if names and dtype not in self.dtype_to_name:
            self.dtype_to_name[dtype] = self.dtype_to_name[str(dtype)] = names[0]
        return dtype

    def dtype_to_ctype(self, dtype: DTypeLike) -> str:
        """Tell the name of a dtype. Raises :class:`ValueError` if it has none."""
        if dtype is None:
            raise ValueError("dtype may not be None")
        dtype = np.dtype(dtype)
        try:
            return self.dtype_to_name[dtype]
        except KeyError:
            raise ValueError(f"unable to map dtype '{dtype}'") from None


def _same(name: str, known: np.dtype[Any], dtype: np.dtype[Any]) -> np.dtype[Any]:
    if known != dtype:
        raise RuntimeError(f"name '{name}' already registered to different dtype: {known}, not {dtype}")
    return known


# --- the names of languages

# First the name that is told for a dtype.
_SIGNED = {
    np.int8: ("char", "signed char"),
    np.int16: ("short", "signed short", "signed short int", "short signed int"),
    np.int32: ("int", "signed int"),
    np.int64: ("long", "long int", "signed long int", "long signed int"),
}
_UNSIGNED = {
    np.uint8: ("unsigned char",),
    np.uint16: ("unsigned short", "unsigned short int", "short unsigned int"),
    np.uint32: ("unsigned", "unsigned int"),
    np.uint64: ("unsigned long", "unsigned long int", "long unsigned int"),
}
_OPENCL = {np.uint8: "uchar", np.uint16: "ushort", np.uint32: "uint", np.uint64: "ulong"}
_FLOATING = {np.float32: "float", np.float64: "double"}


def fill_registry_with_c_types(reg: DTypeRegistry, respect_windows: bool, include_bool: bool = True) -> None:
    """Add the arithmetic types of C to a registry.

    ``long`` has 64 bits; *respect_windows*, it has as many as for the C compiler of this system.
    """
    if include_bool:
        reg.get_or_register_dtype("bool", np.bool_)
    long = np.dtype("l") if respect_windows else np.dtype(np.int64)
    for signed, names in _SIGNED.items():
        first = reversed(names) if signed is np.int8 else names
        reg.get_or_register_dtype([*first], long if signed is np.int64 else signed)
    for unsigned, names in _UNSIGNED.items():
        wide = np.dtype(f"u{long.itemsize}")
        reg.get_or_register_dtype(names, wide if unsigned is np.uint64 else unsigned)
    for floating, name in _FLOATING.items():
        reg.get_or_register_dtype(name, floating)


def fill_registry_with_opencl_c_types(reg: DTypeRegistry) -> None:
    """Add the scalar types of OpenCL C to a registry; addresses are taken to have 64 bits."""
    for signed, names in _SIGNED.items():
        reg.get_or_register_dtype(names, signed)
    for unsigned, names in _UNSIGNED.items():
        reg.get_or_register_dtype([_OPENCL[unsigned], *names], unsigned)
    reg.get_or_register_dtype("intptr_t", np.int64)
    reg.get_or_register_dtype("uintptr_t", np.uint64)
    for floating, name in _FLOATING.items():
        reg.get_or_register_dtype(name, floating)


def fill_registry_with_c99_stdint_types(reg: DTypeRegistry) -> None:
    """Add the types of C99's ``stdint.h`` and ``stdbool.h`` and the floating-point types to a registry."""
    reg.get_or_register_dtype("bool", np.bool_)
    for bits in (8, 16, 32, 64):
        reg.get_or_register_dtype(f"int{bits}_t", f"i{bits // 8}")
        reg.get_or_register_dtype(f"uint{bits}_t", f"u{bits // 8}")
    reg.get_or_register_dtype("uintptr_t", np.uintp)
    for floating, name in _FLOATING.items():
        reg.get_or_register_dtype(name, floating)


def fill_registry_with_c99_complex_types(reg: DTypeRegistry) -> None:
    """Add the complex types of C99 to a registry."""
    reg.get_or_register_dtype("float complex", np.complex64)
    reg.get_or_register_dtype("double complex", np.complex128)
    reg.get_or_register_dtype("long double complex", np.clongdouble)


# --- the one registry of OpenCL C

TYPE_REGISTRY = DTypeRegistry()
NAME_TO_DTYPE = TYPE_REGISTRY.name_to_dtype
DTYPE_TO_NAME = TYPE_REGISTRY.dtype_to_name

get_or_register_dtype = TYPE_REGISTRY.get_or_register_dtype
dtype_to_ctype = TYPE_REGISTRY.dtype_to_ctype

fill_registry_with_opencl_c_types(TYPE_REGISTRY)
# Of pyopencl-complex.h.
get_or_register_dtype("cfloat_t", np.complex64)
get_or_register_dtype("cdouble_t", np.complex128)


def register_dtype(dtype: DTypeLike, c_names: str | Sequence[str], alias_ok: bool = False) -> None:
    """Make names of a dtype known: an old spelling of :func:`get_or_register_dtype`.

    Unless *alias_ok*, the dtype must not have a name yet: :class:`RuntimeError` otherwise.
    """
    warnings.warn("register_dtype is deprecated: use get_or_register_dtype", DeprecationWarning, stacklevel=2)
    names = [c_names] if isinstance(c_names, str) else list(c_names)
    known = DTYPE_TO_NAME.get(np.dtype(dtype))
    if known is not None and not alias_ok:
        new = ", ".join(names)
        raise RuntimeError(f"dtype '{np.dtype(dtype)}' already registered (as '{known}', new names '{new}')")
    get_or_register_dtype(names, dtype)


def parse_c_arg_backend(
    c_arg: str,
    scalar_arg_factory: Callable[[np.dtype[Any], str], _Arg],
    vec_arg_factory: Callable[[np.dtype[Any], str], _Arg],
    name_to_dtype: Callable[[str], np.dtype[Any]] | None = None,
) -> _Arg:
    """Read the C declaration of an argument, and call a factory with its dtype and its name.

    That is *vec_arg_factory* for a pointer, else *scalar_arg_factory*. *name_to_dtype* tells the dtype of a
    type's name (words with one space between them), by default from :data:`TYPE_REGISTRY`. Raises
    :class:`ValueError` for text that is no declaration and for names that are not known.
    """
    type_name, name, is_pointer = _parse_declaration(c_arg)
    try:
        dtype = (name_to_dtype or NAME_TO_DTYPE.__getitem__)(type_name)
    except KeyError:
        raise ValueError(f"unknown type '{type_name}' in the declaration {c_arg.strip()!r}") from None
    return (vec_arg_factory if is_pointer else scalar_arg_factory)(dtype, name)


# Its types register themselves here, and it takes the functions above from here.
import pyopencl.cltypes  # noqa: E402, F401
