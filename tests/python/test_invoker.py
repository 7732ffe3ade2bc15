"""Generated code that sets arguments and launches: it is run, on kernels that write down what arrived."""

import struct
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl import invoker
from pyopencl.invoker import VectorArg

PAIR = np.dtype([("a", np.int32), ("b", np.float32)])
SOURCE = """
typedef struct { int a; float b; } pair;
kernel void numbers(
    global double *out, char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul, float f)
{
    out[0] = c; out[1] = uc; out[2] = s; out[3] = us; out[4] = i; out[5] = ui; out[6] = l; out[7] = ul;
    out[8] = f;
}
kernel void others(global float *out, float2 z, pair p, float4 v, local float *scratch)
{
    out[0] = z.x; out[1] = z.y; out[2] = p.a; out[3] = p.b; out[4] = v.w;
}
kernel void arrays(global float *x, global float *y, long offset, float factor)
{
    size_t i = get_global_id(0);
    *(global float *)((global char *)(y + i) + offset) = factor * x[i] + get_global_size(0);
}
kernel void count(global int *out)
{
    out[get_global_id(0)] += get_global_offset(0) + 10 * get_local_size(0);
}
"""
TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32]
VALUES = [-3, 200, -300, 60000, -70000, 4000000000, -5000000000, 6000000000, 1.5]


@pytest.fixture(scope="session")
def program(ctx):
    return cl.Program(ctx, SOURCE).build()


def generate(kernel, types, **options):
    """The two functions for a kernel, with nothing to work around."""
    passed = options.pop("passed", kernel.num_args)
    return invoker.generate_enqueue_and_set_args(
        kernel.function_name, passed, kernel.num_args, types, False, False, kernel.context.devices
    )


def body(types, count=None, **options):
    """The code for arguments of these types."""
    options = {
        "work_around_arg_count_bug": False,
        "warn_about_arg_count_bug": False,
        "in_enqueue": False,
        "include_debug_code": False,
        **options,
    }
    count = len(types) if count is None else count
    return invoker.generate_specific_arg_handling_body("f", count, types, **options)


def read(queue, buffer, dtype, count):
    result = np.empty(count, dtype)
    cl.enqueue_copy(queue, result, buffer)
    return result


@pytest.fixture
def buffer(ctx):
    return cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 256)


@pytest.mark.parametrize("plain", [True, False])
def test_numbers_arrive(queue, program, buffer, plain):
    if not queue.device.double_fp_config:
        pytest.skip("the device has no doubles to write the numbers down with")
    kernel = cl.Kernel(program, "numbers")
    values = VALUES if plain else [kind(number) for kind, number in zip(TYPES, VALUES, strict=True)]
    enqueue, set_args = generate(kernel, [None, *TYPES])
    assert enqueue.__name__ == "enqueue_knl_numbers"
    enqueue(kernel, queue, (1,), None, buffer, *values).wait()
    assert read(queue, buffer, np.float64, 9).tolist() == VALUES

    # The same by two calls.
    other = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 256)
    set_args(kernel, other, *values)
    cl.enqueue_nd_range_kernel(queue, kernel, (1,), None)
    assert read(queue, other, np.float64, 9).tolist() == VALUES


def test_typed_kernels_take_generated_calls(queue, program, buffer):
    kernel = cl.Kernel(program, "arrays")
    kernel.set_scalar_arg_dtypes([None, None, np.int64, np.float32])
    enqueue, _ = generate(kernel, [None, None, np.int64, np.float32])
    x = cl_array.to_device(queue, np.arange(4, dtype=np.float32))
    enqueue(kernel, queue, (4,), None, x.data, buffer, 0, 2.0)
    assert read(queue, buffer, np.float32, 4).tolist() == [4, 6, 8, 10]


def test_complex_numbers_structs_and_vectors_arrive(queue, program, buffer):
    kernel = cl.Kernel(program, "others")
    for z in (1 + 2j, np.complex64(1 + 2j)):
        enqueue, _ = generate(kernel, [None, np.complex64, PAIR, "V16", None])
        pair = np.array((3, 4.5), PAIR)
        four = np.arange(4, dtype=np.float32)
        enqueue(kernel, queue, (1,), None, buffer, z, pair[()], four, cl.LocalMemory(16))
        assert read(queue, buffer, np.float32, 5).tolist() == [1, 2, 3, 4.5, 3]


