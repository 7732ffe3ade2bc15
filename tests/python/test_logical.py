"""Truth values of elements and choices by them; NumPy is the judge."""

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla

DTYPES = ["bool", "int8", "uint16", "int32", "uint64", "float32", "float64", "complex64"]


def host(dtype):
    numbers = np.arange(-3, 3).reshape(2, 3).astype(dtype)
    if np.dtype(dtype).kind in "fc":
        numbers[0, 0] = np.nan
    return numbers


@pytest.fixture(autouse=True)
def needs_fp64(request, ctx):
    # Python's numbers beside truth values and long integers compute in double precision.
    (device,) = ctx.devices
    if not device.double_fp_config:
        pytest.skip("the device has no double precision")


@pytest.mark.parametrize("dtype", DTYPES)
def test_logical_functions_are_as_in_numpy(queue, dtype):
    numbers = host(dtype)
    array = cla.to_device(queue, numbers)
    other_numbers = np.array([0, 2, 0], np.float32)
    other = cla.to_device(queue, other_numbers)
    for name in ("logical_and", "logical_or"):
        ours, numpys = getattr(cla, name), getattr(np, name)
        for left, right, expected in (
            (array, other, numpys(numbers, other_numbers)),
            (array, other_numbers, numpys(numbers, other_numbers)),
            (array, 0, numpys(numbers, 0)),
            (1, array.T, numpys(1, numbers.T)),
        ):
            found = ours(left, right)
            assert found.dtype == np.int8
            np.testing.assert_array_equal(found.get(), expected)
    np.testing.assert_array_equal(cla.logical_not(array).get(), np.logical_not(numbers))
    target = cla.empty(queue, (2, 3), np.int8)
    assert cla.logical_not(array, out=target, queue=queue) is target
    np.testing.assert_array_equal(target.get(), np.logical_not(numbers))


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_and_all_are_as_in_numpy(queue, dtype):
    for numbers in (host(dtype), np.zeros((2, 3), dtype), np.ones((2, 3), dtype), np.zeros((0, 3), dtype)):
        # Layouts are each dtype's matter alike.
        for part in (numbers, numbers[:, ::2], numbers[:1].T)[: 3 if dtype == "int32" else 1]:
            array = cla.to_device(queue, part)
            for name in ("any", "all"):
                expected = getattr(part, name)()
                for found in (getattr(array, name)(), getattr(cla, name)(array, queue)):
                    assert (found.dtype, found.shape) == (np.int8, ())
                    assert found.get() == expected, (name, part)


@pytest.mark.needs("waiting commands")
def test_any_waits_for_events(ctx, queue):
    array = cla.zeros(queue, 3, np.int32)
    gate = cl.UserEvent(ctx)
    found = array.any(wait_for=[gate])
    queue.flush()
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert found.get() == 0


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32"])
def test_if_positive_chooses_as_where_does(queue, dtype):
    criterion = np.array([[-1, 0, 1], [2, 0, 3]]).astype(dtype)
    then, otherwise = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([10, 20, 30], np.float32)
    device = cla.to_device(queue, criterion)
    for left, right in (
        (then, otherwise),
        (then, otherwise.astype(np.int32)),
        (then.astype(np.int8), 5),
        (2.5, then),
        (1, 2),
        (np.float32(1), np.int16(2)),
    ):
        ours = [
            cla.to_device(queue, side) if isinstance(side, np.ndarray) else side for side in (left, right)
        ]
        expected = np.where(criterion > 0, left, right)
        found = cla.if_positive(device, *ours)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.get(), expected)
    for scalar in (True, 0, np.float32(-1), np.int8(2)):
        found = cla.if_positive(scalar, cla.to_device(queue, then), cla.to_device(queue, otherwise))
        np.testing.assert_array_equal(found.get(), np.where(scalar > 0, then, otherwise))
    target = cla.empty(queue, (2, 3), np.float32)
    assert cla.if_positive(device, cla.to_device(queue, then), 1, out=target) is target
    np.testing.assert_array_equal(target.get(), np.where(criterion > 0, then, np.float32(1)))


def test_operands_that_are_none_are_refused(queue):
    array = cla.zeros(queue, 3, np.float32)
    with pytest.raises(TypeError, match="none of the operands is an array"):
        cla.logical_and(1, 2)
    with pytest.raises(TypeError, match="if_positive does not take an object of"):
        cla.if_positive(array, "one", 2)
    with pytest.raises(ValueError, match=r"\(3,\) and \(4,\)"):
        cla.if_positive(array, cla.zeros(queue, 4, np.float32), 0)
