"""Names of the module that are no operations: strided views, vectors, warnings, dtypes of operands."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla
from pyopencl import characterize, cltypes


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


def test_mul_add(queue):
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(3, dtype=np.int16)
    a, b = cla.to_device(queue, x), cla.to_device(queue, y)
    for found, expected in (
        (a.mul_add(2, a, 3), 2 * x + 3 * x),
        (a.mul_add(2, b, -1), 2 * x - y),
        (b.mul_add(np.float64(0.5), a.T[:, :1].T, 2, queue), np.float64(0.5) * y + 2 * x[:1]),
        (b.mul_add(2.5, b, 3), 2.5 * y + 3 * y),
        (b.mul_add(2, 1, 3), 2 * y + 3),
        (a.mul_add(1, x, 1j), x + 1j * x),
    ):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.get(), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="no queue"):
        a.with_queue(None).mul_add(1, a, 1)
    with pytest.raises(TypeError, match="mul_add does not take"):
        a.mul_add("x", a, 1)


def test_copies_by_the_class(queue):
    source = cla.to_device(queue, np.arange(3, dtype=np.int32))
    target = cla.zeros(queue, (2, 3), np.float64)
    event = cla.Array._copy(target, source, wait_for=[cl.enqueue_marker(queue)])
    event.wait()
    np.testing.assert_array_equal(target.get(), [[0, 1, 2]] * 2)
    target._copy(target[0], source[::-1], queue=queue)
    np.testing.assert_array_equal(target.get(), [[2, 1, 0], [0, 1, 2]])


def test_as_strided(queue):
    host = np.arange(20, dtype=np.int32)
    array = cla.to_device(queue, host)
    part = cla.as_strided(array[2:], (3, 4), (8, 4))
    np.testing.assert_array_equal(part.get(), np.lib.stride_tricks.as_strided(host[2:], (3, 4), (8, 4)))
    part[1] = 0
    assert not array.get()[4:8].any()
    assert cla.as_strided(array).shape == (20,)
    np.testing.assert_array_equal(
        cla.as_strided(array[5:], strides=(-4,), shape=(6,)).get(), array.get()[5::-1]
    )
    np.testing.assert_array_equal(cla.as_strided(array[3:], 4, (0,)).get(), [3] * 4)
    with pytest.raises(ValueError, match="buffer of 80 bytes"):
        cla.as_strided(array, (21,))
    with pytest.raises(ValueError, match=r"bytes -28\.\.4 of a buffer of 80 bytes"):
        cla.as_strided(array, (8,), (-4,))
    with pytest.raises(ValueError, match=r"bytes -28\.\.4, but memory begins"):
        cla.Array(queue, 8, np.int32, strides=(-4,))
    with pytest.raises(ValueError, match="2 strides given for an array of 1 dimension"):
        cla.as_strided(array, (4,), (4, 4))


def test_vectors_by_their_old_name():
    with pytest.warns(DeprecationWarning, match="cltypes"):
        assert cla.vec.float4 is cltypes.float4
    with pytest.warns(DeprecationWarning, match="cltypes"), pytest.raises(AttributeError, match="nothing"):
        _ = cla.vec.nothing
    assert isinstance(cla.vec, cla.VecLookupWarner)


def test_the_default_allocator(ctx, queue):
    with pytest.warns(DeprecationWarning, match="DeferredAllocator"):
        allocator = cla.DefaultAllocator(ctx)
    assert isinstance(allocator, cl.tools.DeferredAllocator)
    array = cla.to_device(queue, np.arange(3), allocator=allocator)
    np.testing.assert_array_equal((array + 1).get(), [1, 2, 3])


def test_classes_and_aliases(queue):
    assert all(
        isinstance(number, cla.SCALAR_CLASSES) for number in (1, 1.5, 1j, True, np.bool_(1), np.int8(1))
    )
    assert not isinstance(cla.zeros(queue, 1, np.int8), cla.SCALAR_CLASSES)
    assert cla.has_double_support is characterize.has_double_support
    for category in (cla.DoubleDowncastWarning, cla.InconsistentOpenCLQueueWarning):
        assert issubclass(category, UserWarning)


def test_texts_for_debuggers_hold_no_elements(queue):
    class Own(cla.Array):
        pass

    assert cla.zeros(queue, (2, 3), np.float32).safely_stringify_for_pudb() == "cl.Array float32 (2, 3)"
    assert Own(queue, 4, np.int8).with_queue(None).safely_stringify_for_pudb() == "cl.Own int8 (4,)"


@pytest.mark.parametrize(
    "number", [True, 7, 300, 1.5, 1j, np.int8(1), np.float16(1), np.int64(1), np.float64(1)]
)
@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint32, np.float32, np.complex64])
def test_common_dtypes_are_those_of_numpy(queue, dtype, number):
    array = cla.zeros(queue, 2, dtype)
    kind = {bool: True, int: 1, float: 1.0, complex: 1j}.get(type(number), number)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        expected = np.result_type(np.dtype(dtype), kind)
        assert cla._get_common_dtype(array, number, queue) == expected
        assert cla._get_common_dtype(number, array, queue) == expected
    assert cla._get_common_dtype(array, cla.zeros(queue, 1, np.int16), queue) == np.result_type(
        dtype, np.int16
    )


def test_common_dtypes_without_double_precision(queue):
    weak = SimpleNamespace(device=SimpleNamespace(extensions="cl_khr_fp16", name="weak one"))
    integers, doubles = cla.zeros(queue, 2, np.int32), cla.zeros(queue, 2, np.float64)
    with pytest.warns(cla.DoubleDowncastWarning, match="float32 in place of float64: weak one lacks"):
        assert cla._get_common_dtype(integers, 1.5, weak) == np.float32
    with pytest.warns(cla.DoubleDowncastWarning):
        assert cla._get_common_dtype(integers, 1j, weak) == np.complex64
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cla._get_common_dtype(doubles, 1.5, weak) == np.float64
        assert cla._get_common_dtype(integers, 1, weak) == np.int32


def test_extrema_of_numbers_are_the_numbers():
    for number in (3, 2.5, np.float32(1)):
        assert cla.max(number) == cla.min(number) == number
    with pytest.raises(TypeError, match="Array"):
        cla.max(np.ones(3))
