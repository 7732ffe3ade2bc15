"""Fusion: the bits of single operations, in fewer kernels, and operands as they were at the time."""

import asyncio
import contextvars
import gc
import operator
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyopencl as cl
import pyopencl.array as cla
from pyopencl import clmath
from pyopencl.array import fuse


@pytest.fixture(scope="module")
def queue(ctx):
    return cl.CommandQueue(ctx)


class Counting:
    """An allocator that counts: each kernel that makes an array asks it once."""

    def __init__(self, context):
        self.context = context
        self.count = 0

    def __call__(self, size):
        self.count += 1
        return cl.Buffer(self.context, cl.mem_flags.READ_WRITE, size)


@pytest.fixture
def made(ctx):
    return Counting(ctx)


def device(queue, numbers, allocator=None):
    return cla.to_device(queue, np.asarray(numbers, np.float32), allocator=allocator)


X, Y = np.float32([1, 2, 3, 4]), np.float32([10, 20, 30, 40])


@pytest.fixture
def xy(queue, made):
    arrays = device(queue, X, made), device(queue, Y, made)
    made.count = 0
    return arrays


# --- any expression


DTYPES = [np.bool_, np.int8, np.uint8, np.int32, np.uint64, np.float16, np.float32, np.float64, np.complex64]
LAYOUTS = ["C", "F", "step", "back", "row", "column"]
BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.and_,
    operator.lt,
    operator.eq,
    cla.maximum,
    cla.logical_and,
]
UNARY = [
    operator.neg,
    operator.abs,
    operator.invert,
    lambda a: a.astype(np.float32),
    lambda a: a.conj(),
    lambda a: a**2,
]
NUMBERS = [0, 3, -7, 2.5, True, 300, np.int8(3), np.float32(0.1), np.float64(0.1), 1j]


def operand(queue, dtype, layout):
    """An array of shape (3, 4), or one that broadcasts to it, with numbers of all sorts."""
    host = (np.arange(48) * 7 % 23 - (0 if np.dtype(dtype).kind == "u" else 9)).astype(dtype).reshape(6, 8)
    array = cla.to_device(queue, host)
    return {
        "C": lambda: array[:3, :4].copy(),
        "F": lambda: array[:4, :3].copy().T,
        "step": lambda: array[::2, ::2],
        "back": lambda: array[2::-1, 3::-1],
        "row": lambda: array[1, :4],
        "column": lambda: array[3:, :1],
    }[layout]()


leaves = st.tuples(st.sampled_from(DTYPES), st.sampled_from(LAYOUTS))


def larger(trees):
    return st.one_of(
        st.tuples(st.sampled_from(BINARY), trees, trees),
        st.tuples(st.sampled_from(BINARY), trees, st.sampled_from(NUMBERS)),
        st.tuples(st.sampled_from([operator.add, operator.sub]), st.sampled_from(NUMBERS), trees),
        st.tuples(st.sampled_from(UNARY), trees),
    )


def build(queue, tree):
    """The value of a tree, or the error of the first operation that refuses its operands."""
    if not isinstance(tree, tuple):
        return tree
    if isinstance(tree[1], str):
        return operand(queue, *tree)
    operation, *parts = tree
    return operation(*(build(queue, part) for part in parts))


def outcome(function, *args):
    """What a function gives, as bits and layout, or how it fails."""
    try:
        array = function(*args)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error), str(error)
    return array.dtype, array.shape, array.strides, array.get().tobytes()


@given(tree=st.recursive(leaves, larger, max_leaves=5))
def test_any_expression_has_the_bits_of_single_operations(new_queue, tree):
    queue = new_queue()
    with np.errstate(all="ignore"):
        assert outcome(fuse(build), queue, tree) == outcome(build, queue, tree)


@given(
    tree=st.recursive(leaves, larger, max_leaves=4), reduction=st.sampled_from([cla.sum, cla.max, cla.min])
)
def test_reductions_of_expressions_have_the_bits_of_those_of_arrays(new_queue, tree, reduction):
    def reduced(queue, tree):
        return reduction(build(queue, tree))

    queue = new_queue()
    assert outcome(fuse(reduced), queue, tree) == outcome(reduced, queue, tree)


# --- kernels


def test_an_expression_is_one_kernel(xy, made):
    @fuse
    def step(x, y):
        """A step."""
        return 2 * x + y * x

    assert (step.__name__, step.__doc__) == ("step", "A step.")
    result = step(*xy)
    assert made.count == 1
    np.testing.assert_array_equal(result.get(), 2 * X + Y * X)
    assert made.count == 1


@pytest.mark.parametrize("dtype", [np.int8, np.float16, np.float32, np.float64])
def test_functions_are_part_of_an_expression(queue, made, dtype):
    x = cla.to_device(queue, np.arange(1, 40).astype(dtype), allocator=made)

    def wave():
        return clmath.sqrt(2 * x + 1) * clmath.floor(x / 3) + clmath.atan2(x, 3)

    alone = wave()
    made.count = 0
    fused = fuse(wave)()
    assert made.count == 1
    assert fused.dtype == alone.dtype
    np.testing.assert_array_equal(fused.get(), alone.get())


