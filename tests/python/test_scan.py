"""Cumulative sums, with NumPy as the judge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import pyopencl as cl
import pyopencl.array as cla

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


def same(device_array, expected, rtol=0.0):
    found = device_array.get()
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=rtol)


@pytest.mark.parametrize("size", [0, 1, 2, 63, 64, 65, 255, 257, 1023, 1025, 4097, 16385, 70001, 1000003])
def test_every_size(queue, size):
    host = np.random.default_rng(size).integers(-9, 10, size).astype(np.int32)
    same(cla.cumsum(cla.to_device(queue, host)), np.cumsum(host, dtype=np.int32))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_keep_their_dtype_and_wrap(queue, dtype):
    host = np.random.default_rng(1).integers(0, 100, 20000).astype(dtype)
    array = cla.to_device(queue, host)
    same(cla.cumsum(array), np.cumsum(host, dtype=dtype))
    same(cla.cumsum(array, np.int64), np.cumsum(host, dtype=np.int64))
    same(
        cla.cumsum(array, output_dtype=np.float32), np.cumsum(host, dtype=np.float64).astype(np.float32), 1e-6
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.complex64])
def test_floats(queue, dtype):
    generator = np.random.default_rng(2)
    size = 500 if dtype == np.float16 else 100_000
    host = generator.integers(0, 4, size) + (
        1j * generator.integers(-2, 3, size) if dtype == np.complex64 else 0
    )
    host = host.astype(dtype)
    # Sums of small whole numbers are exact.
    wide = np.complex128 if dtype == np.complex64 else np.float64
    same(cla.cumsum(cla.to_device(queue, host)), np.cumsum(host, dtype=wide).astype(dtype))


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_double_precision(queue, dtype):
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    host = np.arange(30000).astype(dtype) * (1 + 1j if dtype == np.complex128 else 1)
    same(cla.cumsum(cla.to_device(queue, host)), np.cumsum(host))


def test_sums_of_floats_stay_accurate(queue):
    host = np.random.default_rng(3).random(200_000, dtype=np.float32)
    same(cla.cumsum(cla.to_device(queue, host)), np.cumsum(host, dtype=np.float64).astype(np.float32), 1e-5)


def test_truth_values_are_counted(queue):
    host = np.arange(3000) % 3 == 0
    same(cla.cumsum(cla.to_device(queue, host)), np.cumsum(host))


@given(data=st.data())
def test_every_layout_is_summed_in_c_order(queue, data):
    shape = data.draw(npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=40))
    host = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    array = cla.to_device(queue, np.array(host, order=data.draw(st.sampled_from("CF"))))
    take = tuple(slice(None, None, data.draw(st.sampled_from([1, 2, -1, -3]))) for _ in shape)
    array, host = array[take], host[take]
    axes = data.draw(st.permutations(range(len(shape))))
    same(cla.cumsum(array.transpose(axes)), np.cumsum(host.transpose(axes), dtype=np.int32))


def test_events_and_queues(ctx, queue):
    array = cla.to_device(queue, np.arange(10, dtype=np.int32))
    other = cl.CommandQueue(ctx)
    event, sums = cla.cumsum(array, queue=other, wait_for=[cl.enqueue_marker(queue)], return_event=True)
    event.wait()
    assert isinstance(event, cl.Event)
    same(sums, np.cumsum(np.arange(10, dtype=np.int32), dtype=np.int32))
    with pytest.raises(ValueError, match="queue"):
        cla.cumsum(array.with_queue(None))


def test_out_of_order_queues(ctx, device):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not device.queue_properties & properties:
        pytest.skip("the device has no out-of-order queues")
    queue = cl.CommandQueue(ctx, properties=properties)
    host = np.ones(100_000, np.int32)
    array = cla.to_device(queue, host)
    for _ in range(3):
        array, host = cla.cumsum(array), np.cumsum(host, dtype=np.int32)
    same(array, host)
