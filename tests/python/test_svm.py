"""Shared virtual memory: allocations, arrays in them, mappings, copies, fills, kernels."""

import gc
import itertools

import numpy as np
import pytest

import pyopencl as cl

COARSE = cl.svm_mem_flags.READ_WRITE
SOURCE = "kernel void twice(global float *a) { a[get_global_id(0)] *= 2; } kernel void whole(int n) {}"


@pytest.fixture(autouse=True)
def has_svm(ctx):
    (device,) = ctx.devices
    try:
        capabilities = device.svm_capabilities
    except cl.LogicError:
        capabilities = 0
    if not capabilities & cl.device_svm_capabilities.COARSE_GRAIN_BUFFER:
        pytest.skip("the device has no shared virtual memory")


@pytest.fixture
def memory(ctx):
    return cl.SVMAllocation(ctx, 64, 0, COARSE)


@pytest.fixture
def program(ctx):
    return cl.Program(ctx, SOURCE).build()


def content(queue, svm, dtype=np.uint8):
    result = np.empty(svm.size // np.dtype(dtype).itemsize, dtype)
    cl.enqueue_copy(queue, result, svm)
    return result


# --- allocations


def test_allocation_tells_its_size_and_address(ctx):
    memory = cl.SVMAllocation(ctx, 48, 64, COARSE)
    assert memory.size == 48
    assert memory.svm_ptr % 64 == 0
    assert (memory.buf.shape, memory.buf.dtype, memory.buf.ctypes.data) == ((48,), np.uint8, memory.svm_ptr)
    assert memory.buf.base is memory


def test_allocations_compare_by_memory(ctx, memory):
    other = cl.SVMAllocation(ctx, 64, 0, COARSE)
    assert memory == memory
    assert memory != other
    assert memory != 1
    assert len({memory, other, memory}) == 2


def test_released_allocation_raises(queue, memory):
    memory.release()
    assert memory.size == 64
    for use in (
        lambda: memory.svm_ptr,
        lambda: memory.buf,
        memory.release,
        lambda: memory.enqueue_release(queue),
        lambda: cl.enqueue_svm_memfill(queue, memory, np.int8(1)),
    ):
        with pytest.raises(cl.LogicError, match="released"):
            use()


def test_queue_is_bound_and_unbound(ctx, queue, memory):
    assert memory._queue is None
    memory.bind_to_queue(queue)
    assert memory._queue == queue
    other = cl.CommandQueue(ctx)
    memory.bind_to_queue(other)
    assert memory._queue == other
    memory.unbind_from_queue()
    assert memory._queue is None
    with pytest.raises(cl.LogicError, match="no queue is bound"):
        memory.enqueue_release()


def test_release_by_a_queue_gives_an_event(ctx, queue):
    bound = cl.SVMAllocation(ctx, 64, 0, COARSE, queue)
    assert bound._queue == queue
    event = bound.enqueue_release()
    event.wait()
    assert event.command_type == cl.command_type.SVM_FREE
    cl.SVMAllocation(ctx, 64, 0, COARSE).enqueue_release(queue, wait_for=[event]).wait()


@pytest.mark.parametrize("alignment", [3, 48])
def test_impossible_alignment_is_refused(ctx, alignment):
    with pytest.raises(cl.LogicError, match="power of two"):
        cl.SVMAllocation(ctx, 64, alignment, COARSE)


def test_what_the_driver_refuses_says_what_there_is(ctx):
    with pytest.raises(cl.RuntimeError, match=r"clSVMAlloc failed: OUT_OF_RESOURCES - .* bytes at most"):
        cl.SVMAllocation(ctx, 1 << 60, 0, COARSE)


def test_pointer_class_is_abstract():
    with pytest.raises(TypeError):
        cl.SVMPointer()
    assert issubclass(cl.SVM, cl.SVMPointer)
    assert issubclass(cl.SVMAllocation, cl.SVMPointer)
    assert cl.SVM in cl._KERNEL_ARG_CLASSES


# --- arrays


@pytest.mark.parametrize("shape", [0, 5, (2, 3), (2, 0), np.int64(4), ()])
@pytest.mark.parametrize("order", ["C", "F"])
def test_array_has_shape_dtype_and_order(ctx, shape, order):
    expected = np.empty(shape, np.float32, order)
    array = cl.csvm_empty(ctx, shape, np.float32, order)
    assert (array.shape, array.dtype) == (expected.shape, expected.dtype)
    assert array.size == 0 or array.strides == expected.strides
    assert isinstance(array.base, cl.SVMAllocation)


def test_array_is_aligned_and_bound(ctx, queue):
    array = cl.svm_empty(ctx, COARSE, 7, np.int16, alignment=128, queue=queue)
    assert array.ctypes.data % 128 == 0
    assert array.base._queue == queue


def test_array_like_another_keeps_the_order(ctx):
    model = np.zeros((2, 3), np.float64, "F")
    for make in (cl.csvm_empty_like, lambda ctx, ary: cl.svm_empty_like(ctx, COARSE, ary)):
        assert make(ctx, model).strides == model.strides
        assert make(ctx, model.T).strides == model.T.strides
        with pytest.raises(ValueError, match="contiguous"):
            make(ctx, np.zeros((8, 3))[::2])


def test_order_is_checked(ctx):
    with pytest.raises(ValueError, match="order"):
        cl.csvm_empty(ctx, 4, np.float32, order="X")


def test_fine_grained_array_needs_no_mapping(ctx, queue, program):
    if not ctx.devices[0].svm_capabilities & cl.device_svm_capabilities.FINE_GRAIN_BUFFER:
        pytest.skip("the device has no fine-grained shared virtual memory")
    array = cl.fsvm_empty(ctx, 8, np.float32)
    array[:] = range(8)
    program.twice(queue, (8,), None, cl.SVM(array)).wait()
    assert array.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    assert cl.fsvm_empty_like(ctx, array).shape == (8,)


def test_array_keeps_its_memory(ctx, queue):
    array = cl.csvm_empty(ctx, 1024, np.int32)
    cl.enqueue_svm_memfill(queue, array, np.int32(5))
    part = cl.SVM(array[512:])
    del array
    gc.collect()
    others = [cl.csvm_empty(ctx, 1024, np.int32) for _ in range(8)]
    for other in others:
        cl.enqueue_svm_memfill(queue, other, np.int32(6))
    assert (content(queue, part, np.int32) == 5).all()


# --- SVM


def test_svm_wraps_an_array(ctx):
    array = cl.csvm_empty(ctx, (4, 5), np.float32)
    svm = cl.SVM(array)
    assert svm.mem is array
    assert (svm.svm_ptr, svm.size) == (array.ctypes.data, 80)
    assert cl.SVM(array[1:3]).svm_ptr == array.ctypes.data + 20


@pytest.mark.parametrize(
    ("memory", "error"),
    [(5, TypeError), (b"abcd", BufferError), (np.zeros(8)[::2], ValueError), (np.zeros(()).view(), None)],
)
def test_svm_takes_writable_contiguous_memory(memory, error):
    if error is None:
        assert cl.SVM(memory).size == 8
    else:
        with pytest.raises(error):
            cl.SVM(memory)


def test_read_only_memory_is_refused():
    array = np.zeros(4)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        cl.SVM(array)


# --- mapping


def test_map_of_an_array_gives_the_array(ctx, queue, program):
    svm = cl.SVM(cl.csvm_empty(ctx, 8, np.float32))
    with svm.map_rw(queue) as array:
        assert array is svm.mem
        array[:] = range(8)
    program.twice(queue, (8,), None, svm)
    with svm.map_ro(queue) as array:
        assert array.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]


