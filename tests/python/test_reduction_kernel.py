"""Reductions by expressions of OpenCL C: values, layouts, ranges, outputs, kernels for known reductions."""

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl import reduction
from pyopencl.reduction import ReductionKernel, ReductionTemplate
from pyopencl.tools import ImmediateAllocator, MemoryPool, get_or_register_dtype, match_dtype_to_c_struct

F32, I32, I8 = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.int8)


@pytest.fixture
def dot(ctx):
    return ReductionKernel(
        ctx,
        np.float32,
        neutral="0",
        reduce_expr="a+b",
        map_expr="s*x[i]*y[i]",
        arguments="float s, __global const float *x, __global const float *y",
    )


def ramp(queue, size):
    return cl_array.to_device(queue, (np.arange(size) % 13).astype(np.float32))


def test_every_element_is_taken_once(ctx, queue, dot):
    for size in (0, 1, 2, 63, 300, 5000, 70_001):
        x = ramp(queue, size)
        result = dot(0.5, x, x)
        assert (result.shape, result.dtype) == ((), np.float32)
        assert float(result.get()) == 0.5 * ((np.arange(size) % 13) ** 2).sum()


def test_without_a_map_the_elements_are_reduced(ctx, queue):
    product = ReductionKernel(ctx, np.int32, 1, "a*b", arguments="int *in")
    assert product(cl_array.arange(queue, 1, 9, dtype=np.int32)).get() == 40320
    greatest = ReductionKernel(ctx, np.int32, -(2**31) + 1, "max(a, b)", arguments="int *in")
    assert greatest(cl_array.arange(queue, -20, -3, dtype=np.int32)).get() == -4


def test_elements_are_the_same_in_every_layout(ctx, queue, dot):
    host = np.arange(24, dtype=np.float32).reshape(4, 6)
    x, y = cl_array.to_device(queue, host), cl_array.to_device(queue, host.T.copy())
    assert dot(1, x, y.T).get() == (host * host).sum()
    assert dot(1, x[::-2, 1::2], y.T[:2, 3:]).get() == (host[::-2, 1::2] * host[:2, 3:]).sum()


def test_ranges_and_slices(ctx, queue, dot):
    x = ramp(queue, 13)
    squares = np.arange(13) ** 2
    for part in (slice(2, None, 3), slice(None, None, -2), slice(5, 100), slice(4, 4)):
        assert dot(1, x, x, slice=part).get() == squares[part].sum()
    assert dot(1, x, x, range=range(2, 8, 2)).get() == squares[2:8:2].sum()
    assert dot(1, x, x, range=slice(7)).get() == squares[:7].sum()
    with pytest.raises(TypeError, match="range and slice"):
        dot(1, x, x, range=slice(3), slice=slice(3))


def test_the_result_may_go_to_an_array(ctx, queue, dot):
    x, out = ramp(queue, 13), cl_array.zeros(queue, 3, np.float32)
    part = out[1:2]
    assert dot(1, x, x, out=part) is part
    np.testing.assert_array_equal(out.get(), [0, 650, 0])
    pool = MemoryPool(ImmediateAllocator(queue))
    assert dot(1, x, x, allocator=pool).get() == 650
    with pytest.raises(ValueError, match=r"\(3,\)"):
        dot(1, x, x, out=out)
    with pytest.raises(TypeError, match="int32"):
        dot(1, x, x, out=cl_array.zeros(queue, (), np.int32))


def test_queues_and_events(ctx, queue, dot):
    x, other = ramp(queue, 13), cl.CommandQueue(ctx)
    result, event = dot(1, x, x, return_event=True, queue=other)
    assert event.command_queue == other
    event.wait()
    assert result.get() == 650
    gate = cl.UserEvent(ctx)
    result, event = dot(2, x, x, wait_for=[gate], return_event=True)
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    assert result.get() == 1300
    with pytest.raises((RuntimeError, ValueError), match="queue"):
        dot(1, x.with_queue(None), x.with_queue(None))


