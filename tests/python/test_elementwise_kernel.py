"""Snippets of OpenCL C as functions of arrays: arguments, layouts, ranges, kernels, what is refused."""

import io

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl import cltypes
from pyopencl.elementwise import (
    ElementwiseKernel,
    get_elwise_kernel,
    get_elwise_kernel_and_types,
    get_elwise_program,
)
from pyopencl.tools import (
    OtherArg,
    ScalarArg,
    VectorArg,
    get_or_register_dtype,
    match_dtype_to_c_struct,
)


@pytest.fixture
def axpb(ctx):
    return ElementwiseKernel(ctx, "float a, float *x, float *z", "z[i] = a*x[i] + i")


def ramp(queue, shape):
    return cl_array.to_device(queue, np.arange(np.prod(shape), dtype=np.float32).reshape(shape))


def test_a_snippet_is_done_for_each_element(ctx, queue):
    kernel = ElementwiseKernel(ctx, "float a, float *x, float *z", "z[i] = a*x[i] + n")
    for size in (0, 1, 63, 5000):
        x, z = ramp(queue, size), cl_array.zeros(queue, size, np.float32)
        event = kernel(2, x, z)
        assert isinstance(event, cl.Event)
        event.wait()
        np.testing.assert_array_equal(z.get(), 2 * np.arange(size, dtype=np.float32) + size)


def test_arguments_may_be_objects(ctx, queue):
    arguments = [
        VectorArg(np.float32, "z", with_offset=True),
        ScalarArg(np.int8, "a"),
        VectorArg(np.int16, "x"),
    ]
    kernel = ElementwiseKernel(ctx, arguments, "z[i] = a * x[i]", name="scaled")
    assert (kernel.arguments, kernel.operation, kernel.name) == (arguments, "z[i] = a * x[i]", "scaled")
    x = cl_array.arange(queue, 12, dtype=np.int16)
    z = cl_array.zeros(queue, 12, np.float32)
    # Where the kernel takes no offset, the array is copied.
    kernel(z[4:9], np.int64(-3), x[5:10])
    expected = np.zeros(12)
    expected[4:9] = -3 * np.arange(5, 10)
    np.testing.assert_array_equal(z.get(), expected)


def test_scalars_are_converted_to_what_is_declared(ctx, queue, axpb):
    x, z = ramp(queue, 3), cl_array.zeros(queue, 3, np.float32)
    for value in (2, 2.5, True, np.float64(2.5), np.int8(-3), np.array(1.5), np.float32(4)):
        axpb(value, x, z)
        np.testing.assert_array_equal(z.get(), float(value) * np.arange(3) + np.arange(3))
    kernel = ElementwiseKernel(
        ctx, [ScalarArg(cltypes.float4, "a"), VectorArg(np.float32, "z")], "z[i] = a.y"
    )
    kernel(cltypes.make_float4(1, 2, 3, 4), z)
    np.testing.assert_array_equal(z.get(), [2, 2, 2])


@pytest.mark.parametrize("order", ["C", "F"])
def test_elements_are_the_same_in_every_layout(ctx, queue, order):
    kernel = ElementwiseKernel(ctx, "float *x, float *y, float *z", "z[i] = x[i] + 100*y[i]")
    wide = ramp(queue, (8, 12))
    views = [
        ramp(queue, (4, 6)),
        ramp(queue, (6, 4)).T,
        wide[::2, ::2],
        wide[::-2, 11:5:-1],
        wide[3:7, 1:7],
    ]
    for x in views:
        for y in views:
            z = cl_array.zeros(queue, (4, 6), np.float32, order=order)
            kernel(x, y, z)
            np.testing.assert_array_equal(z.get(), x.get() + 100 * y.get())
            large = cl_array.zeros(queue, (9, 6), np.float32, order=order)
            kernel(x, y, large[1::2])
            np.testing.assert_array_equal(large.get()[1::2], x.get() + 100 * y.get())
            assert not large.get()[::2].any()