def test_what_nobody_refers_to_is_not_computed(xy, made):
    x, y = xy
    with fuse():
        d = x - y
        e = d * d
        assert (e.shape, e.dtype, e.strides, e.ndim, e.size, e.nbytes, len(e)) == (
            (4,),
            np.float32,
            (4,),
            1,
            4,
            16,
            4,
        )
        assert (e.queue, e.context, e.offset) == (x.queue, x.context, 0)
        assert e.flags.c_contiguous
        del d
        assert made.count == 0
    assert made.count == 1
    np.testing.assert_array_equal(e.get(), (X - Y) ** 2)


def test_a_reduction_takes_an_expression(xy, made):
    x, y = xy

    @fuse
    def distance():
        return cla.sum((x - y) ** 2)

    assert distance().get() == ((X - Y) ** 2).sum()
    assert made.count == 1
    with fuse():
        assert (x > 2).any().get() == 1
        assert (x > 2).all().get() == 0
        assert cla.max(y - x, initial=100).get() == 100
        assert cla.sum(x * y, slice=slice(1, 3)).get() == 130


def test_assignment_takes_an_expression(xy, made):
    x, y = xy
    with fuse():
        y[...] = 2 * x
        assert made.count == 0
        np.testing.assert_array_equal(y.get(), 2 * X)
        y += x * 3
        assert made.count == 0
        np.testing.assert_array_equal(y.get(), 5 * X)
        x[...] = x + 0.5 * (y - x)
        assert made.count == 0
        np.testing.assert_array_equal(x.get(), 3 * X)
        cla.maximum(x * 2, y, out=y)
        np.testing.assert_array_equal(y.get(), 6 * X)


def test_operations_in_place_on_a_result_are_part_of_it(xy, made):
    x, y = xy

    @fuse
    def step():
        z = 2 * x
        same = z
        z += y * x
        z *= z
        return same

    result = step()
    assert made.count == 1
    np.testing.assert_array_equal(result.get(), (2 * X + Y * X) ** 2)


def test_operations_in_place_keep_dtype_and_strides(queue):
    wide = cla.to_device(queue, np.asfortranarray(np.arange(6, dtype=np.int32).reshape(2, 3)))
    real = cla.to_device(queue, np.full((2, 3), 0.75))

    def step():
        z = wide + 1
        z += real
        return z

    alone, fused = step(), fuse(step)()
    assert (fused.dtype, fused.strides) == (alone.dtype, alone.strides)
    np.testing.assert_array_equal(fused.get(), alone.get())

    def divide():
        z = wide + 1
        z /= 2
        return z

    for function in (divide, fuse(divide)):
        with pytest.raises(TypeError, match="int32"):
            function()


def test_a_large_expression_is_computed_in_parts(queue, made):
    x = device(queue, X, made)
    made.count = 0

    @fuse
    def total():
        result = x
        for _ in range(100):
            result = result + x * 1
        return result

    np.testing.assert_array_equal(total().get(), 101 * X)
    assert 1 < made.count < 12


# --- operands as they were


def writes(ctx, queue):
    program = cl.Program(ctx, "kernel void clear(global float *x) { x[get_global_id(0)] = 0; }").build()
    return {
        "fill": lambda x: x.fill(0),
        "element": lambda x: operator.setitem(x, 0, 0),
        "view": lambda x: operator.setitem(x[1:], slice(1, None), 7),
        "in place": lambda x: operator.iadd(x, 1),
        "set": lambda x: x.set(np.zeros(4, np.float32)),
        "out": lambda x: cla.maximum(x, 100, out=x),
        "kernel": lambda x: program.clear(queue, (4,), None, x.data),
        "copy": lambda x: cl.enqueue_copy(queue, x.data, np.zeros(4, np.float32)),
    }


@pytest.mark.parametrize(
    "name", ["fill", "element", "view", "in place", "set", "out", "kernel", "copy", "held", "filled"]
)
def test_an_expression_means_its_operands_as_they_were(ctx, queue, name):
    x = device(queue, X)
    held = x.data if name in ("held", "filled") else None
    program = cl.Program(ctx, "kernel void clear(global float *x) { x[get_global_id(0)] = 0; }").build()
    zero = np.zeros(1, np.float32)
    known = {
        "held": lambda x: program.clear(queue, (4,), None, held),
        "filled": lambda x: cl.enqueue_fill_buffer(queue, held, zero, 0, 16),
    }
    write = {**writes(ctx, queue), **known}[name]
    with fuse():
        before = x * 2
        again = before + 1
        write(x)
        after = x + 1
        np.testing.assert_array_equal(again.get(), 2 * X + 1)
        np.testing.assert_array_equal(before.get(), 2 * X)
        np.testing.assert_array_equal(after.get(), x.get() + 1)
    assert not np.array_equal(x.get(), X)


