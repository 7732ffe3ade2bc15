"""Fills, maps, migration and release of memory."""

import gc
import time
import weakref

import numpy as np
import pytest

import pyopencl as cl

mf = cl.mem_flags


@pytest.fixture
def buffer(ctx) -> cl.Buffer:
    return cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=np.arange(64, dtype=np.float32))


def read(queue, buffer):
    host = np.empty(buffer.size // 4, np.float32)
    cl.enqueue_copy(queue, host, buffer)
    return host


@pytest.mark.parametrize(
    "pattern", [np.uint8(7), np.float32(2.5), np.array([1.5, -1.5], np.float32), b"abcd"], ids=str
)
def test_fill_repeats_the_pattern(queue, buffer, pattern):
    raw = np.frombuffer(memoryview(pattern).tobytes(), np.uint8)
    expected = np.arange(64, dtype=np.float32).view(np.uint8).copy()
    expected[16:80] = np.tile(raw, 64 // raw.size)
    cl.enqueue_fill_buffer(queue, buffer, pattern, 16, 64)
    assert np.array_equal(read(queue, buffer).view(np.uint8), expected)
    cl.enqueue_fill(queue, buffer, pattern, 32, offset=96)
    expected[96:128] = np.tile(raw, 32 // raw.size)
    assert np.array_equal(read(queue, buffer).view(np.uint8), expected)


@pytest.mark.parametrize(("offset", "size"), [(0, 6), (2, 4), (252, 8)])
def test_fill_of_parts_of_patterns_is_refused(queue, buffer, offset, size):
    with pytest.raises(cl.LogicError):
        cl.enqueue_fill_buffer(queue, buffer, np.uint32(1), offset, size)


def test_fill_needs_memory(queue):
    with pytest.raises(TypeError):
        cl.enqueue_fill(queue, np.zeros(3), np.uint8(1), 3)


@pytest.mark.parametrize("order", ["C", "F"])
def test_mapped_memory_is_an_array_of_that_shape(queue, buffer, order):
    array, event = cl.enqueue_map_buffer(
        queue, buffer, cl.map_flags.READ | cl.map_flags.WRITE, 16, (3, 4), np.float32, order=order
    )
    assert isinstance(event, cl.Event)
    assert np.array_equal(array, np.arange(4, 16, dtype=np.float32).reshape((3, 4), order=order))
    assert isinstance(array.base, cl.MemoryMap)
    array[:] = -array
    array.base.release(queue)
    expected = np.arange(64, dtype=np.float32)
    expected[4:16] *= -1
    assert np.array_equal(read(queue, buffer), expected)


def test_map_ends_with_its_block(queue, buffer):
    array, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.WRITE, 0, (64,), np.float32)
    with array.base:
        array[:] = 1
    assert (read(queue, buffer) == 1).all()


def test_map_that_nobody_holds_is_released(queue, buffer):
    array, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.WRITE, 0, (64,), np.float32)
    array[:] = 3
    del array
    queue.finish()
    assert buffer.map_count == 0
    assert (read(queue, buffer) == 3).all()


def test_map_beyond_the_end_is_refused(queue, buffer):
    with pytest.raises(cl.LogicError):
        cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, (65,), np.float32)


def test_migration(queue, buffer):
    event = cl.enqueue_migrate_mem_objects(queue, [buffer], cl.mem_migration_flags.HOST)
    event.wait()
    assert np.array_equal(read(queue, buffer), np.arange(64))


def test_released_memory_is_refused_not_used(ctx, queue):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    buffer.release()
    with pytest.raises(cl.LogicError):
        buffer.release()
    with pytest.raises(cl.LogicError):
        cl.enqueue_copy(queue, buffer, np.zeros(4, np.uint8))


def test_handles_go_out_and_in(queue, buffer):
    again = cl.Buffer.from_int_ptr(buffer.int_ptr)
    assert again == buffer
    assert hash(again) == hash(buffer)
    count = buffer.reference_count
    del again
    assert buffer.reference_count == count - 1
    assert np.array_equal(read(queue, buffer), np.arange(64))


def test_foreign_handle_is_refused():
    block = np.zeros(64, np.uint8)
    with pytest.raises((cl.Error, ValueError)):
        cl.Buffer.from_int_ptr(block.ctypes.data)


def test_null_handle_is_refused():
    with pytest.raises((cl.Error, ValueError)):
        cl.Buffer.from_int_ptr(0)


@pytest.mark.needs("waiting commands")
@pytest.mark.parametrize("release", [False, True])
def test_host_memory_in_use_outlives_its_owner(ctx, queue, release):
    def enqueue():
        host = np.zeros(1000, np.float32)
        buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=host)
        cl.enqueue_fill_buffer(queue, buffer, np.float32(1), 0, buffer.size, wait_for=[gate])
        if release:
            buffer.release()
        return weakref.ref(host)

    gate = cl.UserEvent(ctx)
    host = enqueue()
    gc.collect()
    kept = host() is not None
    gate.set_status(cl.command_execution_status.COMPLETE)
    queue.finish()
    assert kept
    # What the driver has given back goes with the next object of this kind.
    for _ in range(100):
        cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=np.zeros(4, np.float32))
        if host() is None:
            break
        time.sleep(0.05)
    assert host() is None
