"""Joining, differences, reversal and inner products, with NumPy as the judge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import pyopencl as cl
import pyopencl.array as cla

DTYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint32, np.int64, np.float16, np.float32, np.complex64]
REALS = [np.int8, np.uint16, np.int32, np.uint64, np.float32]


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


def values(dtype, shape, seed=0):
    generator = np.random.default_rng(seed)
    numbers = generator.integers(0, 2 if dtype == np.bool_ else 9, shape)
    if np.dtype(dtype).kind == "c":
        return (numbers + 1j * generator.integers(-4, 5, shape)).astype(dtype)
    return numbers.astype(dtype)


def layouts(host):
    """The elements of a host array in memories of other order, steps and offset."""
    wide = np.zeros([2 * n + 1 for n in host.shape], host.dtype)
    part = wide[(..., *[slice(1, None, 2)] * host.ndim)]
    part[...] = host
    return [host, np.asfortranarray(host), part, host[(..., *[slice(None, None, -1)] * host.ndim)]]


def on_device(queue, host):
    """A device array of the host array's strides, where that is possible."""
    base = host
    while base.base is not None and isinstance(base.base, np.ndarray):
        base = base.base
    offset = host.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    if host.size == 0 or not base.flags.forc:
        return cla.to_device(queue, host)
    memory = cl.Buffer(queue.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=base)
    return cla.Array(queue, host.shape, host.dtype, data=memory, offset=offset, strides=host.strides)


def same(device_array, expected, rtol=0.0):
    found = device_array.get()
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=rtol)


@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", [np.bool_, np.int16, np.uint64, np.float32, np.complex64])
def test_dtypes_of_joins_promote_as_in_numpy(queue, left, right):
    a, b = values(left, (2, 3)), values(right, (2, 3), 1)
    expected = np.concatenate([a, b])
    if expected.dtype in (np.float64, np.complex128) and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    device_a, device_b = cla.to_device(queue, a), cla.to_device(queue, b)
    same(cla.concatenate([device_a, device_b]), expected)
    same(cla.stack((device_a, device_b), axis=-1), np.stack((a, b), axis=-1))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_every_layout_joins_along_every_axis(queue, axis):
    a = layouts(values(np.int32, (3, 4, 2)))
    for left in a:
        for right in a:
            pair = (on_device(queue, left), on_device(queue, right))
            same(cla.concatenate(pair, axis), np.concatenate((left, right), axis))
            same(cla.stack(pair, axis), np.stack((left, right), axis))


@given(data=st.data())
def test_any_number_of_arrays_of_any_lengths_joins(queue, data):
    shape = data.draw(npst.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    lengths = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    parts = []
    for number, length in enumerate(lengths):
        part = list(shape)
        part[axis] = length
        dtype = data.draw(st.sampled_from(REALS[:3]))
        parts.append(values(dtype, tuple(part), number))
    found = cla.concatenate([cla.to_device(queue, part) for part in parts], axis)
    same(found, np.concatenate(parts, axis))


def test_hstack_is_numpy_s(queue):
    for shapes in [((3,), (2,)), ((2, 3), (2, 1)), ((), ()), ((2, 1, 3), (2, 4, 3))]:
        parts = [values(np.float32, shape, number) for number, shape in enumerate(shapes)]
        same(cla.hstack([cla.to_device(queue, part) for part in parts]), np.hstack(parts))


def test_host_arrays_join_those_of_the_device(queue):
    a, b = values(np.int32, 4), values(np.int16, 3)
    same(cla.concatenate([a, cla.to_device(queue, b)]), np.concatenate([a, b]))


def test_joins_in_fortran_s_order_keep_it(queue):
    a = np.asfortranarray(values(np.float32, (3, 4)))
    found = cla.concatenate([cla.to_device(queue, a)] * 2, axis=1)
    assert found.flags.f_contiguous
    same(found, np.concatenate([a, a], axis=1))


def test_the_allocator_makes_the_memory_of_joins(queue):
    sizes = []

    def allocator(size):
        sizes.append(size)
        return cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size)

    a = cla.to_device(queue, np.arange(5, dtype=np.int32))
    assert cla.concatenate([a, a], allocator=allocator).allocator is allocator
    assert cla.diff(a, allocator=allocator).allocator is allocator
    assert sizes == [40, 16]


