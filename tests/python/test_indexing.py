"""Elements by positions, slices and masks, read and written, with NumPy as the judge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyopencl as cl
import pyopencl.array as cla
from pyopencl import cltypes

DTYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint32, np.int64, np.float16, np.float32, np.complex64]


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


def values(dtype, shape, seed=0):
    generator = np.random.default_rng(seed)
    numbers = generator.integers(0, 2 if dtype == np.bool_ else 100, shape)
    return (numbers * (1 + 2j) if np.dtype(dtype).kind == "c" else numbers).astype(dtype)


def same(device_array, expected):
    found = device_array.get()
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


def on_device(queue, index):
    """An index with its arrays on the device."""
    if isinstance(index, tuple):
        return tuple(on_device(queue, entry) for entry in index)
    return cla.to_device(queue, index) if isinstance(index, np.ndarray) else index


@st.composite
def slices(draw, length):
    bound = st.one_of(st.none(), st.integers(-length - 2, length + 2))
    step = draw(st.one_of(st.none(), st.integers(-3, 3).filter(bool)))
    return slice(draw(bound), draw(bound), step)


@st.composite
def indices(draw, shape):
    """An index of an array of this shape, with arrays of one shape that broadcasts among its entries."""
    together = draw(st.lists(st.integers(0, 3), max_size=2).map(tuple))
    entries, axis = [], 0
    used = draw(st.integers(0, len(shape)))
    while axis < used:
        kind = draw(st.sampled_from(["slice", "position", "positions", "positions", "mask", "none"]))
        length = shape[axis]
        if kind == "none":
            entries.append(None)
        elif kind == "position" and length:
            entries.append(draw(st.integers(-length, length - 1)))
            axis += 1
        elif kind == "positions" and length:
            own = tuple(1 if draw(st.booleans()) else n for n in together)[
                draw(st.integers(0, len(together))) :
            ]
            number = int(np.prod(own))
            numbers = draw(st.lists(st.integers(-length, length - 1), min_size=number, max_size=number))
            dtype = draw(st.sampled_from([np.int16, np.int32, np.int64]))
            entries.append(np.array(numbers, dtype).reshape(own))
            axis += 1
        elif kind == "mask":
            count = draw(st.integers(1, used - axis))
            entries.append(values(np.bool_, shape[axis : axis + count], draw(st.integers(0, 99))))
            axis += count
        else:
            entries.append(draw(slices(length)))
            axis += 1
    if draw(st.booleans()):
        # What follows it may be meant for other axes then, and so be an error.
        entries.insert(draw(st.integers(0, len(entries))), Ellipsis)
    return tuple(entries)


@st.composite
def indexed(draw):
    shape = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4).map(tuple))
    host = values(draw(st.sampled_from([np.int32, np.float32, np.uint8])), shape, draw(st.integers(0, 9)))
    layout = draw(st.sampled_from(["C", "F", "steps", "back"]))
    take = {"steps": slice(None, None, 2), "back": slice(None, None, -1)}.get(layout, slice(None))
    wide = [2 * n for n in shape] if layout == "steps" else shape
    base = np.zeros(wide, host.dtype, order="F" if layout == "F" else "C")
    base[(take,) * len(shape)] = host
    return base, (take,) * len(shape), draw(indices(shape))


def attempt(compute):
    try:
        return compute()
    except (IndexError, ValueError) as error:
        return error


@given(case=indexed(), device=st.booleans())
def test_any_index_reads_as_in_numpy(queue, case, device):
    base, part, index = case
    expected = attempt(lambda: base[part][index])
    array = cla.to_device(queue, base)[part]
    found = attempt(lambda: array[on_device(queue, index) if device else index])
    if isinstance(expected, Exception):
        # Positions of the device stay inside, and are not asked for where there is nothing to read.
        tolerated = device and "out of bounds" in str(expected)
        assert tolerated or isinstance(found, (IndexError, ValueError)), f"{index}: NumPy says {expected}"
        return
    if isinstance(found, IndexError) and any(
        isinstance(entry, np.ndarray) and not entry.size for entry in index
    ):
        # NumPy takes a mask without elements for any axis.
        assert "mask has shape" in str(found)
        return
    assert not isinstance(found, Exception), f"{base[part].shape} {index}: {found}"
    same(found, np.asarray(expected))


@given(case=indexed(), device=st.booleans(), data=st.data())
def test_any_index_is_written_as_in_numpy(queue, case, device, data):
    base, part, index = case
    array = cla.to_device(queue, base)
    view = attempt(lambda: np.asarray(base[part][index]))
    if isinstance(view, Exception) or isinstance(attempt(lambda: array[part][index]), Exception):
        # What reading refuses; the test of it says what that is.
        return
    kind = data.draw(st.sampled_from(["number", "array", "broadcast", "host"]))
    if kind == "number":
        value, given_value = 77, 77
    else:
        shape = view.shape if kind != "broadcast" else tuple(1 for _ in view.shape)
        value = values(np.int16, shape, 5)
        given_value = value if kind == "host" else cla.to_device(queue, value)
    # Of several values for one element any may be written.
    numbered = np.arange(base.size).reshape(base.shape)[part][index]
    if np.unique(numbered).size != np.size(numbered):
        value = given_value = 77
    base[part][index] = value
    array[part][on_device(queue, index) if device else index] = given_value
    same(array, base)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(queue, dtype):
    host = values(dtype, (6, 5))
    rows, mask = np.array([5, 0, -1, 3]), np.arange(30).reshape(6, 5) % 3 == 0
    array = cla.to_device(queue, host)
    same(array[rows], host[rows])
    same(array[mask], host[mask])
    same(cla.take(array, cla.to_device(queue, rows)), np.take(host, rows))
    new = values(dtype, (4, 5), 1)
    array[rows[[0, 1, 3]]] = cla.to_device(queue, new[:3])
    host[rows[[0, 1, 3]]] = new[:3]
    same(array, host)
    array[cla.to_device(queue, mask)] = new.ravel()[: mask.sum()]
    host[mask] = new.ravel()[: mask.sum()]
    same(array, host)


@pytest.mark.parametrize(
    "dtype",
    [
        cltypes.float4,
        cltypes.int3,
        cltypes.char2,
        np.dtype([("a", "<i4"), ("b", "<i2", 2)]),
        np.dtype("<f4,u1"),
    ],
    ids=str,
)
def test_vectors_and_records_move(queue, dtype):
    host = np.zeros((6, 4), dtype)
    host.view(np.uint8)[...] = np.arange(host.nbytes).reshape(6, -1) % 100
    array = cla.to_device(queue, host)
    rows, mask = np.array([3, 0, -1]), np.array([True, False, True, True, False, False])

    def equal(device_array, expected):
        assert device_array.shape == expected.shape
        assert device_array.get().tobytes() == np.ascontiguousarray(expected).tobytes()

    equal(array[rows], host[rows])
    equal(array[mask, ::-1], host[mask, ::-1])
    equal(cla.take(array.T, cla.to_device(queue, rows % 24)), np.take(host.T, rows % 24))
    equal(cla.concatenate([array, array[::-1]], 1), np.concatenate([host, host[::-1]], 1))
    equal(array.reverse(), host[::-1, ::-1])
    for index in (rows, mask):
        for value in (host[1:4], host[2, 1]):
            array[index] = value if value.ndim == 0 else cla.to_device(queue, value)
            host[index] = value.copy()
            equal(array, host)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_positions_of_every_dtype(queue, dtype):
    host = values(np.float32, 200)
    positions = values(dtype, 300, 1)
    same(cla.to_device(queue, host)[cla.to_device(queue, positions)], host[positions])
    same(cla.to_device(queue, host)[positions], host[positions])


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 4097, 70001])
def test_masks_of_every_size(queue, size):
    host = values(np.int32, size)
    array = cla.to_device(queue, host)
    for threshold in (-1, 10, 50, 200):
        same(array[array > threshold], host[host > threshold])
        chosen = host[host > threshold] + 1
        array[array > threshold] = cla.to_device(queue, chosen)
        host[host > threshold] = chosen
        same(array, host)


def test_comparisons_are_masks(queue):
    host = values(np.float32, (7, 8))
    array = cla.to_device(queue, host)
    same(array[array > 50], host[host > 50])
    array[array > 50] = 0
    host[host > 50] = 0
    same(array, host)
    same(array[array[:, 0] > 10, 1:3], host[host[:, 0] > 10, 1:3])
    same(array[:, array[0] > 10], host[:, host[0] > 10])


def test_turned_masks_choose_the_others(queue):
    host = values(np.float32, (7, 8))
    array = cla.to_device(queue, host)
    same(array[~(array > 50)], host[~(host > 50)])
    same(array[~(array > 50) & (array > 10)], host[~(host > 50) & (host > 10)])
    same(array[~~(array > 50)], host[host > 50])
    same(array[~(array[:, 0] > 10), [1]], host[~(host[:, 0] > 10), [1]])
    array[~(array > 50)] = -1
    host[~(host > 50)] = -1
    same(array, host)


def test_lists_are_positions_and_masks(queue):
    host = np.arange(6, dtype=np.int32)
    array = cla.to_device(queue, host)
    same(array[[0, -1]], host[[0, -1]])
    same(array[[]], host[[]])
    same(array[[[0, 1], [2, 3]]], host[[[0, 1], [2, 3]]])
    same(array[[True, False, True, False, False, True]], host[[True, False, True, False, False, True]])
    array[[1, 2]] = [10, 20]
    array[3:5] = [30.7, 40]
    same(array, np.array([0, 10, 20, 30, 40, 5], np.int32))


def test_an_array_is_its_own_index(queue):
    host = np.array([3, 1, 0, 2], np.int32)
    array = cla.to_device(queue, host)
    same(array[array], host[host])
    array[array] = array
    host[host] = host.copy()
    same(array, host)
    array = cla.to_device(queue, np.array([1, 2, 3, 0], np.int32))
    array[array] = cla.to_device(queue, np.array([7, 8, 9, 10], np.int32))
    same(array, np.array([10, 7, 8, 9], np.int32))


def test_a_part_moves_within_its_array(queue):
    host = np.arange(8, dtype=np.int32)
    array = cla.to_device(queue, host)
    array[np.array([0, 1, 2, 3])] = array[2:6]
    host[[0, 1, 2, 3]] = host[2:6].copy()
    same(array, host)


def test_positions_without_dimensions(queue):
    host = values(np.int32, (4, 5))
    position = cla.to_device(queue, np.array(2, np.int32))
    same(cla.to_device(queue, host)[position], host[2])
    same(cla.to_device(queue, host)[position, position], np.asarray(host[2, 2]))


def test_positions_of_the_host_are_checked(queue):
    array = cla.zeros(queue, (6, 4), np.int32)
    for index, text in [
        (np.array([0, 9]), "index 9 is out of bounds for axis 0 with size 6"),
        ((slice(None), [-5]), "index -5 is out of bounds for axis 1 with size 4"),
        ((Ellipsis, None, [4]), "index 4 is out of bounds for axis 1 with size 4"),
    ]:
        with pytest.raises(IndexError, match=text):
            array[index]
        with pytest.raises(IndexError, match=text):
            array[index] = 1
    with pytest.raises(IndexError, match="index 24 is out of bounds for axis 0 with size 24"):
        cla.take(array, np.array([24]))


def test_positions_of_the_device_stay_inside(queue):
    host = np.arange(5, dtype=np.int32)
    array = cla.to_device(queue, host)
    far = cla.to_device(queue, np.array([-100, -6, -5, 4, 5, 2**31 - 1], np.int32))
    same(array[far], np.array([0, 0, 0, 4, 4, 4], np.int32))
    array[far] = cla.to_device(queue, np.array([10, 11, 12, 13, 14, 15], np.int32))
    same(array, np.array([12, 1, 2, 3, 13], np.int32))


def test_large_unsigned_positions_are_beyond_the_end(queue):
    array = cla.arange(queue, 5, dtype=np.int32)
    far = cla.to_device(queue, np.array([1, 4, 5, 2**63 - 1, 2**63, 2**64 - 5, 2**64 - 1], np.uint64))
    expected = np.array([1, 4, 4, 4, 4, 4, 4], np.int32)
    same(array[far], expected)
    same(cla.take(array, far), expected)
    same(cla.multi_take_put([array], cla.arange(queue, 7, dtype=np.int32), far, (7,))[0], expected)
    # Beyond the axis, where nothing is written.
    array[far] = cla.arange(queue, 10, 17, dtype=np.int32)
    same(array, np.array([0, 10, 2, 3, 11], np.int32))


def test_masks_that_may_be_meant_as_positions(queue):
    array = cla.arange(queue, 8, dtype=np.int32)
    positions = cla.to_device(queue, np.array([0, 1, -2], np.int8))
    help_text = r"int8 and bool arrays are masks.*astype\(np.int32\).*array.take"
    with pytest.raises(IndexError, match=help_text):
        array[positions]
    with pytest.raises(IndexError, match=help_text):
        array[positions] = 0
    same(array[positions.astype(np.int32)], np.array([0, 1, 6], np.int32))
    same(cla.take(array, positions), np.array([0, 1, 6], np.int32))
    assert "int8 arrays" in cla.Array.__doc__
    for dtype in (np.int8, np.bool_):
        mask = cla.to_device(queue, np.array(1, dtype))
        same(array[mask], np.arange(8, dtype=np.int32)[None])
        with pytest.raises(IndexError, match="mask without dimensions must be the only array"):
            array[mask, positions.astype(np.int32)]


def test_axes_without_elements_have_no_positions(queue):
    array = cla.zeros(queue, (0, 3), np.int32)
    positions = cla.zeros(queue, 2, np.int32)
    with pytest.raises(IndexError, match="index 0 is out of bounds for axis 0 with size 0"):
        array[positions]
    same(array[positions[:0]], np.zeros((0, 3), np.int32))
    with pytest.raises(IndexError, match="size 0"):
        cla.take(array, positions)


def test_what_is_no_index_is_refused(queue):
    array = cla.zeros(queue, (6, 4), np.float32)
    for index in [np.array([0.5]), cla.zeros(queue, 2, np.float32), 1.5, "x", [0.5], (0, "x")]:
        with pytest.raises(IndexError):
            array[index]
    with pytest.raises(IndexError, match=r"mask has shape \(3,\).*axes from number 0.*shape \(6,\)"):
        array[np.ones(3, bool)]
    with pytest.raises(IndexError, match=r"mask has shape \(6,\).*axes from number 1.*shape \(4,\)"):
        array[:, cla.zeros(queue, 6, np.int8)]
    with pytest.raises(IndexError, match=r"mask has shape \(1,\).*axes from number 0.*shape \(6,\)"):
        array[[True], [0]]
    with pytest.raises(IndexError, match="too many indices"):
        array[[0], [0], [0]]
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        array[[0, 1], [0, 1, 2]]
    with pytest.raises(IndexError):
        array[2**70]


def test_values_that_do_not_fit_are_refused(queue):
    array = cla.zeros(queue, 6, np.float32)
    mask = np.array([True, False, True, False, False, False])
    with pytest.raises(ValueError, match="2 elements where the mask is true to 3 values"):
        array[mask] = np.arange(3.0)
    with pytest.raises(ValueError, match=r"\(3,\)"):
        array[[0, 1]] = np.arange(3.0)
    with pytest.raises(TypeError, match="complex"):
        array[[0, 1]] = 1j
    with pytest.raises(TypeError, match="cannot set elements"):
        array[[0, 1]] = None
    with pytest.raises(TypeError, match="cannot set elements"):
        array[0] = "x"
    same(array, np.zeros(6, np.float32))


def test_leading_axes_of_values_do_not_count(queue):
    array, host = cla.zeros(queue, 6, np.float32), np.zeros(6, np.float32)
    for index in [np.s_[0:2], [3, 5]]:
        array[index] = cla.to_device(queue, np.array([[[1, 2]]], np.float32))
        host[index] = np.array([[[1, 2]]])
        same(array, host)
    array[array > 1] = np.array([[7, 8]])
    same(array, np.array([1, 7, 0, 1, 0, 8], np.float32))
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        array[0:2] = cla.zeros(queue, (2, 2), np.float32)


def test_values_that_are_put_repeat(queue):
    array = cla.zeros(queue, 7, np.int32)
    positions = np.array([[0, 2, 4], [6, 1, 3]], np.int32)
    cla.multi_put(
        [cla.to_device(queue, np.array([5, 6], np.int32))], cla.to_device(queue, positions), out=[array]
    )
    host = np.zeros(7, np.int32)
    np.put(host, positions, [5, 6])
    same(array, host)
    with pytest.raises(IndexError, match="size 0"):
        cla.multi_put([array[:0]], cla.to_device(queue, positions), out=[array])


def test_views_of_other_sizes(queue):
    host = np.arange(48, dtype=np.int32).reshape(4, 12)
    array = cla.to_device(queue, host)
    for part, dtype in [
        (np.s_[:], np.int64),
        (np.s_[::2], np.int64),
        (np.s_[::-1, 2:8], np.uint8),
        (np.s_[1:1], np.int16),
        (np.s_[:, 1:3], np.int64),
        (np.s_[:, 3], np.float32),
        (np.s_[0], np.complex128),
    ]:
        same(array[part].view(dtype), host[part].view(dtype))
    # In Fortran's order the first axis changes.
    same(array.T.view(np.int64), host.view(np.int64).T)
    for part, dtype in [(np.s_[:, ::2], np.int64), (np.s_[:, :3], np.int64), (np.s_[:, 3], np.int16)]:
        with pytest.raises(ValueError, match="cannot be read as int"):
            array[part].view(dtype)


def test_setitem_takes_a_queue_and_events(ctx, queue):
    array = cla.zeros(queue, 6, np.int32)
    other = cl.CommandQueue(ctx)
    array.setitem(slice(0, 2), 7, queue=other, wait_for=[])
    array.setitem(cla.to_device(queue, np.array([4, 5])), 8, other, [cl.enqueue_marker(queue)])
    array.setitem(2, np.int32(3))
    same(array, np.array([7, 7, 3, 0, 8, 8], np.int32))
    with pytest.raises(ValueError, match="queue"):
        array.with_queue(None)[[0, 1]]


def test_out_of_order_queues_index_in_order(ctx, device):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not device.queue_properties & properties:
        pytest.skip("the device has no out-of-order queues")
    queue = cl.CommandQueue(ctx, properties=properties)
    host = np.arange(1000, dtype=np.int32)
    array = cla.to_device(queue, host)
    for step in range(2, 7):
        array[array > 100 * step] = step
        host[host > 100 * step] = step
        array[::step] = array[host % 2 == 0][0]
        host[::step] = host[host % 2 == 0][0]
    same(array, host)


@pytest.mark.parametrize("shape", [(5,), (2, 3), ()])
def test_take_gives_the_positions_shape(queue, shape):
    host = values(np.int32, (4, 6))
    positions = values(np.int32, shape, 3) % 24
    device_positions = cla.to_device(queue, positions)
    array = cla.to_device(queue, host)
    same(cla.take(array, device_positions), np.take(host, positions))
    same(cla.take(cla.to_device(queue, np.asfortranarray(host)), device_positions), np.take(host, positions))
    few = positions % 12
    same(cla.take(array[::-1, ::2], cla.to_device(queue, few)), np.take(host[::-1, ::2], few))
    out = cla.empty(queue, shape, np.int64)
    assert cla.take(cla.to_device(queue, host), device_positions, out=out) is out
    same(out, np.take(host, positions).astype(np.int64))


def test_take_refuses_an_output_that_does_not_fit(queue):
    array, positions = cla.zeros(queue, 6, np.float32), cla.zeros(queue, 3, np.int32)
    with pytest.raises(ValueError, match=r"shape \(4,\).*\(3,\)"):
        cla.take(array, positions, out=cla.zeros(queue, 4, np.float32))
    with pytest.raises(TypeError, match=r"float32.*int32"):
        cla.take(array, positions, out=cla.zeros(queue, 3, np.int32))
    with pytest.raises(IndexError, match="integers"):
        cla.take(array, cla.zeros(queue, 3, np.float32))


def test_several_arrays_are_taken_and_put_together(queue):
    a, b = values(np.int32, 9), values(np.float32, 9, 1)
    arrays = [cla.to_device(queue, a), cla.to_device(queue, b)]
    source, target = np.array([8, 0, 3], np.int32), np.array([1, 5, 2], np.int64)
    device_source, device_target = cla.to_device(queue, source), cla.to_device(queue, target)
    for found, host in zip(cla.multi_take(arrays, device_source), (a, b), strict=True):
        same(found, host[source])

    def put(host, chosen, shape):
        expected = np.zeros(shape, host.dtype)
        expected.reshape(-1)[target] = chosen
        return expected

    for found, host in zip(
        cla.multi_put([part[:3] for part in arrays], device_target, dest_shape=(2, 4)), (a, b), strict=True
    ):
        same(found, put(host, host[:3], (2, 4)))
    for found, host in zip(
        cla.multi_take_put(arrays, device_target, device_source, dest_shape=8), (a, b), strict=True
    ):
        same(found, put(host, host[source], 8))
    outs = [cla.zeros(queue, 8, np.int32), cla.zeros(queue, 8, np.float32)]
    device_source = cla.to_device(queue, source - 1)
    assert cla.multi_take_put(arrays, device_target, device_source, out=outs, src_offsets=[1, 1]) is outs
    for found, host in zip(outs, (a, b), strict=True):
        same(found, put(host, host[source], 8))
    taken = [cla.zeros(queue, 3, np.int32), cla.zeros(queue, 3, np.float32)]
    assert cla.multi_take(arrays, cla.to_device(queue, source), out=taken) is taken
    same(taken[1], b[source])
    for function in (cla.multi_take, cla.multi_put):
        assert function([], device_target) == []
    with pytest.raises(TypeError, match="dest_shape or out"):
        cla.multi_put(arrays, device_target)
    with pytest.raises(ValueError, match="same shape"):
        cla.multi_take_put(arrays, device_target, device_source[:2], dest_shape=8)
    with pytest.raises(ValueError, match="out has 1 arrays"):
        cla.multi_put(arrays, device_target, out=outs[:1])


@pytest.mark.parametrize("size", [1, 300, 20000])
def test_subsets(queue, size):
    a, b = values(np.int32, 500), values(np.float32, 500, 1)
    subset = np.random.default_rng(4).integers(0, 500, size).astype(np.int32)
    device_a, device_b, device_subset = (cla.to_device(queue, host) for host in (a, b, subset))
    same(cla.subset_dot(device_subset, device_a, device_a), np.asarray(np.dot(a[subset], a[subset])))
    found = cla.subset_dot(device_subset, device_b, device_b, dtype=np.float32, slice=slice(0, None, 2))
    same(found, np.float32(np.dot(b[subset[::2]].astype(np.float64), b[subset[::2]])))
    same(cla.subset_max(device_subset, device_b), b[subset].max())
    same(cla.subset_min(device_subset, device_a, slice=slice(0, 3)), a[subset[:3]].min())
    with pytest.raises(ValueError, match="empty"):
        cla.subset_max(device_subset[:0], device_a)
