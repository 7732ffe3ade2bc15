"""Elements kept within bounds and rounded, beside NumPy."""

import numpy as np
import pytest

import pyopencl.array as cla

HOST = np.array([[-7, -3, 0], [2, 5, 9]])
DTYPES = [np.int8, np.int32, np.int64, np.float32, np.float64]


def needs(queue, dtype):
    if np.dtype(dtype).itemsize >= 8 and not cla.has_double_support(queue.device):
        pytest.skip("the device has no double precision")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "bounds",
    [
        (-3, 5),
        (None, 2),
        (0, None),
        (),
        (5, -3),
        (-1000, 1000),
        (-1000, 2),
        (np.int8(1), np.int16(4)),
        (-2.5, 2.5),
    ],
    ids=repr,
)
def test_clip_is_numpys(queue, dtype, bounds):
    needs(
        queue,
        np.result_type(dtype, *(np.min_scalar_type(bound) for bound in bounds if isinstance(bound, float))),
    )
    host = HOST.astype(dtype)
    try:
        expected = host.clip(*bounds)
    except ValueError:
        expected = host
    for array, turned in ((cla.to_device(queue, host), expected), (cla.to_device(queue, host).T, expected.T)):
        found = array.clip(*bounds)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.get(), turned)


def test_bounds_may_be_arrays(queue):
    host = HOST.astype(np.float32)
    array, low = cla.to_device(queue, host), np.array([-4, 3, 1], np.float32)
    np.testing.assert_array_equal(array.clip(low, 6).get(), host.clip(low, 6))
    np.testing.assert_array_equal(array.clip(cla.to_device(queue, low), max=4).get(), host.clip(low, 4))
    out = cla.empty_like(array)
    assert array.clip(0, 1, out=out) is out
    np.testing.assert_array_equal(out.get(), host.clip(0, 1))
    holes = cla.to_device(queue, np.array([1, np.nan, 3], np.float32))
    np.testing.assert_array_equal(holes.clip(0, 2).get(), [1, np.nan, 2])
    with pytest.raises(OverflowError, match="300"):
        cla.to_device(queue, HOST.astype(np.int8)).clip(300)
    with pytest.raises(TypeError, match="str"):
        array.clip("a")


@pytest.mark.parametrize("decimals", [0, 1, 2, -1, -2])
@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.float32, np.float64, np.complex64])
def test_round_is_numpys(queue, dtype, decimals):
    needs(queue, dtype if np.dtype(dtype) != np.complex64 else np.float32)
    host = np.array([0.5, 1.5, -2.5, 12.345, -0.05, 15, 25, 150, -250, 0]) * (
        1 if np.dtype(dtype).kind != "i" else 10
    )
    host = host.astype(dtype)
    if host.dtype.kind == "c":
        host = host + 1j * host[::-1]
    found = cla.to_device(queue, host).round(decimals)
    assert found.dtype == host.dtype
    # NumPy divides complex numbers by another formula.
    ulps = 1 if host.dtype.kind == "c" else 0
    for place in (np.real, np.imag):
        np.testing.assert_array_max_ulp(place(found.get()), place(host.round(decimals)), ulps)
    out = cla.empty_like(found)
    assert cla.to_device(queue, host).round(decimals, out=out) is out
    np.testing.assert_array_equal(out.get(), found.get())


def test_bounds_and_rounding_are_fused(queue):
    host = HOST.astype(np.float32) / 4
    array = cla.to_device(queue, host)

    @cla.fuse
    def compute(x):
        return (x * 3).clip(-2, 4).round(1) + 1

    np.testing.assert_array_equal(compute(array).get(), ((array * 3).clip(-2, 4).round(1) + 1).get())