def test_in_place_with_gaps(ctx, queue):
    x = ramp(queue, 10)
    ElementwiseKernel(ctx, "float *x, float *y", "x[i] = 2 * y[i]")(x[::3], x[::3])
    np.testing.assert_array_equal(x.get(), [0, 1, 2, 6, 4, 5, 12, 7, 8, 18])


def test_numbers_run_through_the_memory_of_the_first_array(ctx, queue):
    kernel = ElementwiseKernel(ctx, "float *z", "z[i] = i")
    z = cl_array.zeros(queue, (2, 3), np.float32, order="F")
    kernel(z)
    np.testing.assert_array_equal(z.get(), np.arange(6).reshape((2, 3), order="F"))


def test_arrays_of_other_sizes(ctx, queue):
    kernel = ElementwiseKernel(ctx, "float *z, int *place, float *table", "z[i] = table[place[i]]")
    table = cl_array.to_device(queue, np.array([5, 6, 7], np.float32))
    place = cl_array.to_device(queue, np.array([2, 0, 1, 1, 2], np.int32))
    z = cl_array.zeros(queue, 5, np.float32)
    kernel(z, place, table)
    np.testing.assert_array_equal(z.get(), [7, 5, 6, 6, 7])


def test_ranges_and_slices(ctx, queue):
    kernel = ElementwiseKernel(ctx, "float *z", "z[i] = 1 + start + 100*step")

    def marked(**keywords):
        z = cl_array.zeros(queue, 10, np.float32)
        kernel(z, **keywords)
        return z.get()

    for part in (slice(2, None, 3), slice(None, None, -2), slice(5, 100), slice(-3, None), slice(4, 4)):
        start, _, step = part.indices(10)
        expected = np.zeros(10)
        expected[part] = 1 + start + 100 * step
        np.testing.assert_array_equal(marked(slice=part), expected)
    expected = np.zeros(10)
    expected[2:8:2] = 203
    np.testing.assert_array_equal(marked(range=range(2, 8, 2)), expected)
    np.testing.assert_array_equal(marked(range=slice(2, 8, 2)), expected)
    np.testing.assert_array_equal(marked(range=slice(3)), [101] * 3 + [0] * 7)
    np.testing.assert_array_equal(marked(range=slice(8, 5, -1)), [0] * 6 + [-91] * 3 + [0])
    with pytest.raises(TypeError, match="range and slice"):
        marked(range=slice(3), slice=slice(3))
    with pytest.raises(TypeError, match="stop"):
        marked(range=slice(3, None))
    with pytest.raises(ValueError, match="zero"):
        marked(range=slice(0, 3, 0))


def test_texts_around_the_loop(ctx, queue):
    z, end = cl_array.zeros(queue, 5, np.float32), cl_array.zeros(queue, 1, np.float32)
    kernel = ElementwiseKernel(
        ctx,
        "float *z, float *end",
        "if (i == 3) PYOPENCL_ELWISE_CONTINUE; z[i] = twice(base) + EXTRA // done",
        options=["-DEXTRA=1"],
        preamble="static float twice(float x) { return 2*x; }",
        loop_prep="float base = 4",
        after_loop="if (get_global_id(0) == 0) end[0] = n",
    )
    kernel(z, end)
    np.testing.assert_array_equal(z.get(), [9, 9, 9, 0, 9])
    assert end.get()[0] == 5
    with pytest.raises(TypeError, match="loop_perp"):
        ElementwiseKernel(ctx, "float *z", "z[i] = 0", loop_perp="")
    with pytest.warns(UserWarning, match="PYOPENCL_ELWISE_CONTINUE") as warned:
        ElementwiseKernel(ctx, "float *z", "if (i == 3) return; z[i] = 0")
    assert warned[0].filename == __file__


