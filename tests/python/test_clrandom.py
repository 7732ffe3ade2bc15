"""Random numbers: ranges, moments, streams that go on and come again, layouts, what is refused."""

import statistics
import threading

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl import clrandom, cltypes
from pyopencl.clrandom import PhiloxGenerator, Random123GeneratorBase, ThreefryGenerator

DTYPES = [np.float32, np.float64, np.int32, np.int64]


@pytest.fixture(params=DTYPES, ids=lambda dtype: dtype.__name__)
def dtype(request, device):
    if request.param is np.float64 and not device.double_fp_config:
        pytest.skip("the device has no doubles")
    return request.param


GENERATORS = [PhiloxGenerator, ThreefryGenerator]


@pytest.fixture(params=GENERATORS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.mark.needs("compiled kernels")
def test_numbers_are_uniformly_distributed(ctx, queue, kind, dtype):
    count = 200_000
    drawn = kind(ctx, seed=1).uniform(queue, count, dtype, a=-20, b=30).get()
    assert drawn.dtype == dtype
    assert drawn.min() >= -20
    assert drawn.max() < 30
    # Chi-squared of 50 classes: 49 in the mean, beyond 100 less than once in 10000 seeds.
    counts = np.bincount(np.floor(drawn + 20).astype(int), minlength=50)
    assert ((counts - count / 50) ** 2 / (count / 50)).sum() < 100
    # Neighbours know nothing of each other.
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.01


def test_a_seed_gives_a_stream(ctx, queue, kind, dtype):
    def draw(seed):
        generator = kind(ctx, seed=seed)
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
    threefry = ThreefryGenerator(ctx, key=[0], counter=[0]).uniform(queue, 1, np.int64, a=-(2**63), b=2**63)
    assert int(threefry.get()[0]) + 2**63 == 0x5256A7D8_FC10ECD4
    np.testing.assert_array_equal(draw([], []), draw([0, 0], [0, 0, 0, 0]))
    np.testing.assert_array_equal(draw([5], [-1]), draw([5, 0], [2**32 - 1]))
    np.testing.assert_array_equal(draw([5], [3])[1:], draw([5], [4])[:-1])
    assert not np.array_equal(draw([5, 6], [0]), draw([5, 7], [0]))
    with pytest.raises(ValueError, match="key has 3 words"):
        PhiloxGenerator(ctx, key=[1, 2, 3])
    with pytest.raises(ValueError, match="counter has 5 words"):
        PhiloxGenerator(ctx, counter=[1, 2, 3, 4, 5])


def quantile(word, bits):
    """The normal distribution's, at (word + 1/2) / 2**bits, by the distribution's own symmetry."""
    upper = word >> (bits - 1)
    count = 2**bits - 1 - word if upper else word
    lower = statistics.NormalDist().inv_cdf((count + 0.5) / 2**bits)
    return -lower if upper else lower


def test_normal_numbers_are_quantiles_at_the_words(ctx, queue, kind):
    def draw(method, dtype, count, **bounds):
        generator = kind(ctx, key=[11, 12], counter=[2**32 - 3, 2**32 - 1])
        return getattr(generator, method)(queue, count, dtype, **bounds).get()

    # A block is two such words, and the upper one is that of an int64.
    words = [int(word) + 2**63 for word in draw("uniform", np.int64, 500, a=-(2**63), b=2**63)]
    if queue.device.double_fp_config:
        found = draw("normal", np.float64, 1000)[1::2]
        np.testing.assert_allclose(found, [quantile(word, 64) for word in words], rtol=1e-14, atol=2e-16)
        scaled = draw("normal", np.float64, 1000, mu=3, sigma=-2)[1::2]
        np.testing.assert_array_equal(scaled, 3 - 2 * found)
    singles = draw("normal", np.float32, 2000)
    expected = [[quantile(word & 0xFFFFFFFF, 32), quantile(word >> 32, 32)] for word in words]
    np.testing.assert_allclose(singles.reshape(-1, 2)[1::2], expected, rtol=2e-6, atol=1e-9)
    np.testing.assert_array_equal(draw("normal", np.float16, 2000), singles.astype(np.float16))
    kept = draw("uniform", np.float16, 2000)
    np.testing.assert_array_equal(kept, np.floor(draw("uniform", np.float32, 2000) * 2048) / 2048)


@pytest.mark.needs("compiled kernels")
def test_numbers_are_normally_distributed(ctx, queue, kind):
    dtypes = [np.float16, np.float32] + [np.float64] * bool(queue.device.double_fp_config)
    for dtype in dtypes:
        drawn = kind(ctx, seed=5).normal(queue, 200_000, dtype, mu=-3, sigma=2).get()
        assert drawn.dtype == dtype
        standard = (drawn.astype(np.float64) + 3) / 2
        # The moments 0, 1, 0, 3 within five of their own deviations.
        for power, moment, variance in (1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96):
            assert abs((standard**power).mean() - moment) < 5 * (variance / 200_000) ** 0.5


def test_integers_of_every_size(ctx, queue, kind):
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64):
        least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        drawn = kind(ctx, seed=2).uniform(queue, 2000, dtype, a=least, b=most + 1).get()
        assert drawn.dtype == dtype
        np.testing.assert_allclose(drawn.astype(float).mean(), (least + most) / 2, atol=most * 0.05)
        few = kind(ctx, seed=2).uniform(queue, 500, dtype, a=most - 2, b=most + 1).get()
        np.testing.assert_array_equal(np.unique(few), np.array([most - 2, most - 1, most], dtype))


