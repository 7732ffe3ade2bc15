"""Arrays and the host without waiting: ``get_async``, ``map_to_host``, events."""

import gc

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla

LAYOUTS = {
    "whole": lambda a: a,
    "transposed": lambda a: a.T,
    "columns": lambda a: a[:, 1:3],
    "every second row": lambda a: a[::2],
    "backwards": lambda a: a[::-1, ::-1],
    "one element": lambda a: a[2, 3],
    "nothing": lambda a: a[3:],
}
HOST = np.arange(12, dtype=np.int32).reshape(3, 4)


@pytest.fixture
def unordered(ctx):
    return cl.CommandQueue(ctx, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_get_async_gives_what_get_gives(queue, unordered, layout):
    for on in (queue, unordered):
        array = LAYOUTS[layout](cla.to_device(on, HOST) + 1)
        host, event = array.get_async()
        del array
        gc.collect()
        assert isinstance(event, cl.NannyEvent)
        event.wait()
        expected = LAYOUTS[layout](HOST + 1)
        assert host.shape == expected.shape
        assert np.array_equal(host, expected)


def test_get_async_into_a_given_array(queue):
    array = cla.to_device(queue, HOST)
    target = np.empty_like(HOST)
    host, event = array.get_async(ary=target)
    event.wait()
    assert host is target
    assert np.array_equal(target, HOST)
    with pytest.raises(ValueError, match=r"\(4, 4\)"):
        array.get_async(ary=np.empty((4, 4), np.int32))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_mapped_array_is_the_memory_itself(queue, layout):
    array = cla.to_device(queue, HOST)
    part, expected = LAYOUTS[layout](array), HOST.copy()
    mapped = part.map_to_host()
    assert isinstance(mapped.base, cl.MemoryMap)
    assert (mapped.dtype, mapped.strides) == (part.dtype, part.strides)
    assert np.array_equal(mapped, LAYOUTS[layout](HOST))
    mapped += 100
    mapped.base.release(queue).wait()
    changed = LAYOUTS[layout](expected)
    changed += 100
    if layout == "one element":
        expected[2, 3] += 100
    assert np.array_equal(array.get(), expected)


def test_a_map_for_reading_is_not_written_to(queue):
    mapped = cla.to_device(queue, HOST).map_to_host(flags=cl.map_flags.READ)
    assert not mapped.flags.writeable
    assert np.array_equal(mapped, HOST)


@pytest.mark.needs("waiting commands")
def test_a_map_waits_without_blocking(ctx, queue):
    array = cla.to_device(queue, HOST)
    gate = cl.UserEvent(ctx)
    mapped, event = array.map_to_host(is_blocking=False, wait_for=[gate])
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    assert np.array_equal(mapped, HOST)


def test_the_list_of_events_stays_short(ctx, queue, unordered):
    for on in (queue, unordered):
        array = cla.zeros(on, 64, np.float32)
        longest = 0
        for number in range(300):
            array.fill(float(number))
            array[3:5] = 1
            array.add_event(cl.enqueue_marker(on))
            longest = max(longest, len(array.events))
        assert longest <= 64
        array.finish()
        assert array.events == []


def test_an_event_that_was_added_is_listed_until_it_is_done(ctx, queue):
    array = cla.zeros(queue, 4, np.float32)
    array.finish()
    gate = cl.UserEvent(ctx)
    array.add_event(gate)
    assert array.events == [gate]
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert array.events == []