@pytest.mark.filterwarnings("ignore:'return'")
@pytest.mark.parametrize("count", [1, 7, 5000])
def test_return_ends_one_element(ctx, queue, count):
    z, ends = cl_array.zeros(queue, count, np.float32), cl_array.zeros(queue, 1, np.int32)
    kernel = ElementwiseKernel(
        ctx,
        "float *z, int *ends",
        "for (int k = 0; k < 5; ++k) if ((i + k) % 7 == 3) return; z[i] = half_of(2 * i) // done",
        preamble="static float half_of(float x) { if (x < 0) return 0; return x / 2; }",
        after_loop="atomic_inc(&ends[0])",
    )
    kernel(z, ends)
    expected = np.arange(count, dtype=np.float32)
    expected[np.isin(np.arange(count) % 7, [3, 2, 1, 0, 6])] = 0
    np.testing.assert_array_equal(z.get(), expected)
    assert ends.get()[0] > 0
    z.fill(0)
    kernel(z, ends, range=slice(0, count, 2))
    expected[1::2] = 0
    np.testing.assert_array_equal(z.get(), expected)


def test_queues_and_events(ctx, queue, axpb):
    x, z = ramp(queue, 5), cl_array.zeros(queue, 5, np.float32)
    other = cl.CommandQueue(ctx)
    assert axpb(2, x, z, queue=other).command_queue == other
    gate = cl.UserEvent(ctx)
    event = axpb(5, x, z, wait_for=[gate], queue=other)
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    # Work on other queues follows by itself.
    np.testing.assert_array_equal((z + 1).get(), 6 * np.arange(5) + 1)
    with pytest.raises((RuntimeError, ValueError), match="queue"):
        axpb(2, x.with_queue(None), z.with_queue(None))
    axpb(3, x.with_queue(None), z.with_queue(None), queue=queue).wait()
    np.testing.assert_array_equal(z.get(), 4 * np.arange(5))


def test_other_arguments(ctx, queue):
    kernel = ElementwiseKernel(
        ctx,
        [OtherArg("global const float *p", "p"), VectorArg(np.float32, "z"), OtherArg("local float *l", "l")],
        "z[i] = 2*p[i]",
    )
    x, z = ramp(queue, 5), cl_array.zeros(queue, 5, np.float32)
    kernel(x.data, z, cl.LocalMemory(16))
    np.testing.assert_array_equal(z.get(), 2 * np.arange(5))


def test_what_does_not_fit_is_refused(ctx, queue, axpb):
    x, z = ramp(queue, 5), cl_array.zeros(queue, 5, np.float32)
    with pytest.raises(TypeError, match="`elwise_kernel` has 3 arguments, 2 were given"):
        axpb(2, x)
    with pytest.raises(TypeError, match="'foo'"):
        axpb(2, x, z, foo=3)
    with pytest.raises(TypeError, match=r"float a.*Array"):
        axpb(x, x, z)
    with pytest.raises(TypeError, match=r"float x.*needs an array"):
        axpb(2, 3, z)
    with pytest.raises(TypeError, match=r"float x.*\.copy\(\).*\.view.*int32 with gaps"):
        axpb(2, x.astype(np.int32)[::2], z)
    with pytest.raises(TypeError, match=r"float x.*float16 with gaps"):
        axpb(2, x.astype(np.float16)[::-1], z)
    for wrong in (5, (0, 3)):
        with pytest.raises(TypeError, match=r"range: expected a slice or a range"):
            axpb(2, x, z, range=wrong)
        with pytest.raises(TypeError, match=r"slice: expected a slice"):
            axpb(2, x, z, slice=wrong)
    with pytest.raises(RuntimeError, match="at least one argument must be an array"):
        ElementwiseKernel(ctx, "float a", "")(2, queue=queue)
    with pytest.raises(OverflowError, match=r"uchar a.*300"):
        ElementwiseKernel(ctx, "unsigned char a, float *z", "z[i] = a")(300, z)
    with pytest.raises(ValueError, match="unknown type 'floats'"):
        ElementwiseKernel(ctx, "floats *z", "z[i] = 0")(z)
    with pytest.raises(ValueError, match="int i"):
        ElementwiseKernel(ctx, "float *z, int i", "z[i] = 0")(z, 1)
    with pytest.raises(cl.RuntimeError, match="unknown_function"):
        ElementwiseKernel(ctx, "float *z", "z[i] = unknown_function")(z)


