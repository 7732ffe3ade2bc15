"""Arrays of OpenCL's vectors: components, arithmetic, three components in the room of four."""

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as clmath
import pyopencl.cltypes as ct
from pyopencl.elementwise import ElementwiseKernel


def components(host):
    """The components as a further axis, without padding."""
    base, count = ct.vec_type_to_scalar_and_count[host.dtype]
    return host.view(base).reshape(*host.shape, -1)[..., :count]


def numbers(dtype, shape=(5,)):
    rng = np.random.default_rng(7)
    base, _ = ct.vec_type_to_scalar_and_count[dtype]
    room = dtype.itemsize // base.itemsize
    return rng.integers(1, 100, (*shape, room)).astype(base).reshape(*shape[:-1], -1).view(dtype)


@pytest.mark.parametrize("dtype", ct.vec_types.values(), ids=lambda dtype: str(dtype.itemsize))
def test_every_vector_type_goes_there_and_back(queue, dtype):
    host = numbers(dtype)
    array = cl_array.to_device(queue, host)
    assert array.dtype is dtype
    assert np.array_equal(array.get(), host)
    assert array[2].get() == host[2]


@pytest.mark.parametrize("dtype", [ct.double16, ct.ushort3, ct.char2])
def test_vectors_are_moved_whole(queue, dtype):
    host = numbers(dtype)
    array = cl_array.to_device(queue, host)
    assert np.array_equal(array[::-2].get(), host[::-2])
    zeros = cl_array.zeros(queue, (2, 2), dtype)
    assert not components(zeros.get()).any()


@pytest.mark.parametrize("dtype", [ct.float4, ct.short3])
def test_arithmetic_is_that_of_the_components(queue, dtype):
    x, y = numbers(dtype), numbers(dtype)[::-1].copy()
    a, b = cl_array.to_device(queue, x), cl_array.to_device(queue, y)
    x, y = components(x), components(y)
    assert np.array_equal(components((a + b).get()), x + y)
    assert np.array_equal(components((a - b).get()), x - y)
    assert np.array_equal(components((2 * a).get()), 2 * x)
    assert np.array_equal(components((a * b[1]).get()), x * y[1])
    assert np.array_equal(components((-a).get()), -x)
    np.testing.assert_allclose(components((a / b).get()), x / y, rtol=1e-6)
    a += b
    a *= 3
    assert np.array_equal(components(a.get()), (x + y) * 3)
    assert np.array_equal((a == a).get(), [1] * 5)
    a[3] = b[3]
    assert np.array_equal((a != b).get(), [1, 1, 1, 0, 1])
    total = components(cl_array.sum(b).get()[np.newaxis])[0]
    np.testing.assert_allclose(total.astype(float), np.sum(y, axis=0, dtype=y.dtype).astype(float))


def test_numbers_and_vectors_take_numpy_s_dtypes(queue):
    a = cl_array.to_device(queue, numbers(ct.int2))
    whole = cl_array.to_device(queue, np.arange(5, dtype=np.int32))
    assert (a + whole).dtype == ct.int2
    assert np.array_equal(components((a * whole).get()), components(a.get()) * np.arange(5)[:, np.newaxis])
    assert (a + 1).dtype == (a & 3).dtype == ct.int2
    assert a.astype(ct.float2).dtype == ct.float2
    assert cl_array.maximum(a, a).dtype == ct.int2
    value = ct.make_int2(10, 20)
    assert np.array_equal(components((a + value).get()), components(a.get()) + np.array([10, 20]))
    a += value
    assert a[0].get()["y"] == numbers(ct.int2)[0]["y"] + 20


