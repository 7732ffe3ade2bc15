"""Large blocking copies, in chunks through pinned memory, which devices other than GPUs do on request."""

import re
import threading
from pathlib import Path

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla

mf = cl.mem_flags

# Many chunks in copies of few megabytes.
CHUNK = 2**17
SIZES = [2**13, 2**13 + 1, 2**17 + 4096, 2**20 + 17, 5_000_011]


@pytest.fixture
def staged(ctx: cl.Context) -> cl.Context:
    context = cl.Context(ctx.devices)
    context._set_host_copies(True, chunk=CHUNK, threads=3)
    return context


@pytest.fixture(params=["in order", "out of order", "profiling"])
def queue(request, staged) -> cl.CommandQueue:
    flags = cl.command_queue_properties
    properties = {
        "in order": 0,
        "out of order": flags.OUT_OF_ORDER_EXEC_MODE_ENABLE,
        "profiling": flags.PROFILING_ENABLE,
    }
    return cl.CommandQueue(staged, properties=properties[request.param])


def random_bytes(size: int) -> np.ndarray:
    return np.random.default_rng(size).integers(0, 256, size, np.uint8)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("offset", [0, 3, 4096])
def test_copies_bring_the_same_bytes(queue, size, offset):
    source = random_bytes(size)
    buffer = cl.Buffer(queue.context, mf.READ_WRITE, size + offset + 1)
    event = cl.enqueue_copy(queue, buffer, source, dst_offset=offset)
    event.wait()
    assert event.command_execution_status == cl.command_execution_status.COMPLETE
    assert event.command_type == cl.command_type.WRITE_BUFFER
    target = bytearray(size)
    event = cl.enqueue_copy(queue, memoryview(target), buffer, src_offset=offset, wait_for=[event])
    event.wait()
    assert event.command_type == cl.command_type.READ_BUFFER
    assert bytes(target) == source.tobytes()


def test_times_are_those_of_the_whole_copy(staged):
    queue = cl.CommandQueue(staged, properties=cl.command_queue_properties.PROFILING_ENABLE)
    source = random_bytes(2**23)
    buffer = cl.Buffer(staged, mf.READ_WRITE, source.nbytes)
    event = cl.enqueue_copy(queue, buffer, source)
    assert event.profile.end > event.profile.start


@pytest.mark.needs("compiled kernels")
def test_arrays_come_and_go(queue):
    host = np.random.default_rng(1).standard_normal((700, 1501)).astype(np.float32)
    array = cla.to_device(queue, host)
    assert np.array_equal(array.get(), host)
    array.set(host[::-1])
    target = np.empty_like(host)
    assert array.get(ary=target) is target
    assert np.array_equal(target, host[::-1])
    assert np.array_equal((array + array)[:, ::2].get(), 2 * host[::-1, ::2])


def test_a_copy_waits_for_what_came_before(queue):
    source = random_bytes(2**20)
    first, second = (cl.Buffer(queue.context, mf.READ_WRITE, source.nbytes) for _ in range(2))
    cl.enqueue_copy(queue, first, source)
    gate = cl.UserEvent(queue.context)
    moved = cl.enqueue_copy(queue, second, first, wait_for=[gate])
    timer = threading.Timer(0.05, gate.set_status, [cl.command_execution_status.COMPLETE])
    timer.start()
    target = np.zeros_like(source)
    cl.enqueue_copy(queue, target, second, wait_for=[moved])
    timer.join()
    assert np.array_equal(target, source)


@pytest.mark.needs("threads")
def test_threads_copy_at_once(queue):
    failures = []

    def work(number: int) -> None:
        try:
            buffer = cl.Buffer(queue.context, mf.READ_WRITE, 2**20)
            for round in range(10):
                source = random_bytes(2**20) ^ np.uint8(16 * number + round)
                cl.enqueue_copy(queue, buffer, source)
                target = np.empty_like(source)
                cl.enqueue_copy(queue, target, buffer)
                assert np.array_equal(target, source)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_what_is_refused_is_refused_with_the_same_words(staged):
    queue = cl.CommandQueue(staged)
    buffer = cl.Buffer(staged, mf.READ_WRITE, 2**20)
    texts = []
    for how in (True, False):
        staged._set_host_copies(how)
        with pytest.raises(cl.LogicError, match="INVALID_VALUE") as info:
            cl.enqueue_copy(queue, buffer, np.zeros(2**20, np.uint8), dst_offset=1)
        assert info.value.routine == "clEnqueueWriteBuffer"
        texts.append(str(info.value))
    assert texts[0] == texts[1]


def flags_of(address: int) -> set[str]:
    """What Linux knows about the memory at an address."""
    inside = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if area := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line):
            inside = int(area[1], 16) <= address < int(area[2], 16)
        elif inside and line.startswith("VmFlags:"):
            return set(line.split()[1:])
    return set()


@pytest.mark.needs("compiled kernels")
def test_a_large_result_asks_for_huge_pages(staged):
    if not Path("/sys/kernel/mm/transparent_hugepage/enabled").exists():
        pytest.skip("this system has no transparent huge pages")
    queue = cl.CommandQueue(staged)
    host = cla.zeros(queue, 2**25, np.uint8).get()
    assert "hg" in flags_of(host.ctypes.data + 2**24)