@pytest.mark.parametrize("vector", [cltypes.float2, cltypes.float3, cltypes.float4, cltypes.int8])
def test_vectors_are_filled_by_components(ctx, queue, kind, vector):
    number, count = cltypes.vec_type_to_scalar_and_count[vector]
    room = vector.itemsize // number.itemsize
    expected = kind(ctx, seed=2).uniform(queue, 12 * room, number, b=100).get().reshape(12, room)
    array = cl_array.zeros(queue, (3, 8), vector)
    kind(ctx, seed=2).fill_uniform(array[:, ::2], b=100)
    found = array.get()[:, ::2].reshape(-1)
    for place in range(count):
        np.testing.assert_array_equal(found[f"s{place}" if place > 3 else "xyzw"[place]], expected[:, place])
    if number == np.float32:
        drawn = kind(ctx, seed=2).normal(queue, (), vector, mu=5, sigma=0)
        assert drawn.get()["y"] == 5


def test_generators_tell_what_they_are(ctx, queue, kind):
    assert issubclass(kind, Random123GeneratorBase)
    generator = kind(ctx, key=[1], counter=[2, 3])
    assert generator.context == ctx
    assert generator.key == [1] + [0] * (generator.key_length - 1)
    assert generator.counter == [2, 3, 0, 0]
    generator.uniform(queue, 10, np.float32)
    assert generator.counter == [5, 3, 0, 0]
    assert generator.header_name == f"pyopencl-random123/{generator.generator_name[:-4]}.cl"
    with pytest.raises(NotImplementedError, match="base"):
        Random123GeneratorBase(ctx)


def test_the_kernel_fills_memory(ctx, queue, kind):
    generator = kind(ctx, key=[1], counter=[2])
    kernel, per_four, per_element = generator.get_gen_kernel(np.dtype(np.float32), "normal")
    assert (per_four, per_element) == (1, 1)
    assert generator.get_gen_kernel(np.int64, "uniform")[1:] == (4, 1)
    array = cl_array.zeros(queue, 10, np.float32)
    words = [np.uint64(word) for word in (1, 0, 2, 0)]
    kernel(queue, (1,), None, np.uint64(7), array.data, np.uint64(8), *words, np.float32(1), np.float32(2))
    expected = kind(ctx, key=[1], counter=[2]).normal(queue, 7, np.float32, mu=1, sigma=2).get()
    np.testing.assert_array_equal(array.get(), [0, 0, *expected, 0])


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
    for dtype in (np.bool_, np.complex64):
        with pytest.raises(TypeError, match=f"uniform distribution.*{np.dtype(dtype).name}"):
            generator.uniform(queue, 3, dtype)
    for dtype in (np.bool_, np.complex64, np.int32):
        with pytest.raises(TypeError, match=f"normal distribution.*{np.dtype(dtype).name}"):
            generator.normal(queue, 3, dtype)
        with pytest.raises(TypeError, match="normal distribution"):
            generator.get_gen_kernel(dtype, "normal")
    with pytest.raises(ValueError, match='not "poisson"'):
        generator.get_gen_kernel(np.float32, "poisson")
    with pytest.raises(ValueError, match="from 3 to 3"):
        generator.uniform(queue, 3, np.int32, a=3, b=3)
    with pytest.raises(OverflowError, match="2147483648"):
        generator.uniform(queue, 3, np.int32, b=2**31 + 1)
    with pytest.raises(ValueError, match="inf"):
        generator.uniform(queue, 3, np.float32, b=np.inf)
    with pytest.raises(TypeError, match="bound"):
        generator.uniform(queue, 3, np.float32, b="1")
    with pytest.raises(TypeError, match="mean"):
        generator.normal(queue, 3, np.float32, mu="1")
    with pytest.raises(OverflowError, match="-1 is out of bounds for uint8"):
        generator.uniform(queue, 3, np.uint8, a=-1)
    with pytest.raises(TypeError, match="seed has no use"):
        PhiloxGenerator(ctx, key=[1], counter=[2], seed=3)
    with pytest.raises(ValueError, match="queue"):
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
