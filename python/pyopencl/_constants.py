"""Groups of the constant classes, and the channel types of images by dtype."""

import numpy as np

import pyopencl._cl as _cl

BITFIELD_CONSTANT_CLASSES = (
    _cl.device_type,
    _cl.device_fp_config,
    _cl.device_exec_capabilities,
    _cl.command_queue_properties,
    _cl.mem_flags,
    _cl.map_flags,
    _cl.kernel_arg_type_qualifier,
    _cl.device_affinity_domain,
    _cl.mem_migration_flags,
    _cl.device_svm_capabilities,
    _cl.queue_properties,
    _cl.svm_mem_flags,
    _cl.device_atomic_capabilities,
    _cl.device_device_enqueue_capabilities,
    _cl.version_bits,
)

# Of objects shared with OpenGL, which are PyOpenCL's only where it is built for them.
_OF_OPENGL = (_cl.gl_object_type, _cl.gl_texture_info)

CONSTANT_CLASSES = tuple(
    group
    for _, group in sorted(vars(_cl).items())
    if isinstance(group, type) and hasattr(group, "to_string") and group not in _OF_OPENGL
)

DTYPE_TO_CHANNEL_TYPE = {
    np.dtype(np.float32): _cl.channel_type.FLOAT,
    np.dtype(np.float16): _cl.channel_type.HALF_FLOAT,
    np.dtype(np.int8): _cl.channel_type.SIGNED_INT8,
    np.dtype(np.int16): _cl.channel_type.SIGNED_INT16,
    np.dtype(np.int32): _cl.channel_type.SIGNED_INT32,
    np.dtype(np.uint8): _cl.channel_type.UNSIGNED_INT8,
    np.dtype(np.uint16): _cl.channel_type.UNSIGNED_INT16,
    np.dtype(np.uint32): _cl.channel_type.UNSIGNED_INT32,
}

DTYPE_TO_CHANNEL_TYPE_NORM = {
    np.dtype(np.int8): _cl.channel_type.SNORM_INT8,
    np.dtype(np.int16): _cl.channel_type.SNORM_INT16,
    np.dtype(np.uint8): _cl.channel_type.UNORM_INT8,
    np.dtype(np.uint16): _cl.channel_type.UNORM_INT16,
}

_IMAGE_MEM_OBJ_TYPES = [
    _cl.mem_object_type.IMAGE2D,
    _cl.mem_object_type.IMAGE3D,
    _cl.mem_object_type.IMAGE2D_ARRAY,
]
