"""Calls that are made most have short ways: they must do what the usual ones do, and nothing else."""

import gc
import inspect
import sys
import threading
import weakref

import numpy as np
import pytest

import pyopencl as cl

SOURCE = """
__kernel void add(__global int *a, int by) { a[get_global_id(0)] += by; }
__kernel void nothing(void) { }
"""
COUNT = 16


@pytest.fixture(scope="module")
def program(ctx: cl.Context) -> cl.Program:
    return cl.Program(ctx, SOURCE).build()


@pytest.fixture
def kernel(program: cl.Program) -> cl.Kernel:
    return cl.Kernel(program, "add")


@pytest.fixture
def buffer(ctx: cl.Context) -> cl.Buffer:
    host = np.zeros(COUNT, np.int32)
    return cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)


def content(queue: cl.CommandQueue, buffer: cl.Buffer) -> "list[int]":
    host = np.empty(COUNT, np.int32)
    cl.enqueue_copy(queue, host, buffer)
    return host.tolist()


def test_every_call_of_a_kernel_takes_keywords(queue, kernel, buffer):
    for _ in range(3):
        event = kernel(queue, (COUNT,), None, buffer, np.int32(1))
        event = kernel(queue, (COUNT // 4,), (4,), buffer, np.int32(1), g_times_l=True, wait_for=[event])
        event = kernel(queue, (COUNT - 1,), None, buffer, np.int32(1), global_offset=(1,), wait_for=None)
        assert type(event) is cl.Event
    kernel(queue, (0,), None, buffer, np.int32(1), allow_empty_ndrange=True)
    assert content(queue, buffer) == [6] + [9] * (COUNT - 1)


@pytest.mark.parametrize("calls_before", [0, 2])
def test_wrong_calls_name_what_is_wrong(program, queue, buffer, calls_before):
    kernel = cl.Kernel(program, "add")
    for _ in range(calls_before):
        kernel(queue, (COUNT,), None, buffer, np.int32(1))
    with pytest.raises(TypeError, match="unexpected keyword argument 'sizes'"):
        kernel(queue, (COUNT,), None, buffer, np.int32(1), sizes=3)
    with pytest.raises(TypeError, match="a queue, a global and a local size"):
        kernel()
    with pytest.raises(TypeError, match="a queue, a global and a local size"):
        kernel(queue, (COUNT,))
    with pytest.raises(TypeError, match="must be a CommandQueue"):
        kernel(None, (COUNT,), None, buffer, np.int32(1))
    with pytest.raises(TypeError, match="expected 2 arguments"):
        kernel(queue, (COUNT,), None, buffer)
    with pytest.raises(cl.LogicError, match="argument #2"):
        kernel(queue, (COUNT,), None, buffer, 1)
    with pytest.raises(cl.LogicError, match="argument #1"):
        kernel(queue, (COUNT,), None, np.int32(1), np.int32(1))
    for size in [(-1,), (2**70,), ("4",), (1.5,)]:
        with pytest.raises((TypeError, ValueError), match="the global size"):
            kernel(queue, size, None, buffer, np.int32(1))
    with pytest.raises(cl.LogicError, match="dimensions"):
        kernel(queue, (COUNT,), (1, 1), buffer, np.int32(1))
    with pytest.raises(cl.LogicError, match="dimensions"):
        kernel(queue, (), None, buffer, np.int32(1))
    assert content(queue, buffer) == [calls_before] * COUNT


def test_sizes_may_be_numpy_integers_and_lists(queue, kernel, buffer):
    for size in [(np.int64(COUNT),), [COUNT], np.array([COUNT]), (True,)]:
        kernel(queue, size, None, buffer, np.int32(1))
    assert content(queue, buffer) == [4] + [3] * (COUNT - 1)


def test_a_kernel_without_arguments_is_called(queue, program):
    for _ in range(3):
        cl.Kernel(program, "nothing")(queue, (1,), None)


def test_another_call_of_the_class_is_taken_and_given_back(queue, kernel, buffer):
    kernel(queue, (COUNT,), None, buffer, np.int32(1))
    usual = cl.Kernel.__call__
    seen = []

    def noting(self, *args, **kwargs):
        seen.append((args[1], kwargs))
        return usual(self, *args, **kwargs)

    cl.Kernel.__call__ = noting
    try:
        kernel(queue, (COUNT,), None, buffer, np.int32(1))
        kernel(queue, (COUNT,), None, buffer, np.int32(1), wait_for=[])
    finally:
        cl.Kernel.__call__ = usual
    assert seen == [((COUNT,), {}), ((COUNT,), {"wait_for": []})]
    kernel(queue, (COUNT,), None, buffer, np.int32(1))
    assert len(seen) == 2
    assert content(queue, buffer) == [4] * COUNT


def test_a_call_that_replaces_the_first_one_is_taken(run_python):
    result = run_python("""
import numpy as np
import pyopencl as cl
usual, seen = cl.Kernel.__call__, []
cl.Kernel.__call__ = lambda self, *args, **kwargs: (seen.append(1), usual(self, *args, **kwargs))[1]
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
kernel = cl.Kernel(cl.Program(queue.context, "__kernel void nothing(void) { }").build(), "nothing")
for _ in range(3):
    kernel(queue, (1,), None)
print(len(seen))
""")
    assert (result.stdout, result.returncode) == ("3\n", 0), result.stderr


def test_derived_kernels_are_called_as_they_say(queue, program, kernel, buffer):
    class Same(cl.Kernel):
        pass

    class Twice(cl.Kernel):
        def __call__(self, *args, **kwargs):
            super().__call__(*args, **kwargs)
            return super().__call__(*args, **kwargs)

    for made in (kernel, Same(program, "add"), Twice(program, "add"), Same(program, "add")):
        for _ in range(2):
            made(queue, (COUNT,), None, buffer, np.int32(1))
    assert content(queue, buffer) == [10] * COUNT


def test_nothing_is_left_behind(ctx, queue, kernel, buffer):
    host = np.zeros(COUNT, np.int32)
    size, by, typed = (COUNT,), np.int32(1), cl.Kernel(kernel.program, "add")
    typed.set_scalar_arg_dtypes([None, np.int32])
    classes = [cl.Event, cl.NannyEvent, cl.Buffer, cl.Kernel]
    objects = [*classes, queue, kernel, buffer, host, size, by, ctx]

    def work():
        for _ in range(50):
            kernel(queue, size, None, buffer, by)
            typed(queue, size, None, buffer, 1)
            kernel(queue, size, None, buffer, by, wait_for=[])
            cl.enqueue_copy(queue, host, buffer)
            cl.enqueue_copy(queue, buffer, host)
            cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)
            with pytest.raises(cl.LogicError):
                kernel(queue, size, None, None, None)
            with pytest.raises(TypeError):
                kernel()

    work()
    gc.collect()
    before = [sys.getrefcount(object) for object in objects]
    work()
    gc.collect()
    assert [sys.getrefcount(object) for object in objects] == before


def test_objects_made_the_short_way_take_attributes_and_weak_references(ctx, queue, buffer):
    host = np.zeros(COUNT, np.int32)

    def make():
        return [cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64), cl.enqueue_copy(queue, buffer, host)]

    for first, second in zip(make(), make(), strict=True):
        assert type(first) is type(second)
        assert second.__dict__ == {}
        second.mark = [second]
        assert second.__dict__ == {"mark": [second]}
        assert not hasattr(first, "mark")
        gone = weakref.ref(second)
        assert gone() is second
        del second
    gc.collect()
    assert gone() is None


