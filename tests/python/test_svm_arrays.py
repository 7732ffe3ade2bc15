"""Arrays in shared virtual memory: from allocators and pools, over given memory, beside arrays in buffers."""

import copy
import gc
import pickle
import time

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla
import pyopencl.tools as cl_tools

HOST = np.arange(12, dtype=np.float32).reshape(3, 4)


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
def queue(ctx):
    return cl.CommandQueue(ctx)


@pytest.fixture(params=["allocator", "pool"])
def allocator(ctx, queue, request):
    allocator = cl_tools.SVMAllocator(ctx, queue=queue)
    return allocator if request.param == "allocator" else cl_tools.SVMPool(allocator)


def kind_of_memory(allocator):
    return cl.SVMAllocation if isinstance(allocator, cl_tools.SVMAllocator) else cl_tools.PooledSVM


def test_operations_stay_in_shared_memory(queue, allocator):
    array = cla.to_device(queue, HOST, allocator=allocator)
    kind = kind_of_memory(allocator)
    results = {
        "itself": (array, HOST),
        "sum of two": (array + array, HOST + HOST),
        "number": (2 - array, 2 - HOST),
        "part": (array[1:, ::-2] * 2, HOST[1:, ::-2] * 2),
        "broadcast": (array + array[0], HOST + HOST[0]),
        "transposed": (array.T.copy(), HOST.T),
        "dtype": (array.astype(np.float64), HOST.astype(np.float64)),
        "comparison": (array > 5, (HOST > 5).astype(np.int8)),
        "reduction": (cla.sum(array), HOST.sum()),
        "zeros": (cla.zeros_like(array), np.zeros_like(HOST)),
        "host operand": (array + HOST, HOST + HOST),
        "reversed": (array.reverse(), HOST[::-1, ::-1]),
    }
    for name, (found, expected) in results.items():
        assert type(found.base_data) is kind, name
        assert found.allocator is allocator, name
        np.testing.assert_array_equal(found.get(), expected, name)


def test_both_kinds_of_memory_go_together(queue, allocator):
    shared, plain = cla.to_device(queue, HOST, allocator=allocator), cla.to_device(queue, HOST)
    first, second = shared + plain, plain + shared
    np.testing.assert_array_equal(first.get(), 2 * HOST)
    np.testing.assert_array_equal(second.get(), 2 * HOST)
    assert type(first.base_data) is kind_of_memory(allocator)
    assert type(second.base_data) is cl.Buffer
    plain[1:] = shared[:2]
    np.testing.assert_array_equal(plain.get()[1:], HOST[:2])
    shared[...] = plain * 3
    np.testing.assert_array_equal(shared.get(), 3 * plain.get())


def test_writing_and_reading(queue, allocator):
    array = cla.empty(queue, (3, 4), np.float32, allocator=allocator)
    array.set(HOST)
    array[1] = 7
    array[:, 0].fill(-1)
    array += 1
    expected = HOST.copy()
    expected[1] = 7
    expected[:, 0] = -1
    expected += 1
    found, event = array.get_async()
    event.wait()
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.asarray(array[::-1, 1:]), expected[::-1, 1:])
    part = array[1:]
    host = part.map_to_host()
    np.testing.assert_array_equal(host, expected[1:])
    host[...] = 5
    host.base.release()
    queue.finish()
    np.testing.assert_array_equal(array.get()[1:], np.full((2, 4), 5))


def test_arrays_without_elements(queue, allocator):
    none = cla.empty(queue, (0, 4), np.int32, allocator=allocator)
    assert (none + 1).shape == (0, 4)
    assert none.get().shape == (0, 4)
    assert int(cla.sum(none)) == 0


def test_the_memory_seen_as_what_it_is(ctx, queue, allocator):
    """Kernels, copies and maps of the memory itself come after what was enqueued to the same queue before."""
    program = cl.Program(ctx, "kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }").build()
    twice = program.twice
    array = cla.to_device(queue, HOST, allocator=allocator)
    for _ in range(3):
        array += 1
        twice(queue, (HOST.size,), None, array.data)
    expected = HOST
    for _ in range(3):
        expected = (expected + 1) * 2
    np.testing.assert_array_equal(array.get(), expected)
    host = np.empty_like(HOST)
    cl.enqueue_copy(queue, host, array.data)
    np.testing.assert_array_equal(host, expected)
    array *= 2
    with array.data.map_rw(queue) as mapped:
        seen = mapped[: HOST.nbytes].view(np.float32).reshape(3, 4)
        np.testing.assert_array_equal(seen, 2 * expected)
        seen[0] = 1
    np.testing.assert_array_equal((array + 0).get()[0], np.ones(4))


def test_arrays_over_given_memory(ctx, queue):
    memory = cl.SVMAllocation(ctx, HOST.nbytes, 0, cl.svm_mem_flags.READ_WRITE)
    whole = cla.Array(queue, HOST.shape, HOST.dtype, data=memory)
    whole.set(HOST)
    row = cla.Array(ctx, (4,), HOST.dtype, data=memory, offset=16).with_queue(queue)
    row += 10
    expected = HOST.copy()
    expected[1] += 10
    np.testing.assert_array_equal(whole.get(), expected)
    assert whole.data is memory
    assert row.base_data is memory
    with pytest.raises(ValueError, match="buffer of 48 bytes"):
        cla.Array(queue, (13,), HOST.dtype, data=memory)
    other = cl.Context(ctx.devices)
    with pytest.raises(ValueError, match="different contexts"):
        cla.Array(cl.CommandQueue(other), HOST.shape, HOST.dtype, data=memory)


