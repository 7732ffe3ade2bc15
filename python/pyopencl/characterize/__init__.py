"""Facts about devices that drivers do not tell, or each in its own way.

What is asked of the driver are the attributes of :class:`pyopencl.Device`, those of
``cl_nv_device_attribute_query`` and ``cl_amd_device_attribute_query`` among them. Answers that are only
likely come with a :class:`CLCharacterizationWarning`.
"""

from __future__ import annotations

import re
import warnings
from math import prod
from typing import TYPE_CHECKING, Literal, TypeVar

import pyopencl as cl

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = (
    "CLCharacterizationWarning",
    "get_fast_inaccurate_build_options",
    "get_pocl_version",
    "get_simd_group_size",
    "has_amd_double_support",
    "has_coarse_grain_buffer_svm",
    "has_double_support",
    "has_fine_grain_buffer_svm",
    "has_fine_grain_buffer_svm_atomics",
    "has_fine_grain_system_svm",
    "has_fine_grain_system_svm_atomics",
    "has_src_build_cache",
    "has_struct_arg_count_bug",
    "local_memory_access_granularity",
    "local_memory_bank_count",
    "nv_compute_capability",
    "reasonable_work_group_size_multiple",
    "simultaneous_work_items_on_local_access",
    "usable_local_mem_size",
    "why_not_local_access_conflict_free",
)

_Fallback = TypeVar("_Fallback")

_POCL, _AMD, _APPLE = "Portable Computing Language", "AMD Accelerated Parallel Processing", "Apple"


class CLCharacterizationWarning(UserWarning):
    """A property of a device had to be guessed."""


def _guess(what: str, dev: cl.Device, value: int) -> int:
    text = f"{what} of {dev!r} is not known, {value} is a guess"
    warnings.warn(text, CLCharacterizationWarning, stacklevel=3)
    return value


def _attribute(dev: cl.Device, name: str) -> int | None:
    """An attribute of a vendor's extension; ``None`` if the device does not have it."""
    try:
        value = getattr(dev, name)
    except (AttributeError, cl.Error):
        return None
    return int(value) if value else None


# --- arithmetic and versions


def has_double_support(dev: cl.Device) -> bool:
    """Tell whether the device has the type ``double`` in full (``cl_khr_fp64``)."""
    return "cl_khr_fp64" in dev.extensions.split()


def has_amd_double_support(dev: cl.Device) -> bool:
    """Tell whether the device has the subset of ``double`` that AMD's early drivers had (``cl_amd_fp64``)."""
    return "cl_amd_fp64" in dev.extensions.split()


def nv_compute_capability(dev: cl.Device) -> tuple[int, int] | None:
    """The compute capability of an NVIDIA device, as ``(major, minor)``; ``None`` for others."""
    try:
        return dev.compute_capability_major_nv, dev.compute_capability_minor_nv
    except (AttributeError, cl.Error):
        return None


def get_pocl_version(
    platform: cl.Platform, fallback_value: _Fallback | None = None
) -> tuple[int, int] | _Fallback | None:
    """The version of PoCL, as ``(major, minor)``; ``None`` for other platforms.

    If PoCL's version text tells none, that is warned of and the result is *fallback_value*.
    """
    if platform.name != _POCL:
        return None
    found = re.search(r"\bpocl\s+(\d+)\.(\d+)", platform.version, re.IGNORECASE)
    if found is None:
        warnings.warn(f"PoCL's version text holds no version: {platform.version!r}", stacklevel=2)
        return fallback_value
    return int(found[1]), int(found[2])


def get_fast_inaccurate_build_options(dev: cl.Device) -> list[str]:
    """Build options that make arithmetic faster and less exact."""
    options = ["-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros"]
    if dev.vendor.startswith(("NVIDIA", "Advanced Micro Devices")):
        options.append("-cl-strict-aliasing")
    return options


def has_src_build_cache(dev: cl.Device) -> bool | None:
    """Tell whether the driver keeps built programs itself; ``None`` if that is not known."""
    name = dev.platform.name
    if name == _POCL or nv_compute_capability(dev) is not None:
        return True
    return False if name == _AMD else None


# --- work-groups


_SCALE = "kernel void scale(global float *data) { data[get_global_id(0)] *= 2; }"


