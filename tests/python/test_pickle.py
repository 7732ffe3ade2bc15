"""Arrays through `copy` and `pickle`."""

import copy
import gc
import pickle
import threading

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


class Labelled(cla.Array):
    """A subclass whose constructor asks for more, and is not called again."""

    def __init__(self, *args, label, **kwargs):
        super().__init__(*args, **kwargs)
        self.label = label


HOST = np.arange(24, dtype=np.float32).reshape(4, 6)
PARTS = {
    "whole": lambda a: a,
    "Fortran order": lambda a: a.T,
    "offset": lambda a: a[2:],
    "steps": lambda a: a[::-2, 1::2],
    "one element": lambda a: a[1, 1],
    "none": lambda a: a[:0],
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_deep_copies_have_memory_of_their_own(queue, part):
    array = part(cla.to_device(queue, HOST))
    copied = copy.deepcopy(array)
    expected = array.get()
    array.fill(-1)
    np.testing.assert_array_equal(copied.get(), expected)
    assert (copied.dtype, copied.shape, copied.queue) == (array.dtype, array.shape, queue)
    assert copied.flags.forc


def test_a_deep_copy_within_another_object_is_one_array(queue):
    array = cla.to_device(queue, HOST)
    array.note = [1]
    copied = copy.deepcopy({"first": array, "second": [array]})
    assert copied["first"] is copied["second"][0]
    assert copied["first"].note == [1]
    assert copied["first"].note is not array.note


def test_shallow_copies_share_the_memory(queue):
    array = cla.to_device(queue, HOST)[1:, ::2]
    array.note = [1]
    copied = copy.copy(array)
    array.fill(7)
    assert copied is not array
    np.testing.assert_array_equal(copied.get(), array.get())
    assert copied.note is array.note
    assert (copied.strides, copied.offset, copied.queue) == (array.strides, array.offset, queue)
    assert copied.base_data == array.base_data


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_pickles_hold_the_elements(queue, part, protocol):
    array = part(cla.to_device(queue, HOST))
    text = pickle.dumps(array, protocol)
    expected = array.get()
    array.fill(-1)
    with cla.queue_for_pickling(queue):
        restored = pickle.loads(text)
    assert type(restored) is cla.Array
    assert restored.queue is queue
    assert restored.dtype == array.dtype
    np.testing.assert_array_equal(restored.get(), expected)
    assert restored.flags.f_contiguous == expected.flags.f_contiguous


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint64, np.float16, np.float64, np.complex64])
def test_pickles_of_dtypes(queue, dtype):
    host = np.arange(5).astype(dtype)
    with cla.queue_for_pickling(queue):
        restored = pickle.loads(pickle.dumps(cla.to_device(queue, host)))
    assert restored.dtype == dtype
    np.testing.assert_array_equal(restored.get(), host)


def test_pickles_may_leave_the_elements_out_of_band(queue):
    buffers = []
    text = pickle.dumps(cla.to_device(queue, HOST), 5, buffer_callback=buffers.append)
    assert len(buffers) == 1
    assert buffers[0].raw().nbytes == HOST.nbytes
    with cla.queue_for_pickling(queue):
        restored = pickle.loads(text, buffers=buffers)
    np.testing.assert_array_equal(restored.get(), HOST)


def test_subclasses_keep_their_class_and_attributes(queue):
    array = Labelled(queue, (3,), np.int32, label={"color": "blue"})
    array.fill(4)
    with cla.queue_for_pickling(queue):
        restored = pickle.loads(pickle.dumps(array))
    for copied in (restored, copy.deepcopy(array), copy.copy(array)):
        assert type(copied) is Labelled
        assert copied.label == {"color": "blue"}
        np.testing.assert_array_equal(copied.get(), [4, 4, 4])
    assert copy.copy(array).label is array.label
    assert copy.deepcopy(array).label is not array.label


def test_arrays_without_a_queue(queue):
    array = cla.to_device(queue, HOST).with_queue(None)
    for way in (pickle.dumps, copy.deepcopy):
        with pytest.raises(RuntimeError, match=r"array.with_queue\(queue\).*queue_for_pickling"):
            way(array)
    with cla.queue_for_pickling(queue):
        text, copied = pickle.dumps(array), copy.deepcopy(array)
        restored = pickle.loads(text)
    for other in (restored, copied, copy.copy(array)):
        assert other.queue is None
        np.testing.assert_array_equal(other.get(queue), HOST)


def test_restoring_without_a_queue_says_what_to_do(queue):
    text = pickle.dumps(cla.to_device(queue, HOST))
    with pytest.raises(RuntimeError, match=r"with pyopencl\.array\.queue_for_pickling"):
        pickle.loads(text)
    with pytest.raises(TypeError, match="expected a CommandQueue"), cla.queue_for_pickling(queue.context):
        pass


def test_the_queue_of_pickling_belongs_to_a_block_and_a_thread(queue):
    text = pickle.dumps(cla.to_device(queue, HOST))
    other = cl.CommandQueue(queue.context)
    failures = []

    def elsewhere():
        try:
            pickle.loads(text)
        except RuntimeError as error:
            failures.append(error)

    with cla.queue_for_pickling(queue):
        with cla.queue_for_pickling(other):
            assert pickle.loads(text).queue is other
        assert pickle.loads(text).queue is queue
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert len(failures) == 1


def test_an_array_that_refers_to_itself_is_copied_and_collected(queue):
    array = cla.to_device(queue, HOST)
    array.own = array
    copied = copy.deepcopy(array)
    assert copied.own is copied
    del array, copied
    assert gc.collect() > 0


def test_pending_writes_of_an_out_of_order_queue_are_copied(ctx):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not ctx.devices[0].queue_properties & properties:
        pytest.skip("the device has no out-of-order queues")
    queue = cl.CommandQueue(ctx, properties=properties)
    array = cla.zeros(queue, 100_000, np.int32)
    for number in range(20):
        array.fill(number)
        copied, text = copy.deepcopy(array), pickle.dumps(array)
        with cla.queue_for_pickling(queue):
            restored = pickle.loads(text)
        array.fill(-1)
        assert (copied.get() == number).all()
        assert (restored.get() == number).all()
