"""Input at or beyond the edge of what has a meaning: refused with a clear error, or treated as in NumPy."""

import gc
import itertools
import os
import sys
import weakref

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla
from pyopencl import clrandom

SOURCE = "kernel void fill(global int *out, int value) { out[get_global_id(0)] = value; }"


@pytest.fixture
def buffer(ctx):
    return cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)


@pytest.mark.parametrize("number", [1 << 63, 1 << 64, -(1 << 64), 1 << 100, 10**30], ids=hex)
def test_large_integers_compute_with_floats(queue, number):
    host = np.array([1.0, 2.0, -4.0])
    array = cla.to_device(queue, host)
    for ours, expected in (
        (array + number, host + float(number)),
        (number - array, float(number) - host),
        (array * number, host * float(number)),
        (array / number, host / float(number)),
    ):
        np.testing.assert_array_equal(ours.get(), expected)


@pytest.mark.parametrize("number", [1 << 31, 1 << 63, 1 << 64, 1 << 100, 10**30], ids=hex)
def test_large_integers_are_refused_by_integer_arrays(queue, number):
    array = cla.to_device(queue, np.arange(3, dtype=np.int32))
    with pytest.raises(OverflowError, match="int32"):
        array + number


@pytest.mark.parametrize("number", [1 << 40, -(1 << 40), 1 << 63])
def test_integer_arrays_divide_by_any_integer(queue, number):
    host = np.arange(1, 5, dtype=np.int16)
    array = cla.to_device(queue, host)
    np.testing.assert_allclose((array / number).get(), host / float(number), rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("size", [1, 3, 1000, 70001])
def test_sums_of_complex_numbers(queue, dtype, size):
    host = (np.arange(size) % 7 + 1j * (np.arange(size) % 5)).astype(dtype)
    result = cla.sum(cla.to_device(queue, host)).get()
    assert result.dtype == host.dtype
    np.testing.assert_allclose(result, host.sum(), rtol=1e-5)


@pytest.mark.parametrize("value", [1j, float("nan"), float("inf"), -float("inf")])
def test_fill_refuses_what_the_dtype_cannot_hold(queue, value):
    array = cla.zeros(queue, 4, np.int32)
    with pytest.raises((TypeError, ValueError)):
        array.fill(value)
    assert array.get().tolist() == [0, 0, 0, 0]


def copy_to(queue, buffer, host):
    cl.enqueue_copy(queue, host, buffer)


def copy_from(queue, buffer, host):
    cl.enqueue_copy(queue, buffer, host)


def begin_with(queue, buffer, host):
    cl.Buffer(queue.context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)


def to_device(queue, buffer, host):
    cla.to_device(queue, host)


@pytest.mark.parametrize("use", [copy_to, copy_from, begin_with, to_device])
def test_arrays_of_objects_are_refused(queue, buffer, use):
    objects = np.array([object()] * 8)
    with pytest.raises(TypeError):
        use(queue, buffer, objects)


def test_memory_is_not_mapped_as_objects(queue, buffer):
    with pytest.raises(TypeError, match="Python objects"):
        cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, 4, object)


def test_no_dtype_is_float64(queue):
    assert cla.zeros(queue, 3, None).dtype == np.float64
    mapped, _ = cl.enqueue_map_buffer(
        queue, cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 64), cl.map_flags.READ, 0, 4, None
    )
    assert mapped.dtype == np.float64
    mapped.base.release(queue)


def test_a_released_argument_is_refused_at_the_launch(ctx, queue, buffer):
    kernel = cl.Program(ctx, SOURCE).build().fill
    kernel.set_args(buffer, np.int32(3))
    buffer.release()
    with pytest.raises(cl.LogicError, match=r"argument #1.*released"):
        cl.enqueue_nd_range_kernel(queue, kernel, (16,), None)


