"""Kernels: arguments of every kind, sizes, and what is said about wrong ones."""

import gc

import numpy as np
import pytest

import pyopencl as cl

mf = cl.mem_flags

SOURCE = """
kernel void scale(global float *out, int count, float factor)
{
    int i = get_global_id(0);
    if (i < count)
        out[i] = factor * (i + 1);
}

kernel void sum_groups(global const int *in, global int *out, local int *scratch)
{
    int i = get_local_id(0);
    scratch[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) {
        int sum = 0;
        for (int j = 0; j < (int)get_local_size(0); ++j)
            sum += scratch[j];
        out[get_group_id(0)] = sum;
    }
}

kernel void ids(global int *out)
{
    int i = get_global_id(0) - get_global_offset(0);
    out[3 * i] = get_global_id(0);
    out[3 * i + 1] = get_local_size(0);
    out[3 * i + 2] = get_work_dim();
}

kernel void is_null(global int *out, global int *maybe) { out[0] = maybe == 0; }

kernel void scalars(global double *out, char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h,
                    float i)
{
    out[0] = a; out[1] = b; out[2] = c;
    out[3] = d; out[4] = e; out[5] = f;
    out[6] = g; out[7] = h; out[8] = i;
}

kernel void vector(global float *out, float4 v) { vstore4(v, 0, out); }
"""


@pytest.fixture(scope="module")
def program(ctx):
    return cl.Program(ctx, SOURCE).build()


@pytest.fixture
def out(ctx):
    return cl.Buffer(ctx, mf.READ_WRITE, 4 * 96)


@pytest.fixture
def scale(program):
    return cl.Kernel(program, "scale")


def read(queue, buffer, dtype, count):
    host = np.empty(count, dtype)
    cl.enqueue_copy(queue, host, buffer)
    return host


def test_a_call_launches(queue, scale, out):
    event = scale(queue, (8,), None, out, np.int32(8), np.float32(0.5))
    assert isinstance(event, cl.Event)
    assert np.array_equal(read(queue, out, np.float32, 8), 0.5 * np.arange(1, 9))


def test_set_args_then_enqueue(queue, scale, out):
    scale.set_args(out, np.int32(8), np.float32(2))
    cl.enqueue_nd_range_kernel(queue, scale, (8,), (4,))
    assert np.array_equal(read(queue, out, np.float32, 8), 2 * np.arange(1, 9))
    scale.set_arg(2, np.float32(3))
    cl.enqueue_nd_range_kernel(queue, scale, (8,), None)
    assert np.array_equal(read(queue, out, np.float32, 8), 3 * np.arange(1, 9))


@pytest.mark.parametrize("declare", ["set_scalar_arg_dtypes", "set_arg_types"])
def test_declared_types_convert_python_numbers(queue, scale, out, declare):
    getattr(scale, declare)([None, np.int32, np.float32])
    scale(queue, (8,), None, out, 8, 1.5)
    assert np.array_equal(read(queue, out, np.float32, 8), 1.5 * np.arange(1, 9))
    scale(queue, (8,), None, out, np.int64(8), 2)
    assert np.array_equal(read(queue, out, np.float32, 8), 2 * np.arange(1, 9))
    for bad in (2**40, "eight", None):
        with pytest.raises(Exception, match="#2") as caught:
            scale(queue, (8,), None, out, bad, 1.5)
        assert isinstance(caught.value, (TypeError, ValueError, OverflowError, cl.LogicError))


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        ("int8", "char"),
        ("uint8", "uchar"),
        ("int16", "short"),
        ("uint16", "ushort"),
        ("int32", "int"),
        ("uint32", "uint"),
        ("int64", "long"),
        ("uint64", "ulong"),
    ],
)
def test_declared_integers_take_what_fits_them(ctx, queue, dtype, name):
    source = f"kernel void store(global {name} *out, {name} value) {{ out[0] = value; }}"
    store = cl.Kernel(cl.Program(ctx, source).build(), "store")
    store.set_arg_types([None, dtype])
    out = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 8)
    limits = np.iinfo(dtype)
    for value in (limits.min, limits.max, 0, 1, limits.max // 2, limits.min // 2, True):
        store(queue, (1,), None, out, value)
        assert read(queue, out, np.dtype(dtype), 1)[0] == value
    for value in (limits.min - 1, limits.max + 1, 2**70, -(2**70)):
        with pytest.raises(cl.LogicError, match="#2"):
            store(queue, (1,), None, out, value)
    assert read(queue, out, np.dtype(dtype), 1)[0] == 1


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_declared_floats_are_rounded_as_numpy_rounds(ctx, queue, dtype):
    if dtype == "float64" and "cl_khr_fp64" not in ctx.devices[0].extensions:
        pytest.skip("the device has no double precision")
    name = {"float32": "float", "float64": "double"}[dtype]
    source = f"kernel void store(global {name} *out, {name} value) {{ out[0] = value; }}"
    store = cl.Kernel(cl.Program(ctx, source).build(), "store")
    store.set_arg_types([None, dtype])
    out = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 8)
    for value in (0.1, -1 / 3, 1e-42, 1e300, float("inf"), float("nan"), 3, np.float64(0.7), True):
        store(queue, (1,), None, out, value)
        with np.errstate(over="ignore"):
            expected = np.array([value]).astype(dtype)
        assert read(queue, out, np.dtype(dtype), 1).tobytes() == expected.tobytes(), value