def test_integers_of_one_size_are_bytes_alike(ctx, queue):
    z = cl_array.zeros(queue, 3, np.int8)
    ElementwiseKernel(ctx, "unsigned char *z", "z[i] = 255 - i")(z)
    np.testing.assert_array_equal(z.get(), [-1, -2, -3])


def test_vectors_and_structs(ctx, queue):
    z = cl_array.zeros(queue, (3, 4), cltypes.float4)
    ElementwiseKernel(ctx, "float4 *z", "z[i] = (float4)(i, i + 1, 2, 3)")(z[:, ::2])
    found = z.get()
    np.testing.assert_array_equal(found["x"][:, ::2], np.arange(6).reshape(3, 2))
    np.testing.assert_array_equal(found["y"][:, ::2], np.arange(6).reshape(3, 2) + 1)
    assert not found["w"][:, 1::2].any()
    pair, declaration = match_dtype_to_c_struct(
        ctx.devices[0], "snippet_pair", np.dtype([("a", np.int32), ("b", np.float32)])
    )
    pair = get_or_register_dtype("snippet_pair", pair)
    pairs = cl_array.zeros(queue, 5, pair)
    kernel = ElementwiseKernel(
        ctx, "snippet_pair *p, snippet_pair add", "p[i].a = i + add.a; p[i].b = add.b", preamble=declaration
    )
    kernel(pairs, np.array((10, 2.5), pair)[()])
    np.testing.assert_array_equal(pairs.get()["a"], np.arange(5) + 10)
    np.testing.assert_array_equal(pairs.get()["b"], np.full(5, 2.5))
    with pytest.raises(TypeError, match=r"float4 z.*float2"):
        ElementwiseKernel(ctx, "float4 *z", "z[i] = 0")(cl_array.zeros(queue, 6, cltypes.float2)[::2])


def test_arrays_of_other_dtypes_are_their_memory(ctx, queue):
    x, host = cl_array.zeros(queue, 5, np.float32), np.arange(24, dtype=np.float32)
    kernel = ElementwiseKernel(ctx, "float *x, float4 *v", "x[i] = v[i].x + v[i].w; v[i].z = -1")
    v = cl_array.to_device(queue, host[:20].reshape(5, 4))
    kernel(x, v)
    np.testing.assert_array_equal(x.get(), host[:20].reshape(5, 4)[:, [0, 3]].sum(axis=1))
    assert (v.get()[:, 2] == -1).all()
    # Where vectors may not lie, the kernel has a copy, and what it writes comes back.
    v = cl_array.to_device(queue, host)
    kernel(x, v[3:23])
    np.testing.assert_array_equal(x.get(), 2 * host[3:23:4] + 3)
    expected = host.copy()
    expected[5:23:4] = -1
    np.testing.assert_array_equal(v.get(), expected)

    longs = cl_array.zeros(queue, 5, np.int64)
    ElementwiseKernel(ctx, "int2 *v", "v[i] = (int2)(i, n)")(longs)
    np.testing.assert_array_equal(longs.get(), np.arange(5) + (5 << 32))
    # As many as the array has elements, not bytes.
    words = cl_array.zeros(queue, 8, np.int32)
    ElementwiseKernel(ctx, "uchar *raw", "raw[i] = n")(words)
    np.testing.assert_array_equal(words.get().view(np.uint8), [8] * 8 + [0] * 24)
    floats = cl_array.to_device(queue, np.ones(3, np.float32))
    ElementwiseKernel(ctx, "uint *x", "x[i] += 1")(floats)
    np.testing.assert_array_equal(floats.get(), np.nextafter(np.ones(3, np.float32), np.float32(2)))
    # Memory, in whatever order.
    turned, plain = cl_array.zeros(queue, (3, 4), np.float32, order="F"), cl_array.zeros(queue, (3, 4), "i4")
    ElementwiseKernel(ctx, "int *x, uint *y", "x[i] = i; y[i] = 2*i")(plain, turned)
    np.testing.assert_array_equal(plain.get().ravel(), np.arange(12))
    np.testing.assert_array_equal(turned.get().ravel("F").view(np.uint32), 2 * np.arange(12))


