"""Tools around the runtime: memory pools and allocators, caches by first argument, devices for tests."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

import pyopencl as cl
from pyopencl._arguments import (
    ArgDType,
    ArgType,
    Argument,
    DtypedArgument,
    OtherArg,
    ScalarArg,
    VectorArg,
    get_arg_list_arg_types,
    get_arg_list_scalar_arg_dtypes,
    get_arg_offset_adjuster_code,
    parse_arg_list,
    parse_c_arg,
)
from pyopencl._cl import (
    AllocatorBase,
    Array,
    DeferredAllocator,
    ImmediateAllocator,
    MemoryPool,
    PooledBuffer,
    PooledSVM,
    SVMAllocator,
    SVMPool,
    _struct_layout,
    _sum,
    bitlog2,
    get_cl_header_version,
)
from pyopencl._templates import KernelTemplateBase
from pyopencl.compyte.dtypes import (
    TypeNameNotKnown,
    dtype_to_ctype,
    get_or_register_dtype,
    register_dtype,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import DTypeLike, NDArray

__all__ = (
    "AllocatorBase",
    "ArgDType",
    "ArgType",
    "Argument",
    "DeferredAllocator",
    "DeviceOrPlatformT",
    "DtypedArgument",
    "ImmediateAllocator",
    "KernelTemplateBase",
    "MemoryPool",
    "OtherArg",
    "PooledBuffer",
    "PooledSVM",
    "SVMAllocator",
    "SVMPool",
    "ScalarArg",
    "TypeNameNotKnown",
    "VectorArg",
    "array_module",
    "bitlog2",
    "clear_first_arg_caches",
    "context_dependent_memoize",
    "dtype_to_c_struct",
    "dtype_to_ctype",
    "first_arg_dependent_memoize",
    "first_arg_dependent_memoize_nested",
    "get_arg_list_arg_types",
    "get_arg_list_scalar_arg_dtypes",
    "get_arg_offset_adjuster_code",
    "get_cl_header_version",
    "get_gl_sharing_context_properties",
    "get_or_register_dtype",
    "get_pyopencl_fixture_arg_names",
    "get_pyopencl_fixture_arg_values",
    "get_test_platforms_and_devices",
    "is_spirv",
    "match_dtype_to_c_struct",
    "parse_arg_list",
    "parse_c_arg",
    "pytest_generate_tests_for_pyopencl",
    "register_dtype",
)

DeviceOrPlatformT = TypeVar("DeviceOrPlatformT", cl.Device, cl.Platform)

_First = TypeVar("_First", bound="Hashable")
_Result = TypeVar("_Result")
_P = ParamSpec("_P")

# --- caches by first argument

# By function, or by the code of a nested one: by first argument, results by the other arguments.
_first_arg_caches: dict[Any, dict[Hashable, dict[Any, Any]]] = {}


def _memoized(
    key: Any, func: Callable[Concatenate[_First, _P], _Result]
) -> Callable[Concatenate[_First, _P], _Result]:
    @functools.wraps(func)
    def wrapper(cl_object: _First, /, *args: _P.args, **kwargs: _P.kwargs) -> _Result:
        arguments = (args, frozenset(kwargs.items())) if kwargs else args
        results = _first_arg_caches.setdefault(key, {}).setdefault(cl_object, {})
        try:
            return results[arguments]  # type: ignore[no-any-return]
        except KeyError:
            result = results[arguments] = func(cl_object, *args, **kwargs)
            return result

    return wrapper


def first_arg_dependent_memoize(
    func: Callable[Concatenate[_First, _P], _Result],
) -> Callable[Concatenate[_First, _P], _Result]:
    """Keep the results of a function by its arguments, the first of which is an OpenCL object.

    All arguments must be hashable. Results and first arguments are kept until :func:`clear_first_arg_caches`.
    """
    return _memoized(func, func)


context_dependent_memoize = first_arg_dependent_memoize


def first_arg_dependent_memoize_nested(
    nested_func: Callable[Concatenate[_First, _P], _Result],
) -> Callable[Concatenate[_First, _P], _Result]:
    """Do the same for a function inside of another one, whose results outlive the call of that."""
    return _memoized(nested_func.__code__, nested_func)


def clear_first_arg_caches() -> None:
    """Forget the results that :func:`first_arg_dependent_memoize` keeps, and the objects they belong to."""
    _first_arg_caches.clear()


# --- devices for tests


def _find(objects: Sequence[DeviceOrPlatformT], identifier: str) -> DeviceOrPlatformT:
    """Find an object by its number, or by a part of its name; the first one for an empty text."""
    try:
        return objects[int(identifier)]
    except ValueError:
        pass
    for candidate in objects:
        if identifier.strip().lower() in candidate.name.lower():
            return candidate
    names = ", ".join(repr(candidate.name) for candidate in objects)
    raise RuntimeError(f"object '{identifier}' not found among {names or 'none'}")


def get_test_platforms_and_devices(
    plat_dev_string: str | None = None,
) -> list[tuple[cl.Platform, list[cl.Device]]]:
    """List the platforms and devices that tests are to run on.

    *plat_dev_string* is of the form ``platform:device,device;platform``, with numbers or parts of names; a
    platform alone stands for all its devices. By default it is the environment variable ``PYOPENCL_TEST``;
    without that, all devices are listed. Raises :class:`RuntimeError` for a name that does not fit, and
    :class:`IndexError` for a number beyond the end.
    """
    if plat_dev_string is None:
        plat_dev_string = os.environ.get("PYOPENCL_TEST")
    if not plat_dev_string:
        return [(platform, platform.get_devices()) for platform in cl.get_platforms()]
    found = []
    for entry in plat_dev_string.split(";"):
        name, colon, devices = entry.partition(":")
        platform = _find(cl.get_platforms(), name)
        all_devices = platform.get_devices()
        chosen = [_find(all_devices, device) for device in devices.split(",")] if colon else all_devices
        found.append((platform, chosen))
    return found


class _ContextFactory:
    """Makes contexts for a device."""

    def __init__(self, device: cl.Device) -> None:
        self.device = device

    def __call__(self) -> cl.Context:
        # The caches would keep the contexts of all tests before.
        clear_first_arg_caches()
        return cl.Context([self.device])

    def __str__(self) -> str:
        return f"<context factory for {self.device!r}>"


_FIXTURES = ("platform", "device", "ctx_factory", "ctx_getter")


def get_pyopencl_fixture_arg_names(metafunc: Any, extra_arg_names: Iterable[str] | None = None) -> list[str]:
    """Tell which arguments of a test are ours: ``platform``, ``device``, ``ctx_factory``, *extra_arg_names*.

    *metafunc* is the object that pytest gives to ``pytest_generate_tests``.
    """
    if "ctx_getter" in metafunc.fixturenames:
        warnings.warn(
            "the argument 'ctx_getter' of tests is deprecated: name it 'ctx_factory'",
            DeprecationWarning,
            stacklevel=2,
        )
    names = (*_FIXTURES, *(extra_arg_names or ()))
    return [name for name in names if name in metafunc.fixturenames]


def get_pyopencl_fixture_arg_values() -> tuple[list[dict[str, Any]], Callable[[Any], str]]:
    """List the values of those arguments, a dictionary for each device, and what names values."""
    values = [
        {
            "platform": platform,
            "device": device,
            "ctx_factory": _ContextFactory(device),
            "ctx_getter": _ContextFactory(device),
        }
        for platform, devices in get_test_platforms_and_devices()
        for device in devices
    ]

    def name_of(value: Any) -> str:
        if isinstance(value, cl.Platform):
            return f"<pyopencl.Platform {value.name!r}>"
        return str(value)

    return values, name_of


def pytest_generate_tests_for_pyopencl(metafunc: Any) -> None:
    """Run each test that takes ``platform``, ``device`` or ``ctx_factory`` once for each device.

    To be imported as ``pytest_generate_tests``.
    """
    names = get_pyopencl_fixture_arg_names(metafunc)
    if not names:
        return
    values, name_of = get_pyopencl_fixture_arg_values()
    metafunc.parametrize(names, [tuple(value[name] for name in names) for value in values], ids=name_of)


# --- structs


def match_dtype_to_c_struct(
    device: cl.Device, name: str, dtype: np.dtype[Any], context: cl.Context | None = None
) -> tuple[np.dtype[Any], str]:
    """Lay the fields of a dtype out as *device* lays out a struct, and declare that in C as the type *name*.

    The result is a dtype with the same fields, in order of their offsets, and with the padding of the device,
    and the declaration. Structs among the fields must be registered by :func:`get_or_register_dtype`. Raises
    :class:`ValueError` for a dtype without fields, or with one that C has no name for.
    """
    return _match_dtype_to_c_struct(device, name, dtype, context)


@first_arg_dependent_memoize
def _match_dtype_to_c_struct(
    device: cl.Device, name: str, dtype: np.dtype[Any], context: cl.Context | None
) -> tuple[np.dtype[Any], str]:
    if not dtype.names or dtype.fields is None:
        raise ValueError(f"dtype has no fields: '{dtype}'")
    described = dtype.fields
    names = sorted(dtype.names, key=lambda field: described[field][1])
    for field in names:
        if not (field.isascii() and field.isidentifier()):
            raise ValueError(f"no name of a field in C: {field!r}")
    formats: list[np.dtype[Any]] = [described[field][0] for field in names]
    members = "".join(
        f"  {dtype_to_ctype(form.base)} {field}{''.join(f'[{length}]' for length in form.shape)};\n"
        for field, form in zip(names, formats, strict=True)
    )
    declaration = f"typedef struct {{\n{members}}} {name};\n\n"
    inner = dict.fromkeys(dtype_to_c_struct(device, form.base) for form in formats)
    queue = cl.CommandQueue(context or cl.Context([device]), device)
    size, offsets = _struct_layout(queue, "".join(inner) + declaration, name, names)
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
    titles = [described[field][2:] for field in names]
    if any(titles):
        layout["titles"] = [title[0] if title else None for title in titles]
    return np.dtype(layout), declaration  # type: ignore[call-overload]  # of a dictionary


def dtype_to_c_struct(device: cl.Device, dtype: np.dtype[Any]) -> str:
    """Declare a registered struct in C, as :func:`match_dtype_to_c_struct` does.

    The declaration of numbers and vectors is empty. Raises :class:`ValueError` for a dtype that is not
    registered, or that *device* lays out otherwise.
    """
    dtype = dtype.base
    if dtype.names is None or dtype in cl.cltypes.vec_type_to_scalar_and_count:
        return ""
    matched, declaration = match_dtype_to_c_struct(device, dtype_to_ctype(dtype), dtype)
    if matched != dtype:
        raise ValueError(
            f"{device!r} lays out {dtype_to_ctype(dtype)!r} as {matched}, but it is registered as {dtype}"
        )
    return declaration


# --- arrays of either kind


class _ArrayModule:
    """Some of NumPy's functions, for arrays of one queue; dot products come back as NumPy's."""

    def __init__(self, queue: cl.CommandQueue | None) -> None:
        self.queue = queue

    @property
    def ndarray(self) -> type[Array]:
        """The class of arrays."""
        return Array

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike, order: str = "C") -> Array:
        """Make an array without defined contents."""
        return Array(self.queue, shape, dtype, order=order)

    def dot(self, x: Array, y: Array) -> NDArray[Any]:
        """Multiply element by element and add everything up."""
        return _sum(x * y, queue=self.queue).get()

    def vdot(self, x: Array, y: Array) -> NDArray[Any]:
        """Do the same with the conjugate of *x*."""
        conjugate: Any = x
        return self.dot(conjugate.conj() if x.dtype.kind == "c" else x, y)

    def hstack(self, arrays: Sequence[Array]) -> Array:
        """Join arrays along their second axis, those with one axis along that."""
        axis = 0 if arrays[0].ndim == 1 else 1
        shape = list(arrays[0].shape)
        shape[axis] = sum(array.shape[axis] for array in arrays)
        joined = self.empty(tuple(shape), np.result_type(*(array.dtype for array in arrays)))
        start = 0
        for array in arrays:
            part = slice(start, start := start + array.shape[axis])
            joined[part if axis == 0 else (slice(None), part)] = array
        return joined


def array_module(a: Any) -> Any:
    """The module whose functions work on an array: NumPy, or an object with a few of its functions for ours.

    That has ``ndarray``, ``empty``, ``dot``, ``vdot`` and ``hstack``, and uses the queue of *a*. Raises
    :class:`TypeError` for what is no array.
    """
    if isinstance(a, np.ndarray):
        return np
    if isinstance(a, Array):
        return _ArrayModule(a.queue)
    raise TypeError(
        f"an array of NumPy or of pyopencl.array is needed, not an object of type {type(a).__name__}"
    )


# --- odds and ends

_SPIRV_MAGIC = (0x07230203).to_bytes(4, "big"), (0x07230203).to_bytes(4, "little")


def is_spirv(s: str | bytes) -> bool:
    """Tell whether *s* is a SPIR-V module, of either byte order."""
    return isinstance(s, bytes) and s.startswith(_SPIRV_MAGIC)


def get_gl_sharing_context_properties() -> list[tuple[int, Any]]:
    """List the context properties that share objects with the current OpenGL context.

    Needs the package PyOpenGL. Raises :class:`NotImplementedError` on macOS, where no context is named.
    """
    current_context = import_module("OpenGL.platform").GetCurrentContext
    if sys.platform == "darwin":
        raise NotImplementedError("objects of OpenGL are shared by a share group here, not by a context")
    if sys.platform == "win32":
        display = (cl.context_properties.WGL_HDC_KHR, import_module("OpenGL.WGL").wglGetCurrentDC())
    else:
        display = (cl.context_properties.GLX_DISPLAY_KHR, import_module("OpenGL.GLX").glXGetCurrentDisplay())
    return [(cl.context_properties.GL_CONTEXT_KHR, current_context()), display]