def test_declared_types_must_fit_in_number(scale):
    with pytest.raises((ValueError, cl.LogicError, TypeError)):
        scale.set_scalar_arg_dtypes([None, np.int32])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("buffer", 8, np.float32(1)), ["#2", "count", "int"]),
        (("buffer", np.int64(8), np.float32(1)), ["#2", "count", "int", "int64"]),
        (("buffer", np.int32(8), np.float64(1)), ["#3", "factor", "float", "float64"]),
        (("buffer", np.int32(8), 1.0), ["#3", "factor", "float"]),
        (("buffer", np.zeros((3, 3)), np.float32(1)), ["#2", "count", "int"]),
        (("buffer", "buffer", np.float32(1)), ["#2", "count", "int", "Buffer"]),
        (("eight", np.int32(8), np.float32(1)), ["#1", "out", "float", "str"]),
        ((np.int32(8), np.int32(8), np.float32(1)), ["#1", "out", "float", "int32"]),
    ],
)
def test_a_wrong_argument_is_named(queue, scale, out, arguments, words):
    arguments = [out if isinstance(a, str) and a == "buffer" else a for a in arguments]
    for call in (
        lambda: scale(queue, (8,), None, *arguments),
        lambda: scale.set_args(*arguments),
    ):
        with pytest.raises((cl.LogicError, TypeError)) as caught:
            call()
        message = str(caught.value)
        for word in ["scale", *words]:
            assert word in message


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_wrong_number_of_arguments_is_told(queue, scale, out, count):
    arguments = [out, np.int32(8), np.float32(1), np.float32(2)][:count]
    with pytest.raises((TypeError, cl.LogicError)) as caught:
        scale(queue, (8,), None, *arguments)
    message = str(caught.value)
    assert "scale" in message
    assert "3" in message
    assert str(count) in message


def test_a_failed_call_leaves_the_kernel_usable(queue, scale, out):
    with pytest.raises((cl.LogicError, TypeError)):
        scale(queue, (8,), None, out, np.int64(8), np.float32(1))
    scale(queue, (8,), None, out, np.int32(8), np.float32(1))
    assert np.array_equal(read(queue, out, np.float32, 8), np.arange(1, 9))


def test_local_memory_is_an_argument(ctx, queue, program):
    numbers = np.arange(64, dtype=np.int32)
    source = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=numbers)
    target = cl.Buffer(ctx, mf.READ_WRITE, 4 * 8)
    assert cl.LocalMemory(32).size == 32
    cl.Kernel(program, "sum_groups")(queue, (64,), (8,), source, target, cl.LocalMemory(8 * 4))
    assert np.array_equal(read(queue, target, np.int32, 8), numbers.reshape(8, 8).sum(axis=1))


@pytest.mark.parametrize("size", [0, -4])
def test_senseless_local_memory_is_refused(ctx, queue, program, out, size):
    with pytest.raises((cl.Error, TypeError, ValueError, OverflowError)):
        cl.Kernel(program, "sum_groups")(queue, (8,), (8,), out, out, cl.LocalMemory(size))


