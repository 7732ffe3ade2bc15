"""Events: waiting, status, profiling, callbacks, markers and barriers."""

import gc
import threading
import time

import numpy as np
import pytest

import pyopencl as cl

COMPLETE = cl.command_execution_status.COMPLETE


@pytest.fixture
def buffer(ctx):
    return cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 4096)


def write(queue, buffer, **keywords):
    return cl.enqueue_copy(queue, buffer, np.zeros(1024, np.float32), is_blocking=False, **keywords)


def test_what_an_event_answers(ctx, queue, buffer):
    event = write(queue, buffer)
    event.wait()
    assert event.command_execution_status == COMPLETE
    assert event.command_type == cl.command_type.WRITE_BUFFER
    assert event.command_queue == queue
    assert event.context == ctx
    assert event.get_info(cl.event_info.COMMAND_EXECUTION_STATUS) == COMPLETE
    assert event.reference_count >= 1
    assert event == cl.Event.from_int_ptr(event.int_ptr)


def test_profile_is_in_order(profiling_queue, buffer):
    event = write(profiling_queue, buffer)
    event.wait()
    profile = event.profile
    assert 0 < profile.queued <= profile.submit <= profile.start <= profile.end
    assert event.get_profiling_info(cl.profiling_info.END) == profile.end
    with pytest.raises(AttributeError):
        profile.no_such_time
    with pytest.warns(DeprecationWarning, match="START|start"):
        assert profile.start == profile.START


@pytest.mark.needs("refused profiles")
def test_profile_without_profiling_is_refused(queue, buffer):
    event = write(queue, buffer)
    event.wait()
    with pytest.raises(cl.RuntimeError) as caught:
        event.profile.start
    assert caught.value.code == cl.status_code.PROFILING_INFO_NOT_AVAILABLE
    assert caught.value.routine == "clGetEventProfilingInfo"


@pytest.mark.needs("waiting commands")
def test_user_event_holds_commands_back(ctx, queue, buffer):
    gate = cl.UserEvent(ctx)
    event = write(queue, buffer, wait_for=[gate])
    queue.flush()
    time.sleep(0.05)
    assert event.command_execution_status > COMPLETE
    threading.Timer(0.2, lambda: gate.set_status(COMPLETE)).start()
    started = time.perf_counter()
    cl.wait_for_events([event])
    assert time.perf_counter() - started > 0.1
    assert event.command_execution_status == COMPLETE


def test_waiting_lets_other_threads_run(ctx):
    gate = cl.UserEvent(ctx)
    steps = []

    def work():
        for step in range(20):
            steps.append(step)
            time.sleep(0.005)
        gate.set_status(COMPLETE)

    worker = threading.Thread(target=work)
    worker.start()
    gate.wait()
    assert len(steps) == 20
    worker.join()


def test_a_failed_wait_list_fails_the_wait(ctx, queue, buffer):
    gate = cl.UserEvent(ctx)
    event = write(queue, buffer, wait_for=[gate])
    gate.set_status(-5)
    with pytest.raises(cl.RuntimeError) as caught:
        event.wait()
    assert caught.value.code == cl.status_code.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST


def test_user_event_is_set_once(ctx):
    gate = cl.UserEvent(ctx)
    gate.set_status(COMPLETE)
    with pytest.raises(cl.LogicError) as caught:
        gate.set_status(COMPLETE)
    assert caught.value.code == cl.status_code.INVALID_OPERATION


def test_user_event_that_goes_unset_fails_what_waits_for_it(ctx, queue):
    if ctx.devices[0].platform.name != "NVIDIA CUDA":
        pytest.skip("only NVIDIA's driver needs it")
    gate = cl.UserEvent(ctx)
    marker = cl.enqueue_marker(queue, wait_for=[gate])
    queue.flush()
    del gate
    with pytest.raises(cl.Error):
        marker.wait()


