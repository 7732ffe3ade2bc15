"""Memory pools and their allocators."""

import gc
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyopencl as cl
import pyopencl._cl as native
import pyopencl.array as cl_array
from pyopencl.tools import (
    AllocatorBase,
    DeferredAllocator,
    ImmediateAllocator,
    MemoryPool,
    PooledBuffer,
    PooledSVM,
    SVMAllocator,
    SVMPool,
)

mf = cl.mem_flags


@pytest.fixture
def pool(queue) -> MemoryPool:
    return MemoryPool(ImmediateAllocator(queue))


def figures(pool):
    return pool.held_blocks, pool.active_blocks, pool.managed_bytes, pool.active_bytes


def test_allocators_take_a_queue_or_a_context(ctx, queue):
    for allocator in (
        ImmediateAllocator(queue),
        ImmediateAllocator(queue, mf.READ_WRITE),
        DeferredAllocator(ctx),
        DeferredAllocator(queue=ctx, mem_flags=mf.READ_WRITE),
    ):
        assert isinstance(allocator, AllocatorBase)
        buffer = allocator(np.int32(100))
        assert (type(buffer), buffer.size, buffer.flags) == (cl.Buffer, 100, mf.READ_WRITE)
        assert allocator(0) is None
        assert allocator(size=3).size == 3
    assert ImmediateAllocator(queue, mf.READ_ONLY)(10).flags == mf.READ_ONLY


def test_allocators_refuse_what_makes_no_memory(ctx, queue):
    for wrong in (lambda: ImmediateAllocator(ctx), lambda: DeferredAllocator(queue), AllocatorBase):
        with pytest.raises(TypeError):
            wrong()
    for flag in (mf.USE_HOST_PTR, mf.COPY_HOST_PTR):
        with pytest.raises(cl.LogicError, match="HOST_PTR"):
            ImmediateAllocator(queue, mf.READ_WRITE | flag)
        with pytest.raises(cl.LogicError, match="HOST_PTR"):
            DeferredAllocator(ctx, mf.READ_WRITE | flag)
    for wrong in (-1, 2.0, "x"):
        with pytest.raises((TypeError, OverflowError)):
            ImmediateAllocator(queue)(wrong)
    with pytest.raises(cl.Error):
        ImmediateAllocator(queue)(2**50)


def test_a_pool_over_a_deferred_allocator_warns(ctx, queue):
    with pytest.warns(UserWarning, match="deferred") as record:
        pool = MemoryPool(DeferredAllocator(ctx))
    assert record[0].filename == __file__
    assert pool.allocate(10).size == 10
    with pytest.raises(TypeError):
        MemoryPool(lambda size: cl.Buffer(ctx, mf.READ_WRITE, size))


def test_blocks_are_used_again(queue, pool):
    block = pool.allocate(1000)
    assert (type(block), block.size) == (PooledBuffer, 1023)
    assert isinstance(block, cl.MemoryObjectHolder)
    assert not isinstance(block, cl.MemoryObject)
    assert figures(pool) == (0, 1, 1023, 1000)
    handle = block.int_ptr
    del block
    assert figures(pool) == (1, 0, 1023, 0)
    block = pool(995)
    assert block.int_ptr == handle
    assert figures(pool) == (0, 1, 1023, 995)
    host = np.arange(1000, dtype=np.uint8)
    cl.enqueue_copy(queue, block, host)
    back = np.empty_like(host)
    cl.enqueue_copy(queue, back, block)
    assert np.array_equal(back, host)
    block.bind_to_queue(queue)
    block.unbind_from_queue()
    with pytest.raises(TypeError):
        block.bind_to_queue(None)


def test_a_released_block_is_refused_not_used(queue, pool):
    block = pool(100)
    block.release()
    other = pool(100)
    with pytest.raises(cl.LogicError):
        block.release()
    with pytest.raises(cl.LogicError):
        cl.enqueue_fill_buffer(queue, block, np.uint8(1), 0, 4)
    with pytest.raises(cl.LogicError):
        _ = block.int_ptr
    del block
    assert figures(pool) == (0, 1, 103, 100)
    cl.enqueue_fill_buffer(queue, other, np.uint8(1), 0, 100)