def test_ranges_are_numbers_whatever_the_sizes(ctx, queue):
    kernel = ElementwiseKernel(ctx, "float *table, float *z", "z[i + 2] = table[(i + 2) % 3] + i")
    table, z = ramp(queue, 3), cl_array.zeros(queue, 8, np.float32)
    kernel(table, z, range=slice(-2, 6))
    np.testing.assert_array_equal(z.get(), np.arange(8) % 3 + np.arange(-2, 6))


def test_the_kernel_itself(ctx, queue, axpb):
    kernel, arguments = axpb.get_kernel(False)
    assert [argument.name for argument in arguments] == ["a", "x", "z", "n"]
    assert (kernel.function_name, kernel.num_args) == ("elwise_kernel", 6)
    x, z = ramp(queue, 7), cl_array.zeros(queue, 10, np.float32)
    kernel(queue, (2,), None, 2, x.data, 0, z.data, 8, 7)
    np.testing.assert_array_equal(z.get(), [0, 0, *(3 * np.arange(7)), 0])
    kernel, arguments = axpb.get_kernel(True)
    assert [argument.name for argument in arguments[-3:]] == ["start", "stop", "step"]
    z.fill(0)
    kernel(queue, (3,), None, 2, x.data, 0, z.data, 0, 1, 7, 2)
    np.testing.assert_array_equal(z.get(), [0, 3, 0, 9, 0, 15, 0, 0, 0, 0])


def test_functions_that_make_kernels(ctx, queue):
    z = cl_array.zeros(queue, 4, np.float32)
    kernel, arguments = get_elwise_kernel_and_types(
        ctx, [VectorArg(np.float32, "z")], "z[i] = step", name="stepped", use_range=True
    )
    assert [argument.name for argument in arguments] == ["z", "start", "stop", "step"]
    kernel(queue, (4,), None, z.data, 0, 4, 3)
    np.testing.assert_array_equal(z.get(), [3, 0, 0, 3])
    kernel = get_elwise_kernel(ctx, "float *z", "z[i] = base", loop_prep="float base = 5")
    kernel(queue, (4,), None, z.data, 0, 3)
    np.testing.assert_array_equal(z.get(), [5, 5, 5, 3])
    arguments = [VectorArg(np.float32, "z"), ScalarArg(np.int64, "n")]
    program = get_elwise_program(ctx, arguments, "z[i] = n", name="counted")
    program.counted(queue, (4,), None, z.data, np.int64(4))
    np.testing.assert_array_equal(z.get(), [4, 4, 4, 4])


def test_a_call_is_written_down(ctx, queue, axpb):
    x, z, output = ramp(queue, 4), cl_array.zeros(queue, 4, np.float32), io.StringIO()
    axpb(2, x, z, slice=slice(1, 3), capture_as=output)
    np.testing.assert_array_equal(z.get(), [0, 3, 6, 0])
    assert "elwise_kernel" in output.getvalue()
    compile(output.getvalue(), "captured", "exec")


def test_threads_share_a_kernel(ctx, axpb):
    from concurrent.futures import ThreadPoolExecutor

    def call(factor):
        queue = cl.CommandQueue(ctx)
        x, z = ramp(queue, 100), cl_array.zeros(queue, 100, np.float32)
        for _ in range(10):
            axpb(factor, x, z)
        return np.array_equal(z.get(), (factor + 1) * np.arange(100))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(8)))
