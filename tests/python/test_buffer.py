"""Buffers: creation, sub-buffers, copies of every kind, fills, maps."""

import gc

import numpy as np
import pytest

import pyopencl as cl

mf = cl.mem_flags


def read(queue: cl.CommandQueue, buffer: cl.Buffer, dtype=np.uint8) -> np.ndarray:
    host = np.empty(buffer.size // np.dtype(dtype).itemsize, dtype)
    cl.enqueue_copy(queue, host, buffer)
    return host


@pytest.fixture
def numbers() -> np.ndarray:
    return np.arange(1024, dtype=np.int32)


@pytest.fixture
def buffer(ctx, numbers) -> cl.Buffer:
    return cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=numbers)


def test_buffer_takes_size_and_contents_of_host_memory(ctx, queue, buffer, numbers):
    assert buffer.size == numbers.nbytes
    assert buffer.context == ctx
    assert buffer.flags & mf.READ_WRITE
    assert buffer.type == cl.mem_object_type.BUFFER
    assert np.array_equal(read(queue, buffer, np.int32), numbers)


def test_used_host_memory_stays_alive(ctx, queue):
    host = np.arange(4096, dtype=np.float32)
    buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, hostbuf=host)
    assert buffer.hostbuf is host
    del host
    gc.collect()
    assert np.array_equal(read(queue, buffer, np.float32), np.arange(4096))


def test_bytes_and_memoryviews_are_host_memory(ctx, queue):
    buffer = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=b"OpenCL!\n")
    assert read(queue, buffer).tobytes() == b"OpenCL!\n"
    target = bytearray(8)
    cl.enqueue_copy(queue, memoryview(target), buffer)
    assert target == b"OpenCL!\n"


@pytest.mark.parametrize(
    ("flags", "size", "hostbuf"),
    [
        (mf.READ_WRITE, 0, None),
        (mf.READ_WRITE | mf.COPY_HOST_PTR, 16, None),
        (mf.READ_WRITE | mf.COPY_HOST_PTR, 64, b"too short"),
        pytest.param(mf.READ_ONLY | mf.WRITE_ONLY, 16, None, marks=pytest.mark.needs("checked flags")),
    ],
)
def test_senseless_buffers_are_refused(ctx, flags, size, hostbuf):
    with pytest.raises(cl.LogicError):
        cl.Buffer(ctx, flags, size, hostbuf)


def test_negative_size_is_refused(ctx):
    with pytest.raises((TypeError, ValueError, OverflowError, cl.LogicError)):
        cl.Buffer(ctx, mf.READ_WRITE, -1)