def test_holding_ends(pool):
    kept, gone = pool(10), pool(20)
    del gone
    assert pool.held_blocks == 1
    pool.free_held()
    assert figures(pool) == (0, 1, 10, 10)
    pool.stop_holding()
    del kept
    assert figures(pool) == (0, 0, 0, 0)
    block = pool(30)
    del pool
    gc.collect()
    assert block.size >= 30


def test_sizes_are_those_of_the_reference():
    pool = native._TestMemoryPool()
    observed = {0: (0, 1), 1: (0, 1), 3: (24, 3), 65: (96, 67), 100: (105, 103), 1000: (159, 1023)}
    observed |= {2**32 - 1: (511, 2**32 - 1), 2**32: (512, 2**32 + 2**28 - 1), 2**64 - 1: (1023, 2**64 - 1)}
    for size, (bin_number, block) in observed.items():
        assert (pool.bin_number(size), pool.alloc_size(bin_number)) == (bin_number, block)
    for wrong in (-1, 2**64):
        with pytest.raises((TypeError, OverflowError)):
            pool.bin_number(wrong)
    with pytest.raises(cl.LogicError):
        pool.alloc_size(1024)
    with pytest.raises(cl.LogicError):
        native._TestMemoryPool(64)


@given(st.integers(0, 2**64 - 1), st.integers(0, 16))
def test_blocks_waste_little(size, bits):
    pool = native._TestMemoryPool(leading_bits_in_bin_id=bits)
    block = pool.alloc_size(pool.bin_number(size))
    assert max(size, 1) <= block <= max(size, 1) * (1 + 2**-bits) + 1
    pool.allocate(size)
    assert figures(pool) == (0, 1, block, size)


def test_trace_tells_of_each_block(pool, capfd):
    pool._set_trace(True)
    block = pool(100)
    del block
    block = pool(100)
    pool._set_trace(False)
    del block
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("[pool] 100 bytes ") for line in lines)


@pytest.mark.needs("limited memory")
def test_out_of_memory_is_a_memory_error_and_leaves_the_pool_as_it_was(pool):
    block = pool(100)
    largest = max(device.global_mem_size for device in block.context.devices)
    with pytest.raises(cl.Error):
        pool(64 * largest)
    assert figures(pool) == (0, 1, 103, 100)


@pytest.mark.needs("threads")
def test_threads_share_a_pool(ctx, pool):
    wrong = []

    def work(number):
        queue = cl.CommandQueue(ctx)
        for round_ in range(40):
            block = pool(256 + round_ % 4)
            cl.enqueue_fill_buffer(queue, block, np.int32(1000 * number + round_), 0, 256)
            host = np.empty(64, np.int32)
            cl.enqueue_copy(queue, host, block)
            if not (host == 1000 * number + round_).all():
                wrong.append((number, round_))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert (pool.active_blocks, pool.active_bytes) == (0, 0)


# --- shared virtual memory


@pytest.fixture
def svm_context(ctx):
    if not ctx.devices[0].version.startswith("OpenCL 1."):
        coarse = cl.device_svm_capabilities.COARSE_GRAIN_BUFFER
        if ctx.devices[0].svm_capabilities & coarse:
            return ctx
    pytest.skip("the device has no shared virtual memory")


def test_svm_blocks_are_used_again(svm_context, queue):
    pool = SVMPool(SVMAllocator(svm_context))
    block = pool(100)
    assert (type(block), block.size, block._queue) == (PooledSVM, 100, None)
    assert isinstance(block, cl.SVMPointer)
    assert figures(pool) == (0, 1, 103, 100)
    assert block == block
    other = pool(100)
    assert block != other
    del other
    address = block.svm_ptr
    pool.free_held()
    host = np.arange(100, dtype=np.uint8)
    cl.enqueue_copy(queue, block, host)
    back = np.empty_like(host)
    cl.enqueue_copy(queue, back, block)
    assert np.array_equal(back, host)
    block.release()
    with pytest.raises(cl.LogicError):
        block.release()
    with pytest.raises(cl.LogicError):
        _ = block.svm_ptr
    again = pool(101)
    assert again.svm_ptr == address
    assert figures(pool) == (0, 1, 103, 101)
    again.enqueue_release()
    pool.stop_holding()
    assert figures(pool) == (0, 0, 0, 0)


