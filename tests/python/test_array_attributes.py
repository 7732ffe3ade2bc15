"""Attributes of arrays that can be set, and the list of events."""

import gc
import weakref

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla
from pyopencl.tools import ImmediateAllocator

HOST = np.arange(24, dtype=np.float32).reshape(4, 6)


@pytest.fixture
def array(queue):
    return cla.to_device(queue, HOST)


def test_the_queue_can_be_set(ctx, queue, array):
    other, view = cl.CommandQueue(ctx), array[1:]
    array.queue = other
    assert array.queue is other
    assert (array + array).queue == other
    assert view.queue == queue
    array.queue = None
    assert array.queue is None
    with pytest.raises(ValueError, match="queue"):
        array.get()
    array.queue = queue
    assert (array.get() == HOST).all()


def test_a_queue_must_be_one_of_the_context(array):
    with pytest.raises(TypeError):
        array.queue = 5
    elsewhere = cl.CommandQueue(cl.Context(array.context.devices))
    with pytest.raises((ValueError, cl.Error)):
        array.queue = elsewhere
    assert (array.get() == HOST).all()


def test_queues_may_go_back_and_forth(ctx, queue, array):
    other = cl.CommandQueue(ctx)
    for _ in range(50):
        array.queue = other
        array += 1
        array.queue = queue
        array += 1
    assert (array.get() == HOST + 100).all()


def test_the_allocator_can_be_set(queue, array):
    allocator = ImmediateAllocator(queue)
    array.allocator = allocator
    assert array.allocator is allocator
    assert (array + 1).allocator is allocator
    array.allocator = None
    assert (array + 1).allocator is None
    with pytest.raises(TypeError, match="int"):
        array.allocator = 5


def test_what_was_set_goes_with_the_array(ctx, queue):
    class Allocator(ImmediateAllocator):
        pass

    array = cla.to_device(queue, HOST)
    array.allocator = allocator = Allocator(queue)
    allocator.array = array
    gone = weakref.ref(allocator)
    del array, allocator
    gc.collect()
    assert gone() is None


def test_the_shape_can_be_set_as_numpys(array):
    for shape in ((6, 4), (24,), 24, -1, (2, 3, 4)):
        host = HOST.reshape(shape)
        array.shape = shape
        assert (array.shape, array.strides) == (host.shape, host.strides)
        assert (array.get() == host).all()
    with pytest.raises(ValueError, match="24"):
        array.shape = (5, 5)
    turned = array.T
    with pytest.raises(AttributeError):
        turned.shape = 24
    assert (turned.get() == host.T).all()


def test_strides_dtype_and_offset_can_be_set(array):
    array.strides = (4, 16)
    assert (array.get() == np.lib.stride_tricks.as_strided(HOST, strides=(4, 16))).all()
    with pytest.raises(ValueError, match="bytes"):
        array.strides = (400, 4)
    array.strides = HOST.strides
    array.dtype = np.int32
    assert array.dtype == np.int32
    assert (array.get() == HOST.view(np.int32)).all()
    array.dtype = np.float64
    assert array.shape == (4, 3)
    array.dtype = np.float32
    part = array[:2]
    part.offset = 24
    assert (part.get() == HOST[1:3]).all()
    with pytest.raises(ValueError, match="bytes"):
        part.offset = 72


def test_the_memory_stays(array):
    with pytest.raises(AttributeError, match="_new_with_changes"):
        array.base_data = array.copy().base_data


def test_attributes_of_results_that_are_yet_to_be_computed(queue, array):
    @cla.fuse
    def compute():
        result = array * 2
        result.shape = (3, 8)
        return result + 1

    assert (compute().get() == HOST.reshape(3, 8) * 2 + 1).all()


def test_a_subclass_may_set_attributes(queue):
    class Mine(cla.Array):
        def __init__(self, queue, *args, **kwargs):
            super().__init__(queue, *args, **kwargs)
            self.queue = queue
            self.allocator = None

    mine = Mine(queue, (3,), np.float32)
    mine.fill(2)
    assert (mine.get() == 2).all()


def test_events_count_writes_up_to_ten(array):
    array.finish()
    assert array.events == []
    for number in range(1, 40):
        array.fill(number)
        assert len(array.events) == min(number, 10)
    array.finish()
    assert array.events == []
    assert len((array + array).events) == 1


def test_what_is_put_into_the_list_of_events_is_waited_for(ctx, array):
    array.finish()
    gates = [cl.UserEvent(ctx) for _ in range(6)]
    array.events.append(gates[0])
    array.events.insert(0, gates[1])
    array.events.extend(gates[2:3])
    array.events += [gates[3]]
    array.events[:] = [gates[4]]
    array.events = gates[4:]
    assert len(array.events) == 6
    assert all(gate in array.events for gate in gates)
    with pytest.raises(TypeError):
        array.events.append(5)
    with pytest.raises(TypeError):
        array.events = [5]
    # A list of its own, which takes nothing back.
    array.events.clear()
    assert len(array.events) == 6
    for gate in gates:
        gate.set_status(cl.command_execution_status.COMPLETE)
    assert array.events == []


def test_lists_of_events_are_wait_lists(queue, array):
    array.fill(1)
    cl.enqueue_barrier(queue, wait_for=array.events)
    cl.wait_for_events(array.events + array.copy().events)


def test_events_of_other_contexts_are_refused(array, device):
    event = cl.UserEvent(cl.Context([device]))
    with pytest.raises(ValueError, match="context"):
        array.events = [event]
    with pytest.raises(ValueError, match="context"):
        array.events.append(event)
    with pytest.raises(ValueError, match="context"):
        array.setitem(0, 1, wait_for=[event])
    assert (array.get() == HOST).all()
    event.set_status(cl.command_execution_status.COMPLETE)