def test_map_of_an_allocation_gives_bytes(queue, memory):
    mapped = memory.map_rw(queue, size=16)
    assert (mapped.array.shape, mapped.array.dtype) == ((16,), np.uint8)
    assert mapped.svm is memory
    assert mapped.queue is queue
    mapped.array[:] = 3
    mapped.release().wait()
    assert content(queue, memory)[:16].tolist() == [3] * 16


def test_map_is_released_once(queue, memory):
    mapped = memory.map(queue, flags=cl.map_flags.WRITE, is_blocking=False)
    mapped.event.wait()
    with mapped:
        mapped.release(queue, wait_for=[mapped.event])
    with pytest.raises(cl.LogicError, match="unmapped before"):
        mapped.release()


def test_map_that_is_forgotten_is_released(queue, memory):
    unmapped = []

    class Watched(cl.SVM):
        def _enqueue_unmap(self, queue, wait_for=None):
            unmapped.append(self)
            return super()._enqueue_unmap(queue, wait_for)

    array = memory._array(64, "uint8", "C")
    svm = Watched(array)
    svm.map_ro(queue)
    gc.collect()
    assert unmapped == [svm]


def test_map_beyond_the_end_is_refused(queue, memory):
    with pytest.raises(cl.LogicError, match="not inside of 64 bytes"):
        memory.map_ro(queue, size=65)


