"""Lesson 3: when things happen. Queues that keep the order and queues that do not, events, waiting, times.

python 03-events.py
"""

import threading

import numpy as np

import pyopencl as cl

SOURCE = """
kernel void add(global int *a, int number)
{
    a[get_global_id(0)] += number;
}

kernel void double_all(global int *a)
{
    a[get_global_id(0)] *= 2;
}
"""


def main() -> None:
    ctx = cl.create_some_context(interactive=False)
    program = cl.Program(ctx, SOURCE).build()
    # A program makes a kernel each time it is asked for one, so ask once.
    add, double_all = program.add, program.double_all
    size = 1 << 16
    host = np.zeros(size, np.int32)
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)

    # A queue runs its commands one after the other, the host goes on meanwhile. With profiling, each event
    # tells when its command was enqueued, began and ended, in nanoseconds of the device's clock.
    queue = cl.CommandQueue(ctx, properties=cl.command_queue_properties.PROFILING_ENABLE)
    first = add(queue, (size,), None, buffer, np.int32(3))
    second = double_all(queue, (size,), None, buffer)
    second.wait()
    for name, event in (("add", first), ("double_all", second)):
        print(f"{name}: {(event.profile.end - event.profile.start) * 1e-3:.1f} us on the device")
    assert first.profile.end <= second.profile.end
    cl.enqueue_copy(queue, host, buffer)
    assert (host == 6).all()

    # An out-of-order queue, or two queues, run what they like first: wait_for says what has to come before.
    free = cl.CommandQueue(ctx, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    added = add(free, (size,), None, buffer, np.int32(1))
    doubled = double_all(free, (size,), None, buffer, wait_for=[added])
    cl.enqueue_copy(queue, host, buffer, wait_for=[doubled])
    print("(6 + 1) * 2 =", host[0])
    assert (host == 14).all()

    # A user event is set by the program: commands that wait for it are held until then. A callback is called
    # by a thread of the driver's.
    gate, done = cl.UserEvent(ctx), threading.Event()
    held = add(queue, (size,), None, buffer, np.int32(1), wait_for=[gate])
    held.set_callback(cl.command_execution_status.COMPLETE, lambda _status: done.set())
    queue.flush()
    assert not done.is_set()
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert done.wait(timeout=60)
    print("the gate was opened, the command has run")

    # As a context manager, a queue is finished at the end of the block.
    with cl.CommandQueue(ctx) as last:
        add(last, (size,), None, buffer, np.int32(1))
    cl.enqueue_copy(queue, host, buffer)
    assert (host == 16).all()


if __name__ == "__main__":
    main()