def test_none_is_a_null_pointer(queue, program, out):
    kernel = cl.Kernel(program, "is_null")
    kernel(queue, (1,), None, out, None)
    assert read(queue, out, np.int32, 1)[0] == 1
    kernel(queue, (1,), None, out, out)
    assert read(queue, out, np.int32, 1)[0] == 0


def test_scalars_of_every_type(ctx, queue, device, program):
    if not device.double_fp_config:
        pytest.skip("the device has no double precision")
    values = [
        np.int8(-8),
        np.uint8(200),
        np.int16(-3000),
        np.uint16(60000),
        np.int32(-(2**31)),
        np.uint32(2**32 - 1),
        np.int64(-(2**53)),
        np.uint64(2**53),
        np.float32(0.5),
    ]
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 8 * 9)
    cl.Kernel(program, "scalars")(queue, (1,), None, buffer, *values)
    assert read(queue, buffer, np.float64, 9).tolist() == [float(value) for value in values]


def test_a_small_array_is_a_vector(queue, program, out):
    cl.Kernel(program, "vector")(queue, (1,), None, out, np.arange(4, dtype=np.float32))
    assert read(queue, out, np.float32, 4).tolist() == [0, 1, 2, 3]


def test_sizes_and_offsets(queue, program, out):
    kernel = cl.Kernel(program, "ids")

    def launch(*sizes, **keywords):
        kernel(queue, *sizes, out, **keywords)
        return read(queue, out, np.int32, 3 * 4).reshape(4, 3).tolist()

    assert launch((4,), (2,)) == [[i, 2, 1] for i in range(4)]
    assert launch((2,), (2,), g_times_l=True) == [[i, 2, 1] for i in range(4)]
    # Without a local size, there is nothing to multiply with.
    assert [item[0] for item in launch((2,), None, g_times_l=True)][:2] == [0, 1]
    for flag in ("g_times_l", "allow_empty_ndrange"):
        with pytest.raises(TypeError, match="bool"):
            launch((2,), (2,), **{flag: 1})
    assert launch((4,), (4,), global_offset=(10,)) == [[10 + i, 4, 1] for i in range(4)]
    assert launch([np.int32(4)], (np.uint8(2),)) == [[i, 2, 1] for i in range(4)]
    assert launch(np.array([4]), [4]) == [[i, 4, 1] for i in range(4)]
    assert launch((4, 1), (1, 1)) == [[i, 1, 2] for i in range(4)]


@pytest.mark.parametrize(
    ("sizes", "exceptions"),
    [
        ((4, None), TypeError),
        (("four", None), (TypeError, ValueError)),
        (((4,), (3,)), cl.LogicError),
        (((4,), (2, 2)), (cl.LogicError, ValueError)),
        (((-4,), None), (TypeError, ValueError, OverflowError)),
        (((1, 1, 1, 1), None), (cl.LogicError, ValueError)),
        (((1 << 70,), None), (TypeError, ValueError, OverflowError)),
    ],
)
def test_senseless_sizes_are_refused(queue, scale, out, sizes, exceptions):
    with pytest.raises(exceptions):
        scale(queue, *sizes, out, np.int32(4), np.float32(1))


@pytest.mark.parametrize(
    "head",
    [
        "typedef global float *fp;",
        "#define fp global float*",
        "typedef float real;\n#define fp global real *",
    ],
)
def test_a_number_is_no_pointer_behind_a_name(ctx, queue, head):
    kernel = cl.Program(ctx, f"{head}\nkernel void k(fp out) {{ out[0] = 7; }}").build().k
    for number in (np.float64(2), np.int64(1), np.complex64(1)):
        with pytest.raises(cl.LogicError, match="expected a memory object"):
            kernel(queue, (1,), None, number)
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 4)
    kernel(queue, (1,), None, buffer)
    assert read(queue, buffer, np.float32, 1).tolist() == [7]


def test_an_error_of_a_size_comes_through(queue, scale, out):
    class Size:
        def __index__(self):
            raise KeyError("no size")

    with pytest.raises(KeyError, match="no size"):
        scale(queue, (Size(),), None, out, np.int32(4), np.float32(1))
    with pytest.raises(TypeError, match=r"the global size: \(4.0,\) has an entry that is no size"):
        scale(queue, (4.0,), None, out, np.int32(4), np.float32(1))


