"""Random numbers: ranges, moments, streams that go on and come again, layouts, what is refused."""

import threading

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl import clrandom
from pyopencl.clrandom import PhiloxGenerator

DTYPES = [np.float32, np.float64, np.int32, np.int64]


@pytest.fixture(params=DTYPES, ids=lambda dtype: dtype.__name__)
def dtype(request, device):
    if request.param is np.float64 and not device.double_fp_config:
        pytest.skip("the device has no doubles")
    return request.param


@pytest.mark.needs("compiled kernels")
def test_numbers_are_uniformly_distributed(ctx, queue, dtype):
    count = 200_000
    drawn = PhiloxGenerator(ctx, seed=1).uniform(queue, count, dtype, a=-20, b=30).get()
    assert drawn.dtype == dtype
    assert drawn.min() >= -20
    assert drawn.max() < 30
    # Chi-squared of 50 classes: 49 in the mean, beyond 100 less than once in 10000 seeds.
    counts = np.bincount(np.floor(drawn + 20).astype(int), minlength=50)
    assert ((counts - count / 50) ** 2 / (count / 50)).sum() < 100
    # Neighbours know nothing of each other.
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.01


def test_a_seed_gives_a_stream(ctx, queue, dtype):
    def draw(seed):
        generator = PhiloxGenerator(ctx, seed=seed)
        return [generator.uniform(queue, 1000, dtype, b=1000).get() for _ in range(2)]

    first, second = draw(7)
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(draw(7), [first, second])
    np.testing.assert_array_equal(draw(np.int64(7)), [first, second])
    for seed in (8, "seven", b"seven", 7.5, None):
        assert not np.array_equal(draw(seed)[0], first)


def test_words_may_be_given(ctx, queue):
    def draw(key, counter):
        return (
            PhiloxGenerator(ctx, key=key, counter=counter)
            .uniform(queue, 8, np.int64, a=-(2**63), b=2**63)
            .get()
        )

    # The words of the paper's known answers: counter and key 0; an element is the upper half of a block.
    assert int(draw([0, 0], [0])[0]) + 2**63 == 0x9B00DBD8_BC57AC4C
    np.testing.assert_array_equal(draw([], []), draw([0, 0], [0, 0, 0, 0]))
    np.testing.assert_array_equal(draw([5], [-1]), draw([5, 0], [2**32 - 1]))
    np.testing.assert_array_equal(draw([5], [3])[1:], draw([5], [4])[:-1])
    assert not np.array_equal(draw([5, 6], [0]), draw([5, 7], [0]))
    with pytest.raises(ValueError, match="key has 3 words"):
        PhiloxGenerator(ctx, key=[1, 2, 3])
    with pytest.raises(ValueError, match="counter has 5 words"):
        PhiloxGenerator(ctx, counter=[1, 2, 3, 4, 5])


def test_every_layout_gets_the_same_numbers(ctx, queue):
    def fill(array):
        PhiloxGenerator(ctx, seed=3).fill_uniform(array)
        return array.get()

    expected = fill(cl_array.zeros(queue, (6, 5), np.float32))
    assert len(np.unique(expected)) == 30
    np.testing.assert_array_equal(fill(cl_array.zeros(queue, (6, 5), np.float32, order="F")), expected)
    np.testing.assert_array_equal(fill(cl_array.zeros(queue, (5, 6), np.float32).T), expected)
    large = cl_array.zeros(queue, (12, 12), np.float32)
    np.testing.assert_array_equal(fill(large[::-2, 1:6]), expected)
    assert np.count_nonzero(large.get()) == 30
    assert fill(cl_array.zeros(queue, (0, 5), np.float32)).shape == (0, 5)


def test_filling_gives_an_event(ctx, queue):
    array = cl_array.zeros(queue, 1000, np.float32)
    generator = PhiloxGenerator(ctx)
    event = generator.fill_uniform(array, a=1, b=2)
    event.wait()
    assert event.command_execution_status == cl.command_execution_status.COMPLETE
    other = cl.CommandQueue(ctx)
    assert generator.fill_uniform(array.with_queue(None), queue=other).command_queue == other


def test_each_context_has_a_generator(ctx, queue):
    first = clrandom.rand(queue, (3, 5), np.float32)
    assert first.shape == (3, 5)
    assert not np.array_equal(first.get(), clrandom.rand(queue, (3, 5), np.float32).get())
    array = cl_array.zeros(queue, 100, np.float32)
    assert clrandom.fill_rand(array, a=5, b=6) is None
    assert array.get().min() >= 5
    assert clrandom.rand(queue, 100, np.int32, b=2).get().max() == 1
    with pytest.warns(UserWarning, match="luxury"):
        clrandom.rand(queue, 3, np.float32, luxury=4)


def test_what_cannot_be_drawn_is_refused(ctx, queue):
    generator = PhiloxGenerator(ctx)
    for dtype in (np.uint8, np.float16, np.complex64):
        with pytest.raises(TypeError, match=np.dtype(dtype).name):
            generator.uniform(queue, 3, dtype)
    with pytest.raises(ValueError, match="from 3 to 3"):
        generator.uniform(queue, 3, np.int32, a=3, b=3)
    with pytest.raises(OverflowError, match="2147483648"):
        generator.uniform(queue, 3, np.int32, b=2**31 + 1)
    with pytest.raises(ValueError, match="inf"):
        generator.uniform(queue, 3, np.float32, b=np.inf)
    with pytest.raises(TypeError, match="bound"):
        generator.uniform(queue, 3, np.float32, b="1")
    with pytest.raises(RuntimeError, match="queue"):
        generator.fill_uniform(cl_array.zeros(queue, 3, np.float32).with_queue(None))


@pytest.mark.needs("threads")
def test_threads_share_a_generator(ctx):
    def draw(generator, results):
        queue = cl.CommandQueue(ctx)
        results.extend(generator.uniform(queue, 64, np.float32).get().tobytes() for _ in range(20))

    generator, drawn, expected = PhiloxGenerator(ctx, seed=5), [], []
    threads = [threading.Thread(target=draw, args=(generator, drawn)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = PhiloxGenerator(ctx, seed=5)
    for _ in range(8):
        draw(again, expected)
    assert sorted(drawn) == sorted(expected)