def test_what_does_not_join_is_refused(queue):
    a, b = (cla.zeros(queue, shape, np.int32) for shape in [(3, 4), (2, 3)])
    for join in (cla.concatenate, cla.stack, cla.hstack):
        with pytest.raises(ValueError, match="at least one array"):
            join([])
    with pytest.raises(ValueError, match=r"array number 1 has shape \(2, 3\).*\(3, 4\)"):
        cla.concatenate([a, b])
    with pytest.raises(ValueError, match=r"array number 1 has shape \(2, 3\).*\(3, 4\)"):
        cla.stack([a, b])
    with pytest.raises(ValueError, match="axis 2 is out of bounds"):
        cla.concatenate([a, a], axis=2)
    with pytest.raises(ValueError, match="axis -4 is out of bounds"):
        cla.stack([a, a], axis=-4)
    with pytest.raises(ValueError, match="axis 0 is out of bounds"):
        cla.concatenate([cla.zeros(queue, (), np.int32)] * 2)
    with pytest.raises(TypeError, match="concatenate"):
        cla.concatenate([a, 3])


@pytest.mark.parametrize("dtype", DTYPES)
def test_differences(queue, dtype):
    for shape in [(7,), (1,), (0,), (3, 5), (2, 0)]:
        host = values(dtype, shape)
        for layout in layouts(host):
            same(cla.diff(on_device(queue, layout)), np.diff(layout))
    with pytest.raises(ValueError, match="axis"):
        cla.diff(cla.zeros(queue, (), np.int32))


@pytest.mark.parametrize("shape", [(7,), (0,), (), (3, 4), (2, 3, 4)])
def test_reversal(queue, shape):
    host = values(np.int16, shape)
    for layout in layouts(host):
        array = on_device(queue, layout)
        same(array.reverse(), layout[(..., *[slice(None, None, -1)] * layout.ndim)])
        same(array, layout)


@pytest.mark.parametrize("left", [*DTYPES, np.complex128])
@pytest.mark.parametrize("right", [np.bool_, np.int16, np.float32, np.complex64])
def test_inner_products_of_every_dtype(queue, left, right):
    a, b = values(left, 1000), values(right, 1000, 1)
    if np.result_type(a, b) in (np.float64, np.complex128) and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    device_a, device_b = cla.to_device(queue, a), cla.to_device(queue, b)
    # Small whole numbers are added without rounding, but for half precision.
    rtol = 1e-3 if np.result_type(a, b) == np.float16 else 0
    exact = np.result_type(a, b) != np.float16
    expected = (
        np.dot(a, b) if exact else np.dot(a.astype(np.float32), b.astype(np.float32)).astype(np.float16)
    )
    same(cla.dot(device_a, device_b), expected, rtol)
    expected = np.vdot(a, b) if exact else expected
    same(cla.vdot(device_a, device_b), expected, rtol)


@pytest.mark.parametrize("size", [1, 7, 256, 20011])
def test_inner_products_of_every_size(queue, size):
    a, b = values(np.int32, size), values(np.int32, size, 1)
    device_a, device_b = cla.to_device(queue, a), cla.to_device(queue, b)
    same(cla.dot(device_a, device_b), np.dot(a, b))
    same(cla.dot(device_a, device_b, dtype=np.float32), np.dot(a, b).astype(np.float32))
    same(cla.dot(device_a, device_b, slice=slice(1, None, 2)), np.dot(a[1::2], b[1::2]))
    same(cla.dot(device_a, b), np.dot(a, b))
    same(cla.dot(device_a[::-1], device_b), np.dot(a[::-1], b))


def test_inner_products_of_nothing_are_zero(queue):
    nothing = cla.zeros(queue, 0, np.float32)
    same(cla.dot(nothing, nothing), np.float32(0))


def test_products_of_small_integers_in_a_larger_dtype(queue):
    a = np.full(10, 200, np.uint8)
    array = cla.to_device(queue, a)
    same(cla.dot(array, array, dtype=np.int64), np.dot(a.astype(np.int64), a))
    half = cla.to_device(queue, np.full(3, 0.5, np.float32))
    same(cla.dot(half, half, dtype=np.int32), np.int32(0))


def test_what_has_no_inner_product_is_refused(queue):
    a = cla.zeros(queue, 6, np.float32)
    with pytest.raises(ValueError, match=r"dot: shapes \(6,\) and \(3,\)"):
        cla.dot(a, a[:3])
    with pytest.raises(ValueError, match=r"vdot: shapes \(6,\) and \(2, 3\)"):
        cla.vdot(a, a.reshape(2, 3))
    with pytest.raises(TypeError, match="dot takes arrays"):
        cla.dot(a, 2)
