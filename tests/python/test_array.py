"""Arrays: creation, transfer, arithmetic, comparison and statistics, with NumPy as the judge."""

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import pyopencl as cl
import pyopencl.array as cla
import pyopencl.clmath as clmath

DTYPES = [
    np.int8,
    np.uint8,
    np.int16,
    np.uint16,
    np.int32,
    np.uint32,
    np.int64,
    np.uint64,
    np.float32,
    np.float64,
]
FLOATS = [np.float32, np.float64]


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


def values(dtype, shape, seed=0):
    """Numbers for which no operation of these tests overflows."""
    generator = np.random.default_rng(seed)
    low = 1 if np.dtype(dtype).kind == "u" else -5
    return generator.integers(low, 6, shape).astype(dtype)


def nonzero(dtype, shape, seed=1):
    host = values(dtype, shape, seed)
    host[host == 0] = 3
    return host


def same(device_array, expected, rtol=0.0):
    found = device_array.get()
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if rtol:
        np.testing.assert_allclose(found, expected, rtol=rtol)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", [*DTYPES, np.complex64, np.complex128])
@pytest.mark.parametrize("order", ["C", "F"])
def test_there_and_back(queue, dtype, order):
    host = np.array(values(dtype, (3, 4, 5)), order=order)
    array = cla.to_device(queue, host)
    assert (array.shape, array.dtype, array.strides) == (host.shape, host.dtype, host.strides)
    assert (array.size, array.nbytes, array.ndim) == (host.size, host.nbytes, host.ndim)
    same(array, host)


@pytest.mark.parametrize("take", [np.s_[::2], np.s_[::-1], np.s_[:, 1:3], np.s_[::-2, ::3]])
def test_strided_host_memory(queue, take):
    host = np.arange(48.0).reshape(6, 8)[take]
    same(cla.to_device(queue, host), host)


def test_new_arrays(queue):
    same(cla.zeros(queue, (3, 5), np.float32), np.zeros((3, 5), np.float32))
    array = cla.empty(queue, 7, np.int16)
    assert (array.shape, array.dtype) == ((7,), np.int16)
    same(cla.arange(queue, 10, dtype=np.int32), np.arange(10, dtype=np.int32))
    same(cla.arange(queue, 2, 11, 3, dtype=np.float32), np.arange(2, 11, 3, dtype=np.float32))
    for dtype in DTYPES:
        same(cla.zeros(queue, 3, dtype), np.zeros(3, dtype))


def test_shapes_of_numpy_integers(queue):
    array = cla.zeros(queue, (np.uint8(200), np.uint8(200)), np.uint8)
    assert array.nbytes == 40000
    assert cla.empty(queue, np.uint64(5), np.float32).nbytes == 20


@pytest.mark.parametrize("shape", [(-1,), (3, -2), (1 << 62, 16)])
def test_senseless_shapes_are_refused(queue, shape):
    with pytest.raises((ValueError, OverflowError, cl.Error)):
        cla.empty(queue, shape, np.float32)


def test_lengths_are_integers(queue):
    with pytest.raises(ValueError, match=r"invalid shape \(3, 2.5\)"):
        cla.empty(queue, (3, 2.5), np.float32)
    for shape in (2.5, None, np.float32(3)):
        with pytest.raises(TypeError, match="a shape is a length"):
            cla.empty(queue, shape, np.float32)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("operation", ["add", "subtract", "multiply"])
def test_arithmetic_of_every_dtype(queue, dtype, operation):
    a, b = values(dtype, 100), values(dtype, 100, 1)
    if np.dtype(dtype).kind == "u" and operation == "subtract":
        a = a + np.array(5, dtype)
    compute = {
        "add": lambda x, y: x + y,
        "subtract": lambda x, y: x - y,
        "multiply": lambda x, y: x * y,
    }[operation]
    same(compute(cla.to_device(queue, a), cla.to_device(queue, b)), compute(a, b))


@pytest.mark.parametrize("dtype", FLOATS)
def test_division_of_floats(queue, dtype):
    a, b = values(dtype, 100), nonzero(dtype, 100)
    rtol = 4 * np.finfo(dtype).eps
    same(cla.to_device(queue, a) / cla.to_device(queue, b), a / b, rtol)
    same(2 / cla.to_device(queue, b), 2 / b, rtol)
    same(cla.to_device(queue, a) / 4, a / 4, rtol)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8])
def test_division_of_integers_is_true_division(queue, dtype):
    a, b = values(dtype, 100), nonzero(dtype, 100)
    found = (cla.to_device(queue, a) / cla.to_device(queue, b)).get()
    assert found.dtype.kind == "f"
    np.testing.assert_allclose(found, a / b, rtol=1e-6)