def test_arrays_over_an_array_of_shared_memory(ctx, queue):
    svm = cl.SVM(cl.csvm_empty(ctx, (3, 4), np.float32))
    with svm.map_rw(queue) as host:
        host[...] = HOST
    array = cla.Array(queue, (3, 4), np.float32, data=svm)
    array *= 2
    assert array.data is svm
    with svm.map_ro(queue) as host:
        np.testing.assert_array_equal(host, 2 * HOST)


def test_memory_of_the_host_where_the_device_shares_the_system_s(ctx, queue):
    if not ctx.devices[0].svm_capabilities & cl.device_svm_capabilities.FINE_GRAIN_SYSTEM:
        pytest.skip("the device does not share the system's memory")
    host = HOST.copy()
    array = cla.Array(queue, (3, 4), np.float32, data=cl.SVM(host))
    array += 1
    queue.finish()
    np.testing.assert_array_equal(host, HOST + 1)
    with pytest.raises(TypeError, match="a queue or a context"):
        cla.Array(None, (3, 4), np.float32, data=cl.SVM(host))


def test_blocks_go_back_to_their_pool(ctx, queue):
    pool = cl_tools.SVMPool(cl_tools.SVMAllocator(ctx, queue=queue))
    array = cla.to_device(queue, HOST, allocator=pool)
    for _ in range(50):
        array = array + 1
    np.testing.assert_array_equal(array.get(), HOST + 50)
    assert pool.active_blocks >= 1
    view = array[1:]
    del array
    np.testing.assert_array_equal(view.get(), HOST[1:] + 50)
    del view
    queue.finish()
    gc.collect()
    # Drivers may destroy the buffers over the blocks a little later.
    end = time.monotonic() + 5
    while pool.active_blocks > 0 and time.monotonic() < end:
        time.sleep(0.001)
    assert pool.active_blocks == 0
    assert pool.held_blocks >= 1


def test_memory_that_is_released_stays_as_long_as_its_array(queue, allocator):
    array = cla.to_device(queue, HOST, allocator=allocator)
    array.data.release()
    np.testing.assert_array_equal((array + 1).get(), HOST + 1)


def test_copies_and_pickles(queue, allocator):
    array = cla.to_device(queue, HOST, allocator=allocator)[:, 1:]
    deep = copy.deepcopy(array)
    assert type(deep.base_data) is kind_of_memory(allocator)
    with cla.queue_for_pickling(queue):
        restored = pickle.loads(pickle.dumps(array))
    array.fill(0)
    for other in (deep, restored):
        np.testing.assert_array_equal(other.get(), HOST[:, 1:])
    assert not copy.copy(array).get().any()


def test_subclasses(queue, allocator):
    class Labelled(cla.Array):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.label = "blue"

    array = Labelled(queue, HOST.shape, HOST.dtype, allocator=allocator)
    array.set(HOST)
    for found, expected in ((array + 1, HOST + 1), (array[1:], HOST[1:]), (array.T, HOST.T)):
        assert (type(found), found.label) == (Labelled, "blue")
        assert type(found.base_data) is kind_of_memory(allocator)
        np.testing.assert_array_equal(found.get(), expected)


def test_out_of_order_queues_give_results_in_order(ctx):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not ctx.devices[0].queue_properties & properties:
        pytest.skip("the device has no out-of-order queues")
    queue = cl.CommandQueue(ctx, properties=properties)
    pool = cl_tools.SVMPool(cl_tools.SVMAllocator(ctx))
    array = cla.zeros(queue, 50_000, np.int32, allocator=pool)
    for number in range(30):
        array += number
        array[::2] -= 1
        array = array + 0
    expected = np.full(50_000, sum(range(30)))
    expected[::2] -= 30
    np.testing.assert_array_equal(array.get(), expected)
    # The same memory on a second queue.
    other = cl.CommandQueue(ctx)
    array.fill(1)
    twice = array.with_queue(other) * 2
    array.fill(5)
    assert (twice.get() == 2).all()


def test_another_queue_than_that_of_the_memory_gives_a_warning(ctx, queue, allocator):
    array = cla.to_device(queue, HOST, allocator=allocator)
    other = cl.CommandQueue(ctx)
    for make in (
        lambda: array.with_queue(other),
        lambda: cla.Array(other, HOST.shape, HOST.dtype, data=array.data),
        lambda: cla.zeros(other, HOST.shape, HOST.dtype, allocator=allocator) + HOST,
        lambda: array.copy(other),
    ):
        with pytest.warns(cla.InconsistentOpenCLQueueWarning, match="queue is not the one"):
            made = make()
        np.testing.assert_array_equal(made.get(), HOST)
    assert array.with_queue(None).with_queue(queue).queue is queue
    unbound = cl_tools.SVMAllocator(ctx)
    cla.zeros(other, 4, np.int8, allocator=unbound).with_queue(queue)