def test_svm_blocks_are_bound_to_queues(svm_context, queue):
    other = cl.CommandQueue(svm_context)
    allocator = SVMAllocator(svm_context, 0, cl.svm_mem_flags.READ_WRITE, queue)
    assert allocator(10)._queue == queue
    pool = SVMPool(allocator, leading_bits_in_bin_id=2)
    block = pool(100)
    assert block._queue == queue
    block.bind_to_queue(other)
    assert block._queue == other
    cl.enqueue_copy(other, block, np.ones(100, np.uint8))
    address = block.svm_ptr
    del block
    block = pool(100)
    assert (block.svm_ptr, block._queue) == (address, queue)
    block.unbind_from_queue()
    assert block._queue is None
    with pytest.raises(TypeError):
        SVMPool(ImmediateAllocator(queue))


# --- arrays


def test_results_come_from_the_allocator_of_the_array(queue, pool):
    zeros = cl_array.zeros(queue, (10, 10), np.float32, allocator=pool)
    assert pool.active_bytes == 400
    assert zeros.allocator is pool
    assert type(zeros.data) is PooledBuffer
    host = np.arange(100, dtype=np.float32).reshape(10, 10)
    results = {
        "operator": (zeros + 1, 1 + np.zeros((10, 10))),
        "reflected": (1 + zeros, 1 + np.zeros((10, 10))),
        "host array": (host - zeros, host),
        "negative": (-zeros, np.zeros((10, 10))),
        "comparison": (zeros < 1, np.ones((10, 10))),
        "copy": (zeros.copy(), np.zeros((10, 10))),
        "part": (zeros[2:4, 1:3].copy(), np.zeros((2, 2))),
        "conversion": (zeros.astype(np.float64), np.zeros((10, 10))),
        "sum": (cl_array.sum(zeros + 1), 100),
        "greatest": (cl_array.max(zeros), 0),
        "reshaped copy": (zeros.T.reshape(100), np.zeros(100)),
        "like": (cl_array.zeros_like(zeros), np.zeros((10, 10))),
        "to device": (cl_array.to_device(queue, host, allocator=pool), host),
        "range": (cl_array.arange(queue, 5, dtype=np.float32, allocator=pool), np.arange(5)),
    }
    for name, (result, expected) in results.items():
        assert result.allocator is pool, name
        assert type(result.base_data) is PooledBuffer, name
        assert np.array_equal(result.get(), expected), name
    assert pool.active_blocks == 1 + len(results)
    del result
    results.clear()
    assert pool.active_blocks == 1


def test_an_array_without_allocator_takes_none_from_the_other(queue, pool):
    pooled = cl_array.zeros(queue, 10, np.float32, allocator=pool)
    plain = cl_array.zeros(queue, 10, np.float32)
    assert (plain + pooled).allocator is None
    assert (pooled + plain).allocator is pool


def test_views_keep_the_block(queue, pool):
    view = cl_array.zeros(queue, 100, np.float32, allocator=pool)[10:20]
    assert (view.allocator, pool.active_blocks) == (pool, 1)
    data = view.base_data
    del view
    assert pool.active_blocks == 1
    del data
    assert figures(pool) == (1, 0, 415, 0)


def test_an_allocator_is_any_function(ctx, queue):
    sizes = []

    class Mine(cl.Buffer):
        pass

    def allocate(size):
        sizes.append(size)
        return Mine(ctx, mf.READ_WRITE, size)

    array = cl_array.zeros(queue, 10, np.float32, allocator=allocate)
    result = array + 1
    assert sizes == [40, 40]
    assert type(array.data) is Mine
    assert type(result.data) is Mine
    assert result.data is result.data
    assert np.array_equal(result.get(), np.ones(10))


def test_errors_of_allocators_come_through(queue):
    calls = []

    def allocate(size):
        calls.append(size)
        if len(calls) > 1:
            raise KeyError("no more")
        return cl.Buffer(queue.context, mf.READ_WRITE, size)

    array = cl_array.zeros(queue, 10, np.float32, allocator=allocate)
    with pytest.raises(KeyError, match="no more"):
        array + 1
    with pytest.raises(KeyError, match="no more"):
        cl_array.sum(array)
    with pytest.raises(TypeError, match="buffer"):
        cl_array.zeros(queue, 10, np.float32, allocator=lambda size: np.zeros(size))
    with pytest.raises(ValueError, match=r"bytes"):
        cl_array.zeros(
            queue, 10, np.float32, allocator=lambda size: cl.Buffer(queue.context, mf.READ_WRITE, 4)
        )