def test_what_does_not_fit_is_refused(ctx, queue, dot):
    x = ramp(queue, 3)
    with pytest.raises(TypeError, match="has 3 arguments, 2 were given"):
        dot(1, x)
    with pytest.raises(TypeError, match="float s"):
        dot("1", x, x)
    with pytest.raises(TypeError, match=r"float x.*int32 with gaps"):
        dot(1, x.astype(np.int32)[::2], x[::2])
    for wrong in (5, (0, 3)):
        with pytest.raises(TypeError, match=r"range: expected a slice or a range"):
            dot(1, x, x, range=wrong)
        with pytest.raises(TypeError, match=r"slice: expected a slice"):
            dot(1, x, x, slice=wrong)
    with pytest.raises(TypeError, match="neutral: expected"):
        ReductionKernel(ctx, np.float32, None, "a+b", arguments="float *in")
    with pytest.raises(ValueError, match="arguments must not be None"):
        ReductionKernel(ctx, np.float32, "0", "a+b", "1")
    with pytest.raises(TypeError, match="foo"):
        dot(1, x, x, foo=2)
    with pytest.raises(cl.RuntimeError, match="unknown_function"):
        ReductionKernel(ctx, np.float32, "0", "unknown_function(a)", arguments="float *in")(x)


def test_arrays_of_other_dtypes_are_their_memory(ctx, queue):
    host = np.arange(4000, dtype=np.float32).reshape(1000, 4)
    x, v = ramp(queue, 1000), cl_array.to_device(queue, host)
    second = ReductionKernel(ctx, F32, "0", "a+b", "x[i]*v[i].y", "const float *x, const float4 *v")
    assert second(x, v).get() == pytest.approx((x.get() * host[:, 1]).sum(dtype=float), rel=1e-6)
    data = np.arange(300, dtype=np.int32)
    low = ReductionKernel(ctx, I32, "0", "a+b", "x[i]", "const uchar *x")
    assert low(cl_array.to_device(queue, data)).get() == data.view(np.uint8)[:300].sum()
    everything = low(cl_array.to_device(queue, data), range=slice(data.nbytes)).get()
    assert everything == data.view(np.uint8).sum()


def test_structs(ctx, queue):
    pair, declaration = match_dtype_to_c_struct(
        ctx.devices[0], "reduction_pair", np.dtype([("least", np.int32), ("most", np.int32)])
    )
    pair = get_or_register_dtype("reduction_pair", pair)
    kernel = ReductionKernel(
        ctx,
        pair,
        neutral="pair_of(INT_MAX, INT_MIN)",
        reduce_expr="pair_of(min(a.least, b.least), max(a.most, b.most))",
        map_expr="pair_of(x[i], x[i])",
        arguments="int *x",
        preamble=declaration
        + "static reduction_pair pair_of(int p, int q) { reduction_pair r = {p, q}; return r; }",
    )
    numbers = np.random.default_rng(5).integers(-1000, 1000, 20_000).astype(np.int32)
    found = kernel(cl_array.to_device(queue, numbers)).get()
    assert (found["least"], found["most"]) == (numbers.min(), numbers.max())


def test_subclasses_make_their_own_kernels(ctx, queue):
    class Count(ReductionKernel):
        def __init__(self, ctx):
            super().__init__(ctx, np.int32, "0", "a+b", "x[i] > 5", "float *x", name="count")

    assert Count(ctx)(ramp(queue, 26)).get() == 14


def test_templates(ctx, queue):
    template = ReductionTemplate("item *x", "0", "a+b", "x[i]*FACTOR", preamble="#define FACTOR 2\n")
    for item, total in (np.float32, np.float32), (np.int8, np.int32):
        kernel = template.build(ctx, type_aliases=(("item", item), ("reduction_t", total)))
        assert kernel.dtype_out == total
        assert kernel(cl_array.arange(queue, 100, dtype=item)).get() == 9900
    with pytest.raises(KeyError, match="reduction_t"):
        template.build(ctx, type_aliases=(("item", np.float32),))


@pytest.fixture
def numbers():
    return np.random.default_rng(3).integers(-9, 10, 5000).astype(np.float32)


PLACES = np.array([3, 4, 4, 999], np.int32)


