"""Subclasses of arrays: which hooks make views and results, and what an instance may carry."""

import gc
import weakref

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


class Plain(cla.Array):
    """Has methods of its own only."""

    def doubled(self):
        return self + self


class Tagged(cla.Array):
    """Carries a tag from each array to what is made of it."""

    def __init__(self, *args, tag=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.tag = tag

    def _new_with_changes(self, *args, **kwargs):
        made = super()._new_with_changes(*args, **kwargs)
        made.tag = self.tag
        return made


class LikeMe(cla.Array):
    """Makes the arrays for its results itself."""

    made = 0

    def _new_like_me(self, dtype=None, queue=None):
        type(self).made += 1
        return super()._new_like_me(dtype, queue)


def filled(kind, queue, host, **kwargs):
    array = kind(queue, host.shape, host.dtype, **kwargs)
    array.set(host)
    return array


OPERATIONS = {
    "add": lambda a: a + a,
    "add number": lambda a: 2 + a,
    "add row": lambda a: a + a[0],
    "true divide": lambda a: a / 2,
    "negative": lambda a: -a,
    "compare": lambda a: a < 3,
    "copy": lambda a: a.copy(),
    "astype": lambda a: a.astype(np.float64),
    "row": lambda a: a[1],
    "steps": lambda a: a[::2, ::-1],
    "transpose": lambda a: a.T,
    "reshape": lambda a: a.reshape(-1),
    "reshape by copying": lambda a: a.T.reshape(-1),
    "ravel": lambda a: a.ravel(),
    "squeeze": lambda a: a.squeeze(),
    "view": lambda a: a.view(np.int32),
    "sum": lambda a: cla.sum(a),
    "maximum": lambda a: cla.maximum(a, 3),
    "any": lambda a: a.any(),
    "reverse": lambda a: a.reverse(),
    "diff": lambda a: cla.diff(a),
    "dot": lambda a: cla.dot(a, a),
    "concatenate": lambda a: cla.concatenate((a, a)),
    "queue": lambda a: a.with_queue(a.queue),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_results_and_views_are_of_the_class(queue, operation):
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    expected = operation(cla.to_device(queue, host))
    for kind in (Plain, Tagged, LikeMe):
        found = operation(filled(kind, queue, host))
        assert type(found) is kind
        assert found.dtype == expected.dtype
        assert found.strides == expected.strides
        np.testing.assert_array_equal(found.get(), expected.get())
    tagged = operation(filled(Tagged, queue, host, tag="blue"))
    assert tagged.tag == "blue"


def test_views_of_a_subclass_share_the_memory(queue):
    for kind in (Plain, Tagged):
        array = filled(kind, queue, np.zeros((2, 3), np.float32))
        array[1].fill(5)
        array.with_queue(queue)[0, 1:].fill(7)
        np.testing.assert_array_equal(array.get(), [[0, 7, 7], [5, 5, 5]])
        assert array[1].base_data == array.base_data


def test_results_of_the_same_shape_come_from_an_overridden_new_like_me(queue):
    array = filled(LikeMe, queue, np.arange(3, dtype=np.int32))
    LikeMe.made = 0
    np.testing.assert_array_equal((array * 2).get(), [0, 2, 4])
    assert (array / 2).dtype == np.float64
    assert LikeMe.made == 2


def test_mixed_operands_give_the_class_of_the_left_one(queue):
    host = np.arange(3, dtype=np.float32)
    plain, tagged = cla.to_device(queue, host), filled(Tagged, queue, host, tag=1)
    assert type(plain + tagged) is cla.Array
    assert type(tagged + plain) is Tagged
    assert type(1 - tagged) is Tagged
    assert type(np.float32(3) * tagged) is Tagged
    assert type(host + tagged) is Tagged


def test_in_place_operations_keep_the_instance(queue):
    array = filled(Tagged, queue, np.arange(3, dtype=np.float32), tag=1)
    before = array
    array += 1
    assert array is before
    assert array.fill(2) is before


def test_new_with_changes(queue):
    array = cla.to_device(queue, np.arange(6, dtype=np.float32).reshape(2, 3))
    view = array._new_with_changes(array.base_data, 4, shape=(2,), strides=(12,))
    np.testing.assert_array_equal(view.get(), [1, 4])
    assert view.queue is queue
    assert array._new_with_changes(array.base_data, 0, queue=None).queue is None
    row = array._new_with_changes(array.base_data, 0, shape=(6,))
    np.testing.assert_array_equal(row.get(), np.arange(6))
    as_int = array._new_with_changes(array.base_data, 0, dtype=np.int32)
    assert as_int.dtype == np.int32
    new = array.T._new_with_changes(None, 0)
    assert new.strides == array.T.strides
    assert new.base_data != array.base_data
    with pytest.raises(ValueError, match="buffer of 24 bytes"):
        array._new_with_changes(array.base_data, 8)


def test_new_like_me_and_zero_fill(queue):
    array = cla.to_device(queue, np.ones((2, 3, 4), np.float32)).transpose((1, 0, 2))[::-1]
    like = array._new_like_me()
    assert (like.shape, like.dtype, like.queue) == (array.shape, array.dtype, queue)
    assert like.strides == (16, 48, 4)
    assert array._new_like_me(np.int8).dtype == np.int8
    other = cl.CommandQueue(queue.context)
    assert array._new_like_me(queue=other).queue is other
    like._zero_fill()
    assert not like.get().any()
    assert cla.empty_like(array, queue=None).queue is None
    assert not cla.zeros_like(array).get().any()


def test_the_constructor_as_clients_call_it(queue):
    array = cla.to_device(queue, np.arange(4, dtype=np.float32))
    over = Tagged(
        None,
        array.shape,
        array.dtype,
        allocator=array.allocator,
        data=array.base_data,
        offset=array.offset,
        strides=array.strides,
        events=array.events,
        tag="blue",
        _fast=True,
        _context=array.context,
        _queue=array.queue,
        _size=array.size,
    )
    over += 1
    np.testing.assert_array_equal(array.get(), [1, 2, 3, 4])
    assert over.queue is queue


def test_queues_of_copies(queue):
    other = cl.CommandQueue(queue.context)
    for kind in (cla.Array, Plain, Tagged):
        array = filled(kind, queue, np.arange(4, dtype=np.float32))
        assert array.copy().queue is queue
        assert array.copy(cla._copy_queue).queue is queue
        assert array.copy(queue=other).queue is other
        assert array.copy(queue=None).queue is None
        lonely = array.with_queue(None)
        copy = lonely.copy(queue=queue)
        assert type(copy) is kind
        np.testing.assert_array_equal(copy.get(), array.get())


def test_an_instance_takes_attributes_and_weak_references(queue):
    for kind in (cla.Array, Plain):
        array = filled(kind, queue, np.zeros(2, np.float32))
        array.note = ["something"]
        alive = weakref.ref(array)
        assert alive() is array
        assert not hasattr(array + 1, "note")
        del array
        gc.collect()
        assert alive() is None


def test_a_class_brings_its_own_ufuncs(queue):
    class Ufuncs(cla.Array):
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return ufunc.__name__, method

    array = filled(Ufuncs, queue, np.zeros(2, np.float32))
    assert np.sin(array) == ("sin", "__call__")
    assert np.zeros(2) * array == ("multiply", "__call__")


def test_a_subclass_that_forgets_the_constructor_is_told(queue):
    class Forgetful(cla.Array):
        def __init__(self, queue):
            pass

    with pytest.raises(RuntimeError, match="__init__ has not been called"):
        Forgetful(queue) + 1


def test_a_hook_that_gives_no_array_is_told(queue):
    class Wrong(cla.Array):
        def _new_with_changes(self, *args, **kwargs):
            return "no array"

    array = filled(Wrong, queue, np.zeros(2, np.float32))
    with pytest.raises(TypeError, match="must give an array, not an object of <class 'str'>"):
        array[1:]


class WithoutStrides(cla.Array):
    """Its constructor takes less than an array's."""

    def __init__(self, cq, shape, dtype, order="C", allocator=None, data=None, offset=0, **internal):
        assert "strides" not in internal
        super().__init__(cq, shape, dtype, order, allocator, data, offset, **internal)


@pytest.mark.parametrize(
    "operation",
    [
        cla.sum,
        cla.max,
        lambda x: cla.dot(x, x),
        lambda x: x + 1,
        lambda x: x[1:],
        lambda x: x.reshape(3, 2),
        lambda x: cla.concatenate((x, x)),
        cla.empty_like,
        cla.zeros_like,
    ],
)
def test_a_constructor_without_strides_serves_what_is_in_c_order(queue, operation):
    x = WithoutStrides(queue, (2, 3), np.float32)
    x.fill(2)
    assert type(operation(x)) is WithoutStrides


def test_what_is_shown_is_what_an_overridden_get_gives(queue):
    class Rounded(cla.Array):
        def get(self, *args, **kwargs):
            return np.round(super().get(*args, **kwargs))

    class Secret(cla.Array):
        def get(self, *args, **kwargs):
            return "secret"

    x = Rounded(queue, (2,), np.float32)
    x.fill(1.75)
    assert str(x) == "[2. 2.]"
    assert repr(x) == "cl.Rounded([2., 2.], dtype=float32)"
    assert float(x[0]) == 2
    assert (np.asarray(x) == 2).all()
    secret = Secret(queue, (2,), np.float32)
    assert str(secret) == "secret"
    assert repr(secret) == "'secret'"