@pytest.mark.parametrize("dtype", FLOATS)
def test_powers(queue, dtype):
    a = np.abs(values(dtype, 50)) + dtype(0.5)
    b = values(dtype, 50, 1)
    rtol = 64 * np.finfo(dtype).eps
    same(cla.to_device(queue, a) ** cla.to_device(queue, b), a**b, rtol)
    same(cla.to_device(queue, a) ** 2, a**2, rtol)
    same(cla.to_device(queue, a) ** 0.5, a**0.5, rtol)
    same(2.0 ** cla.to_device(queue, b), dtype(2.0) ** b, rtol)


@pytest.mark.parametrize("dtype", [*FLOATS, np.complex64])
def test_powers_that_are_roots_and_quotients(queue, dtype):
    a = np.abs(values(dtype, 50)).astype(dtype) + dtype(0.5)
    array = cla.to_device(queue, a)
    # Not a power but a root, as NumPy's: exact, and NaN of negative numbers.
    same(array**0.5, clmath.sqrt(array).get())
    same(array ** dtype(0.5), clmath.sqrt(array).get())
    same(array**-1, (1 / array).get())
    with cla.fuse():
        root = array**0.5 + 1
    same(root, (clmath.sqrt(array) + 1).get())
    if dtype != np.complex64:
        same(
            cla.to_device(queue, np.array([-np.inf, -0.0, np.inf], dtype)) ** 0.5,
            np.array([np.nan, -0.0, np.inf], dtype),
        )


@pytest.mark.parametrize("exponent", [0.5, 2, 3, -1, np.float32(1.5)], ids=repr)
def test_powers_in_place(queue, exponent):
    host = np.linspace(1, 9, 30, dtype=np.float32)
    array = alias = cla.to_device(queue, host)
    array **= exponent
    assert array is alias
    host **= exponent
    same(alias, host, 1e-6)


def test_powers_in_place_are_refused_where_they_do_not_fit(queue):
    array = cla.to_device(queue, np.arange(5))
    with pytest.raises(TypeError):
        array **= 0.5
    same(array, np.arange(5))
    with pytest.raises(TypeError, match="modulus"):
        array.__ipow__(2, 3)


@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", [np.uint8, np.int32, np.float32, np.float64])
def test_mixed_dtypes_promote_as_in_numpy(queue, left, right):
    a, b = values(left, 20), values(right, 20, 1)
    same(cla.to_device(queue, a) + cla.to_device(queue, b), a + b)


@pytest.mark.parametrize("scalar", [3, 2.5, np.float64(2.5), np.float32(2.5), np.int8(3)], ids=repr)
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_scalars_are_weak_or_strong_as_in_numpy_2(queue, dtype, scalar):
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":
        pytest.skip("NumPy 1 has other rules")
    a = values(dtype, 20)
    array = cla.to_device(queue, a)
    for found, expected in (
        (array + scalar, a + scalar),
        (scalar - array, scalar - a),
        (array * scalar, a * scalar),
    ):
        same(found, expected)


@pytest.mark.parametrize("name", ["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"])
@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.float32])
def test_comparisons_give_int8(queue, name, dtype):
    a, b = values(dtype, 50), values(dtype, 50, 1)
    array = cla.to_device(queue, a)
    for found, expected in (
        (getattr(array, name)(cla.to_device(queue, b)), getattr(a, name)(b)),
        (getattr(array, name)(3), getattr(a, name)(3)),
    ):
        same(found, expected.astype(np.int8))


def test_nan_compares_as_in_numpy(queue):
    a = np.array([np.nan, 1, np.inf, -0.0], np.float32)
    array = cla.to_device(queue, a)
    same(array == array, (a == a).astype(np.int8))
    same(array != array, (a != a).astype(np.int8))


@pytest.mark.parametrize(
    ("left", "right"),
    [((3, 4), (4,)), ((3, 1), (1, 4)), ((2, 1, 4), (3, 1)), ((1,), (5, 5)), ((), (3,)), ((2, 3), ())],
)
def test_shapes_broadcast(queue, left, right):
    a, b = values(np.float32, left), values(np.float32, right, 1)
    same(cla.to_device(queue, a) + cla.to_device(queue, b), a + b)
    same(cla.to_device(queue, a) * cla.to_device(queue, b), a * b)


def test_shapes_that_do_not_fit_are_refused(queue):
    with pytest.raises(ValueError, match=r"3.*4"):
        cla.zeros(queue, 3, np.float32) + cla.zeros(queue, 4, np.float32)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_empty_arrays_compute(queue, shape):
    a = np.zeros(shape, np.float32)
    array = cla.to_device(queue, a)
    same(array + array, a + a)
    same(2 * array, 2 * a)


