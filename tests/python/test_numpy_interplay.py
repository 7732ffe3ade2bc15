"""Arrays beside NumPy's, and as Python's numbers and sequences."""

import operator

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


HOST = np.arange(1, 7, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def array(queue):
    return cla.to_device(queue, HOST)


OPERANDS = {
    "scalar": np.float32(3),
    "wide scalar": np.float64(3),
    "no dimensions": np.array(3, np.float32),
    "one element": np.array([3], np.float32),
    "one row": np.array([[1, 2, 3]], np.float32),
    "column": np.array([[1], [2]], np.int32),
    "equal shape": np.full((2, 3), 2, np.float64),
    "Fortran order": np.asfortranarray(HOST),
    "steps": np.arange(1, 13, dtype=np.int16).reshape(2, 6)[:, ::2],
    "more dimensions": np.ones((2, 1, 1), np.float32),
    "none": np.ones((0, 1, 1), np.float32),
}
OPERATORS = [operator.sub, operator.truediv, operator.lt]


@pytest.mark.parametrize("operand", OPERANDS.values(), ids=OPERANDS)
@pytest.mark.parametrize("op", OPERATORS)
def test_operands_of_numpy_give_arrays(array, op, operand):
    for found, expected in ((op(array, operand), op(HOST, operand)), (op(operand, array), op(operand, HOST))):
        assert type(found) is cla.Array
        assert found.shape == expected.shape
        np.testing.assert_allclose(found.get(), expected, rtol=1e-6)
        if op is not operator.lt:
            assert found.dtype == expected.dtype


def test_operands_in_place(array):
    array += np.array([10], np.float32)
    array *= OPERANDS["one row"]
    np.testing.assert_array_equal(array.get(), (HOST + 10) * OPERANDS["one row"])
    host = HOST.copy()
    with pytest.raises(TypeError, match="does not support ufuncs"):
        host += array


def test_operands_that_do_not_fit(array):
    with pytest.raises(ValueError, match=r"\(2, 3\) and \(4,\)"):
        array + np.ones(4, np.float32)
    with pytest.raises(ValueError, match=r"\(4,\)"):
        np.ones(4, np.float32) * array
    with pytest.raises(TypeError, match="object"):
        array + np.array([object()])
    with pytest.raises(TypeError, match="<U1"):
        np.array(["x"]) + array


@pytest.mark.parametrize("ufunc", [np.sin, np.sum, np.max])
def test_functions_of_numpy_refuse_arrays(array, ufunc):
    with pytest.raises(TypeError, match="does not support ufuncs"):
        ufunc(array)


def test_asarray_copies_the_elements(array):
    for part in (array, array.T, array[:, ::-2], array[1, 1], array[:0]):
        host = np.asarray(part)
        assert host.dtype == np.float32
        np.testing.assert_array_equal(host, part.get())
    assert np.asarray(array, dtype=np.int64).dtype == np.int64
    assert np.array(array).flags.writeable
    np.testing.assert_array_equal(np.concatenate((array, HOST)), np.concatenate((HOST, HOST)))
    host = np.zeros((2, 3))
    host[...] = array
    np.testing.assert_array_equal(host, HOST)
    with pytest.raises(ValueError, match="without a copy"):
        array.__array__(copy=False)
    with pytest.raises(ValueError, match="no queue"):
        np.asarray(array.with_queue(None))


@pytest.mark.parametrize("function", [np.shape, np.ndim, np.size, np.iscomplexobj])
def test_numpy_can_ask_for_attributes(array, function):
    assert function(array) == function(HOST)


def test_numbers(queue):
    for shape in ((), (1,), (1, 1)):
        array = cla.to_device(queue, np.full(shape, 2.5))
        assert (int(array), float(array), complex(array)) == (2, 2.5, 2.5 + 0j)
        assert type(int(array)) is int
        assert bool(array)
        assert not bool(array - 2.5)
    with pytest.raises(TypeError, match="complex"):
        float(cla.to_device(queue, np.complex64(1j)))
    assert complex(cla.to_device(queue, np.complex64(1j))) == 1j
    for shape in ((0,), (2,), (2, 1)):
        array = cla.zeros(queue, shape, np.int32)
        for kind in (int, float, complex):
            with pytest.raises(TypeError, match=r"one element.*shape \(" + str(shape[0])):
                kind(array)
        with pytest.raises(ValueError, match="ambiguous"):
            bool(array)


def test_indices(queue):
    assert operator.index(cla.to_device(queue, np.int8(-2))) == -2
    assert [10, 11, 12][cla.to_device(queue, np.arange(3))[1]] == 11
    for host in (np.float32(1), np.ones(1, np.int32), np.bool_(True)):
        with pytest.raises(TypeError, match="only integer arrays without dimensions"):
            operator.index(cla.to_device(queue, np.asarray(host)))


def test_iteration(array):
    rows = list(array)
    assert [type(row) for row in rows] == [cla.Array, cla.Array]
    for row, expected in zip(rows, HOST, strict=True):
        np.testing.assert_array_equal(row.get(), expected)
    for row, expected in zip(reversed(array), reversed(HOST), strict=True):
        np.testing.assert_array_equal(row.get(), expected)
    rows[1].fill(0)
    assert not array.get()[1].any()
    first, second = array[0, :2]
    assert (float(first), float(second)) == (1, 2)
    assert list(array[:0]) == []
    assert len(array) == 2
    for ask in (iter, len, reversed):
        with pytest.raises(TypeError, match="without dimensions"):
            ask(array[0, 0])


def test_membership(array):
    assert 3 in array
    assert 7 not in array
    assert np.float32(6) in array
    assert array[0, 0] in array
    assert "x" not in array
    assert None not in array
    assert 1 not in array[:0]
    assert np.nan not in array


def test_equality_and_hashes(array):
    assert (array == None) is False  # noqa: E711
    assert (array != None) is True  # noqa: E711
    assert (array == "x") is False
    assert (array == array).dtype == np.int8
    with pytest.raises(TypeError, match="<"):
        operator.lt(array, "x")
    with pytest.raises(TypeError, match="cannot be hashed"):
        {array: 1}
    assert [array].index(array) == 0


def test_texts(queue, array):
    assert repr(array) == "cl.Array([[1., 2., 3.],\n       [4., 5., 6.]], dtype=float32)"
    assert str(array) == str(HOST)
    assert f"{array[0, 0]}" == "1.0"
    assert f"{array[0, 1]:.3f}" == "2.000"
    with pytest.raises(TypeError, match="format"):
        format(array, ".3f")
    assert repr(cla.empty(queue, (0, 3), np.float32)) == "cl.Array([], shape=(0, 3), dtype=float32)"
    assert repr(cla.to_device(queue, np.array(5))) == "cl.Array(5)"
    lonely = array.with_queue(None)
    for text in (repr(lonely), str(lonely), f"{lonely}"):
        assert text == "<cl.Array (2, 3) of float32 without queue, call with_queue()>"


def test_arrays_without_a_queue_compute_on_the_partners(array):
    lonely = array.with_queue(None)
    for found in (lonely + array, array + lonely):
        assert found.queue is array.queue
        np.testing.assert_array_equal(found.get(), HOST + HOST)
    for compute in (lambda: lonely + lonely, lambda: -lonely, lambda: 1 + lonely, lonely.get):
        with pytest.raises(ValueError, match="no queue"):
            compute()
    result = lonely.astype(np.int32, queue=array.queue)
    assert result.queue is None
    with pytest.raises(ValueError, match="no queue"):
        result + 1