def test_unknown_types_are_left_to_the_kernel(queue, program, buffer):
    kernel = cl.Kernel(program, "others")
    enqueue, set_args = generate(kernel, None)
    arguments = (
        *(buffer, np.complex64(1 + 2j), np.array((3, 4.5), PAIR)),
        *(np.arange(4, dtype=np.float32), cl.LocalMemory(16)),
    )
    enqueue(kernel, queue, (1,), None, *arguments)
    assert read(queue, buffer, np.float32, 5).tolist() == [1, 2, 3, 4.5, 3]
    set_args(kernel, *arguments)
    with pytest.raises(TypeError):
        set_args(kernel, *arguments[:-1])
    with pytest.raises(cl.LogicError):
        set_args(kernel, *arguments[:-1], "text")


class View:
    """As much of an array as generated code sees of it."""

    def __init__(self, data, offset=0, queue=None, events=(), contiguous=True):
        self.base_data, self.offset, self.queue, self.events = data, offset, queue, list(events)
        self.flags = SimpleNamespace(forc=contiguous)


def test_arrays_arrive_with_their_offsets(queue, program, buffer):
    kernel = cl.Kernel(program, "arrays")
    types = [VectorArg(np.float32, "x"), VectorArg(np.float32, "y", with_offset=True), np.float32]
    enqueue, set_args = generate(kernel, types, passed=3)
    source = cl.Buffer(queue.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.arange(4, dtype=np.float32))
    cl.enqueue_fill_buffer(queue, buffer, np.float32(-1), 0, 64)
    enqueue(kernel, queue, (4,), None, View(source), View(buffer, 8, queue), 2)
    assert read(queue, buffer, np.float32, 7).tolist() == [-1, -1, 4, 6, 8, 10, -1]
    set_args(kernel, View(source), View(buffer, 12), 0)
    cl.enqueue_nd_range_kernel(queue, kernel, (4,), None)
    assert read(queue, buffer, np.float32, 7).tolist() == [-1, -1, 4, 4, 4, 4, 4]

    with pytest.raises(RuntimeError, match="arg1 is an array that is not contiguous"):
        enqueue(kernel, queue, (4,), None, View(source), View(buffer, contiguous=False), 2)
    with pytest.raises(RuntimeError, match="arg0 is an array that is not contiguous"):
        set_args(kernel, View(source, contiguous=False), View(buffer), 2)
    other = cl.CommandQueue(queue.context)
    with pytest.raises(AssertionError, match="arg0 is an array of another queue"):
        enqueue(kernel, queue, (4,), None, View(source, queue=other), View(buffer), 2)


def test_events_of_arrays_are_waited_for(queue, program, buffer):
    kernel = cl.Kernel(program, "arrays")
    types = [VectorArg(np.float32, "x"), VectorArg(np.float32, "y", with_offset=True), np.float32]
    enqueue, _ = generate(kernel, types, passed=3)
    gates = [cl.UserEvent(queue.context) for _ in range(3)]
    views = View(buffer, events=gates[:1]), View(buffer, 128, events=gates[1:2])
    event = enqueue(kernel, queue, (4,), None, *views, 2, wait_for=gates[2:])
    if queue.device.platform.name != "Oclgrind":
        # There it waits for the commands.
        queue.flush()
    for gate in gates:
        assert event.command_execution_status > cl.command_execution_status.RUNNING
        gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()


def test_launch_options_are_passed_on(queue, program, buffer):
    kernel = cl.Kernel(program, "count")
    enqueue, _ = generate(kernel, None)
    cl.enqueue_fill_buffer(queue, buffer, np.int32(0), 0, 256)
    enqueue(kernel, queue, (2,), (3,), buffer, global_offset=(1,), g_times_l=True)
    assert read(queue, buffer, np.int32, 8).tolist() == [0] + [31] * 6 + [0]
    enqueue(kernel, queue, (0,), None, buffer, allow_empty_ndrange=True).wait()


# --- the generated text


class Recorder:
    """Stands for a kernel."""

    def __init__(self):
        self.calls = {}

    def _set_arg_multi(self, pairs):
        self.calls["objects"] = pairs

    def _set_arg_buf_multi(self, pairs):
        self.calls["buffers"] = pairs

    def _set_arg_buf_pack_multi(self, triples):
        self.calls["numbers"] = triples


def run(code, *args):
    """What the code calls, with these arguments."""
    kernel = Recorder()
    names = {"self": kernel, "pack": struct.pack}
    exec(code.get(), {**names, **{f"arg{index}": arg for index, arg in enumerate(args)}})
    return kernel.calls


