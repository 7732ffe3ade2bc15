# The contract of the native module: classes of the runtime, arrays, functions, exceptions, and, at the end,
# the classes of constants. Attributes that ask the driver have the types of its answers.

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from types import EllipsisType, TracebackType
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    SupportsIndex,
    TextIO,
    TypeAlias,
    TypeVar,
    final,
    overload,
    type_check_only,
)

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from typing_extensions import Self, deprecated, disjoint_base

from pyopencl._svm import SVMMap
from pyopencl.typing import Allocator, HostMemory, KernelArg, SVMInnerT, WaitList

_ScalarT = TypeVar("_ScalarT", bound=np.generic)

_Order: TypeAlias = Literal["C", "F"]
_DType: TypeAlias = np.dtype[_ScalarT] | type[_ScalarT]
_Shape: TypeAlias = int | Sequence[int]
_Sizes: TypeAlias = Sequence[int]
_Options: TypeAlias = str | bytes | Sequence[str | bytes] | None
_Number: TypeAlias = complex | np.number[Any] | np.bool_
_Operand: TypeAlias = Array | NDArray[Any] | _Number
# Vectors and records, also as tuples of their parts.
_Element: TypeAlias = _Number | np.void | NDArray[Any] | tuple[Any, ...] | list[Any]
_Index: TypeAlias = SupportsIndex | slice | EllipsisType | Array | NDArray[Any] | Sequence[Any] | None

# --- exceptions

class _ErrorRecord:
    def __init__(self, routine: str, code: int, msg: str) -> None: ...
    def routine(self) -> str: ...
    def code(self) -> int: ...
    def what(self) -> str: ...
    def is_out_of_memory(self) -> bool: ...

class Error(Exception):
    @property
    def what(self) -> _ErrorRecord: ...
    @property
    def code(self) -> int: ...
    @property
    def routine(self) -> str: ...

class MemoryError(Error): ...
class LogicError(Error): ...
class RuntimeError(Error): ...

# --- platforms and devices