def test_slices_are_sub_buffers_on_the_same_memory(ctx, queue, buffer, device, numbers):
    step = max(device.mem_base_addr_align // 8, 4)
    part = buffer[step : 2 * step]
    assert part.size == step
    assert part.offset == step
    assert part.associated_memobject == buffer
    cl.enqueue_fill_buffer(queue, part, np.int32(-1), 0, step)
    numbers[step // 4 : step // 2] = -1
    assert np.array_equal(read(queue, buffer, np.int32), numbers)
    region = buffer.get_sub_region(step, step, mf.READ_ONLY)
    assert np.array_equal(read(queue, region, np.int32), numbers[step // 4 : step // 2])
    assert buffer[: -3 * step].size == buffer.size - 3 * step
    assert buffer[step:].size == buffer.size - step


@pytest.mark.parametrize("index", [slice(0, 1024, 2), slice(2048, 1024), slice(512, 512), 3, (0, 1)])
def test_other_indices_are_refused(buffer, index):
    with pytest.raises((cl.LogicError, TypeError)):
        buffer[index]


def test_a_sub_buffer_keeps_its_parent(ctx, queue, numbers):
    part = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=numbers)[:512]
    gc.collect()
    assert np.array_equal(read(queue, part, np.int32), numbers[:128])


def test_copies_in_every_direction(ctx, queue, buffer, numbers):
    other = cl.Buffer(ctx, mf.READ_WRITE, numbers.nbytes)
    event = cl.enqueue_copy(queue, other, buffer)
    assert type(event) is cl.Event
    assert np.array_equal(read(queue, other, np.int32), numbers)

    cl.enqueue_copy(queue, other, numbers[::-1].copy()).wait()
    cl.enqueue_copy(queue, buffer, other, src_offset=400, dst_offset=800, byte_count=40)
    numbers[200:210] = numbers[::-1][100:110]
    assert np.array_equal(read(queue, buffer, np.int32), numbers)


def test_offsets_on_the_device_side(queue, buffer, numbers):
    part = np.empty(10, np.int32)
    cl.enqueue_copy(queue, part, buffer, src_offset=40)
    assert np.array_equal(part, numbers[10:20])
    cl.enqueue_copy(queue, buffer, -part, dst_offset=80)
    numbers[20:30] = -numbers[10:20]
    assert np.array_equal(read(queue, buffer, np.int32), numbers)


def test_old_names_of_offsets_work_with_a_warning(queue, buffer, numbers):
    part = np.empty(10, np.int32)
    with pytest.warns(DeprecationWarning, match="device_offset"):
        cl.enqueue_copy(queue, part, buffer, device_offset=40)
    assert np.array_equal(part, numbers[10:20])
    with pytest.warns(DeprecationWarning, match="dest_offset"):
        cl.enqueue_copy(queue, buffer, buffer, byte_count=40, src_offset=40, dest_offset=400)
    assert np.array_equal(read(queue, buffer, np.int32)[100:110], numbers[10:20])


def test_host_copies_carry_their_memory(queue, buffer, numbers):
    event = cl.enqueue_copy(queue, np.zeros(1024, np.int32), buffer, is_blocking=False)
    assert isinstance(event, cl.NannyEvent)
    gc.collect()
    event.wait()
    host = event.get_ward()
    assert host is None or np.array_equal(host, numbers)
    host = np.zeros(1024, np.int32)
    event = cl.enqueue_copy(queue, host, buffer, is_blocking=False)
    assert event.get_ward() is host
    event.wait()


@pytest.mark.needs("waiting commands")
def test_copies_wait_for_events(ctx, queue, buffer):
    gate = cl.UserEvent(ctx)
    event = cl.enqueue_copy(queue, np.zeros(4, np.int32), buffer, is_blocking=False, wait_for=[gate])
    queue.flush()
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()


def test_a_copy_between_buffers_takes_all_of_the_source(ctx, queue, buffer):
    small = cl.Buffer(ctx, mf.READ_WRITE, 16)
    cl.enqueue_copy(queue, buffer, small)
    cl.enqueue_copy(queue, small, buffer, src_offset=4080)
    for keywords in ({}, {"src_offset": 4076}, {"byte_count": 17}):
        with pytest.raises(cl.LogicError, match="do not fit into the 16 bytes"):
            cl.enqueue_copy(queue, small, buffer, **keywords)
    with pytest.raises(cl.LogicError, match="do not fit into the 4092 bytes"):
        cl.enqueue_copy(queue, buffer, cl.Buffer(ctx, mf.READ_WRITE, 4096), dst_offset=4)


def test_too_much_is_refused(queue, buffer):
    with pytest.raises(cl.LogicError) as caught:
        cl.enqueue_copy(queue, buffer, np.zeros(1025, np.int32))
    assert caught.value.code == cl.status_code.INVALID_VALUE
    assert caught.value.routine == "clEnqueueWriteBuffer"
    with pytest.raises(cl.LogicError):
        cl.enqueue_copy(queue, np.zeros(2, np.int32), buffer, src_offset=4092)


def test_memory_that_cannot_be_written_is_refused(queue, buffer):
    with pytest.raises((BufferError, ValueError, TypeError)):
        cl.enqueue_copy(queue, bytes(16), buffer)


@pytest.mark.parametrize("dest", [3, None, "text"])
def test_what_is_no_memory_is_refused(queue, buffer, dest):
    with pytest.raises((TypeError, BufferError)):
        cl.enqueue_copy(queue, dest, buffer)


def test_unknown_keywords_are_refused(queue, buffer, numbers):
    with pytest.raises(TypeError, match="no_such_keyword"):
        cl.enqueue_copy(queue, buffer, numbers, no_such_keyword=1)


def test_strided_host_memory_is_never_mistaken_for_packed(ctx, queue):
    strided = np.arange(12.0)[::2]

    def written():
        buffer = cl.Buffer(ctx, mf.READ_WRITE, strided.nbytes)
        cl.enqueue_copy(queue, buffer, strided)
        return read(queue, buffer, np.float64)

    def created():
        return read(queue, cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=strided), np.float64)

    for attempt in (written, created):
        try:
            found = attempt()
        except (ValueError, TypeError, BufferError):
            continue
        assert np.array_equal(found, strided)

    target = np.zeros(12)
    buffer = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=np.arange(6.0))
    try:
        cl.enqueue_copy(queue, target[::2], buffer)
    except (ValueError, TypeError, BufferError):
        assert not target.any()
    else:
        assert np.array_equal(target[::2], np.arange(6.0))
        assert not target[1::2].any()


def test_fortran_order_is_copied_as_it_lies(ctx, queue):
    host = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    buffer = cl.Buffer(ctx, mf.READ_WRITE, host.nbytes)
    cl.enqueue_copy(queue, buffer, host)
    assert np.array_equal(read(queue, buffer, np.float64), host.ravel(order="K"))
    back = np.empty_like(host)
    cl.enqueue_copy(queue, back, buffer)
    assert np.array_equal(back, host)


@pytest.mark.parametrize("direction", ["to device", "to host", "on device"])
def test_rect_copy_respects_origins_and_pitches(ctx, queue, direction):
    source = np.arange(6 * 8 * 10, dtype=np.uint8).reshape(6, 8, 10)
    target = np.zeros((5, 7, 9), np.uint8)
    expected = target.copy()
    expected[1:3, 2:5, 3:7] = source[2:4, 1:4, 5:9]
    source_place = {"origin": (5, 1, 2), "pitches": (10, 80)}
    target_place = {"origin": (3, 2, 1), "pitches": (9, 63)}
    region = (4, 3, 2)
    source_buffer = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=source)
    target_buffer = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=target)
    if direction == "on device":
        cl.enqueue_copy(
            queue,
            target_buffer,
            source_buffer,
            src_origin=source_place["origin"],
            dst_origin=target_place["origin"],
            region=region,
            src_pitches=source_place["pitches"],
            dst_pitches=target_place["pitches"],
        )
        cl.enqueue_copy(queue, target, target_buffer)
    elif direction == "to host":
        cl.enqueue_copy(
            queue,
            target,
            source_buffer,
            buffer_origin=source_place["origin"],
            host_origin=target_place["origin"],
            region=region,
            buffer_pitches=source_place["pitches"],
            host_pitches=target_place["pitches"],
        )
    else:
        cl.enqueue_copy(
            queue,
            target_buffer,
            source,
            buffer_origin=target_place["origin"],
            host_origin=source_place["origin"],
            region=region,
            buffer_pitches=target_place["pitches"],
            host_pitches=source_place["pitches"],
        )
        cl.enqueue_copy(queue, target, target_buffer)
    assert np.array_equal(target, expected)


def test_rect_copy_beyond_host_memory_is_refused(queue, buffer):
    small = np.zeros((2, 4), np.uint8)
    with pytest.raises((ValueError, cl.LogicError)):
        cl.enqueue_copy(
            queue,
            small,
            buffer,
            buffer_origin=(0, 0),
            host_origin=(0, 0),
            region=(4, 30),
            buffer_pitches=(8,),
            host_pitches=(4,),
        )
