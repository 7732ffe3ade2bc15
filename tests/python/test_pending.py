"""Commands pending on the memory of arrays: results are as if everything ran in the order of the program."""

import threading

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla

LENGTH = 4000
SOURCE = """
kernel void add(global int *x, int first, int count, int number)
{
    for (int i = get_global_id(0); i < count; i += get_global_size(0)) x[first + i] += number;
}
"""


def out_of_order(ctx):
    flag = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not ctx.devices[0].queue_properties & flag:
        pytest.skip("the device has no out-of-order queues")
    return cl.CommandQueue(ctx, properties=flag)


@pytest.fixture(params=["in order", "out of order", "both", "several"])
def queues(ctx, request):
    plain = [cl.CommandQueue(ctx) for _ in range(3 if request.param == "several" else 1)]
    return {
        "in order": lambda: plain,
        "out of order": lambda: [out_of_order(ctx)],
        "both": lambda: [*plain, out_of_order(ctx)],
        "several": lambda: plain,
    }[request.param]()


class Program:
    """Random steps on two arrays and their views, on several queues, and the same on the host."""

    def __init__(self, ctx, queues, seed):
        self.random = np.random.default_rng(seed)
        self.queues = queues
        self.kernel = cl.Program(ctx, SOURCE).build().add
        self.hosts = [np.arange(LENGTH, dtype=np.int32), np.ones(LENGTH, np.int32)]
        self.arrays = [cla.to_device(self.queue(), host) for host in self.hosts]

    def queue(self):
        return self.queues[self.random.integers(len(self.queues))]

    def view(self):
        """A view of one of the arrays, with a queue at random, and of its host array."""
        number = self.random.integers(2)
        start, stop = sorted(self.random.integers(0, LENGTH, 2))
        part = slice(int(start), int(stop) + 1)
        return self.arrays[number].with_queue(self.queue())[part], self.hosts[number][part]

    def step(self):
        (array, host), number = self.view(), int(self.random.integers(1, 9))
        match self.random.integers(8):
            case 0:
                array.fill(number)
                host[...] = number
            case 1:
                array += number
                host += number
            case 2:
                other, other_host = self.view()
                length = min(len(array), len(other))
                array[:length] = other[:length] - number
                host[:length] = other_host[:length] - number
            case 3:
                whole = self.random.integers(2)
                self.arrays[whole] = self.arrays[whole].with_queue(self.queue()) + number
                self.hosts[whole] = self.hosts[whole] + number
            case 4:
                # A command of the program's own, which the array is told of.
                arguments = (
                    array.base_data,
                    np.int32(array.offset // 4),
                    np.int32(len(host)),
                    np.int32(number),
                )
                event = self.kernel(array.queue, (64,), None, *arguments, wait_for=self.before(array))
                array.add_event(event)
                host += number
            case 5:
                array.set(np.full(len(host), number, np.int32))
                host[...] = number
            case 6:
                found, event = array.get_async()
                expected = host.copy()
                array.fill(number)
                host[...] = number
                event.wait()
                np.testing.assert_array_equal(found, expected)
            case _:
                np.testing.assert_array_equal(array.get(), host)

    def before(self, array):
        """What a command of the program's own has to wait for: those of other queues have no events."""
        return [*array.events, *(cl.enqueue_marker(queue) for queue in self.queues)]


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_run_as_if_in_order(ctx, queues, seed):
    program = Program(ctx, queues, seed)
    for _ in range(60):
        program.step()
    for array, host in zip(program.arrays, program.hosts, strict=True):
        np.testing.assert_array_equal(array.get(), host)


@pytest.mark.needs("waiting commands")
def test_an_event_of_the_user_holds_later_commands_back(ctx, queues):
    array = cla.zeros(queues[0], LENGTH, np.int32)
    array.finish()
    gate = cl.UserEvent(ctx)
    array.add_event(gate)
    assert gate in array.events
    views = [array[number::2].with_queue(queues[-1]) for number in range(2)]
    for view in views:
        view += 1
    marker = cl.enqueue_marker(queues[-1])
    queues[-1].flush()
    assert marker.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert (array.get() == 1).all()


def test_commands_have_events(ctx, queues):
    """Whoever enqueues a command of his own waits for them, on whatever queue the array was used."""
    kernel = cl.Program(ctx, SOURCE).build().add
    own = cl.CommandQueue(ctx)
    array = cla.zeros(queues[0], LENGTH, np.int32)
    for number in range(10):
        array += number
        # None if the device was quick. Each write counts, but there is one that stands for all of them.
        assert len({event.int_ptr for event in array.events}) <= 1
        numbers = (np.int32(value) for value in (0, LENGTH, number))
        array.add_event(kernel(own, (64,), None, array.data, *numbers, wait_for=array.events))
        array.with_queue(queues[-1]).fill(number)
    assert (array.get() == 9).all()
    array.finish()
    assert array.events == []


@pytest.mark.needs("waiting commands")
def test_events_may_be_handed_on(ctx):
    """Packages give the events of one array to another one over its memory, which must not pile them up."""
    queue = out_of_order(ctx)
    array = cla.zeros(queue, LENGTH, np.int32)
    gate = cl.UserEvent(ctx)
    array.add_event(gate)
    array.add_event(gate)
    counts = []
    for _ in range(5):
        array = cla.Array(
            None,
            array.shape,
            array.dtype,
            data=array.base_data,
            events=array.events,
            _context=array.context,
            _queue=array.queue,
        )
        counts.append(len(array.events))
    gate.set_status(cl.command_execution_status.COMPLETE)
    array.finish()
    assert array.events == []
    # The gate, and what filled the array.
    assert max(counts) <= 2


def test_reads_do_not_wait_for_each_other(ctx):
    queue = out_of_order(ctx)
    array = cla.to_device(queue, np.arange(LENGTH, dtype=np.int32))
    results = [array + number for number in range(20)]
    array.fill(0)
    for number, result in enumerate(results):
        np.testing.assert_array_equal(result.get(), np.arange(LENGTH) + number)


@pytest.mark.needs("threads")
def test_threads_share_an_array(ctx, queues):
    """Each thread changes its part, reads the others' and makes new arrays."""
    array = cla.zeros(queues[0], 8 * 1000, np.int32)
    failures = []

    def work(number):
        try:
            own = array.with_queue(queues[number % len(queues)])[number * 1000 : (number + 1) * 1000]
            for step in range(30):
                own += 1
                if not ((own * 2).get() == 2 * (step + 1)).all():
                    failures.append(number)
                if array.shape != (8000,) or not isinstance(array.events, list):
                    failures.append(number)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert (array.get() == 30).all()
