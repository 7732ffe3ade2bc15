"""Operations by element: magnitudes, parts, conjugates, the greater and the lesser; NumPy is the judge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyopencl as cl
import pyopencl.array as cla

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
LAYOUTS = [lambda a: a, lambda a: a.T, lambda a: a[::-1, 1::2]]


def host(dtype):
    """Numbers of either sign, zeros, and the extremes or what is not finite."""
    dtype = np.dtype(dtype)
    numbers = np.arange(-6, 6).reshape(3, 4).astype(dtype)
    if dtype.kind in "iu":
        numbers[0, :2] = np.iinfo(dtype).min, np.iinfo(dtype).max
    else:
        numbers[0, :3] = np.nan, np.inf, -np.inf
    if dtype.kind == "c":
        numbers[1:] += 1j * np.arange(8).reshape(2, 4)
    return numbers


@pytest.fixture(autouse=True)
def needs_fp64(request, ctx):
    (device,) = ctx.devices
    dtype = request.node.callspec.params.get("dtype") if hasattr(request.node, "callspec") else None
    if dtype in ("float64", "complex128") and not device.double_fp_config:
        pytest.skip("the device has no double precision")


@pytest.mark.parametrize(
    ("dtype", "layout"),
    [(dtype, 0) for dtype in ["bool", *INTEGERS, *FLOATS, *COMPLEX]]
    + [(dtype, layout) for dtype in ["int32", "complex64"] for layout in (1, 2)],
)
def test_unary_operations_are_as_in_numpy(queue, dtype, layout):
    numbers = LAYOUTS[layout](host(dtype))
    array = LAYOUTS[layout](cla.to_device(queue, host(dtype)))
    operations = {"real": lambda a: a.real, "imag": lambda a: a.imag, "conj": lambda a: a.conj()}
    if np.dtype(dtype).kind in "biu":
        operations["invert"] = lambda a: ~a
    for name, operation in operations.items():
        expected = operation(numbers)
        found = operation(array)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape), name
        np.testing.assert_array_equal(found.get(), expected, err_msg=name)


@pytest.mark.parametrize("layout", LAYOUTS, ids=["whole", "transposed", "backwards"])
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS, *COMPLEX])
def test_magnitudes_are_as_in_numpy(queue, dtype, layout):
    with np.errstate(invalid="ignore"):
        expected = abs(layout(host(dtype)))
    found = abs(layout(cla.to_device(queue, host(dtype))))
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if np.dtype(dtype).kind == "c":
        np.testing.assert_allclose(found.get(), expected, rtol=4 * np.finfo(expected.dtype).eps)
    else:
        np.testing.assert_array_equal(found.get(), expected)


def test_real_arrays_are_their_own_real_part_and_conjugate(queue):
    array = cla.to_device(queue, host("float32"))
    assert array.real is array
    assert array.conj() is array
    assert array.conjugate() is array


def test_bits_of_floats_are_not_inverted(queue):
    with pytest.raises(TypeError, match=r"invert.*float32"):
        ~cla.zeros(queue, 3, np.float32)


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS])
@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_extrema_are_as_in_numpy(queue, dtype, name):
    ours, numpys = getattr(cla, name), getattr(np, name)
    numbers, array = host(dtype), cla.to_device(queue, host(dtype))
    row = numbers[1]
    for left, right, expected in (
        (array, array.T.copy().T[::-1], numpys(numbers, numbers[::-1])),
        (array, cla.to_device(queue, row), numpys(numbers, row)),
        (array, row, numpys(numbers, row)),
        (array, 1, numpys(numbers, 1)),
        (1, array, numpys(1, numbers)),
        (array, np.int8(2), numpys(numbers, np.int8(2))),
    ):
        found = ours(left, right)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.get(), expected)
    target = cla.empty_like(array)
    assert ours(array, row, out=target, queue=queue) is target
    np.testing.assert_array_equal(target.get(), numpys(numbers, row))


@given(
    left=st.lists(st.floats(width=32), min_size=1, max_size=8),
    right=st.floats(width=32),
)
def test_nan_wins(ctx, left, right):
    queue = cl.CommandQueue(ctx)
    numbers = np.array(left, np.float32)
    array = cla.to_device(queue, numbers)
    for name in ("maximum", "minimum"):
        found = getattr(cla, name)(array, np.float32(right)).get()
        np.testing.assert_array_equal(found, getattr(np, name)(numbers, np.float32(right)))


def test_operands_that_are_none_are_refused(queue):
    array = cla.zeros(queue, 3, np.float32)
    with pytest.raises(TypeError, match="none of the operands is an array"):
        cla.maximum(1, 2, out=array)
    with pytest.raises(TypeError, match="maximum does not take an object of"):
        cla.maximum(array, "two")
    with pytest.raises(ValueError, match=r"\(3,\) and \(4,\)"):
        cla.minimum(array, cla.zeros(queue, 4, np.float32))