def reasonable_work_group_size_multiple(dev: cl.Device, ctx: cl.Context | None = None) -> int:
    """A number of which work-group sizes had better be multiples.

    On NVIDIA devices that is the size of a warp, elsewhere what the driver says for a simple kernel, which is
    built in *ctx* or in a context of its own.
    """
    warp_size = _attribute(dev, "warp_size_nv")
    if warp_size is not None:
        return warp_size
    program = cl.Program(ctx or cl.Context([dev]), _SCALE).build(devices=[dev])
    kernel = cl.Kernel(program, "scale")
    multiple = kernel.get_work_group_info(cl.kernel_work_group_info.PREFERRED_WORK_GROUP_SIZE_MULTIPLE, dev)
    return int(multiple)


def get_simd_group_size(dev: cl.Device, type_size: int) -> int | None:
    """How many neighbouring work-items run in lockstep; ``None`` if that is not known.

    *type_size* is the size in bytes of the type that is worked on; on the devices of today the answer does
    not depend on it. On CPUs it is 1: what a compiler makes of several work-items does not bind them to each
    other.
    """
    warp_size = _attribute(dev, "warp_size_nv")
    if warp_size is not None:
        return warp_size
    vendors = f"{dev.platform.vendor} {dev.vendor}".lower()
    if "nvidia" in vendors:
        return 32
    if dev.type & cl.device_type.GPU and re.search(r"\b(advanced micro devices|amd|ati|intel)\b", vendors):
        # The preferred multiple is the width of these vendors' hardware.
        return reasonable_work_group_size_multiple(dev)
    return 1 if dev.type & cl.device_type.CPU else None


# --- local memory


def _is_cpu(dev: cl.Device) -> bool:
    return dev.type & (cl.device_type.CPU | cl.device_type.GPU) == cl.device_type.CPU


def local_memory_access_granularity(dev: cl.Device) -> int:
    """The width of a bank of local memory, in bytes."""
    return 4


def local_memory_bank_count(dev: cl.Device) -> int:
    """The number of banks that local memory is divided into.

    16 and 32 on NVIDIA devices (CUDA Programming Guide, "Shared Memory"), what the driver says on AMD's, else
    a guess. Raises :class:`RuntimeError` for CPUs, where local memory is ordinary memory.
    """
    capability = nv_compute_capability(dev)
    if capability is not None:
        return 16 if capability < (2, 0) else 32
    if _is_cpu(dev) and dev.local_mem_type == cl.device_local_mem_type.GLOBAL:
        raise RuntimeError(f"local memory of {dev!r} is ordinary memory behind caches: it has no banks")
    return _attribute(dev, "local_mem_banks_amd") or _guess("the number of banks of local memory", dev, 16)


def simultaneous_work_items_on_local_access(dev: cl.Device) -> int:
    """How many work-items access local memory at once, and get in each other's way if they meet in a bank.

    A half warp or a warp on NVIDIA devices (CUDA Programming Guide), a half wavefront of 64 on AMD's (AMD
    OpenCL Programming Guide, "Local Memory Optimization"), one on CPUs, else a guess.
    """
    capability = nv_compute_capability(dev)
    if capability is not None:
        return 16 if capability < (2, 0) else 32
    if _is_cpu(dev):
        return 1
    if _attribute(dev, "local_mem_banks_amd") == 32:
        return 32
    return _guess("the number of work-items that access local memory at once", dev, 16)


def usable_local_mem_size(dev: cl.Device, nargs: int | None = None) -> int:
    """How many bytes of local memory a kernel may use.

    That is all of it, but on NVIDIA devices of compute capability 1: there the kernel's arguments are in it,
    *nargs* of four bytes, or 256 bytes of them if that is not given.
    """
    capability = nv_compute_capability(dev)
    if capability is None or capability >= (2, 0):
        return dev.local_mem_size
    return dev.local_mem_size - (256 if nargs is None else 4 * nargs)