# --- commands


def test_fill(queue, memory):
    cl.enqueue_svm_memfill(queue, memory, np.int32(7))
    cl.enqueue_svm_memfill(queue, memory, np.int32(1), byte_count=8)
    cl.enqueue_fill(queue, memory, np.int32(2), 4, offset=12)
    assert content(queue, memory, np.int32).tolist() == [1, 1, 7, 2] + [7] * 12
    with pytest.raises(cl.LogicError, match="not inside"):
        cl.enqueue_svm_memfill(queue, memory, np.int8(1), byte_count=65)
    with pytest.raises(cl.LogicError, match="a pattern has"):
        cl.enqueue_svm_memfill(queue, memory, np.zeros(3, np.int8))
    with pytest.raises(TypeError, match="shared virtual memory"):
        cl.enqueue_fill(queue, np.zeros(4), np.int8(1), 4)


@pytest.mark.parametrize("is_blocking", [True, False])
def test_copies_between_all_kinds(ctx, queue, memory, is_blocking):
    numbers = np.arange(64, dtype=np.uint8)
    other = cl.SVM(cl.csvm_empty(ctx, 64, np.uint8))
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)
    result = np.zeros_like(numbers)
    chain = [numbers, memory, other, buffer, memory, cl.SVM(result)]
    for source, target in itertools.pairwise(chain):
        cl.enqueue_copy(queue, target, source, is_blocking=is_blocking)
        if target is memory:
            cl.enqueue_svm_memfill(queue, other, np.uint8(0))
    queue.finish()
    assert (result == numbers).all()
    back = np.zeros_like(numbers)
    cl.enqueue_copy(queue, buffer, cl.SVM(numbers[::1].copy()), is_blocking=is_blocking).wait()
    cl.enqueue_copy(queue, cl.SVM(back), buffer, is_blocking=is_blocking).wait()
    assert (back == numbers).all()


def test_copy_of_a_part(ctx, queue, memory):
    cl.enqueue_svm_memfill(queue, memory, np.int8(0))
    cl.enqueue_copy(queue, memory, np.arange(32, dtype=np.uint8), byte_count=4)
    cl.enqueue_copy(queue, memory, np.arange(8, dtype=np.uint8), dst_offset=60, src_offset=4)
    result = np.zeros(8, np.uint8)
    cl.enqueue_copy(queue, result, memory, src_offset=56)
    assert result.tolist() == [0, 0, 0, 0, 4, 5, 6, 7]
    assert content(queue, memory)[:6].tolist() == [0, 1, 2, 3, 0, 0]
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 16)
    cl.enqueue_copy(queue, buffer, memory, byte_count=8, src_offset=56, dst_offset=8)
    cl.enqueue_copy(queue, result, buffer, src_offset=8)
    assert result.tolist() == [0, 0, 0, 0, 4, 5, 6, 7]