@disjoint_base
class Platform:
    def get_devices(self, device_type: int = 0xFFFFFFFF) -> list[Device]: ...
    def get_info(self, param: int, /) -> Any: ...
    def _get_cl_version(self) -> tuple[int, int]: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Platform: ...
    @property
    def int_ptr(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def profile(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def extensions(self) -> str: ...
    @property
    def host_timer_resolution(self) -> int: ...
    @property
    def numeric_version(self) -> int: ...
    @property
    def extensions_with_version(self) -> list[NameVersion]: ...

@disjoint_base
class Device:
    def get_info(self, param: int, /) -> Any: ...
    def create_sub_devices(self, properties: Sequence[int], /) -> list[Device]: ...
    def device_and_host_timer(self) -> tuple[int, int]: ...
    def host_timer(self) -> int: ...
    def _get_cl_version(self) -> tuple[int, int]: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Device: ...
    @property
    def int_ptr(self) -> int: ...
    @property
    def hashable_model_and_version_identifier(self) -> tuple[str, str, int, str, str]: ...
    @property
    @deprecated("use hashable_model_and_version_identifier")
    def persistent_unique_id(self) -> tuple[str, str, int, str, str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def type(self) -> int: ...
    @property
    def vendor_id(self) -> int: ...
    @property
    def max_compute_units(self) -> int: ...
    @property
    def max_work_item_dimensions(self) -> int: ...
    @property
    def max_work_group_size(self) -> int: ...
    @property
    def max_work_item_sizes(self) -> list[int]: ...
    @property
    def preferred_vector_width_char(self) -> int: ...
    @property
    def preferred_vector_width_short(self) -> int: ...
    @property
    def preferred_vector_width_int(self) -> int: ...
    @property
    def preferred_vector_width_long(self) -> int: ...
    @property
    def preferred_vector_width_float(self) -> int: ...
    @property
    def preferred_vector_width_double(self) -> int: ...
    @property
    def max_clock_frequency(self) -> int: ...
    @property
    def address_bits(self) -> int: ...
    @property
    def max_read_image_args(self) -> int: ...
    @property
    def max_write_image_args(self) -> int: ...
    @property
    def max_mem_alloc_size(self) -> int: ...
    @property
    def image2d_max_width(self) -> int: ...
    @property
    def image2d_max_height(self) -> int: ...
    @property
    def image3d_max_width(self) -> int: ...
    @property
    def image3d_max_height(self) -> int: ...
    @property
    def image3d_max_depth(self) -> int: ...
    @property
    def image_support(self) -> int: ...
    @property
    def max_parameter_size(self) -> int: ...
    @property
    def max_samplers(self) -> int: ...
    @property
    def mem_base_addr_align(self) -> int: ...
    @property
    def min_data_type_align_size(self) -> int: ...
    @property
    def single_fp_config(self) -> int: ...
    @property
    def global_mem_cache_type(self) -> int: ...
    @property
    def global_mem_cacheline_size(self) -> int: ...
    @property
    def global_mem_cache_size(self) -> int: ...
    @property
    def global_mem_size(self) -> int: ...
    @property
    def max_constant_buffer_size(self) -> int: ...
    @property
    def max_constant_args(self) -> int: ...
    @property
    def local_mem_type(self) -> int: ...
    @property
    def local_mem_size(self) -> int: ...
    @property
    def error_correction_support(self) -> int: ...
    @property
    def profiling_timer_resolution(self) -> int: ...
    @property
    def endian_little(self) -> int: ...
    @property
    def available(self) -> int: ...
    @property
    def compiler_available(self) -> int: ...
    @property
    def execution_capabilities(self) -> int: ...
    @property
    def queue_on_host_properties(self) -> int: ...
    @property
    def queue_properties(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def driver_version(self) -> str: ...
    @property
    def profile(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def extensions(self) -> str: ...
    @property
    def platform(self) -> Platform: ...
    @property
    def double_fp_config(self) -> int: ...
    @property
    def half_fp_config(self) -> int: ...
    @property
    def preferred_vector_width_half(self) -> int: ...
    @property
    def host_unified_memory(self) -> int: ...
    @property
    def native_vector_width_char(self) -> int: ...
    @property
    def native_vector_width_short(self) -> int: ...
    @property
    def native_vector_width_int(self) -> int: ...
    @property
    def native_vector_width_long(self) -> int: ...
    @property
    def native_vector_width_float(self) -> int: ...
    @property
    def native_vector_width_double(self) -> int: ...
    @property
    def native_vector_width_half(self) -> int: ...
    @property
    def opencl_c_version(self) -> str: ...
    @property
    def linker_available(self) -> int: ...
    @property
    def built_in_kernels(self) -> str: ...
    @property
    def image_max_buffer_size(self) -> int: ...
    @property
    def image_max_array_size(self) -> int: ...
    @property
    def parent_device(self) -> Device | None: ...
    @property
    def partition_max_sub_devices(self) -> int: ...
    @property
    def partition_properties(self) -> list[int]: ...
    @property
    def partition_affinity_domain(self) -> list[int]: ...
    @property
    def partition_type(self) -> list[int]: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def preferred_interop_user_sync(self) -> int: ...
    @property
    def printf_buffer_size(self) -> int: ...
    @property
    def max_read_write_image_args(self) -> int: ...
    @property
    def max_global_variable_size(self) -> int: ...
    @property
    def queue_on_device_properties(self) -> int: ...
    @property
    def queue_on_device_preferred_size(self) -> int: ...
    @property
    def queue_on_device_max_size(self) -> int: ...
    @property
    def max_on_device_queues(self) -> int: ...
    @property
    def max_on_device_events(self) -> int: ...
    @property
    def svm_capabilities(self) -> int: ...
    @property
    def global_variable_preferred_total_size(self) -> int: ...
    @property
    def max_pipe_args(self) -> int: ...
    @property
    def pipe_max_active_reservations(self) -> int: ...
    @property
    def pipe_max_packet_size(self) -> int: ...
    @property
    def preferred_platform_atomic_alignment(self) -> int: ...
    @property
    def preferred_global_atomic_alignment(self) -> int: ...
    @property
    def preferred_local_atomic_alignment(self) -> int: ...
    @property
    def il_version(self) -> str: ...
    @property
    def max_num_sub_groups(self) -> int: ...
    @property
    def sub_group_independent_forward_progress(self) -> int: ...
    @property
    def numeric_version(self) -> int: ...
    @property
    def extensions_with_version(self) -> list[NameVersion]: ...
    @property
    def ils_with_version(self) -> list[NameVersion]: ...
    @property
    def built_in_kernels_with_version(self) -> list[NameVersion]: ...
    @property
    def atomic_memory_capabilities(self) -> int: ...
    @property
    def atomic_fence_capabilities(self) -> int: ...
    @property
    def non_uniform_work_group_support(self) -> int: ...
    @property
    def opencl_c_all_versions(self) -> list[NameVersion]: ...
    @property
    def preferred_work_group_size_multiple(self) -> int: ...
    @property
    def work_group_collective_functions_support(self) -> int: ...
    @property
    def generic_address_space_support(self) -> int: ...
    @property
    def opencl_c_features(self) -> list[NameVersion]: ...
    @property
    def device_enqueue_capabilities(self) -> int: ...
    @property
    def pipe_support(self) -> int: ...
    @property
    def compute_capability_major_nv(self) -> int: ...
    @property
    def compute_capability_minor_nv(self) -> int: ...
    @property
    def registers_per_block_nv(self) -> int: ...
    @property
    def warp_size_nv(self) -> int: ...
    @property
    def gpu_overlap_nv(self) -> int: ...
    @property
    def kernel_exec_timeout_nv(self) -> int: ...
    @property
    def integrated_memory_nv(self) -> int: ...
    @property
    def attribute_async_engine_count_nv(self) -> int: ...
    @property
    def pci_bus_id_nv(self) -> int: ...
    @property
    def pci_slot_id_nv(self) -> int: ...
    @property
    def pci_domain_id_nv(self) -> int: ...
    @property
    def preferred_work_group_size_amd(self) -> int: ...
    @property
    def max_work_group_size_amd(self) -> int: ...
    @property
    def preferred_constant_buffer_size_amd(self) -> int: ...
    @property
    def pcie_id_amd(self) -> int: ...
    @property
    def profiling_timer_offset_amd(self) -> int: ...
    @property
    def topology_amd(self) -> DeviceTopologyAmd: ...
    @property
    def board_name_amd(self) -> str: ...
    @property
    def global_free_memory_amd(self) -> list[int]: ...
    @property
    def simd_per_compute_unit_amd(self) -> int: ...
    @property
    def simd_width_amd(self) -> int: ...
    @property
    def simd_instruction_width_amd(self) -> int: ...
    @property
    def wavefront_width_amd(self) -> int: ...
    @property
    def global_mem_channels_amd(self) -> int: ...
    @property
    def global_mem_channel_banks_amd(self) -> int: ...
    @property
    def global_mem_channel_bank_width_amd(self) -> int: ...
    @property
    def local_mem_size_per_compute_unit_amd(self) -> int: ...
    @property
    def local_mem_banks_amd(self) -> int: ...
    @property
    def thread_trace_supported_amd(self) -> int: ...
    @property
    def gfxip_major_amd(self) -> int: ...
    @property
    def gfxip_minor_amd(self) -> int: ...
    @property
    def available_async_queues_amd(self) -> int: ...
    @property
    def me_version_intel(self) -> int: ...
    @property
    def ext_mem_padding_in_bytes_qcom(self) -> int: ...
    @property
    def page_size_qcom(self) -> int: ...
    @property
    def spir_versions(self) -> str: ...
    @property
    def simultaneous_interops_intel(self) -> list[Device]: ...
    @property
    def num_simultaneous_interops_intel(self) -> int: ...

@disjoint_base
class NameVersion:
    version: int
    name: str
    def __new__(cls, version: int = 0, name: str = "") -> Self: ...

@disjoint_base
class DeviceTopologyAmd:
    bus: int
    device: int
    function: int
    type: int
    def __new__(cls, bus: int = 0, device: int = 0, function: int = 0) -> Self: ...

def get_platforms() -> list[Platform]: ...
def unload_platform_compiler(platform: Platform, /) -> None: ...
def get_cl_header_version() -> tuple[int, int]: ...
def have_gl() -> bool: ...
def _set_driver_paths(
    prefix: Sequence[str | PathLike[str]], bundled: Sequence[str | PathLike[str]]
) -> None: ...
def _sizeof_size_t() -> int: ...

# --- contexts and queues

@disjoint_base
class Context:
    def __new__(
        cls,
        devices: Sequence[Device] | None = None,
        properties: Sequence[tuple[int, Platform | int]] | None = None,
        dev_type: int | None = None,
    ) -> Self: ...
    def get_info(self, param: int, /) -> Any: ...
    def set_default_device_command_queue(self, device: Device, queue: CommandQueue, /) -> None: ...
    def _set_host_copies(self, staged: bool | None, chunk: int = 16777216, threads: int = 8) -> None: ...
    def _get_cl_version(self) -> tuple[int, int]: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Context: ...
    @property
    def cache_dir(self) -> str | None: ...
    @cache_dir.setter
    def cache_dir(self, folder: str | PathLike[str] | None) -> None: ...
    @property
    def int_ptr(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def devices(self) -> list[Device]: ...
    @property
    def properties(self) -> list[int]: ...
    @property
    def num_devices(self) -> int: ...
    @property
    def interop_user_sync(self) -> int: ...

@disjoint_base
class CommandQueue:
    def __new__(
        cls, context: Context, device: Device | None = None, properties: int | Sequence[int] | None = None
    ) -> Self: ...
    def finish(self) -> None: ...
    def flush(self) -> None: ...
    def get_info(self, param: int, /) -> Any: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None: ...
    def _finalize(self) -> None: ...
    def _get_cl_version(self) -> tuple[int, int]: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> CommandQueue: ...
    @property
    def int_ptr(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def context(self) -> Context: ...
    @property
    def device(self) -> Device: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def properties(self) -> int: ...
    @property
    def properties_array(self) -> list[int]: ...

# --- events

@disjoint_base
class Event:
    def wait(self) -> None: ...
    def set_callback(self, command_exec_callback_type: int, callback: Callable[[int], object], /) -> None: ...
    def get_info(self, param: int, /) -> Any: ...
    def get_profiling_info(self, param: int, /) -> int: ...
    @property
    def profile(self) -> ProfilingInfoGetter: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Event: ...
    @property
    def int_ptr(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def command_queue(self) -> CommandQueue | None: ...
    @property
    def command_type(self) -> int: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def command_execution_status(self) -> int: ...
    @property
    def context(self) -> Context: ...

@type_check_only
class ProfilingInfoGetter:
    @property
    def queued(self) -> int: ...
    @property
    def submit(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def complete(self) -> int: ...

@disjoint_base
class NannyEvent(Event):
    def get_ward(self) -> Any: ...

@disjoint_base
class UserEvent(Event):
    def __new__(cls, context: Context) -> Self: ...
    def set_status(self, status: int, /) -> None: ...

def wait_for_events(events: Sequence[Event], /) -> None: ...

# --- memory

@disjoint_base
class MemoryObjectHolder:
    def get_info(self, param: int, /) -> Any: ...
    @overload
    def get_host_array(
        self, shape: _Shape, dtype: _DType[_ScalarT], order: _Order | None = None
    ) -> NDArray[_ScalarT]: ...
    @overload
    def get_host_array(
        self, shape: _Shape, dtype: DTypeLike, order: _Order | None = None
    ) -> NDArray[Any]: ...
    @property
    def int_ptr(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def type(self) -> int: ...
    @property
    def flags(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def host_ptr(self) -> int | None: ...
    @property
    def map_count(self) -> int: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def context(self) -> Context: ...
    @property
    def associated_memobject(self) -> MemoryObject | None: ...
    @property
    def offset(self) -> int: ...
    @property
    def uses_svm_pointer(self) -> int: ...
    @property
    def properties(self) -> list[int]: ...

@disjoint_base
class MemoryObject(MemoryObjectHolder):
    def release(self) -> None: ...
    @property
    def hostbuf(self) -> Any: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> MemoryObject: ...

class Buffer(MemoryObject):
    def __new__(
        cls, context: Context, flags: int, size: int = 0, hostbuf: HostMemory | None = None
    ) -> Self: ...
    def get_sub_region(self, origin: int, size: int, flags: int = 0) -> Buffer: ...
    def __getitem__(self, key: slice, /) -> Buffer: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Buffer: ...

@type_check_only
class ImageInfoGetter:
    def __getattr__(self, name: str, /) -> Any: ...

@disjoint_base
class ImageFormat:
    def __new__(cls, arg0: int, arg1: int, /) -> Self: ...
    @property
    def channel_order(self) -> int: ...
    @channel_order.setter
    def channel_order(self, value: int, /) -> None: ...
    @property
    def channel_data_type(self) -> int: ...
    @channel_data_type.setter
    def channel_data_type(self, value: int, /) -> None: ...
    @property
    def channel_count(self) -> int: ...
    @property
    def dtype_size(self) -> int: ...
    @property
    def itemsize(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class ImageDescriptor:
    def __new__(cls) -> Self: ...
    @property
    def image_type(self) -> int: ...
    @image_type.setter
    def image_type(self, value: int, /) -> None: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...
    @shape.setter
    def shape(self, value: _Shape, /) -> None: ...
    @property
    def array_size(self) -> int: ...
    @array_size.setter
    def array_size(self, value: int, /) -> None: ...
    @property
    def pitches(self) -> tuple[int, int]: ...
    @pitches.setter
    def pitches(self, value: _Shape | None, /) -> None: ...
    @property
    def num_mip_levels(self) -> int: ...
    @num_mip_levels.setter
    def num_mip_levels(self, value: int, /) -> None: ...
    @property
    def num_samples(self) -> int: ...
    @num_samples.setter
    def num_samples(self, value: int, /) -> None: ...
    @property
    def buffer(self) -> MemoryObject | None: ...
    @buffer.setter
    def buffer(self, value: MemoryObjectHolder | None, /) -> None: ...

class Image(MemoryObject):
    @overload
    def __new__(
        cls,
        context: Context,
        flags: int,
        format: ImageFormat,
        *,
        hostbuf: HostMemory | None = None,
        desc: ImageDescriptor,
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        context: Context,
        flags: int,
        format: ImageFormat,
        shape: _Sizes | None = None,
        pitches: _Shape | None = None,
        hostbuf: HostMemory | None = None,
        is_array: bool = False,
        buffer: MemoryObjectHolder | None = None,
        *,
        desc: None = None,
        _through_create_image: bool = False,
    ) -> Self: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def get_image_info(self, param: int, /) -> Any: ...
    @property
    @deprecated("use the attributes of the image itself")
    def image(self) -> ImageInfoGetter: ...
    @property
    def format(self) -> ImageFormat: ...
    @property
    def element_size(self) -> int: ...
    @property
    def row_pitch(self) -> int: ...
    @property
    def slice_pitch(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def array_size(self) -> int: ...
    @property
    def buffer(self) -> MemoryObject | None: ...
    @property
    def num_mip_levels(self) -> int: ...
    @property
    def num_samples(self) -> int: ...

class Pipe(MemoryObject):
    def __new__(
        cls,
        context: Context,
        flags: int,
        packet_size: int,
        max_packets: int,
        properties: Sequence[int] = (),
    ) -> Self: ...
    def get_pipe_info(self, param: int, /) -> Any: ...
    @property
    def packet_size(self) -> int: ...
    @property
    def max_packets(self) -> int: ...
    @property
    def properties(self) -> list[int]: ...

class GLBuffer(MemoryObject):
    def __new__(cls, context: Context, flags: int, bufobj: int) -> Self: ...
    def get_gl_object_info(self) -> tuple[int, int]: ...
    @property
    def gl_object(self) -> int: ...

class GLRenderBuffer(MemoryObject):
    def __new__(cls, context: Context, flags: int, bufobj: int) -> Self: ...
    def get_gl_object_info(self) -> tuple[int, int]: ...

class GLTexture(Image):
    def __new__(
        cls, context: Context, flags: int, texture_target: int, miplevel: int, texture: int, dims: int
    ) -> Self: ...
    def get_gl_object_info(self) -> tuple[int, int]: ...
    def get_gl_texture_info(self, arg: int, /) -> int: ...
    @property
    def gl_object(self) -> int: ...

def enqueue_acquire_gl_objects(
    queue: CommandQueue, mem_objects: Sequence[MemoryObjectHolder], wait_for: WaitList = None
) -> Event: ...
def enqueue_release_gl_objects(
    queue: CommandQueue, mem_objects: Sequence[MemoryObjectHolder], wait_for: WaitList = None
) -> Event: ...
def get_gl_context_info_khr(
    properties: Sequence[tuple[int, Any]], param_name: int, platform: Platform | None = None
) -> Device | list[Device] | None: ...

@disjoint_base
class Sampler:
    @overload
    def __new__(cls, arg0: Context, arg1: Sequence[int], arg2: None = None, arg3: None = None, /) -> Self: ...
    @overload
    def __new__(cls, arg0: Context, arg1: bool, arg2: int, arg3: int, /) -> Self: ...
    def get_info(self, param: int, /) -> Any: ...
    @property
    def int_ptr(self) -> int: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Sampler: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def context(self) -> Context: ...
    @property
    def normalized_coords(self) -> int: ...
    @property
    def addressing_mode(self) -> int: ...
    @property
    def filter_mode(self) -> int: ...
    @property
    def mip_filter_mode(self) -> int: ...
    @property
    def mip_filter_mode_khr(self) -> int: ...
    @property
    def lod_min(self) -> float: ...
    @property
    def lod_min_khr(self) -> float: ...
    @property
    def lod_max(self) -> float: ...
    @property
    def lod_max_khr(self) -> float: ...
    @property
    def properties(self) -> list[int]: ...

# --- memory pools

@disjoint_base
class AllocatorBase:
    def __call__(self, size: int) -> Buffer | None: ...

class ImmediateAllocator(AllocatorBase):
    def __new__(cls, queue: CommandQueue, mem_flags: int = 1) -> Self: ...

class DeferredAllocator(AllocatorBase):
    def __new__(cls, queue: Context, mem_flags: int = 1) -> Self: ...

class PooledBuffer(MemoryObjectHolder):
    def release(self) -> None: ...
    def bind_to_queue(self, queue: CommandQueue, /) -> None: ...
    def unbind_from_queue(self) -> None: ...

@disjoint_base
class MemoryPool:
    def __new__(cls, allocator: AllocatorBase, leading_bits_in_bin_id: int = 4) -> Self: ...
    def allocate(self, size: int) -> PooledBuffer: ...
    def __call__(self, size: int) -> PooledBuffer: ...
    def bin_number(self, size: int, /) -> int: ...
    def alloc_size(self, number: int, /) -> int: ...
    @property
    def held_blocks(self) -> int: ...
    @property
    def active_blocks(self) -> int: ...
    @property
    def managed_bytes(self) -> int: ...
    @property
    def active_bytes(self) -> int: ...
    def free_held(self) -> None: ...
    def stop_holding(self) -> None: ...
    def _set_trace(self, trace: bool, /) -> None: ...

@disjoint_base
class SVMAllocator:
    def __new__(
        cls, context: Context, alignment: int = 0, flags: int = 1, queue: CommandQueue | None = None
    ) -> Self: ...
    def __call__(self, size: int) -> SVMAllocation: ...

@disjoint_base
class PooledSVM(SVMPointer):
    def release(self) -> None: ...
    def enqueue_release(self) -> None: ...
    def bind_to_queue(self, queue: CommandQueue, /) -> None: ...
    def unbind_from_queue(self) -> None: ...
    @property
    def _queue(self) -> CommandQueue | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class SVMPool:
    def __new__(cls, allocator: SVMAllocator, leading_bits_in_bin_id: int = 4) -> Self: ...
    def __call__(self, size: int) -> PooledSVM: ...
    def bin_number(self, size: int, /) -> int: ...
    def alloc_size(self, number: int, /) -> int: ...
    @property
    def held_blocks(self) -> int: ...
    @property
    def active_blocks(self) -> int: ...
    @property
    def managed_bytes(self) -> int: ...
    @property
    def active_bytes(self) -> int: ...
    def free_held(self) -> None: ...
    def stop_holding(self) -> None: ...
    def _set_trace(self, trace: bool, /) -> None: ...

@final
class _TestMemoryPool:
    def __new__(cls, leading_bits_in_bin_id: int = 4) -> Self: ...
    def allocate(self, size: int, /) -> None: ...
    def bin_number(self, size: int, /) -> int: ...
    def alloc_size(self, number: int, /) -> int: ...
    @property
    def held_blocks(self) -> int: ...
    @property
    def active_blocks(self) -> int: ...
    @property
    def managed_bytes(self) -> int: ...
    @property
    def active_bytes(self) -> int: ...
    def free_held(self) -> None: ...
    def stop_holding(self) -> None: ...
    def _set_trace(self, trace: bool, /) -> None: ...

def bitlog2(number: int, /) -> int: ...

@disjoint_base
class MemoryMap:
    def release(self, queue: CommandQueue | None = None, wait_for: WaitList = None) -> Event: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None: ...

@disjoint_base
class SVMPointer:
    @property
    def svm_ptr(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def buf(self) -> NDArray[np.uint8]: ...
    def map(
        self,
        queue: CommandQueue,
        *,
        flags: int,
        is_blocking: bool = True,
        wait_for: WaitList = None,
        size: int | None = None,
    ) -> SVMMap[NDArray[np.uint8]]: ...
    def map_ro(
        self,
        queue: CommandQueue,
        *,
        is_blocking: bool = True,
        wait_for: WaitList = None,
        size: int | None = None,
    ) -> SVMMap[NDArray[np.uint8]]: ...
    def map_rw(
        self,
        queue: CommandQueue,
        *,
        is_blocking: bool = True,
        wait_for: WaitList = None,
        size: int | None = None,
    ) -> SVMMap[NDArray[np.uint8]]: ...
    def _enqueue_unmap(self, queue: CommandQueue, wait_for: WaitList = None) -> Event: ...
    def as_buffer(self, ctx: Context, *, flags: int | None = None, size: int | None = None) -> Buffer: ...
    def _array(self, shape: _Shape, dtype: DTypeLike, order: _Order) -> NDArray[Any]: ...

@disjoint_base
class SVM(SVMPointer, Generic[SVMInnerT]):
    def __new__(cls, mem: SVMInnerT, /) -> Self: ...
    @property
    def mem(self) -> SVMInnerT: ...
    def map(  # type: ignore[override]
        self, queue: CommandQueue, flags: int, is_blocking: bool = True, wait_for: WaitList = None
    ) -> SVMMap[SVMInnerT]: ...
    def map_ro(  # type: ignore[override]
        self, queue: CommandQueue, is_blocking: bool = True, wait_for: WaitList = None
    ) -> SVMMap[SVMInnerT]: ...
    def map_rw(  # type: ignore[override]
        self, queue: CommandQueue, is_blocking: bool = True, wait_for: WaitList = None
    ) -> SVMMap[SVMInnerT]: ...
    def _enqueue_unmap(self, queue: CommandQueue, wait_for: WaitList = None) -> Event: ...

@disjoint_base
class SVMAllocation(SVMPointer):
    def __new__(
        cls, context: Context, size: int, alignment: int, flags: int, queue: CommandQueue | None = None
    ) -> Self: ...
    def bind_to_queue(self, queue: CommandQueue) -> None: ...
    def unbind_from_queue(self) -> None: ...
    def release(self) -> None: ...
    def enqueue_release(self, queue: CommandQueue | None = None, wait_for: WaitList = None) -> Event: ...
    @property
    def _queue(self) -> CommandQueue | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

# --- programs and kernels

@disjoint_base
class _Program:
    @overload
    def __new__(
        cls, context: Context, src: str | bytes, binaries: None = None, *, devices: None = None
    ) -> Self: ...
    @overload
    def __new__(
        cls, context: Context, src: Sequence[Device], binaries: Sequence[bytes], *, devices: None = None
    ) -> Self: ...
    @overload
    def __new__(
        cls,
        context: Context,
        src: None = None,
        binaries: Sequence[bytes] | None = None,
        *,
        devices: Sequence[Device],
    ) -> Self: ...
    def kind(self) -> program_kind: ...
    def build(self, options_bytes: _Options, devices: Sequence[Device] | None = None) -> Self: ...
    def compile(
        self,
        options: _Options = None,
        devices: Sequence[Device] | None = None,
        headers: Sequence[tuple[str, _Program]] | None = None,
    ) -> Self: ...
    @staticmethod
    def link(
        context: Context,
        programs: Sequence[_Program],
        options: str | None = None,
        devices: Sequence[Device] | None = None,
    ) -> _Program: ...
    @staticmethod
    def create_with_built_in_kernels(
        context: Context, devices: Sequence[Device], kernel_names: str
    ) -> _Program: ...
    def set_specialization_constant(self, spec_id: int, buffer: HostMemory) -> None: ...
    def all_kernels(self) -> list[Kernel]: ...
    def get_info(self, arg: int) -> Any: ...
    def get_build_info(self, device: Device, param: int, /) -> Any: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> _Program: ...
    @property
    def int_ptr(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class Program(_Program):
    @overload
    def __new__(cls, arg1: Context, arg2: str | bytes, arg3: None = None) -> Self: ...
    @overload
    def __new__(cls, arg1: Context, arg2: Sequence[Device], arg3: Sequence[bytes]) -> Self: ...
    @overload
    def __new__(cls, arg1: _Program, arg2: None = None, arg3: None = None) -> Self: ...
    # What is no attribute is the kernel of that name.
    def __getattr__(self, name: str, /) -> Kernel: ...
    def build(  # pyright: ignore[reportIncompatibleMethodOverride]  (both names are the API's)
        self,
        options: _Options = None,
        devices: Sequence[Device] | None = None,
        cache_dir: str | PathLike[str] | Literal[False] | None = None,
    ) -> Self: ...
    def _get_prg(self) -> _Program: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Program: ...
    @property
    def source(self) -> str: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def context(self) -> Context: ...
    @property
    def num_devices(self) -> int: ...
    @property
    def devices(self) -> list[Device]: ...
    @property
    def binary_sizes(self) -> list[int]: ...
    @property
    def binaries(self) -> list[bytes]: ...
    @property
    def num_kernels(self) -> int: ...
    @property
    def kernel_names(self) -> str: ...
    @property
    def il(self) -> str: ...
    @property
    def scope_global_ctors_present(self) -> int: ...
    @property
    def scope_global_dtors_present(self) -> int: ...

def _build_cached(
    context: Context,
    source: str,
    options: str,
    devices: Sequence[Device] | None = None,
    cache_dir: str | PathLike[str] | Literal[False] | None = None,
    /,
) -> tuple[_Program, bool]: ...
def _cache_key(devices: Sequence[Device], options: str, source: str, /) -> str | None: ...
def _cached_binaries(folder: str | PathLike[str], key: str, /) -> list[bytes] | None: ...
def _included_files(source: str, folders: Sequence[str | PathLike[str]], /) -> list[str] | None: ...

@disjoint_base
class LocalMemory:
    def __new__(cls, size: int) -> Self: ...
    @property
    def size(self) -> int: ...

@disjoint_base
class Kernel:
    def __new__(cls, program: _Program, name: str, /) -> Self: ...
    def __call__(
        self,
        queue: CommandQueue,
        global_work_size: _Sizes,
        local_work_size: _Sizes | None,
        /,
        *args: KernelArg,
        wait_for: WaitList = None,
        g_times_l: bool = False,
        allow_empty_ndrange: bool = False,
        global_offset: _Sizes | None = None,
    ) -> Event: ...
    def set_arg(self, arg_index: int, arg: KernelArg) -> None: ...
    def set_args(self, *args: KernelArg) -> None: ...
    def set_arg_types(self, arg_types: Sequence[DTypeLike | None]) -> None: ...
    def set_scalar_arg_dtypes(self, arg_types: Sequence[DTypeLike | None]) -> None: ...
    def _set_arg_multi(self, indices_and_args: tuple[Any, ...], /) -> None: ...
    def _set_arg_buf_multi(self, indices_and_args: tuple[Any, ...], /) -> None: ...
    def _set_arg_buf_pack_multi(self, indices_chars_and_args: tuple[Any, ...], /) -> None: ...
    def _set_arg_buf(self, arg_index: int, arg: HostMemory, /) -> None: ...
    def _set_arg_null(self, arg_index: int, /) -> None: ...
    def _set_arg_svm(self, arg_index: int, arg: SVMPointer, /) -> None: ...
    def capture_call(
        self,
        output_file: str | PathLike[str] | TextIO,
        queue: CommandQueue,
        global_size: _Sizes,
        local_size: _Sizes | None,
        *args: KernelArg,
        wait_for: WaitList = None,
        g_times_l: bool = False,
        allow_empty_ndrange: bool = False,
        global_offset: _Sizes | None = None,
    ) -> None: ...
    def clone(self) -> Kernel: ...
    def get_info(self, param_name: int) -> Any: ...
    def get_work_group_info(self, param: int, device: Device) -> Any: ...
    def get_sub_group_info(
        self, device: Device, param: int, input_value: int | _Sizes | None = None
    ) -> Any: ...
    def get_arg_info(self, arg_index: int, param: int, /) -> Any: ...
    @staticmethod
    def from_int_ptr(int_ptr_value: int, retain: bool = True) -> Kernel: ...
    @property
    def int_ptr(self) -> int: ...
    @property
    def program(self) -> Program: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def function_name(self) -> str: ...
    @property
    def num_args(self) -> int: ...
    @property
    def reference_count(self) -> int: ...
    @property
    def context(self) -> Context: ...
    @property
    def attributes(self) -> str: ...

# --- commands

def enqueue_nd_range_kernel(
    queue: CommandQueue,
    kernel: Kernel,
    global_work_size: _Sizes,
    local_work_size: _Sizes | None,
    global_work_offset: _Sizes | None = None,
    wait_for: WaitList = None,
    g_times_l: bool = False,
    allow_empty_ndrange: bool = False,
) -> Event: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: MemoryObjectHolder,
    src: MemoryObjectHolder,
    *,
    byte_count: int | None = None,
    src_offset: int = 0,
    dst_offset: int = 0,
    wait_for: WaitList = None,
) -> Event: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: MemoryObjectHolder,
    src: MemoryObjectHolder,
    *,
    src_origin: _Shape,
    dst_origin: _Shape,
    region: _Shape,
    src_pitches: _Shape | None = None,
    dst_pitches: _Shape | None = None,
    wait_for: WaitList = None,
) -> Event: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: MemoryObjectHolder,
    src: HostMemory,
    *,
    dst_offset: int = 0,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> NannyEvent: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: HostMemory,
    src: MemoryObjectHolder,
    *,
    src_offset: int = 0,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> NannyEvent: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: MemoryObjectHolder,
    src: HostMemory,
    *,
    buffer_origin: _Shape,
    host_origin: _Shape,
    region: _Shape,
    buffer_pitches: _Shape | None = None,
    host_pitches: _Shape | None = None,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> NannyEvent: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: HostMemory,
    src: MemoryObjectHolder,
    *,
    buffer_origin: _Shape,
    host_origin: _Shape,
    region: _Shape,
    buffer_pitches: _Shape | None = None,
    host_pitches: _Shape | None = None,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> NannyEvent: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: SVMPointer,
    src: SVMPointer | MemoryObjectHolder | HostMemory,
    *,
    byte_count: int | None = None,
    src_offset: int = 0,
    dst_offset: int = 0,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> Event: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: Image,
    src: Image,
    *,
    src_origin: _Shape,
    dest_origin: _Shape,
    region: _Shape,
    wait_for: WaitList = None,
) -> Event: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: MemoryObjectHolder | HostMemory,
    src: SVMPointer,
    *,
    byte_count: int | None = None,
    src_offset: int = 0,
    dst_offset: int = 0,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> Event: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: MemoryObjectHolder,
    src: MemoryObjectHolder,
    *,
    origin: _Shape,
    region: _Shape,
    offset: int = 0,
    wait_for: WaitList = None,
) -> Event: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: Image,
    src: HostMemory,
    *,
    origin: _Shape,
    region: _Shape,
    pitches: _Shape = ...,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> NannyEvent: ...
@overload
def enqueue_copy(
    queue: CommandQueue,
    dest: HostMemory,
    src: Image,
    *,
    origin: _Shape,
    region: _Shape,
    pitches: _Shape = ...,
    is_blocking: bool = True,
    wait_for: WaitList = None,
) -> NannyEvent: ...
@overload
def enqueue_map_buffer(
    queue: CommandQueue,
    buf: MemoryObjectHolder,
    flags: int,
    offset: int,
    shape: _Shape,
    dtype: _DType[_ScalarT],
    order: _Order = "C",
    strides: _Sizes | None = None,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> tuple[NDArray[_ScalarT], Event]: ...
@overload
def enqueue_map_buffer(
    queue: CommandQueue,
    buf: MemoryObjectHolder,
    flags: int,
    offset: int,
    shape: _Shape,
    dtype: DTypeLike,
    order: _Order = "C",
    strides: _Sizes | None = None,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> tuple[NDArray[Any], Event]: ...
def get_supported_image_formats(arg0: Context, arg1: int, arg2: int, /) -> list[ImageFormat]: ...
@overload
def enqueue_map_image(
    queue: CommandQueue,
    img: MemoryObjectHolder,
    flags: int,
    origin: _Shape,
    region: _Shape,
    shape: _Shape,
    dtype: _DType[_ScalarT],
    order: _Order = "C",
    strides: _Sizes | None = None,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> tuple[NDArray[_ScalarT], Event, int, int]: ...
@overload
def enqueue_map_image(
    queue: CommandQueue,
    img: MemoryObjectHolder,
    flags: int,
    origin: _Shape,
    region: _Shape,
    shape: _Shape,
    dtype: DTypeLike,
    order: _Order = "C",
    strides: _Sizes | None = None,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> tuple[NDArray[Any], Event, int, int]: ...
def enqueue_fill_image(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    color: HostMemory,
    origin: _Shape,
    region: _Shape,
    wait_for: WaitList = None,
) -> Event: ...
def enqueue_fill_buffer(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    pattern: HostMemory,
    offset: int,
    size: int,
    wait_for: WaitList = None,
) -> Event: ...
def _enqueue_svm_map(
    queue: CommandQueue,
    is_blocking: bool,
    flags: int,
    svm: SVMPointer,
    wait_for: WaitList = None,
    size: int | None = None,
) -> Event: ...
def _enqueue_svm_unmap(queue: CommandQueue, svm: SVMPointer, wait_for: WaitList = None) -> Event: ...
def _enqueue_svm_memcpy(
    queue: CommandQueue,
    is_blocking: bool,
    dst: SVMPointer,
    src: SVMPointer,
    wait_for: WaitList = None,
    byte_count: int | None = None,
) -> Event: ...
def _enqueue_svm_memfill(
    queue: CommandQueue,
    dst: SVMPointer,
    pattern: HostMemory,
    byte_count: int | None = None,
    wait_for: WaitList = None,
) -> Event: ...
def _enqueue_svm_fill_part(
    queue: CommandQueue,
    dst: SVMPointer,
    pattern: HostMemory,
    offset: int,
    size: int,
    wait_for: WaitList = None,
) -> Event: ...
def _enqueue_svm_migrate_mem(
    queue: CommandQueue, svms: Sequence[SVMPointer], flags: int | None = None, wait_for: WaitList = None
) -> Event: ...
def _create_program_with_il(context: Context, il: bytes, /) -> _Program: ...
def enqueue_copy_buffer_p2p_amd(
    platform: Platform,
    queue: CommandQueue,
    src: MemoryObjectHolder,
    dst: MemoryObjectHolder,
    byte_count: int | None = None,
    wait_for: WaitList = None,
) -> Event: ...
def enqueue_marker(queue: CommandQueue, wait_for: WaitList = None) -> Event: ...
def enqueue_barrier(queue: CommandQueue, wait_for: WaitList = None) -> Event: ...
def enqueue_migrate_mem_objects(
    queue: CommandQueue, mem_objects: Sequence[MemoryObjectHolder], flags: int = 0, wait_for: WaitList = None
) -> Event: ...

# The names by which packages call the native layer.

_enqueue_fill_buffer = enqueue_fill_buffer
_enqueue_marker = enqueue_marker
_enqueue_marker_with_wait_list = enqueue_marker
_enqueue_barrier = enqueue_barrier
_enqueue_barrier_with_wait_list = enqueue_barrier

def _enqueue_wait_for_events(queue: CommandQueue, wait_for: WaitList = None) -> None: ...
def _enqueue_read_image(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    origin: _Shape,
    region: _Shape,
    hostbuf: HostMemory,
    row_pitch: int = 0,
    slice_pitch: int = 0,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> NannyEvent: ...
def _enqueue_write_image(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    origin: _Shape,
    region: _Shape,
    hostbuf: HostMemory,
    row_pitch: int = 0,
    slice_pitch: int = 0,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> NannyEvent: ...
def _enqueue_copy_image(
    queue: CommandQueue,
    src: MemoryObjectHolder,
    dest: MemoryObjectHolder,
    src_origin: _Shape,
    dest_origin: _Shape,
    region: _Shape,
    wait_for: WaitList = None,
) -> Event: ...
def _enqueue_copy_image_to_buffer(
    queue: CommandQueue,
    src: MemoryObjectHolder,
    dest: MemoryObjectHolder,
    origin: _Shape,
    region: _Shape,
    offset: int,
    wait_for: WaitList = None,
) -> Event: ...
def _enqueue_copy_buffer_to_image(
    queue: CommandQueue,
    src: MemoryObjectHolder,
    dest: MemoryObjectHolder,
    offset: int,
    origin: _Shape,
    region: _Shape,
    wait_for: WaitList = None,
) -> Event: ...
def _enqueue_write_buffer(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    hostbuf: HostMemory,
    dst_offset: int = 0,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> NannyEvent: ...
def _enqueue_read_buffer(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    hostbuf: HostMemory,
    src_offset: int = 0,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> NannyEvent: ...
def _enqueue_copy_buffer(
    queue: CommandQueue,
    src: MemoryObjectHolder,
    dst: MemoryObjectHolder,
    byte_count: int = -1,
    src_offset: int = 0,
    dst_offset: int = 0,
    wait_for: WaitList = None,
) -> Event: ...
def _enqueue_write_buffer_rect(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    hostbuf: HostMemory,
    buffer_origin: _Shape,
    host_origin: _Shape,
    region: _Shape,
    buffer_pitches: _Shape | None = None,
    host_pitches: _Shape | None = None,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> NannyEvent: ...
def _enqueue_read_buffer_rect(
    queue: CommandQueue,
    mem: MemoryObjectHolder,
    hostbuf: HostMemory,
    buffer_origin: _Shape,
    host_origin: _Shape,
    region: _Shape,
    buffer_pitches: _Shape | None = None,
    host_pitches: _Shape | None = None,
    wait_for: WaitList = None,
    is_blocking: bool = True,
) -> NannyEvent: ...
def _enqueue_copy_buffer_rect(
    queue: CommandQueue,
    src: MemoryObjectHolder,
    dst: MemoryObjectHolder,
    src_origin: _Shape,
    dst_origin: _Shape,
    region: _Shape,
    src_pitches: _Shape | None = None,
    dst_pitches: _Shape | None = None,
    wait_for: WaitList = None,
) -> Event: ...

# --- arrays

@final
class ArrayFlags:
    @property
    def c_contiguous(self) -> bool: ...
    @property
    def f_contiguous(self) -> bool: ...
    @property
    def forc(self) -> bool: ...

@disjoint_base
class Array:
    __array_priority__: ClassVar[int]
    __array_ufunc__: ClassVar[None]
    def __init__(
        self,
        cq: CommandQueue | Context | None,
        shape: _Shape,
        dtype: DTypeLike,
        order: str = "C",
        allocator: Allocator | None = None,
        data: MemoryObjectHolder | SVMPointer | None = None,
        offset: int = 0,
        strides: _Sizes | None = None,
        events: Sequence[Event] | None = None,
        _flags: Any = None,
        _fast: bool = False,
        _size: int | None = None,
        _context: Context | None = None,
        _queue: CommandQueue | None = None,
    ) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @shape.setter
    def shape(self, shape: _Shape, /) -> None: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @strides.setter
    def strides(self, strides: _Sizes, /) -> None: ...
    @property
    def flags(self) -> ArrayFlags: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @dtype.setter
    def dtype(self, dtype: DTypeLike, /) -> None: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @offset.setter
    def offset(self, offset: int, /) -> None: ...
    @property
    def queue(self) -> CommandQueue | None: ...
    @queue.setter
    def queue(self, queue: CommandQueue | None, /) -> None: ...
    @property
    def context(self) -> Context: ...
    @property
    def allocator(self) -> Allocator | None: ...
    @allocator.setter
    def allocator(self, allocator: Allocator | None, /) -> None: ...
    @property
    def base_data(self) -> MemoryObjectHolder | SVMPointer: ...
    @base_data.setter
    def base_data(self, data: MemoryObjectHolder | SVMPointer, /) -> None: ...
    @property
    def data(self) -> MemoryObjectHolder | SVMPointer: ...
    @property
    def T(self) -> Array: ...
    def get(self, queue: CommandQueue | None = None, ary: NDArray[Any] | None = None) -> NDArray[Any]: ...
    def set(self, ary: ArrayLike, queue: CommandQueue | None = None, async_: bool | None = None) -> None: ...
    def get_async(
        self, queue: CommandQueue | None = None, ary: NDArray[Any] | None = None
    ) -> tuple[NDArray[Any], NannyEvent]: ...
    @overload
    def map_to_host(
        self,
        queue: CommandQueue | None = None,
        flags: int | None = None,
        is_blocking: Literal[True] = True,
        wait_for: WaitList = None,
    ) -> NDArray[Any]: ...
    @overload
    def map_to_host(
        self,
        queue: CommandQueue | None = None,
        flags: int | None = None,
        *,
        is_blocking: Literal[False],
        wait_for: WaitList = None,
    ) -> tuple[NDArray[Any], Event]: ...
    @property
    def events(self) -> list[Event]: ...
    @events.setter
    def events(self, events: Sequence[Event], /) -> None: ...
    def add_event(self, evt: Event) -> None: ...
    def finish(self) -> None: ...
    def with_queue(self, queue: CommandQueue | None) -> Array: ...
    def transpose(self, axes: _Sizes | None = None) -> Array: ...
    def reshape(self, *shape: _Shape, order: str = "C") -> Array: ...
    def ravel(self, order: str = "C") -> Array: ...
    def squeeze(self) -> Array: ...
    def reverse(self, queue: CommandQueue | None = None) -> Array: ...
    def view(self, dtype: DTypeLike | None = None) -> Array: ...
    def astype(self, dtype: DTypeLike, queue: CommandQueue | None = None) -> Array: ...
    def copy(self, queue: CommandQueue | type[Any] | None = ...) -> Array: ...
    def fill(self, value: _Element, queue: CommandQueue | None = None, wait_for: WaitList = None) -> Self: ...
    def clip(
        self,
        min: _Operand | None = None,  # noqa: A002  (the name of the API)
        max: _Operand | None = None,  # noqa: A002  (the name of the API)
        out: Array | None = None,
        queue: CommandQueue | None = None,
    ) -> Array: ...
    def round(
        self, decimals: int = 0, out: Array | None = None, queue: CommandQueue | None = None
    ) -> Array: ...
    def mul_add(
        self, selffac: _Operand, other: _Operand, otherfac: _Operand, queue: CommandQueue | None = None
    ) -> Array: ...
    def safely_stringify_for_pudb(self) -> str: ...
    @staticmethod
    def _copy(
        dest: Array, src: Array, queue: CommandQueue | None = None, wait_for: WaitList = None
    ) -> Event: ...
    def _zero_fill(self, queue: CommandQueue | None = None, wait_for: WaitList = None) -> None: ...
    def _new_like_me(self, dtype: DTypeLike | None = None, queue: CommandQueue | None = None) -> Self: ...
    def _new_with_changes(
        self,
        data: MemoryObjectHolder | SVMPointer | None,
        offset: int | None,
        shape: _Shape | None = None,
        dtype: DTypeLike | None = None,
        strides: _Sizes | None = None,
        queue: CommandQueue | type[Any] | None = ...,
        allocator: Allocator | None = None,
    ) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Self: ...
    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __reversed__(self) -> Iterator[Array]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __format__(self, spec: str, /) -> str: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __getitem__(self, key: str | _Index | tuple[_Index, ...], /) -> Array: ...
    def __setitem__(
        self, key: str | _Index | tuple[_Index, ...], value: _Operand | _Element | Sequence[Any], /
    ) -> None: ...
    def setitem(
        self,
        subscript: str | _Index | tuple[_Index, ...],
        value: _Operand | _Element | Sequence[Any],
        queue: CommandQueue | None = None,
        wait_for: WaitList = None,
    ) -> None: ...
    def __neg__(self) -> Array: ...
    def __pos__(self) -> Self: ...
    def __abs__(self) -> Array: ...
    def __invert__(self) -> Array: ...
    @property
    def real(self) -> Array: ...
    @property
    def imag(self) -> Array: ...
    def conj(self) -> Array: ...
    def conjugate(self) -> Array: ...
    def any(self, queue: CommandQueue | None = None, wait_for: WaitList = None) -> Array: ...
    def all(self, queue: CommandQueue | None = None, wait_for: WaitList = None) -> Array: ...
    def __eq__(self, value: _Operand, /) -> Array: ...  # type: ignore[override]
    def __ne__(self, value: _Operand, /) -> Array: ...  # type: ignore[override]
    def __lt__(self, value: _Operand, /) -> Array: ...
    def __le__(self, value: _Operand, /) -> Array: ...
    def __gt__(self, value: _Operand, /) -> Array: ...
    def __ge__(self, value: _Operand, /) -> Array: ...
    def __add__(self, value: _Operand, /) -> Array: ...
    def __radd__(self, value: _Operand, /) -> Array: ...
    def __sub__(self, value: _Operand, /) -> Array: ...
    def __rsub__(self, value: _Operand, /) -> Array: ...
    def __mul__(self, value: _Operand, /) -> Array: ...
    def __rmul__(self, value: _Operand, /) -> Array: ...
    def __truediv__(self, value: _Operand, /) -> Array: ...
    def __rtruediv__(self, value: _Operand, /) -> Array: ...
    def __floordiv__(self, value: _Operand, /) -> Array: ...
    def __rfloordiv__(self, value: _Operand, /) -> Array: ...
    def __mod__(self, value: _Operand, /) -> Array: ...
    def __rmod__(self, value: _Operand, /) -> Array: ...
    def __divmod__(self, value: _Operand, /) -> tuple[Array, Array]: ...
    def __rdivmod__(self, value: _Operand, /) -> tuple[Array, Array]: ...
    def __lshift__(self, value: _Operand, /) -> Array: ...
    def __rlshift__(self, value: _Operand, /) -> Array: ...
    def __rshift__(self, value: _Operand, /) -> Array: ...
    def __rrshift__(self, value: _Operand, /) -> Array: ...
    def __and__(self, value: _Operand, /) -> Array: ...
    def __rand__(self, value: _Operand, /) -> Array: ...
    def __or__(self, value: _Operand, /) -> Array: ...
    def __ror__(self, value: _Operand, /) -> Array: ...
    def __xor__(self, value: _Operand, /) -> Array: ...
    def __rxor__(self, value: _Operand, /) -> Array: ...
    def __iadd__(self, value: _Operand, /) -> Self: ...
    def __isub__(self, value: _Operand, /) -> Self: ...
    def __imul__(self, value: _Operand, /) -> Self: ...
    def __itruediv__(self, value: _Operand, /) -> Self: ...
    def __ifloordiv__(self, value: _Operand, /) -> Self: ...
    def __imod__(self, value: _Operand, /) -> Self: ...
    def __ilshift__(self, value: _Operand, /) -> Self: ...
    def __irshift__(self, value: _Operand, /) -> Self: ...
    def __iand__(self, value: _Operand, /) -> Self: ...
    def __ior__(self, value: _Operand, /) -> Self: ...
    def __ipow__(self, value: _Operand, /) -> Self: ...  # type: ignore[misc]  # CPython passes no modulus here
    def __ixor__(self, value: _Operand, /) -> Self: ...
    def __pow__(self, value: _Operand, mod: None = None, /) -> Array: ...
    def __rpow__(self, value: _Operand, mod: None = None, /) -> Array: ...
    def __div__(self, other: _Operand) -> Array: ...
    def __rdiv__(self, other: _Operand) -> Array: ...

def _call(
    name: str, first: _Operand, second: _Operand | None = None, queue: CommandQueue | None = None
) -> Array: ...
def maximum(
    a: _Operand, b: _Operand, out: Array | None = None, queue: CommandQueue | None = None
) -> Array: ...
def minimum(
    a: _Operand, b: _Operand, out: Array | None = None, queue: CommandQueue | None = None
) -> Array: ...
def logical_and(
    x1: _Operand, x2: _Operand, /, out: Array | None = None, queue: CommandQueue | None = None
) -> Array: ...
def logical_or(
    x1: _Operand, x2: _Operand, /, out: Array | None = None, queue: CommandQueue | None = None
) -> Array: ...
def logical_not(x: Array, /, out: Array | None = None, queue: CommandQueue | None = None) -> Array: ...
def if_positive(
    criterion: _Operand,
    then_: _Operand,
    else_: _Operand,
    out: Array | None = None,
    queue: CommandQueue | None = None,
) -> Array: ...
def take(
    a: Array,
    indices: Array | ArrayLike,
    out: Array | None = None,
    queue: CommandQueue | None = None,
    wait_for: WaitList = None,
) -> Array: ...
def multi_take(
    arrays: Sequence[Array],
    indices: Array | ArrayLike,
    out: list[Array] | None = None,
    queue: CommandQueue | None = None,
) -> list[Array]: ...
def multi_put(
    arrays: Sequence[Array],
    dest_indices: Array,
    dest_shape: _Shape | None = None,
    out: list[Array] | None = None,
    queue: CommandQueue | None = None,
    wait_for: WaitList = None,
) -> list[Array]: ...
def multi_take_put(
    arrays: Sequence[Array],
    dest_indices: Array,
    src_indices: Array,
    dest_shape: _Shape | None = None,
    out: list[Array] | None = None,
    queue: CommandQueue | None = None,
    src_offsets: Sequence[int] | None = None,
) -> list[Array]: ...
def subset_dot(
    subset: Array,
    a: Array,
    b: Array,
    dtype: DTypeLike | None = None,
    queue: CommandQueue | None = None,
    slice: slice | None = None,  # noqa: A002  (the name of the API)
) -> Array: ...
def subset_max(
    subset: Array,
    a: Array,
    queue: CommandQueue | None = None,
    slice: slice | None = None,  # noqa: A002  (the name of the API)
) -> Array: ...
def subset_min(
    subset: Array,
    a: Array,
    queue: CommandQueue | None = None,
    slice: slice | None = None,  # noqa: A002  (the name of the API)
) -> Array: ...
@overload
def cumsum(
    a: Array,
    output_dtype: DTypeLike | None = None,
    queue: CommandQueue | None = None,
    wait_for: WaitList = None,
    return_event: Literal[False] = False,
) -> Array: ...
@overload
def cumsum(
    a: Array,
    output_dtype: DTypeLike | None = None,
    queue: CommandQueue | None = None,
    wait_for: WaitList = None,
    *,
    return_event: Literal[True],
) -> tuple[Event, Array]: ...
def concatenate(
    arrays: Iterable[Array | NDArray[Any]],
    axis: int = 0,
    queue: CommandQueue | None = None,
    allocator: Allocator | None = None,
) -> Array: ...
def stack(
    arrays: Iterable[Array | NDArray[Any]], axis: int = 0, queue: CommandQueue | None = None
) -> Array: ...
def hstack(arrays: Iterable[Array | NDArray[Any]], queue: CommandQueue | None = None) -> Array: ...
def diff(array: Array, queue: CommandQueue | None = None, allocator: Allocator | None = None) -> Array: ...
def dot(
    a: Array | NDArray[Any],
    b: Array | NDArray[Any],
    dtype: DTypeLike | None = None,
    queue: CommandQueue | None = None,
    slice: slice | None = None,  # noqa: A002  (the name of the API)
) -> Array: ...
def vdot(
    a: Array | NDArray[Any],
    b: Array | NDArray[Any],
    dtype: DTypeLike | None = None,
    queue: CommandQueue | None = None,
    slice: slice | None = None,  # noqa: A002  (the name of the API)
) -> Array: ...
def as_strided(ary: Array, shape: _Shape | None = None, strides: _Sizes | None = None) -> Array: ...
def to_device(
    queue: CommandQueue,
    ary: ArrayLike,
    allocator: Allocator | None = None,
    async_: bool | None = None,
    array_queue: CommandQueue | type[Any] | None = ...,
) -> Array: ...
def zeros(
    queue: CommandQueue,
    shape: _Shape,
    dtype: DTypeLike,
    order: str = "C",
    allocator: Allocator | None = None,
) -> Array: ...
def _arange(
    queue: CommandQueue,
    start: _Number,
    stop: _Number,
    step: _Number,
    dtype: DTypeLike,
    allocator: Allocator | None,
) -> Array: ...
def _set_array_kernel_hook(hook: Callable[..., Event] | None, /) -> None: ...
def _restore_array(
    class_: type[Array], elements: NDArray[Any], queue: CommandQueue, has_queue: bool, /
) -> Array: ...
def _tune_arrays(queue: CommandQueue, group: int, items: int, vector: int, tile: int) -> None: ...

@final
class _Fusing:
    def __new__(cls) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        _exc_value: BaseException | None,
        _traceback: TracebackType | None,
        /,
    ) -> None: ...

def _sum(
    a: Array,
    dtype: DTypeLike | None = None,
    queue: CommandQueue | None = None,
    slice: slice | None = None,  # noqa: A002  (the name of the API)
    initial: _Number | None = None,
) -> Array: ...
def _max(a: Array, queue: CommandQueue | None = None, initial: _Number | None = None) -> Array: ...
def _min(a: Array, queue: CommandQueue | None = None, initial: _Number | None = None) -> Array: ...
def _parse_declaration(text: str) -> tuple[str, str, bool]: ...
def _split_declarations(text: str) -> list[str]: ...
def _struct_layout(
    queue: CommandQueue, declarations: str, name: str, members: Sequence[str]
) -> tuple[int, list[int]]: ...

@final
class _ElementwiseKernel:
    def __new__(
        cls,
        context: Context,
        parameters: Iterable[tuple[str, str, str, np.dtype[Any] | None]],
        operation: str,
        name: str,
        options: str | bytes | Sequence[str | bytes] | None,
        preamble: str,
        loop_prep: str,
        after_loop: str,
    ) -> Self: ...
    def source(self, use_range: bool) -> str: ...
    def kernel(self, use_range: bool) -> Kernel: ...
    def __call__(
        self,
        args: tuple[Any, ...],
        range: slice | range | None,  # noqa: A002  (the name of the API)
        slice: slice | None,  # noqa: A002  (the name of the API)
        queue: CommandQueue | None,
        wait_for: WaitList,
    ) -> Event: ...

@final
class _ReductionKernel:
    def __new__(
        cls,
        context: Context,
        parameters: Iterable[tuple[str, str, str, np.dtype[Any] | None]],
        map: str,  # noqa: A002  (the native name)
        name: str,
        options: str | bytes | Sequence[str | bytes] | None,
        preamble: str,
        type_name: str,
        dtype: DTypeLike,
        neutral: str,
        reduce: str,
    ) -> Self: ...
    def kernels(self, use_range: bool) -> tuple[Kernel, Kernel]: ...
    def __call__(
        self,
        args: tuple[Any, ...],
        range: slice | range | None,  # noqa: A002  (the name of the API)
        slice: slice | None,  # noqa: A002  (the name of the API)
        out: Array | None,
        queue: CommandQueue | None,
        wait_for: WaitList,
    ) -> tuple[Array, Event]: ...

@final
class _Generator:
    @staticmethod
    def philox(key: Sequence[int], counter: Sequence[int]) -> _Generator: ...
    @staticmethod
    def threefry(key: Sequence[int], counter: Sequence[int]) -> _Generator: ...
    @property
    def counter(self) -> list[int]: ...
    def fill_uniform(self, ary: Array, a: _Number, b: _Number, queue: CommandQueue | None = None) -> None: ...
    def fill_normal(
        self, ary: Array, mu: _Number, sigma: _Number, queue: CommandQueue | None = None
    ) -> None: ...
    def kernel(self, context: Context, dtype: DTypeLike, distribution: str) -> tuple[Kernel, int]: ...

# --- constants

@type_check_only
class ToString:
    def __call__(self, value: int | enum.Enum, default_format: str | None = None) -> str: ...

class addressing_mode:
    NONE: Final = 4400
    CLAMP_TO_EDGE: Final = 4401
    CLAMP: Final = 4402
    REPEAT: Final = 4403
    MIRRORED_REPEAT: Final = 4404
    to_string: ClassVar[ToString]

class channel_order:
    R: Final = 4272
    A: Final = 4273
    RG: Final = 4274
    RA: Final = 4275
    RGB: Final = 4276
    RGBA: Final = 4277
    BGRA: Final = 4278
    INTENSITY: Final = 4280
    LUMINANCE: Final = 4281
    Rx: Final = 4282
    RGx: Final = 4283
    RGBx: Final = 4284
    sRGB: Final = 4287
    sRGBx: Final = 4288
    sRGBA: Final = 4289
    sBGRA: Final = 4290
    ABGR: Final = 4291
    to_string: ClassVar[ToString]

class channel_type:
    SNORM_INT8: Final = 4304
    SNORM_INT16: Final = 4305
    UNORM_INT8: Final = 4306
    UNORM_INT16: Final = 4307
    UNORM_SHORT_565: Final = 4308
    UNORM_SHORT_555: Final = 4309
    UNORM_INT_101010: Final = 4310
    SIGNED_INT8: Final = 4311
    SIGNED_INT16: Final = 4312
    SIGNED_INT32: Final = 4313
    UNSIGNED_INT8: Final = 4314
    UNSIGNED_INT16: Final = 4315
    UNSIGNED_INT32: Final = 4316
    HALF_FLOAT: Final = 4317
    FLOAT: Final = 4318
    UNORM_INT_101010_2: Final = 4320
    to_string: ClassVar[ToString]

class command_execution_status:
    COMPLETE: Final = 0
    RUNNING: Final = 1
    SUBMITTED: Final = 2
    QUEUED: Final = 3
    to_string: ClassVar[ToString]

class command_queue_info:
    CONTEXT: Final = 4240
    DEVICE: Final = 4241
    REFERENCE_COUNT: Final = 4242
    PROPERTIES: Final = 4243
    PROPERTIES_ARRAY: Final = 4248
    to_string: ClassVar[ToString]

class command_queue_properties:
    OUT_OF_ORDER_EXEC_MODE_ENABLE: Final = 1
    PROFILING_ENABLE: Final = 2
    ON_DEVICE: Final = 4
    ON_DEVICE_DEFAULT: Final = 8
    to_string: ClassVar[ToString]

class command_type:
    NDRANGE_KERNEL: Final = 4592
    TASK: Final = 4593
    NATIVE_KERNEL: Final = 4594
    READ_BUFFER: Final = 4595
    WRITE_BUFFER: Final = 4596
    COPY_BUFFER: Final = 4597
    READ_IMAGE: Final = 4598
    WRITE_IMAGE: Final = 4599
    COPY_IMAGE: Final = 4600
    COPY_IMAGE_TO_BUFFER: Final = 4601
    COPY_BUFFER_TO_IMAGE: Final = 4602
    MAP_BUFFER: Final = 4603
    MAP_IMAGE: Final = 4604
    UNMAP_MEM_OBJECT: Final = 4605
    MARKER: Final = 4606
    ACQUIRE_GL_OBJECTS: Final = 4607
    RELEASE_GL_OBJECTS: Final = 4608
    READ_BUFFER_RECT: Final = 4609
    WRITE_BUFFER_RECT: Final = 4610
    COPY_BUFFER_RECT: Final = 4611
    USER: Final = 4612
    BARRIER: Final = 4613
    MIGRATE_MEM_OBJECTS: Final = 4614
    FILL_BUFFER: Final = 4615
    FILL_IMAGE: Final = 4616
    SVM_FREE: Final = 4617
    SVM_MEMCPY: Final = 4618
    SVM_MEMFILL: Final = 4619
    SVM_MAP: Final = 4620
    SVM_UNMAP: Final = 4621
    SVM_MIGRATE_MEM: Final = 4622
    to_string: ClassVar[ToString]

class context_info:
    REFERENCE_COUNT: Final = 4224
    DEVICES: Final = 4225
    PROPERTIES: Final = 4226
    NUM_DEVICES: Final = 4227
    INTEROP_USER_SYNC: Final = 4229
    to_string: ClassVar[ToString]

class context_properties:
    PLATFORM: Final = 4228
    GL_CONTEXT_KHR: Final = 8200
    EGL_DISPLAY_KHR: Final = 8201
    GLX_DISPLAY_KHR: Final = 8202
    WGL_HDC_KHR: Final = 8203
    CGL_SHAREGROUP_KHR: Final = 8204
    to_string: ClassVar[ToString]

class device_affinity_domain:
    NUMA: Final = 1
    L4_CACHE: Final = 2
    L3_CACHE: Final = 4
    L2_CACHE: Final = 8
    L1_CACHE: Final = 16
    NEXT_PARTITIONABLE: Final = 32
    to_string: ClassVar[ToString]

class device_atomic_capabilities:
    ORDER_RELAXED: Final = 1
    ORDER_ACQ_REL: Final = 2
    ORDER_SEQ_CST: Final = 4
    SCOPE_WORK_ITEM: Final = 8
    SCOPE_WORK_GROUP: Final = 16
    SCOPE_DEVICE: Final = 32
    SCOPE_ALL_DEVICES: Final = 64
    to_string: ClassVar[ToString]

class device_device_enqueue_capabilities:
    SUPPORTED: Final = 1
    REPLACEABLE_DEFAULT: Final = 2
    to_string: ClassVar[ToString]

class device_exec_capabilities:
    KERNEL: Final = 1
    NATIVE_KERNEL: Final = 2
    to_string: ClassVar[ToString]

class device_fp_config:
    DENORM: Final = 1
    INF_NAN: Final = 2
    ROUND_TO_NEAREST: Final = 4
    ROUND_TO_ZERO: Final = 8
    ROUND_TO_INF: Final = 16
    FMA: Final = 32
    SOFT_FLOAT: Final = 64
    CORRECTLY_ROUNDED_DIVIDE_SQRT: Final = 128
    to_string: ClassVar[ToString]

class device_info:
    TYPE: Final = 4096
    VENDOR_ID: Final = 4097
    MAX_COMPUTE_UNITS: Final = 4098
    MAX_WORK_ITEM_DIMENSIONS: Final = 4099
    MAX_WORK_GROUP_SIZE: Final = 4100
    MAX_WORK_ITEM_SIZES: Final = 4101
    PREFERRED_VECTOR_WIDTH_CHAR: Final = 4102
    PREFERRED_VECTOR_WIDTH_SHORT: Final = 4103
    PREFERRED_VECTOR_WIDTH_INT: Final = 4104
    PREFERRED_VECTOR_WIDTH_LONG: Final = 4105
    PREFERRED_VECTOR_WIDTH_FLOAT: Final = 4106
    PREFERRED_VECTOR_WIDTH_DOUBLE: Final = 4107
    MAX_CLOCK_FREQUENCY: Final = 4108
    ADDRESS_BITS: Final = 4109
    MAX_READ_IMAGE_ARGS: Final = 4110
    MAX_WRITE_IMAGE_ARGS: Final = 4111
    MAX_MEM_ALLOC_SIZE: Final = 4112
    IMAGE2D_MAX_WIDTH: Final = 4113
    IMAGE2D_MAX_HEIGHT: Final = 4114
    IMAGE3D_MAX_WIDTH: Final = 4115
    IMAGE3D_MAX_HEIGHT: Final = 4116
    IMAGE3D_MAX_DEPTH: Final = 4117
    IMAGE_SUPPORT: Final = 4118
    MAX_PARAMETER_SIZE: Final = 4119
    MAX_SAMPLERS: Final = 4120
    MEM_BASE_ADDR_ALIGN: Final = 4121
    MIN_DATA_TYPE_ALIGN_SIZE: Final = 4122
    SINGLE_FP_CONFIG: Final = 4123
    GLOBAL_MEM_CACHE_TYPE: Final = 4124
    GLOBAL_MEM_CACHELINE_SIZE: Final = 4125
    GLOBAL_MEM_CACHE_SIZE: Final = 4126
    GLOBAL_MEM_SIZE: Final = 4127
    MAX_CONSTANT_BUFFER_SIZE: Final = 4128
    MAX_CONSTANT_ARGS: Final = 4129
    LOCAL_MEM_TYPE: Final = 4130
    LOCAL_MEM_SIZE: Final = 4131
    ERROR_CORRECTION_SUPPORT: Final = 4132
    PROFILING_TIMER_RESOLUTION: Final = 4133
    ENDIAN_LITTLE: Final = 4134
    AVAILABLE: Final = 4135
    COMPILER_AVAILABLE: Final = 4136
    EXECUTION_CAPABILITIES: Final = 4137
    QUEUE_ON_HOST_PROPERTIES: Final = 4138
    QUEUE_PROPERTIES: Final = 4138
    NAME: Final = 4139
    VENDOR: Final = 4140
    DRIVER_VERSION: Final = 4141
    PROFILE: Final = 4142
    VERSION: Final = 4143
    EXTENSIONS: Final = 4144
    PLATFORM: Final = 4145
    DOUBLE_FP_CONFIG: Final = 4146
    HALF_FP_CONFIG: Final = 4147
    PREFERRED_VECTOR_WIDTH_HALF: Final = 4148
    HOST_UNIFIED_MEMORY: Final = 4149
    NATIVE_VECTOR_WIDTH_CHAR: Final = 4150
    NATIVE_VECTOR_WIDTH_SHORT: Final = 4151
    NATIVE_VECTOR_WIDTH_INT: Final = 4152
    NATIVE_VECTOR_WIDTH_LONG: Final = 4153
    NATIVE_VECTOR_WIDTH_FLOAT: Final = 4154
    NATIVE_VECTOR_WIDTH_DOUBLE: Final = 4155
    NATIVE_VECTOR_WIDTH_HALF: Final = 4156
    OPENCL_C_VERSION: Final = 4157
    LINKER_AVAILABLE: Final = 4158
    BUILT_IN_KERNELS: Final = 4159
    IMAGE_MAX_BUFFER_SIZE: Final = 4160
    IMAGE_MAX_ARRAY_SIZE: Final = 4161
    PARENT_DEVICE: Final = 4162
    PARTITION_MAX_SUB_DEVICES: Final = 4163
    PARTITION_PROPERTIES: Final = 4164
    PARTITION_AFFINITY_DOMAIN: Final = 4165
    PARTITION_TYPE: Final = 4166
    REFERENCE_COUNT: Final = 4167
    PREFERRED_INTEROP_USER_SYNC: Final = 4168
    PRINTF_BUFFER_SIZE: Final = 4169
    MAX_READ_WRITE_IMAGE_ARGS: Final = 4172
    MAX_GLOBAL_VARIABLE_SIZE: Final = 4173
    QUEUE_ON_DEVICE_PROPERTIES: Final = 4174
    QUEUE_ON_DEVICE_PREFERRED_SIZE: Final = 4175
    QUEUE_ON_DEVICE_MAX_SIZE: Final = 4176
    MAX_ON_DEVICE_QUEUES: Final = 4177
    MAX_ON_DEVICE_EVENTS: Final = 4178
    SVM_CAPABILITIES: Final = 4179
    GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: Final = 4180
    MAX_PIPE_ARGS: Final = 4181
    PIPE_MAX_ACTIVE_RESERVATIONS: Final = 4182
    PIPE_MAX_PACKET_SIZE: Final = 4183
    PREFERRED_PLATFORM_ATOMIC_ALIGNMENT: Final = 4184
    PREFERRED_GLOBAL_ATOMIC_ALIGNMENT: Final = 4185
    PREFERRED_LOCAL_ATOMIC_ALIGNMENT: Final = 4186
    IL_VERSION: Final = 4187
    MAX_NUM_SUB_GROUPS: Final = 4188
    SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: Final = 4189
    NUMERIC_VERSION: Final = 4190
    EXTENSIONS_WITH_VERSION: Final = 4192
    ILS_WITH_VERSION: Final = 4193
    BUILT_IN_KERNELS_WITH_VERSION: Final = 4194
    ATOMIC_MEMORY_CAPABILITIES: Final = 4195
    ATOMIC_FENCE_CAPABILITIES: Final = 4196
    NON_UNIFORM_WORK_GROUP_SUPPORT: Final = 4197
    OPENCL_C_ALL_VERSIONS: Final = 4198
    PREFERRED_WORK_GROUP_SIZE_MULTIPLE: Final = 4199
    WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: Final = 4200
    GENERIC_ADDRESS_SPACE_SUPPORT: Final = 4201
    OPENCL_C_FEATURES: Final = 4207
    DEVICE_ENQUEUE_CAPABILITIES: Final = 4208
    PIPE_SUPPORT: Final = 4209
    COMPUTE_CAPABILITY_MAJOR_NV: Final = 16384
    COMPUTE_CAPABILITY_MINOR_NV: Final = 16385
    REGISTERS_PER_BLOCK_NV: Final = 16386
    WARP_SIZE_NV: Final = 16387
    GPU_OVERLAP_NV: Final = 16388
    KERNEL_EXEC_TIMEOUT_NV: Final = 16389
    INTEGRATED_MEMORY_NV: Final = 16390
    ATTRIBUTE_ASYNC_ENGINE_COUNT_NV: Final = 16391
    PCI_BUS_ID_NV: Final = 16392
    PCI_SLOT_ID_NV: Final = 16393
    PCI_DOMAIN_ID_NV: Final = 16394
    PREFERRED_WORK_GROUP_SIZE_AMD: Final = 16432
    MAX_WORK_GROUP_SIZE_AMD: Final = 16433
    PREFERRED_CONSTANT_BUFFER_SIZE_AMD: Final = 16435
    PCIE_ID_AMD: Final = 16436
    PROFILING_TIMER_OFFSET_AMD: Final = 16438
    TOPOLOGY_AMD: Final = 16439
    BOARD_NAME_AMD: Final = 16440
    GLOBAL_FREE_MEMORY_AMD: Final = 16441
    SIMD_PER_COMPUTE_UNIT_AMD: Final = 16448
    SIMD_WIDTH_AMD: Final = 16449
    SIMD_INSTRUCTION_WIDTH_AMD: Final = 16450
    WAVEFRONT_WIDTH_AMD: Final = 16451
    GLOBAL_MEM_CHANNELS_AMD: Final = 16452
    GLOBAL_MEM_CHANNEL_BANKS_AMD: Final = 16453
    GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD: Final = 16454
    LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD: Final = 16455
    LOCAL_MEM_BANKS_AMD: Final = 16456
    THREAD_TRACE_SUPPORTED_AMD: Final = 16457
    GFXIP_MAJOR_AMD: Final = 16458
    GFXIP_MINOR_AMD: Final = 16459
    AVAILABLE_ASYNC_QUEUES_AMD: Final = 16460
    ME_VERSION_INTEL: Final = 16510
    EXT_MEM_PADDING_IN_BYTES_QCOM: Final = 16544
    PAGE_SIZE_QCOM: Final = 16545
    SPIR_VERSIONS: Final = 16608
    SIMULTANEOUS_INTEROPS_INTEL: Final = 16644
    NUM_SIMULTANEOUS_INTEROPS_INTEL: Final = 16645
    to_string: ClassVar[ToString]

class device_local_mem_type:
    LOCAL: Final = 1
    GLOBAL: Final = 2
    to_string: ClassVar[ToString]

class device_mem_cache_type:
    NONE: Final = 0
    READ_ONLY_CACHE: Final = 1
    READ_WRITE_CACHE: Final = 2
    to_string: ClassVar[ToString]

class device_partition_property:
    BY_COUNTS_LIST_END: Final = 0
    EQUALLY: Final = 4230
    BY_COUNTS: Final = 4231
    BY_AFFINITY_DOMAIN: Final = 4232
    to_string: ClassVar[ToString]

class device_svm_capabilities:
    COARSE_GRAIN_BUFFER: Final = 1
    FINE_GRAIN_BUFFER: Final = 2
    FINE_GRAIN_SYSTEM: Final = 4
    ATOMICS: Final = 8
    to_string: ClassVar[ToString]

class device_topology_type_amd:
    PCIE: Final = 1
    to_string: ClassVar[ToString]

class device_type:
    DEFAULT: Final = 1
    CPU: Final = 2
    GPU: Final = 4
    ACCELERATOR: Final = 8
    CUSTOM: Final = 16
    ALL: Final = 4294967295
    to_string: ClassVar[ToString]

class event_info:
    COMMAND_QUEUE: Final = 4560
    COMMAND_TYPE: Final = 4561
    REFERENCE_COUNT: Final = 4562
    COMMAND_EXECUTION_STATUS: Final = 4563
    CONTEXT: Final = 4564
    to_string: ClassVar[ToString]

class filter_mode:
    NEAREST: Final = 4416
    LINEAR: Final = 4417
    to_string: ClassVar[ToString]

class gl_context_info:
    CURRENT_DEVICE_FOR_GL_CONTEXT_KHR: Final = 8198
    DEVICES_FOR_GL_CONTEXT_KHR: Final = 8199
    to_string: ClassVar[ToString]

class gl_object_type:
    BUFFER: Final = 8192
    TEXTURE2D: Final = 8193
    TEXTURE3D: Final = 8194
    RENDERBUFFER: Final = 8195
    TEXTURE2D_ARRAY: Final = 8206
    TEXTURE1D: Final = 8207
    TEXTURE1D_ARRAY: Final = 8208
    TEXTURE_BUFFER: Final = 8209
    to_string: ClassVar[ToString]

class gl_texture_info:
    TEXTURE_TARGET: Final = 8196
    MIPMAP_LEVEL: Final = 8197
    to_string: ClassVar[ToString]

class image_info:
    FORMAT: Final = 4368
    ELEMENT_SIZE: Final = 4369
    ROW_PITCH: Final = 4370
    SLICE_PITCH: Final = 4371
    WIDTH: Final = 4372
    HEIGHT: Final = 4373
    DEPTH: Final = 4374
    ARRAY_SIZE: Final = 4375
    BUFFER: Final = 4376
    NUM_MIP_LEVELS: Final = 4377
    NUM_SAMPLES: Final = 4378
    to_string: ClassVar[ToString]

class kernel_arg_access_qualifier:
    READ_ONLY: Final = 4512
    WRITE_ONLY: Final = 4513
    READ_WRITE: Final = 4514
    NONE: Final = 4515
    to_string: ClassVar[ToString]

class kernel_arg_address_qualifier:
    GLOBAL: Final = 4507
    LOCAL: Final = 4508
    CONSTANT: Final = 4509
    PRIVATE: Final = 4510
    to_string: ClassVar[ToString]

class kernel_arg_info:
    ADDRESS_QUALIFIER: Final = 4502
    ACCESS_QUALIFIER: Final = 4503
    TYPE_NAME: Final = 4504
    TYPE_QUALIFIER: Final = 4505
    NAME: Final = 4506
    to_string: ClassVar[ToString]

class kernel_arg_type_qualifier:
    NONE: Final = 0
    CONST: Final = 1
    RESTRICT: Final = 2
    VOLATILE: Final = 4
    PIPE: Final = 8
    to_string: ClassVar[ToString]

class kernel_info:
    FUNCTION_NAME: Final = 4496
    NUM_ARGS: Final = 4497
    REFERENCE_COUNT: Final = 4498
    CONTEXT: Final = 4499
    ATTRIBUTES: Final = 4501
    PROGRAM: Final = 4500
    to_string: ClassVar[ToString]

class kernel_sub_group_info:
    LOCAL_SIZE_FOR_SUB_GROUP_COUNT: Final = 4536
    MAX_NUM_SUB_GROUPS: Final = 4537
    COMPILE_NUM_SUB_GROUPS: Final = 4538
    MAX_SUB_GROUP_SIZE_FOR_NDRANGE: Final = 8243
    SUB_GROUP_COUNT_FOR_NDRANGE: Final = 8244
    to_string: ClassVar[ToString]

class kernel_work_group_info:
    WORK_GROUP_SIZE: Final = 4528
    COMPILE_WORK_GROUP_SIZE: Final = 4529
    LOCAL_MEM_SIZE: Final = 4530
    PREFERRED_WORK_GROUP_SIZE_MULTIPLE: Final = 4531
    PRIVATE_MEM_SIZE: Final = 4532
    GLOBAL_WORK_SIZE: Final = 4533
    to_string: ClassVar[ToString]

class khronos_vendor_id:
    CODEPLAY: Final = 65540
    to_string: ClassVar[ToString]

class map_flags:
    READ: Final = 1
    WRITE: Final = 2
    WRITE_INVALIDATE_REGION: Final = 4
    to_string: ClassVar[ToString]

class mem_flags:
    READ_WRITE: Final = 1
    WRITE_ONLY: Final = 2
    READ_ONLY: Final = 4
    USE_HOST_PTR: Final = 8
    ALLOC_HOST_PTR: Final = 16
    COPY_HOST_PTR: Final = 32
    HOST_WRITE_ONLY: Final = 128
    HOST_READ_ONLY: Final = 256
    HOST_NO_ACCESS: Final = 512
    KERNEL_READ_AND_WRITE: Final = 4096
    to_string: ClassVar[ToString]

class mem_info:
    TYPE: Final = 4352
    FLAGS: Final = 4353
    SIZE: Final = 4354
    HOST_PTR: Final = 4355
    MAP_COUNT: Final = 4356
    REFERENCE_COUNT: Final = 4357
    CONTEXT: Final = 4358
    ASSOCIATED_MEMOBJECT: Final = 4359
    OFFSET: Final = 4360
    USES_SVM_POINTER: Final = 4361
    PROPERTIES: Final = 4362
    to_string: ClassVar[ToString]

class mem_migration_flags:
    HOST: Final = 1
    CONTENT_UNDEFINED: Final = 2
    to_string: ClassVar[ToString]

class mem_object_type:
    BUFFER: Final = 4336
    IMAGE2D: Final = 4337
    IMAGE3D: Final = 4338
    IMAGE2D_ARRAY: Final = 4339
    IMAGE1D: Final = 4340
    IMAGE1D_ARRAY: Final = 4341
    IMAGE1D_BUFFER: Final = 4342
    PIPE: Final = 4343
    to_string: ClassVar[ToString]

class pipe_info:
    PACKET_SIZE: Final = 4384
    MAX_PACKETS: Final = 4385
    PROPERTIES: Final = 4386
    to_string: ClassVar[ToString]

class pipe_properties:
    PACKET_SIZE: Final = 4384
    MAX_PACKETS: Final = 4385
    to_string: ClassVar[ToString]

class platform_info:
    PROFILE: Final = 2304
    VERSION: Final = 2305
    NAME: Final = 2306
    VENDOR: Final = 2307
    EXTENSIONS: Final = 2308
    HOST_TIMER_RESOLUTION: Final = 2309
    NUMERIC_VERSION: Final = 2310
    EXTENSIONS_WITH_VERSION: Final = 2311
    to_string: ClassVar[ToString]

class profiling_info:
    QUEUED: Final = 4736
    SUBMIT: Final = 4737
    START: Final = 4738
    END: Final = 4739
    COMPLETE: Final = 4740
    to_string: ClassVar[ToString]

class program_binary_type:
    NONE: Final = 0
    COMPILED_OBJECT: Final = 1
    LIBRARY: Final = 2
    EXECUTABLE: Final = 4
    to_string: ClassVar[ToString]

class program_build_info:
    STATUS: Final = 4481
    OPTIONS: Final = 4482
    LOG: Final = 4483
    BINARY_TYPE: Final = 4484
    GLOBAL_VARIABLE_TOTAL_SIZE: Final = 4485
    to_string: ClassVar[ToString]

class program_info:
    REFERENCE_COUNT: Final = 4448
    CONTEXT: Final = 4449
    NUM_DEVICES: Final = 4450
    DEVICES: Final = 4451
    BINARY_SIZES: Final = 4453
    BINARIES: Final = 4454
    NUM_KERNELS: Final = 4455
    KERNEL_NAMES: Final = 4456
    IL: Final = 4457
    SCOPE_GLOBAL_CTORS_PRESENT: Final = 4458
    SCOPE_GLOBAL_DTORS_PRESENT: Final = 4459
    SOURCE: Final = 4452
    to_string: ClassVar[ToString]

class program_kind(enum.Enum):
    UNKNOWN = 0
    SOURCE = 1
    BINARY = 2
    IL = 3
    to_string: ClassVar[ToString]

class queue_properties:
    PROPERTIES: Final = 4243
    SIZE: Final = 4244
    DEVICE_DEFAULT: Final = 4245
    to_string: ClassVar[ToString]

class sampler_info:
    REFERENCE_COUNT: Final = 4432
    CONTEXT: Final = 4433
    NORMALIZED_COORDS: Final = 4434
    ADDRESSING_MODE: Final = 4435
    FILTER_MODE: Final = 4436
    MIP_FILTER_MODE: Final = 4437
    MIP_FILTER_MODE_KHR: Final = 4437
    LOD_MIN: Final = 4438
    LOD_MIN_KHR: Final = 4438
    LOD_MAX: Final = 4439
    LOD_MAX_KHR: Final = 4439
    PROPERTIES: Final = 4440
    to_string: ClassVar[ToString]

class sampler_properties:
    NORMALIZED_COORDS: Final = 4434
    ADDRESSING_MODE: Final = 4435
    FILTER_MODE: Final = 4436
    to_string: ClassVar[ToString]

class status_code:
    SUCCESS: Final = 0
    DEVICE_NOT_FOUND: Final = -1
    DEVICE_NOT_AVAILABLE: Final = -2
    COMPILER_NOT_AVAILABLE: Final = -3
    MEM_OBJECT_ALLOCATION_FAILURE: Final = -4
    OUT_OF_RESOURCES: Final = -5
    OUT_OF_HOST_MEMORY: Final = -6
    PROFILING_INFO_NOT_AVAILABLE: Final = -7
    MEM_COPY_OVERLAP: Final = -8
    IMAGE_FORMAT_MISMATCH: Final = -9
    IMAGE_FORMAT_NOT_SUPPORTED: Final = -10
    BUILD_PROGRAM_FAILURE: Final = -11
    MAP_FAILURE: Final = -12
    MISALIGNED_SUB_BUFFER_OFFSET: Final = -13
    EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: Final = -14
    COMPILE_PROGRAM_FAILURE: Final = -15
    LINKER_NOT_AVAILABLE: Final = -16
    LINK_PROGRAM_FAILURE: Final = -17
    DEVICE_PARTITION_FAILED: Final = -18
    KERNEL_ARG_INFO_NOT_AVAILABLE: Final = -19
    INVALID_VALUE: Final = -30
    INVALID_DEVICE_TYPE: Final = -31
    INVALID_PLATFORM: Final = -32
    INVALID_DEVICE: Final = -33
    INVALID_CONTEXT: Final = -34
    INVALID_QUEUE_PROPERTIES: Final = -35
    INVALID_COMMAND_QUEUE: Final = -36
    INVALID_HOST_PTR: Final = -37
    INVALID_MEM_OBJECT: Final = -38
    INVALID_IMAGE_FORMAT_DESCRIPTOR: Final = -39
    INVALID_IMAGE_SIZE: Final = -40
    INVALID_SAMPLER: Final = -41
    INVALID_BINARY: Final = -42
    INVALID_BUILD_OPTIONS: Final = -43
    INVALID_PROGRAM: Final = -44
    INVALID_PROGRAM_EXECUTABLE: Final = -45
    INVALID_KERNEL_NAME: Final = -46
    INVALID_KERNEL_DEFINITION: Final = -47
    INVALID_KERNEL: Final = -48
    INVALID_ARG_INDEX: Final = -49
    INVALID_ARG_VALUE: Final = -50
    INVALID_ARG_SIZE: Final = -51
    INVALID_KERNEL_ARGS: Final = -52
    INVALID_WORK_DIMENSION: Final = -53
    INVALID_WORK_GROUP_SIZE: Final = -54
    INVALID_WORK_ITEM_SIZE: Final = -55
    INVALID_GLOBAL_OFFSET: Final = -56
    INVALID_EVENT_WAIT_LIST: Final = -57
    INVALID_EVENT: Final = -58
    INVALID_OPERATION: Final = -59
    INVALID_GL_OBJECT: Final = -60
    INVALID_BUFFER_SIZE: Final = -61
    INVALID_MIP_LEVEL: Final = -62
    INVALID_GLOBAL_WORK_SIZE: Final = -63
    INVALID_PROPERTY: Final = -64
    INVALID_IMAGE_DESCRIPTOR: Final = -65
    INVALID_COMPILER_OPTIONS: Final = -66
    INVALID_LINKER_OPTIONS: Final = -67
    INVALID_DEVICE_PARTITION_COUNT: Final = -68
    INVALID_PIPE_SIZE: Final = -69
    INVALID_DEVICE_QUEUE: Final = -70
    INVALID_SPEC_ID: Final = -71
    MAX_SIZE_RESTRICTION_EXCEEDED: Final = -72
    INVALID_GL_SHAREGROUP_REFERENCE_KHR: Final = -1000
    PLATFORM_NOT_FOUND_KHR: Final = -1001
    to_string: ClassVar[ToString]

class svm_mem_flags:
    READ_WRITE: Final = 1
    WRITE_ONLY: Final = 2
    READ_ONLY: Final = 4
    SVM_FINE_GRAIN_BUFFER: Final = 1024
    SVM_ATOMICS: Final = 2048
    to_string: ClassVar[ToString]

class version_bits:
    MAJOR_BITS: Final = 10
    MINOR_BITS: Final = 10
    PATCH_BITS: Final = 12
    MAJOR_MASK: Final = 1023
    MINOR_MASK: Final = 1023
    PATCH_MASK: Final = 4095
    to_string: ClassVar[ToString]