def why_not_local_access_conflict_free(
    dev: cl.Device,
    itemsize: int,
    array_shape: Sequence[int],
    array_stored_shape: Sequence[int] | None = None,
) -> tuple[int, str | None]:
    """Tell how many work-items meet in a bank of local memory where neighbours access an array, and where.

    The array has elements of *itemsize* bytes in C order, of which *array_shape* is accessed and
    *array_stored_shape* stored: pad the last length to avoid conflicts. Access along each axis is tried.
    Returns the greatest number of work-items that meet, and which ones, or ``(1, None)``. Raises
    :class:`ValueError` if the shapes differ in length, :class:`RuntimeError` where local memory has no banks.
    """
    if itemsize != 4:
        text = "conflicts in local memory are exact for elements of four bytes only"
        warnings.warn(text, CLCharacterizationWarning, stacklevel=2)
    stored = array_shape if array_stored_shape is None else array_stored_shape
    if len(stored) != len(array_shape):
        raise ValueError(f"shapes of one length are needed, not {len(array_shape)} and {len(stored)}")
    at_once = simultaneous_work_items_on_local_access(dev)
    width, banks = local_memory_access_granularity(dev), local_memory_bank_count(dev)
    strides = [itemsize * prod(stored[axis + 1 :]) for axis in range(len(stored))]
    worst: tuple[int, str | None] = (1, None)
    for axis in reversed(range(len(array_shape))):
        met: dict[int, list[tuple[int, ...]]] = {}
        for item in range(min(at_once, prod(array_shape[: axis + 1]))):
            index = _neighbour(item, axis, array_shape)
            address = sum(i * stride for i, stride in zip(index, strides, strict=True))
            met.setdefault(address // width % banks, []).append(index)
        bank, indices = max(met.items(), key=lambda entry: len(entry[1]), default=(0, []))
        if len(indices) > worst[0]:
            places = ", ".join(map(str, indices))
            text = f"{len(indices)} work-items along axis {axis} meet in bank {bank}: those at {places}"
            worst = len(indices), text
    return worst


def _neighbour(item: int, axis: int, shape: Sequence[int]) -> tuple[int, ...]:
    """The index that a work-item accesses if they go along *axis* first, then along those before it."""
    index = [0] * len(shape)
    for place in range(axis, -1, -1):
        item, index[place] = divmod(item, shape[place])
    return tuple(index)


# --- structs as arguments


_PAIR = """\
typedef struct { double x, y; } pair;
kernel void probe(global double *sum, pair value) { *sum = value.x + value.y; }
"""


def has_struct_arg_count_bug(
    dev: cl.Device, ctx: cl.Context | None = None
) -> Literal["apple", "pocl", False]:
    """Tell whether the driver miscounts arguments of kernels where structs are among them, and in whose way.

    ``"apple"`` for Apple's CPUs; ``"pocl"`` for PoCL up to 0.13, and for 0.14 if a kernel that is built in
    *ctx* or a context of its own shows it.
    """
    if dev.platform.name == _APPLE and dev.type & cl.device_type.CPU:
        return "apple"
    if dev.platform.name != _POCL:
        return False
    version: tuple[int, int] | None = get_pocl_version(dev.platform)
    if version is None or version > (0, 14):
        return False
    if version < (0, 14):
        return "pocl"
    program = cl.Program(ctx or cl.Context([dev]), _PAIR).build(devices=[dev])
    return False if cl.Kernel(program, "probe").num_args == 2 else "pocl"


# --- shared virtual memory


def _has_svm(dev: cl.Device, *capabilities: int) -> bool:
    if dev.platform._get_cl_version() < (2, 0):
        return False
    have = dev.svm_capabilities
    return all(have & capability for capability in capabilities)


def has_coarse_grain_buffer_svm(dev: cl.Device) -> bool:
    """Tell whether there is shared virtual memory that is mapped for the host (coarse-grained buffers)."""
    return _has_svm(dev, cl.device_svm_capabilities.COARSE_GRAIN_BUFFER)


def has_fine_grain_buffer_svm(dev: cl.Device) -> bool:
    """Tell whether there is shared virtual memory for both sides at once (fine-grained buffers)."""
    return _has_svm(dev, cl.device_svm_capabilities.FINE_GRAIN_BUFFER)


def has_fine_grain_system_svm(dev: cl.Device) -> bool:
    """Tell whether kernels can work in all of the host's memory (fine-grained system)."""
    return _has_svm(dev, cl.device_svm_capabilities.FINE_GRAIN_SYSTEM)


def has_fine_grain_buffer_svm_atomics(dev: cl.Device) -> bool:
    """Tell whether fine-grained buffers take atomic operations of both sides."""
    capabilities = cl.device_svm_capabilities
    return _has_svm(dev, capabilities.FINE_GRAIN_BUFFER, capabilities.ATOMICS)


def has_fine_grain_system_svm_atomics(dev: cl.Device) -> bool:
    """Tell whether all of the host's memory takes atomic operations of both sides."""
    capabilities = cl.device_svm_capabilities
    return _has_svm(dev, capabilities.FINE_GRAIN_SYSTEM, capabilities.ATOMICS)