@pytest.mark.parametrize(("left", "right"), [("C", "F"), ("F", "C"), ("F", "F")])
def test_orders_mix(queue, left, right):
    a = np.array(values(np.float32, (5, 7)), order=left)
    b = np.array(values(np.float32, (5, 7), 1), order=right)
    same(cla.to_device(queue, a) + cla.to_device(queue, b), a + b)


def test_a_computation_keeps_its_operands(queue):
    result = cla.zeros(queue, 1000, np.float32) + 1
    for _ in range(10):
        result = result + cla.zeros(queue, 1000, np.float32) * 2 + 1
    gc.collect()
    same(result, np.full(1000, 11, np.float32))


def test_out_of_order_queue(ctx, device):
    out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not device.queue_properties & out_of_order:
        pytest.skip("the device has no out-of-order queues")
    queue = cl.CommandQueue(ctx, properties=out_of_order)
    host = values(np.float32, 10000)
    array, expected = cla.to_device(queue, host), host
    for step in range(20):
        array, expected = array * 0.5 + step, expected * np.float32(0.5) + np.float32(step)
    same(array, expected, 1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "size", [1, 7, 256, 1000, pytest.param(100003, marks=pytest.mark.needs("compiled kernels"))]
)
def test_statistics(queue, dtype, size):
    host = values(dtype, size)
    array = cla.to_device(queue, host)
    total = cla.sum(array)
    assert total.shape == ()
    assert total.dtype == host.dtype
    assert total.get() == host.sum(dtype=dtype)
    assert cla.max(array).get() == host.max()
    assert cla.min(array).get() == host.min()


def test_statistics_of_several_dimensions(queue):
    host = values(np.float64, (7, 11, 13))
    array = cla.to_device(queue, host)
    assert cla.sum(array).get() == host.sum()
    assert cla.max(array * 2).get() == 2 * host.max()


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.uint8])
@pytest.mark.parametrize("size", [0, 5, 3000])
def test_statistics_from_an_initial_value(queue, dtype, size):
    host = np.arange(size).astype(dtype)
    array = cla.to_device(queue, host)
    for initial in (7, 7.5, np.int64(7)):
        for compute, expected in [(cla.max, np.max), (cla.min, np.min)]:
            same(compute(array, initial=initial), np.asarray(expected(host, initial=initial)))
        total = np.asarray(np.sum(host, dtype=dtype) + np.asarray(initial).astype(dtype))
        same(cla.sum(array, initial=initial), total.astype(dtype))
    with pytest.raises(TypeError, match="complex"):
        cla.sum(array, initial=1j)
    with pytest.raises(TypeError, match="initial"):
        cla.max(array, initial="x")


def test_functions_of_numbers_alone_are_numpy_s():
    assert (cla.maximum(3, 2), cla.minimum(3, 2.5)) == (3, 2.5)
    assert (cla.if_positive(1, 2, 3), cla.if_positive(-1, 2, 3)) == (2, 3)


def test_results_are_on_the_queue_that_is_given(ctx, queue):
    other = cl.CommandQueue(ctx)
    for array in [
        cla.arange(queue, 6, dtype=np.int32),
        cla.arange(queue, 6, dtype=np.int32).with_queue(None),
    ]:
        for result in [
            cla.maximum(array, 2, queue=other),
            cla.sum(array, queue=other),
            cla.max(array, queue=other),
            cla.take(array, np.array([1, 2]), queue=other),
            cla.concatenate([array, array], queue=other),
            cla.diff(array, queue=other),
            cla.dot(array, array, queue=other),
            cla.cumsum(array, queue=other),
            cla.logical_and(array, array, queue=other),
            array.any(queue=other),
            array.reverse(queue=other),
        ]:
            assert result.queue is other
            result.get()


def test_sum_of_nothing_is_zero(queue):
    assert cla.sum(cla.zeros(queue, 0, np.float32)).get() == 0


def test_nan_wins_in_max_and_min(queue):
    host = np.array([1, np.nan, 3], np.float32)
    array = cla.to_device(queue, host)
    assert np.isnan(cla.max(array).get())
    assert np.isnan(cla.min(array).get())


finite = st.floats(-1000, 1000, width=32)


@st.composite
def operands(draw):
    """Two float32 arrays of shapes that broadcast, with any strides: reversed, stepped, transposed."""
    shapes = draw(npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=5)).input_shapes
    result = []
    for shape in shapes:
        steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in shape]
        wide = tuple(abs(step) * side for step, side in zip(steps, shape, strict=True))
        host = draw(npst.arrays(np.float32, wide, elements=finite))
        if draw(st.booleans()):
            host = np.asfortranarray(host)
        result.append(host[tuple(slice(None, None, step) for step in steps)])
    return result