def test_bodies_of_unknown_types():
    generic = invoker.generate_generic_arg_handling_body
    assert run(generic(0)) == {}
    assert run(generic(2), "a", "b") == {"objects": (0, "a", 1, "b")}


def test_bodies_of_known_types():
    view = View("memory", 24)
    assert run(body([])) == {}
    assert run(body([None, np.float32, "f2", bool]), "a", 2, 3, True) == {
        "objects": (0, "a"),
        "numbers": (1, b"f", 2, 2, b"e", 3, 3, b"?", True),
    }
    assert run(body([VectorArg("f4", "x", True), np.complex128, "S3"], 4), view, 1 + 2j, b"abc") == {
        "objects": (0, "memory"),
        "numbers": (1, b"q", 24),
        "buffers": (2, struct.pack("dd", 1, 2), 3, b"abc"),
    }
    code, events = body([None, VectorArg("f4", "x")], in_enqueue=True)
    assert run(code, "a", view) == {"objects": (0, "a", 1, "memory")}
    assert events == ["arg1.events"]
    for char in invoker.BUF_PACK_TYPECHARS:
        assert struct.calcsize(char) == np.dtype(char).itemsize


def test_wrong_counts_are_refused():
    with pytest.raises(TypeError, match="'f' takes 3 arguments, and the types are those of 1"):
        body([None], 3)
    with pytest.raises(TypeError):
        body(["no type"])


def test_drivers_that_miscount_structs_are_worked_around():
    types = [np.complex64, np.complex128, np.float32]
    calls = run(body(types, 4, work_around_arg_count_bug="pocl"), 1 + 2j, 3 + 4j, 5)
    assert calls["buffers"] == (0, struct.pack("ff", 1, 2))
    assert calls["numbers"] == (1, b"d", 3.0, 2, b"d", 4.0, 3, b"f", 5)
    body([np.complex64], work_around_arg_count_bug="apple")
    with pytest.raises(NotImplementedError, match="Apple"):
        body([np.complex128], work_around_arg_count_bug="apple")
    with pytest.warns(UserWarning, match="complex numbers may arrive wrong"):
        body([np.complex64], warn_about_arg_count_bug=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        body([np.float32], warn_about_arg_count_bug=True)


def test_functions_are_generated_once(program):
    kernel = cl.Kernel(program, "count")
    invoker.invoker_cache.clear()
    first = generate(kernel, [None])
    assert generate(kernel, (None,)) == first
    assert generate(kernel, None) != first
    assert len(invoker.invoker_cache) == 2
    strange = invoker.generate_enqueue_and_set_args("no name", 0, 0, None, False, False, [])
    assert strange[0].__name__ == "enqueue_knl_no_name"


def test_large_arguments_are_warned_of(ctx):
    def device(limit, platform="Some Platform", kind=cl.device_type.GPU):
        named = SimpleNamespace(name=platform)
        return SimpleNamespace(max_parameter_size=limit, address_bits=64, platform=named, type=kind)

    def generate(types, *devices):
        invoker.generate_enqueue_and_set_args("f", len(types), len(types), types, False, False, devices)

    for types in ([np.dtype("V300")], [None] * 40, [np.float32] * 70, [np.complex128] * 20):
        with pytest.warns(UserWarning, match=r"arguments of 'f' have \d+ bytes, .* takes 256"):
            generate(types, device(4352), device(256))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            generate(types, device(4352), *ctx.devices)
            generate(types, device(1024, "Portable Computing Language"))
    with pytest.warns(UserWarning, match="takes 4352"):
        generate([np.dtype("V5000")], device(1024, "Portable Computing Language"))


def test_arrays_are_declared():
    arg = VectorArg("f4", "x", with_offset=True)
    assert arg == VectorArg(np.float32, "x", True)
    assert hash(arg) == hash(VectorArg(np.float32, "x", True))
    assert arg != VectorArg(np.float32, "x")
    assert repr(arg) == "VectorArg(dtype=dtype('float32'), name='x', with_offset=True)"
    assert arg.declarator() == "__global float *x__base, long x__offset"
    assert VectorArg(np.uint64, "n").declarator() == "__global ulong *n"
    assert VectorArg(np.complex128, "z").declarator() == "__global cdouble_t *z"
    with pytest.raises(ValueError, match="bool"):
        VectorArg(bool, "b").declarator()
    with pytest.raises(AttributeError):
        arg.name = "y"
    assert VectorArg is cl.tools.VectorArg