@pytest.mark.parametrize(("source_offset", "target_offset"), [(65, 0), (0, 65), (1 << 40, 0), (0, 1 << 40)])
def test_copies_that_begin_beyond_a_buffer_are_refused(ctx, queue, buffer, source_offset, target_offset):
    other = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)
    with pytest.raises(cl.LogicError, match="beyond the 64 bytes"):
        cl.enqueue_copy(queue, other, buffer, src_offset=source_offset, dst_offset=target_offset)


@pytest.mark.parametrize("sizes", [itertools.count(1), iter([1, 1, 1, 1]), [1, 1, 1, 1], ()], ids=repr)
def test_wrong_numbers_of_sizes_are_refused(ctx, queue, buffer, sizes):
    kernel = cl.Program(ctx, SOURCE).build().fill
    with pytest.raises((cl.LogicError, ValueError, TypeError)):
        kernel(queue, sizes, None, buffer, np.int32(1))


@pytest.mark.parametrize("callback", [None, 3, "text"])
def test_a_callback_must_be_callable(ctx, callback):
    event = cl.UserEvent(ctx)
    with pytest.raises(TypeError, match="callable"):
        event.set_callback(cl.command_execution_status.COMPLETE, callback)
    event.set_status(cl.command_execution_status.COMPLETE)


def test_no_devices_means_all(ctx):
    program = cl.Program(ctx, SOURCE).build(devices=[])
    assert program.fill.num_args == 2


def test_a_build_option_that_is_no_text_is_refused(ctx):
    with pytest.raises(TypeError, match="int"):
        cl.Program(ctx, SOURCE).build(options=[3])


@pytest.mark.parametrize("quote", ["'", '"'])
def test_one_text_of_options_may_quote_folders(ctx, tmp_path, quote):
    (tmp_path / "seven.h").write_text("#define SEVEN 7\n")
    source = f'#include "seven.h"\n{SOURCE} kernel void seven(global int *out) {{ *out = SEVEN; }}'
    program = cl.Program(ctx, source).build(
        options=f"-DA=1 -I{quote}{tmp_path}{quote}", cache_dir=str(tmp_path)
    )
    assert program.seven.num_args == 1


def test_axes_count_from_the_end_too(queue):
    host = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    array = cla.to_device(queue, host)
    np.testing.assert_array_equal(array.transpose((-1, 0, -2)).get(), host.transpose((-1, 0, -2)))
    for axes in ((0, 1, 3), (0, 1, -4), (0, 0, 1)):
        with pytest.raises(ValueError, match="axes"):
            array.transpose(axes)


@pytest.mark.parametrize("given", [3, np.arange(3.0), None], ids=["int", "host", "none"])
def test_functions_of_arrays_say_what_they_take(queue, given):
    for name in ("sum", "any", "all", "max", "min", "empty_like", "zeros_like"):
        if name in ("max", "min") and isinstance(given, int):
            continue  # numbers have extrema, see test_array_names.py
        with pytest.raises(
            TypeError, match=rf"{name}: expected a pyopencl\.array\.Array, found .*{type(given)}"
        ):
            getattr(cla, name)(given)
    with pytest.raises(TypeError, match=r"rand: expected a pyopencl\.CommandQueue, found"):
        clrandom.rand(given, 3, np.float32)
    with pytest.raises(TypeError, match=r"fill_rand: expected a pyopencl\.array\.Array, found"):
        clrandom.fill_rand(given)
    if isinstance(given, np.ndarray):
        assert cla.transpose(given).shape == cla.reshape(given, (3,)).shape == (3,)
        return
    for call in (lambda: cla.transpose(given), lambda: cla.reshape(given, (3,))):
        with pytest.raises(TypeError, match=r"expected a pyopencl\.array\.Array, found"):
            call()


@pytest.mark.parametrize(
    "bounds", [slice(10**30), slice(-(10**30), None), slice(None, None, 10**30)], ids=repr
)
def test_bounds_beyond_all_indices_mean_the_end(queue, bounds):
    host = np.arange(5, dtype=np.int32)
    np.testing.assert_array_equal(cla.to_device(queue, host)[bounds].get(), host[bounds])