def test_sums_and_products(ctx, queue, numbers):
    x, y = cl_array.to_device(queue, numbers), cl_array.to_device(queue, numbers[::-1].astype(np.int32))
    total = reduction.get_sum_kernel(ctx, I32, F32)(x)
    assert (total.dtype, total.get()) == (I32, numbers.sum())
    assert reduction.get_sum_kernel(ctx, None, F32).dtype_out == F32
    assert reduction.get_dot_kernel(ctx, F32, F32, I32)(x, y).get() == numbers @ numbers[::-1]
    kernel = reduction.get_subset_dot_kernel(ctx, F32, I32, F32, I32)
    assert kernel(cl_array.to_device(queue, PLACES), x, y).get() == numbers[PLACES] @ numbers[::-1][PLACES]


def test_complex_sums_and_products(ctx, queue):
    host = np.array([1 + 2j, 3 - 1j, -2j], np.complex64)
    x, c64 = cl_array.to_device(queue, host), np.dtype(np.complex64)
    assert reduction.get_sum_kernel(ctx, None, c64)(x).get() == host.sum()
    assert reduction.get_dot_kernel(ctx, None, c64, c64)(x, x).get() == host @ host
    assert reduction.get_dot_kernel(ctx, None, c64, c64, conjugate_first=True)(x, x).get() == np.vdot(
        host, host
    )


@pytest.mark.parametrize(("what", "compute"), [("min", np.min), ("max", np.max)])
def test_least_and_greatest(ctx, queue, numbers, what, compute):
    x, table = cl_array.to_device(queue, numbers), cl_array.to_device(queue, PLACES)
    kernel = reduction.get_minmax_kernel(ctx, what, F32)
    assert kernel(x).get() == compute(numbers)
    with_nan = numbers.copy()
    with_nan[77] = np.nan
    assert np.isnan(kernel(cl_array.to_device(queue, with_nan)).get())
    assert reduction.get_subset_minmax_kernel(ctx, what, F32, I32)(table, x).get() == compute(numbers[PLACES])
    for name in ("int8", "int64", "uint64"):
        limits = np.array([np.iinfo(name).min, np.iinfo(name).max], name)
        kernel = reduction.get_minmax_kernel(ctx, what, np.dtype(name))
        array = cl_array.to_device(queue, limits)
        assert kernel(array).get() == compute(limits)
        # Of nothing, what changes nothing.
        assert kernel(array[:0]).get() == (limits[1] if what == "min" else limits[0])
    with pytest.raises(ValueError, match="'least'"):
        reduction.get_minmax_neutral("least", F32)


def test_truth_of_elements(ctx, queue, numbers):
    x = cl_array.to_device(queue, numbers)
    for values, some, every in (x, 1, 0), (x * 0, 0, 0), (x * 0 + 1, 1, 1):
        assert reduction.get_any_kernel(ctx, F32)(values).get() == some
        assert reduction.get_all_kernel(ctx, F32)(values).get() == every


def test_the_kernels_themselves(ctx, queue, dot):
    assert [argument.name for argument in dot.stage_1_inf.arg_types] == ["s", "x", "y"]
    assert dot.stage_1_inf.kernel.num_args == 8
    stage = reduction.get_reduction_kernel(2, ctx, F32, "0", "a+b", "x[i]", "float *x", name="add")
    assert stage.kernel.function_name == "add_2"


def test_numbers_alone_are_reduced_over_a_range(ctx, queue):
    kernel = ReductionKernel(ctx, np.float32, "0", "a+b", "factor*i", "float factor")
    result = kernel(2, range=slice(0, 100), queue=queue)
    assert result.queue is queue
    assert result.shape == ()
    assert result.get() == 9900
    assert kernel(2, range=slice(1, 9, 3), queue=queue).get() == 24
    assert kernel(2, range=slice(0, 0), queue=queue).get() == 0
    out = cl_array.zeros(queue, (), np.float32)
    assert kernel(1, range=range(100_000), queue=queue, out=out) is out
    assert out.get() == pytest.approx(np.arange(100_000, dtype=np.float64).sum(), rel=1e-5)
    allocator = ImmediateAllocator(queue)
    assert kernel(1, range=range(3), queue=queue, allocator=allocator).allocator is allocator
    with pytest.raises(TypeError, match="queue"):
        kernel(2, range=slice(0, 100))
    with pytest.raises(TypeError, match="queue"):
        kernel(2, range=slice(0, 100), allocator=allocator)
    for keywords in ({}, {"slice": slice(0, 3)}):
        with pytest.raises(TypeError, match="range"):
            kernel(2, queue=queue, **keywords)