def test_an_empty_range_does_nothing_if_allowed(queue, scale, out):
    scale(queue, (4,), None, out, np.int32(4), np.float32(1))
    event = scale(queue, (0,), None, out, np.int32(4), np.float32(9), allow_empty_ndrange=True)
    event.wait()
    assert read(queue, out, np.float32, 4).tolist() == [1, 2, 3, 4]


def test_temporary_arguments_live_until_the_launch(ctx, queue, scale):
    for _ in range(50):
        scale(queue, (8,), None, cl.Buffer(ctx, mf.READ_WRITE, 32), np.int32(8), np.float32(1))
    scale.set_args(cl.Buffer(ctx, mf.READ_WRITE, 32), np.int32(8), np.float32(1))
    gc.collect()
    cl.Buffer(ctx, mf.READ_WRITE, 32)
    cl.enqueue_nd_range_kernel(queue, scale, (8,), None).wait()


def test_kernels_do_not_share_arguments(queue, program, out):
    first, second = cl.Kernel(program, "scale"), cl.Kernel(program, "scale")
    first.set_args(out, np.int32(4), np.float32(1))
    second.set_args(out, np.int32(4), np.float32(2))
    cl.enqueue_nd_range_kernel(queue, first, (4,), None)
    assert read(queue, out, np.float32, 4).tolist() == [1, 2, 3, 4]


def test_what_a_kernel_answers(ctx, device, program, scale):
    assert scale.function_name == "scale"
    assert scale.num_args == 3
    assert scale.context == ctx
    assert scale.program == program
    assert scale.get_info(cl.kernel_info.FUNCTION_NAME) == "scale"
    assert scale.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, device) >= 1
    assert scale == cl.Kernel.from_int_ptr(scale.int_ptr)
    scale.note = "kept"
    assert scale.note == "kept"


def test_argument_information(ctx):
    program = cl.Program(ctx, SOURCE + "// with argument information").build("-cl-kernel-arg-info")
    kernel = cl.Kernel(program, "scale")
    info = cl.kernel_arg_info
    assert [kernel.get_arg_info(i, info.NAME) for i in range(3)] == ["out", "count", "factor"]
    assert [kernel.get_arg_info(i, info.TYPE_NAME) for i in range(3)] == ["float*", "int", "float"]
    assert kernel.get_arg_info(0, info.ADDRESS_QUALIFIER) == cl.kernel_arg_address_qualifier.GLOBAL


def test_the_call_can_be_replaced(queue, scale, out, monkeypatch):
    original = cl.Kernel.__call__
    calls = []

    def traced(self, *args, **kwargs):
        calls.append(self.function_name)
        return original(self, *args, **kwargs)

    monkeypatch.setattr(cl.Kernel, "__call__", traced)
    scale(queue, (4,), None, out, np.int32(4), np.float32(1))
    assert calls == ["scale"]


def test_a_queue_of_another_context_is_refused(device, scale, out):
    with pytest.raises(cl.LogicError):
        scale(cl.CommandQueue(cl.Context([device])), (4,), None, out, np.int32(4), np.float32(1))


def test_a_number_is_no_memory_object(queue, scale, out):
    for wrong in (np.int64(5), np.float64(5), np.zeros(2, np.float32), cl.LocalMemory(8)):
        with pytest.raises(cl.LogicError, match=r"#1 .*memory object"):
            scale(queue, (4,), None, wrong, np.int32(4), np.float32(1))


def test_a_buffer_of_another_context_is_refused(device, queue, scale):
    other = cl.Buffer(cl.Context([device]), cl.mem_flags.READ_WRITE, 64)
    with pytest.raises(cl.LogicError, match="another context"):
        scale(queue, (4,), None, other, np.int32(4), np.float32(1))
    with pytest.raises(cl.LogicError, match="another context"):
        cl.enqueue_copy(queue, other, np.zeros(4, np.float32))


def test_a_forgotten_local_size_is_noticed(queue, scale, out):
    with pytest.raises(TypeError, match="the local size"):
        scale(queue, (4,), out, np.int32(4), np.float32(1))