@given(pair=operands())
def test_any_layout_computes_as_numpy(queue, pair):
    a, b = pair
    x, y = cla.to_device(queue, a), cla.to_device(queue, b)
    same(x + y, a + b)
    same(x * y, a * b)
    same(x <= y, (a <= b).astype(np.int8))
    same(0.5 * x + 2, np.float32(0.5) * a + np.float32(2))  # exact halves: fused or not, the sum is the same


def test_empty_like_keeps_the_order_and_uses_the_allocator(queue):
    made = []

    def allocator(size):
        made.append(cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size))
        return made[-1]

    model = cla.zeros(queue, (3, 5), np.float32, order="F")
    result = cla.empty_like(model, allocator=allocator)
    assert (result.shape, result.strides, result.dtype) == (model.shape, model.strides, model.dtype)
    assert result.base_data is made[0]
    assert result.allocator is allocator
    assert cla.empty_like(result).allocator is allocator


@pytest.mark.needs("compiled kernels")
def test_long_sums_are_as_exact_as_their_dtype(queue):
    array = cla.zeros(queue, 1_000_000, np.float32) + np.float32(0.1)
    assert float(cla.sum(array).get()) == pytest.approx(1e6 * float(np.float32(0.1)), rel=1e-6)


def test_truth_is_that_of_one_element(queue):
    assert bool(cla.zeros(queue, (), np.int32) == 0)
    assert not cla.zeros(queue, 1, np.float32)
    for shape in (0, 2):
        with pytest.raises(ValueError, match="ambiguous"):
            bool(cla.zeros(queue, shape, np.int32))
    with pytest.raises(TypeError, match="hash"):
        hash(cla.zeros(queue, 1, np.int32))


def test_operations_in_place_keep_the_dtype(queue):
    array = cla.arange(queue, 4, dtype=np.int64)
    array += 1.5
    assert array.dtype == np.int64
    assert array.get().tolist() == [1, 2, 3, 4]
    with pytest.raises(TypeError, match="float64"):
        array /= 2


def test_flags_are_as_in_numpy(queue):
    host = np.zeros((2, 3, 4), np.int32)
    layouts = [
        lambda a: a,
        lambda a: a.T,
        lambda a: a[:, :2],
        lambda a: a[:1],
        lambda a: a[:, 1:1],
        lambda a: a[::-1],
    ]
    for layout in layouts:
        ours, numpys = layout(cla.to_device(queue, host)).flags, layout(host).flags
        assert (ours.c_contiguous, ours.f_contiguous) == (numpys.c_contiguous, numpys.f_contiguous)
        assert ours.forc == numpys.forc


@pytest.mark.parametrize("truth", [True, False, np.True_, np.False_], ids=repr)
def test_truth_values_are_no_indices(queue, truth):
    array = cla.to_device(queue, np.arange(6, dtype=np.int32).reshape(2, 3))
    for index in (truth, (0, truth)):
        with pytest.raises(IndexError):
            array[index]
        with pytest.raises(IndexError):
            array[index] = 3
    assert array.get().tolist() == [[0, 1, 2], [3, 4, 5]]


def test_the_queue_of_an_array_that_is_copied_to_the_device(ctx, queue):
    other = cl.CommandQueue(ctx)
    assert cla.to_device(queue, np.ones(3)).queue is queue
    assert cla.to_device(queue, np.ones(3), array_queue=cla._same_as_transfer).queue is queue
    assert cla.to_device(queue, np.ones(3), array_queue=other).queue is other
    assert cla.to_device(queue, np.ones(3), array_queue=None).queue is None


def test_elements_into_host_memory_of_another_shape(queue):
    host = np.arange(6, dtype=np.float32).reshape(2, 3)
    for array, expected in ((cla.to_device(queue, host), host), (cla.to_device(queue, host).T, host.T)):
        flat, turned = np.empty(6, np.float32), np.empty((3, 2), np.float32)
        assert array.get(ary=flat) is flat
        np.testing.assert_array_equal(flat, expected.ravel())
        array.get(ary=turned)
        np.testing.assert_array_equal(turned, expected.reshape(3, 2))
        read, event = array.get_async(ary=flat)
        event.wait()
        np.testing.assert_array_equal(read, expected.ravel())
        with pytest.raises(ValueError, match="shape"):
            array.get(ary=np.empty(5, np.float32))
        with pytest.raises(ValueError, match=r"shape|contiguous"):
            array.get(ary=np.empty((6, 2), np.float32).T[0])
