"""Exceptions: their classes, attributes and texts."""

import pickle

import numpy as np
import pytest

import pyopencl as cl
import pyopencl._cl as native


@pytest.fixture
def error(ctx, queue) -> cl.Error:
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 16)
    with pytest.raises(cl.LogicError) as caught:
        cl.enqueue_copy(queue, buffer, np.zeros(100))
    return caught.value


def test_classes_are_of_the_package():
    for name in ("MemoryError", "LogicError", "RuntimeError"):
        kind = getattr(cl, name)
        assert kind.__bases__ == (cl.Error,)
        assert kind.__module__ == "pyopencl._cl"
        assert getattr(native, name) is kind
    assert cl.Error.__bases__ == (Exception,)


def test_an_error_tells_code_routine_and_text(error):
    assert error.code == cl.status_code.INVALID_VALUE
    assert error.routine == "clEnqueueWriteBuffer"
    assert error.what.code() == error.code
    assert error.what.routine() == error.routine
    assert error.what.is_out_of_memory() is False
    assert error.args == (error.what,)
    assert str(error).startswith("clEnqueueWriteBuffer failed: INVALID_VALUE")


@pytest.mark.parametrize("kind", [cl.Error, cl.LogicError, cl.RuntimeError, cl.MemoryError])
def test_errors_can_be_raised_with_a_text(kind):
    error = kind("a text")
    assert str(error) == "a text"
    with pytest.raises(AttributeError):
        error.code
    assert str(pickle.loads(pickle.dumps(error))) == "a text"


def test_records_can_be_made():
    error = cl.Error(native._ErrorRecord("clNothing", cl.status_code.OUT_OF_RESOURCES, "because"))
    assert str(error) == "clNothing failed: OUT_OF_RESOURCES - because"
    assert error.what.is_out_of_memory() is True
    assert (
        str(cl.Error(native._ErrorRecord("clNothing", -99999, "")))
        == "clNothing failed: <unknown error -99999>"
    )


def use_too_much_memory(ctx, device):
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 2 * device.global_mem_size)
    # Some drivers notice it at the first use only.
    queue = cl.CommandQueue(ctx)
    cl.enqueue_fill_buffer(queue, buffer, np.uint8(1), 0, 64)
    queue.finish()


@pytest.mark.needs("limited memory")
def test_too_much_memory_is_a_memory_error(ctx, device):
    with pytest.raises(cl.Error) as caught:
        use_too_much_memory(ctx, device)
    assert caught.value.code in (
        cl.status_code.INVALID_BUFFER_SIZE,
        cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE,
        cl.status_code.OUT_OF_RESOURCES,
    )
    is_memory = caught.value.code == cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE
    assert isinstance(caught.value, cl.MemoryError if is_memory else (cl.LogicError, cl.RuntimeError))