def test_plain_copies_are_those_of_all_keywords(queue, buffer):
    host = np.arange(COUNT, dtype=np.int32)
    event = cl.enqueue_copy(queue, buffer, host)
    assert type(event) is cl.NannyEvent
    assert event.get_ward() is host
    assert content(queue, buffer) == host.tolist()
    out = np.zeros_like(host)
    cl.enqueue_copy(queue, dest=out, src=buffer)
    assert out.tolist() == host.tolist()
    with pytest.raises(ValueError, match="not contiguous"):
        cl.enqueue_copy(queue, buffer, host[::2])
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        cl.enqueue_copy(queue, out, buffer)
    with pytest.raises(cl.LogicError):
        cl.enqueue_copy(queue, buffer, np.zeros(2 * COUNT, np.int32))
    with pytest.raises(TypeError, match="one side has to be a buffer"):
        cl.enqueue_copy(queue, host, host)
    with pytest.raises(TypeError):
        cl.enqueue_copy(queue, host)
    with pytest.raises(TypeError):
        cl.enqueue_copy(None, host, buffer)


def test_the_copy_shows_itself_as_before():
    assert str(inspect.signature(cl.enqueue_copy)) == "(queue, dest, src, **kwargs)"
    assert "Copy between host memory" in cl.enqueue_copy.__doc__
    assert cl.enqueue_copy.__name__ == "enqueue_copy"
    assert cl.enqueue_copy.__module__ == cl.enqueue_marker.__module__


def test_buffers_are_made_as_their_class_says(ctx, monkeypatch):
    flags = cl.mem_flags.READ_WRITE

    class Own(cl.Buffer):
        def __init__(self, *args, **kwargs):
            self.args = args

    assert cl.Buffer(ctx, flags, 64).size == 64
    assert cl.Buffer(ctx, flags, size=64).size == 64
    assert cl.Buffer(ctx, np.int64(flags), np.int64(64)).size == 64
    own = Own(ctx, flags, 64)
    assert (type(own), own.args, own.size) == (Own, (ctx, flags, 64), 64)
    with pytest.raises(TypeError):
        cl.Buffer()
    with pytest.raises(TypeError):
        cl.Buffer(ctx, flags, "64")
    with pytest.raises(OverflowError):
        cl.Buffer(ctx, flags, -1)
    with pytest.raises(cl.LogicError, match="at least one byte"):
        cl.Buffer(ctx, flags, 0)
    seen = []
    monkeypatch.setattr(cl.Buffer, "__init__", lambda self, *args: seen.append(args), raising=False)
    assert cl.Buffer(ctx, flags, 64).size == 64
    assert seen == [(ctx, flags, 64)]


@pytest.mark.needs("threads")
def test_threads_call_one_kernel(ctx, program):
    kernel = cl.Kernel(program, "add")
    host = np.zeros(COUNT, np.int32)
    results = {}

    def work(index):
        queue = cl.CommandQueue(ctx)
        buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
        for _ in range(100):
            kernel(queue, (COUNT,), None, buffer, np.int32(index))
        results[index] = content(queue, buffer)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {index: [100 * index] * COUNT for index in range(4)}