@pytest.mark.parametrize("size", [32, 100])
def test_copy_between_different_sizes_is_refused(queue, memory, size):
    host = np.zeros(size, np.uint8)
    for target, source in ((memory, host), (host, memory)):
        with pytest.raises(cl.LogicError, match="INVALID_VALUE"):
            cl.enqueue_copy(queue, target, source)
        with pytest.raises(cl.LogicError, match="not inside"):
            cl.enqueue_copy(queue, target, source, byte_count=101)


def test_overlapping_copy_is_refused(queue, memory):
    with pytest.raises(cl.RuntimeError, match="MEM_COPY_OVERLAP"):
        cl.enqueue_copy(queue, memory, memory)


def test_copy_that_does_not_fit_is_refused(queue, memory):
    with pytest.raises(TypeError, match="region"):
        cl.enqueue_copy(queue, memory, np.zeros(64, np.uint8), region=(1,))
    with pytest.raises(ValueError, match="contiguous"):
        cl.enqueue_copy(queue, np.zeros(128, np.uint8)[::2], memory)
    with pytest.raises(ValueError, match="read-only"):
        cl.enqueue_copy(queue, np.broadcast_to(np.uint8(1), (1,)), memory, byte_count=1)


def test_copy_that_does_not_block_keeps_host_memory(queue, memory):
    event = cl.enqueue_copy(queue, memory, np.full(64, 9, np.uint8), is_blocking=False)
    assert isinstance(event, cl.NannyEvent)
    assert (content(queue, memory) == 9).all()


def test_migrate(ctx, queue, memory):
    if queue._get_cl_version() < (2, 1):
        pytest.skip("OpenCL before 2.1")
    svm = cl.SVM(cl.csvm_empty(ctx, 4, np.int32))
    cl.enqueue_svm_migrate_mem(queue, [memory, svm], cl.mem_migration_flags.HOST).wait()
    with pytest.warns(DeprecationWarning, match="enqueue_svm_migrate_mem"):
        cl.enqueue_svm_migratemem(queue, [memory], 0).wait()
    with pytest.raises(TypeError):
        cl.enqueue_svm_migrate_mem(queue, [svm.mem], 0)


def test_buffer_over_shared_memory(ctx, queue, memory):
    cl.enqueue_svm_memfill(queue, memory, np.uint8(4)).wait()
    buffer = memory.as_buffer(ctx)
    assert buffer.size == 64
    assert memory.as_buffer(ctx, size=32, flags=cl.mem_flags.READ_ONLY).size == 32
    assert buffer.hostbuf.base is memory
    result = np.zeros(64, np.uint8)
    cl.enqueue_copy(queue, result, buffer)
    assert (result == 4).all()
    assert buffer.uses_svm_pointer
    assert not cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64).uses_svm_pointer


# --- kernels


def test_kernel_takes_allocation_and_svm(ctx, queue, program):
    array = cl.csvm_empty(ctx, 4, np.float32)
    cl.enqueue_svm_memfill(queue, array, np.float32(1))
    kernel = program.twice
    kernel(queue, (4,), None, array.base)
    kernel.set_arg(0, cl.SVM(array))
    cl.enqueue_nd_range_kernel(queue, kernel, (4,), None)
    kernel._set_arg_svm(0, cl.SVM(array[2:]))
    cl.enqueue_nd_range_kernel(queue, kernel, (2,), None)
    assert content(queue, cl.SVM(array), np.float32).tolist() == [4, 4, 8, 8]


def test_kernel_names_the_wrong_argument(queue, program, memory):
    with pytest.raises(cl.LogicError, match=r"#1 .* expected `int` \(4 bytes\), got SVMAllocation: shared"):
        program.whole(queue, (1,), None, memory)
    memory.release()
    with pytest.raises(cl.LogicError, match="released"):
        program.twice(queue, (1,), None, memory)


