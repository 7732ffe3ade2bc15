"""A program as users write it, annotated: type checkers have to accept it, and to know these types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clrandom as cl_random
from pyopencl import cltypes
from pyopencl.typing import Allocator, CtxFactory, KernelArg, WaitList

SOURCE = "kernel void twice(global float *a, float factor) { a[get_global_id(0)] *= factor; }"


def devices() -> None:
    """Attributes have the types of the driver's answers."""
    for platform in cl.get_platforms():
        assert_type(platform.name, str)
        for device in platform.get_devices(cl.device_type.GPU | cl.device_type.CPU):
            assert_type(device.max_compute_units, int)
            assert_type(device.max_work_item_sizes, list[int])
            assert_type(device.platform, cl.Platform)
            assert_type(device.parent_device, cl.Device | None)
            assert_type(device.extensions_with_version[0].name, str)
            assert_type(cl.device_type.to_string(device.type), str)


def buffers(context: cl.Context, queue: cl.CommandQueue, host: NDArray[np.float32]) -> NDArray[np.float32]:
    """Copies know which side is host memory; maps keep the dtype."""
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(context, flags, hostbuf=host)
    assert_type(buffer[16:32], cl.Buffer)
    written = cl.enqueue_copy(queue, buffer, host, is_blocking=False)
    assert_type(written, cl.NannyEvent)
    between = cl.enqueue_copy(queue, buffer, buffer[:16], byte_count=16, wait_for=[written])
    assert_type(between, cl.Event)
    cl.enqueue_copy(queue, host, buffer, buffer_origin=(0, 0), host_origin=(0, 0), region=(16, 2))
    cl.enqueue_copy(queue, bytearray(16), buffer, src_offset=16)
    cl.enqueue_fill(queue, buffer, np.float32(0), buffer.size)
    array, event = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, host.shape, np.float32)
    assert_type(array, NDArray[np.float32])
    assert_type(event.profile.end - event.profile.start, int)
    buffer.release()
    return array


def kernels(queue: cl.CommandQueue, memory: cl.Buffer, wait_for: WaitList = None) -> cl.Event:
    """Kernels are attributes of their program and take what `KernelArg` says."""
    program = cl.Program(queue.context, SOURCE).build(["-cl-mad-enable"], devices=[queue.device])
    assert_type(program, cl.Program)
    kernel = program.twice
    assert_type(kernel, cl.Kernel)
    kernel.set_arg_types([None, np.float32])
    arguments: list[KernelArg] = [memory, 2.0]
    kernel(queue, (16,), None, *arguments, wait_for=wait_for)
    assert_type(kernel.num_args, int)
    return cl.Kernel(program, "twice")(queue, (16,), (4,), memory, np.float32(2), g_times_l=True)


def images(queue: cl.CommandQueue, host: NDArray[np.float32]) -> NDArray[np.float32]:
    """Images are copied with the same function, and kernels take them and their samplers."""
    image = cl.image_from_array(queue.context, host, 4)
    assert_type(image.shape, tuple[int, ...])
    assert_type(image.format.itemsize, int)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    other = cl.create_image(queue.context, flags, image.format, image.shape, hostbuf=host)
    written = cl.enqueue_copy(queue, image, host, origin=(0, 0), region=image.shape, pitches=(64,))
    assert_type(written, cl.NannyEvent)
    copied = cl.enqueue_copy(queue, other, image, src_origin=(0, 0), dest_origin=(0, 0), region=(2, 2))
    assert_type(copied, cl.Event)
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, host.nbytes)
    cl.enqueue_copy(queue, buffer, image, origin=(0, 0), region=image.shape, offset=0)
    sampler = cl.Sampler(queue.context, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST)
    arguments: list[KernelArg] = [image, sampler, buffer]
    cl.Program(queue.context, SOURCE).build().twice(queue, image.shape, None, *arguments)
    array, event, row_pitch, _ = cl.enqueue_map_image(
        queue, image, cl.map_flags.READ, (0, 0), image.shape, host.shape, np.float32
    )
    assert_type(array, NDArray[np.float32])
    assert_type(row_pitch, int)
    event.wait()
    return array


def arrays(queue: cl.CommandQueue, allocator: Allocator | None = None) -> NDArray[Any]:
    """Arithmetic of arrays gives arrays, from either side; comparisons too."""
    a = cl_array.to_device(queue, np.arange(16, dtype=np.float32), allocator=allocator)
    assert_type(2 * a + a**2, cl_array.Array)
    assert_type(a == a, cl_array.Array)
    a[2:8] = 0
    a += np.float32(1)
    return cl_array.sum(a[..., None].reshape(4, -1).T, dtype=np.float64).get()


def vectors(queue: cl.CommandQueue, memory: cl.Buffer) -> np.dtype[Any]:
    """Vectors are values of NumPy, and arguments of kernels."""
    vector = cltypes.make_float4(1, 2, 3, y=4)
    assert_type(vector, NDArray[Any])
    cl.Program(queue.context, SOURCE).build().twice(queue, (16,), None, memory, vector)
    assert_type(cltypes.vec_types[np.dtype(cltypes.float), 4], np.dtype[Any])
    return cltypes.float4


def random_numbers(queue: cl.CommandQueue) -> cl.Event:
    """Random numbers are drawn from a generator of one's own or of the context."""
    assert_type(cl_random.rand(queue, (4, 4), np.float32, a=-1), cl_array.Array)
    generator = cl_random.PhiloxGenerator(queue.context, seed=7)
    return generator.fill_uniform(generator.uniform(queue, 16, np.int32, b=6), 1, 7)


def failures(make: CtxFactory) -> int:
    """Exceptions tell what they know."""
    with cl.CommandQueue(make(), properties=cl.command_queue_properties.PROFILING_ENABLE) as queue:
        try:
            queue.finish()
        except cl.RuntimeError as error:
            assert_type(error.routine, str)
            return error.code
    return cl.status_code.SUCCESS