@pytest.mark.parametrize("kind", ["array", "kernel", "buffer"])
def test_cycles_are_collected(ctx, queue, kind):
    class Owner:
        pass

    owner = Owner()
    if kind == "array":

        def allocator(size, owner=owner):
            return cl.Buffer(ctx, cl.mem_flags.READ_WRITE, size)

        owner.held = cla.empty(queue, 4, np.int32, allocator=allocator)
    elif kind == "kernel":

        class Holder(cl.Buffer):
            pass

        memory = Holder(ctx, cl.mem_flags.READ_WRITE, 64)
        memory.owner = owner
        owner.held = cl.Program(ctx, SOURCE).build().fill
        owner.held.set_args(memory, np.int32(1))
        del memory
    else:

        class Host(np.ndarray):
            pass

        host = np.zeros(16, np.int32).view(Host)
        host.owner = owner
        owner.held = cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=host)
        del host
    alive = weakref.ref(owner)
    del owner
    if kind == "array":
        del allocator
    gc.collect()
    assert alive() is None


FORKED = """
import os, signal
import numpy as np, pyopencl as cl

def work(ctx):
    queue = cl.CommandQueue(ctx)
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 4096)
    source = "kernel void k(global int *a) { a[get_global_id(0)] = get_global_id(0); }"
    kernel = cl.Program(ctx, source).build().k
    kernel(queue, (1024,), None, buffer)
    host = np.empty(1024, np.int32)
    cl.enqueue_copy(queue, host, buffer)
    assert (host == np.arange(1024)).all()

parent = cl.create_some_context(interactive=False)
work(parent)
program = cl.Program(parent, "kernel void other() {}").build()
children = [
    lambda: work(parent),
    lambda: work(cl.create_some_context(interactive=False)),
    lambda: program.get_info(cl.program_info.BINARIES),
    lambda: program.binary_sizes,
]
for child in children:
    if (pid := os.fork()) == 0:
        signal.alarm(20)
        try:
            child()
        except cl.LogicError as error:
            os._exit(0 if error.code == cl.status_code.INVALID_OPERATION and "forked" in str(error) else 1)
        os._exit(2)
    print(os.waitpid(pid, 0)[1])
work(parent)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_child_is_told_that_it_cannot_use_opencl(run_python):
    done = run_python(FORKED)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["0"] * 4, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_child_leaves_at_once(run_python):
    result = run_python(
        "import os, sys, time, pyopencl as cl\n"
        "queue = cl.CommandQueue(cl.create_some_context(interactive=False))\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit(7)\n"
        "start = time.monotonic()\n"
        "_, status = os.waitpid(child, 0)\n"
        "print(os.waitstatus_to_exitcode(status), time.monotonic() - start < 4)\n"
    )
    assert result.stdout == "7 True\n", result.stderr


def test_a_pipe_in_place_of_a_cached_program_is_passed_over(ctx, tmp_path):
    source = SOURCE + "// cached"
    cl.Program(ctx, source).build(cache_dir=str(tmp_path))
    entries = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert entries
    for entry in entries:
        entry.unlink()
        os.mkfifo(entry)
    assert cl.Program(ctx, source).build(cache_dir=str(tmp_path)).fill.num_args == 2


def test_host_arrays_for_pointers_are_told_how_to_get_there(ctx, queue):
    kernel = cl.Program(ctx, "kernel void k(global int *a) { a[0] = 1; }").build().k
    with pytest.raises(cl.LogicError, match=r"got ndarray: .* \(copy it to a Buffer"):
        kernel(queue, (1,), None, np.zeros(100, np.int32))


def test_fuse_takes_functions():
    with pytest.raises(TypeError, match="int"):
        cl.array.fuse(3)


def test_names_that_are_none_in_c_are_refused(ctx):
    with pytest.raises(ValueError, match="a b"):
        cl.tools.match_dtype_to_c_struct(ctx.devices[0], "s", np.dtype([("a b", "f4")]))