def test_memory_is_freed_after_the_kernels_that_use_it(ctx, queue, program):
    result = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 4096)
    gate = cl.UserEvent(ctx)
    array = cl.csvm_empty(ctx, 1024, np.float32)
    cl.enqueue_svm_memfill(queue, array, np.float32(2)).wait()
    second = cl.CommandQueue(ctx)
    program.twice(second, (1024,), None, cl.SVM(array), wait_for=[gate])
    copied = cl.enqueue_copy(second, result, cl.SVM(array), is_blocking=False)
    del array
    gc.collect()
    others = [cl.csvm_empty(ctx, 1024, np.float32) for _ in range(8)]
    for other in others:
        cl.enqueue_svm_memfill(queue, other, np.float32(9)).wait()
    gate.set_status(cl.command_execution_status.COMPLETE)
    copied.wait()
    host = np.empty(1024, np.float32)
    cl.enqueue_copy(queue, host, result)
    assert (host == 4).all()


# --- small functions of the same room


def test_sub_groups_are_asked_or_refused(ctx, program):
    (device,) = ctx.devices
    kernel = program.twice
    ask = cl.kernel_sub_group_info
    if "cl_khr_subgroups" in device.extensions:
        assert kernel.get_sub_group_info(device, ask.MAX_NUM_SUB_GROUPS) > 0
        assert kernel.get_sub_group_info(device, ask.SUB_GROUP_COUNT_FOR_NDRANGE, (16,)) > 0
        assert len(kernel.get_sub_group_info(device, ask.LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 1)) == 3
    with pytest.raises(cl.LogicError, match="kernel_sub_group_info"):
        kernel.get_sub_group_info(device, 1)
    with pytest.raises(cl.LogicError, match="0 numbers"):
        kernel.get_sub_group_info(device, ask.SUB_GROUP_COUNT_FOR_NDRANGE)


def test_peer_copy_needs_the_extension(ctx, queue):
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 16)
    other = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 16)
    platform = ctx.devices[0].platform
    if "cl_amd_copy_buffer_p2p" in platform.extensions:
        cl._cl.enqueue_copy_buffer_p2p_amd(platform, queue, buffer, other).wait()
    else:
        with pytest.raises(cl.LogicError, match="clEnqueueCopyBufferP2PAMD failed: INVALID_OPERATION"):
            cl._cl.enqueue_copy_buffer_p2p_amd(platform, queue, buffer, other)


def test_intermediate_language_that_is_none_is_refused(ctx):
    with pytest.raises(cl.Error, match="clCreateProgramWithIL"):
        cl._cl._create_program_with_il(ctx, b"no module")


# --- images


def test_images_exchange_pixels_with_shared_memory(ctx, queue):
    if not ctx.devices[0].image_support:
        pytest.skip("the device has no images")
    pixels = np.arange(4 * 6 * 4, dtype=np.float32).reshape(4, 6, 4)
    format_ = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)
    image = cl.create_image(ctx, cl.mem_flags.READ_WRITE, format_, (6, 4))
    whole = cl.SVMAllocation(ctx, pixels.nbytes, 0, COARSE)
    cl.enqueue_copy(queue, whole, pixels)
    cl.enqueue_copy(queue, image, whole, origin=(0, 0), region=(6, 4))
    part = cl.SVMAllocation(ctx, 2 * 3 * 16, 0, COARSE)
    event = cl.enqueue_copy(queue, part, image, origin=(1, 2), region=(3, 2), is_blocking=False)
    event.wait()
    assert content(queue, part, np.float32).reshape(2, 3, 4).tolist() == pixels[2:4, 1:4].tolist()
    with pytest.raises(cl.LogicError, match=r"96 bytes|112 bytes"):
        cl.enqueue_copy(queue, part, image, origin=(0, 0), region=(7, 1))
    with pytest.raises(cl.LogicError, match="pitches"):
        cl.enqueue_copy(queue, part, image, origin=(0, 0), region=(1, 2), pitches=(32,))
    for array in (part, whole):
        array.release()