def test_a_result_that_is_stored_over_its_operand_keeps_its_value(xy):
    x, _ = xy
    with fuse():
        turned = x.reshape(2, 2).T * 10
        x.reshape(2, 2)[...] = turned
        np.testing.assert_array_equal(x.get(), [10, 30, 20, 40])
        x.fill(0)
        np.testing.assert_array_equal(turned.get(), [[10, 30], [20, 40]])
        x += 1
        double = x * 2
        x += double
        np.testing.assert_array_equal(x.get(), [3] * 4)
        np.testing.assert_array_equal(double.get(), [2] * 4)


def test_results_do_not_change_when_they_are_used_in_place(xy):
    x, _ = xy
    with fuse():
        first = x + 1
        second = first * 2
        first += 100
        np.testing.assert_array_equal(second.get(), (X + 1) * 2)
        np.testing.assert_array_equal(first.get(), X + 101)


# --- blocks


def test_errors_appear_where_the_operation_is(queue, xy):
    x, _ = xy
    three = device(queue, [1, 2, 3])
    with fuse():
        with pytest.raises(ValueError, match=r"\(4,\) and \(3,\)"):
            x + three
        with pytest.raises(TypeError):
            x & x
        with pytest.raises(TypeError, match="str"):
            x + "1"
        other = cl.CommandQueue(cl.Context(x.context.devices))
        with pytest.raises(ValueError, match="context"):
            x + device(other, X)


def test_an_exception_ends_a_fusion(xy, made):
    x, y = xy
    kept = []

    @fuse
    def fail():
        kept.append(x * y)
        raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert made.count == 1
    x + y
    assert made.count == 2
    np.testing.assert_array_equal(kept[0].get(), X * Y)


def test_an_inner_fusion_is_part_of_the_outer_one(xy, made):
    x, y = xy

    @fuse
    def product():
        return x * y

    with fuse() as outer:
        with outer, fuse():
            first = product()
        second = first + product()
        del first
        assert made.count == 0
    assert made.count == 1
    np.testing.assert_array_equal(second.get(), 2 * X * Y)
    x + y
    assert made.count == 2


def test_a_fusion_concerns_one_thread(xy, made):
    x, y = xy

    def compute():
        x + y

    with fuse():
        thread = threading.Thread(target=compute)
        thread.start()
        thread.join()
        assert made.count == 1
        context = contextvars.copy_context()
        compute()
        assert made.count == 1
    context.run(compute)
    assert made.count == 2


def test_a_fusion_concerns_one_task(xy, made):
    x, y = xy

    async def fused(entered, go_on):
        with fuse():
            entered.set()
            await go_on.wait()
            result = 2 * x + y
            assert made.count == 1
        return result

    async def alone(entered, go_on):
        await entered.wait()
        x + y
        assert made.count == 1
        go_on.set()

    async def both():
        entered, go_on = asyncio.Event(), asyncio.Event()
        result, _ = await asyncio.gather(fused(entered, go_on), alone(entered, go_on))
        return result

    np.testing.assert_array_equal(asyncio.run(both()).get(), 2 * X + Y)
    assert made.count == 2


def test_functions_whose_body_runs_later_are_refused():
    async def coroutine():
        pass

    def generator():
        yield

    for function in (coroutine, generator):
        with pytest.raises(TypeError, match="runs later"):
            fuse(function)


# --- other functions


class Special(cla.Array):
    pass


def test_arrays_of_subclasses_are_computed_at_once(queue, made):
    special = Special(queue, 4, np.float32, allocator=made)
    special.fill(3)
    made.count = 0
    with fuse():
        result = special * 2
        assert made.count == 1
        assert type(result) is Special
        np.testing.assert_array_equal((device(queue, X) + result).get(), X + 6)


def test_whatever_else_is_done_computes(xy, made):
    x, y = xy
    uses = [
        lambda a: a.get(),
        lambda a: a.data,
        lambda a: a[1:],
        lambda a: a.T,
        lambda a: a.reshape(2, 2),
        lambda a: a.with_queue(None),
        lambda a: repr(a),
        lambda a: a.finish(),
        lambda a: cla.concatenate((a, a)),
        lambda a: a.map_to_host(),
        lambda a: a.fill(0),
    ]
    with fuse():
        for use in uses:
            result = x + y
            made.count = 0
            use(result)
            assert made.count >= 1
            made.count = 0
            result.get()
            assert made.count == 0


def test_host_arrays_and_numbers_are_operands(xy):
    x, _ = xy
    host = Y.copy()
    with fuse():
        result = host + x * np.float64(2)
        host[:] = 0
        assert result.dtype == np.float64
        np.testing.assert_array_equal(result.get(), Y + X * np.float64(2))


def test_deferred_arrays_are_collected(queue):
    class Allocator:
        def __call__(self, size):
            return cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size)

    allocator = Allocator()
    x = device(queue, X, allocator)
    with fuse():
        allocator.result = x * 2 + 1
        del x, allocator
        gc.collect()
    gc.collect()