def test_user_event_may_be_set_after_a_status_that_is_refused(ctx):
    gate = cl.UserEvent(ctx)
    with pytest.raises(cl.LogicError, match="not 1") as caught:
        gate.set_status(1)
    assert caught.value.code == cl.status_code.INVALID_VALUE
    gate.set_status(COMPLETE)
    assert gate.command_execution_status == COMPLETE


def test_callback_is_called_with_the_status(ctx):
    gate = cl.UserEvent(ctx)
    called = threading.Event()
    seen = []

    def callback(status):
        seen.append(status)
        called.set()

    gate.set_callback(COMPLETE, callback)
    assert seen == []
    gate.set_status(COMPLETE)
    assert called.wait(10)
    assert seen == [COMPLETE]


def test_callback_that_raises_is_reported_not_lost(run_python):
    result = run_python(
        "import threading, sys, pyopencl as cl\n"
        "gate = cl.UserEvent(cl.create_some_context(interactive=False))\n"
        "done = threading.Event()\n"
        "def callback(status):\n"
        "    done.set()\n"
        "    raise ValueError('from the callback')\n"
        "gate.set_callback(cl.command_execution_status.COMPLETE, callback)\n"
        "gate.set_status(cl.command_execution_status.COMPLETE)\n"
        "done.wait(10)\n"
        "import time; time.sleep(0.2)\n"
        "print('still here')\n"
    )
    assert result.returncode == 0
    assert result.stdout == "still here\n"
    assert "from the callback" in result.stderr


def test_callback_keeps_what_it_needs(ctx):
    called = threading.Event()
    gate = cl.UserEvent(ctx)
    gate.set_callback(COMPLETE, lambda status, event=called: event.set())
    gc.collect()
    gate.set_status(COMPLETE)
    assert called.wait(10)


@pytest.mark.needs("waiting commands")
@pytest.mark.parametrize("enqueue", [cl.enqueue_marker, cl.enqueue_barrier])
def test_markers_and_barriers_wait(ctx, queue, enqueue):
    gate = cl.UserEvent(ctx)
    event = enqueue(queue, wait_for=[gate])
    queue.flush()
    assert event.command_execution_status != COMPLETE
    gate.set_status(COMPLETE)
    event.wait()
    enqueue(queue).wait()
    enqueue(queue, None).wait()
    enqueue(queue, []).wait()


def test_barrier_orders_an_out_of_order_queue(ctx, device, buffer):
    out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not device.queue_properties & out_of_order:
        pytest.skip("the device has no out-of-order queues")
    queue = cl.CommandQueue(ctx, properties=out_of_order)
    assert queue.properties & out_of_order
    for value in range(20):
        cl.enqueue_fill_buffer(queue, buffer, np.int32(value), 0, 4096)
        cl.enqueue_barrier(queue)
    result = np.empty(1024, np.int32)
    cl.enqueue_copy(queue, result, buffer)
    assert (result == 19).all()


@pytest.mark.parametrize("wait_for", [3, ["text"], [None]])
def test_what_is_no_wait_list_is_refused(queue, wait_for):
    with pytest.raises(TypeError):
        cl.enqueue_marker(queue, wait_for=wait_for)


def test_wait_lists_are_any_sequence(queue, buffer):
    events = [write(queue, buffer), write(queue, buffer)]
    cl.enqueue_marker(queue, wait_for=tuple(events)).wait()
    cl.wait_for_events(tuple(events))


def test_waiting_for_nothing_is_refused():
    with pytest.raises(cl.LogicError) as caught:
        cl.wait_for_events([])
    assert caught.value.code == cl.status_code.INVALID_VALUE


def test_queue_is_finished_at_the_end_of_its_block(ctx, buffer):
    with cl.CommandQueue(ctx) as queue:
        event = write(queue, buffer)
    assert event.command_execution_status == COMPLETE
    with pytest.warns(cl.CommandQueueUsedAfterExit):
        write(queue, buffer)
    queue.finish()