def test_what_numpy_has_no_meaning_for_is_refused(queue):
    a = cl_array.to_device(queue, numbers(ct.float4))
    b = cl_array.to_device(queue, numbers(ct.float2))
    for wrong in (
        lambda: a < a,
        lambda: a + b,
        lambda: a & a,
        lambda: a + 2j,
        lambda: a.astype(np.float32),
        lambda: a % a,
        lambda: cl_array.arange(queue, 4, dtype=ct.float4),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_components_are_views(queue):
    host = numbers(ct.float3, (2, 3))
    array = cl_array.to_device(queue, host)
    assert array["y"].dtype == np.float32
    assert array["y"].shape == (2, 3)
    for name in ("x", "s1", "z", "padding0"):
        assert np.array_equal(array[name].get(), host[name])
    array["x"] = 7
    array["z"] += 1
    host["x"] = 7
    host["z"] += 1
    assert np.array_equal(array.get(), host)
    assert np.array_equal(array.T["z"].get(), host.T["z"])
    with pytest.raises(ValueError, match="no field"):
        array["w"]
    with pytest.raises(IndexError, match="no field"):
        array["x"]["x"]


def test_elements_are_set_to_vectors_numbers_and_tuples(queue):
    host = numbers(ct.float4, (3, 2))
    array = cl_array.to_device(queue, host)
    for index, value in [
        (0, ct.make_float4(1, 2, 3, 4)),
        ((1, 1), (5, 6, 7, 8)),
        ((slice(None), 0), host[2, 1]),
        (2, 9),
    ]:
        array[index] = value
        host[index] = value
        assert np.array_equal(array.get(), host)
    assert np.array_equal(array.fill(ct.make_float4(1, 2, 3, 4)).get()["w"], np.full((3, 2), 4))
    assert np.array_equal(array.fill(2.5).get()["w"], np.full((3, 2), 2.5))


def test_padding_of_three_components_is_kept(queue):
    host = numbers(ct.uchar3, (4,))
    array = cl_array.to_device(queue, host)
    assert host["padding0"].all()
    assert array[::-1].get().tobytes() == host[::-1].tobytes()
    assert array.copy().get().tobytes() == host.tobytes()
    other = array.copy()
    other["padding0"] = 0
    assert np.array_equal((array == other).get(), [1] * 4)


def test_views_and_choices(queue):
    host = numbers(ct.int4, (4,))
    array = cl_array.to_device(queue, host)
    assert np.array_equal(array.view(np.int32).get(), host.view(np.int32))
    assert np.array_equal(array.view(np.int32).view(ct.int4).get(), host)
    assert np.array_equal(array.reshape(2, 2).T.copy().get(), host.reshape(2, 2).T)
    criterion = cl_array.to_device(queue, np.array([1, 0, -1, 2], np.int32))
    chosen = cl_array.if_positive(criterion, array, array[::-1])
    assert np.array_equal(chosen.get(), np.where(criterion.get() > 0, host, host[::-1]))
    assert np.array_equal(cl_array.concatenate((array, array[:1])).get(), np.concatenate((host, host[:1])))


def test_kernels_take_arrays_of_vectors(queue):
    text = "kernel void turn(global float3 *a) { int i = get_global_id(0); a[i] = a[i].zyx; }"
    host = numbers(ct.float3)
    array = cl_array.to_device(queue, host)
    cl.Program(queue.context, text).build().turn(queue, (5,), None, array.data)
    assert np.array_equal(components(array.get()), components(host)[:, ::-1])


def test_snippets_take_arrays_and_values_of_vectors(queue):
    host = numbers(ct.float4)
    a = cl_array.to_device(queue, host)
    b = cl_array.empty_like(a)
    scale = ElementwiseKernel(queue.context, "float4 *a, float4 s, float4 *b", "b[i] = a[i] * s")
    scale(a[::-1].copy(), ct.make_float4(1, 2, 3, 4), b)
    assert np.array_equal(components(b.get()), components(host)[::-1] * [1, 2, 3, 4])


def test_functions_are_those_of_the_components(queue):
    array = cl_array.to_device(queue, numbers(ct.float3)) / 64
    for name in ("sin", "sqrt", "floor", "fabs", "expm1"):
        result = getattr(clmath, name)(array)
        assert result.dtype == ct.float3
        expected = getattr(np, name)(components(array.get()))
        np.testing.assert_allclose(components(result.get()), expected, rtol=1e-6, atol=1e-6)
    whole = cl_array.to_device(queue, numbers(ct.int2))
    assert clmath.sqrt(whole).dtype == ct.double2
    for wrong in (
        lambda: clmath.ilogb(array),
        lambda: clmath.atan2(array, array),
        lambda: clmath.floor(whole),
    ):
        with pytest.raises(TypeError):
            wrong()
