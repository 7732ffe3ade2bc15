"""What objects show of themselves."""

import re

import pyopencl as cl


def matches(pattern, thing):
    assert re.fullmatch(pattern, repr(thing)), repr(thing)


def test_objects_show_class_handle_and_what_they_are(ctx, queue):
    handle = "at 0x[0-9a-f]+"
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)
    matches(f"<pyopencl.Buffer {handle} of 64 bytes>", buffer)
    buffer.release()
    matches("<pyopencl.Buffer, released>", buffer)
    matches(f"<pyopencl.CommandQueue {handle} on '{re.escape(queue.device.name)}'>", queue)
    program = cl.Program(ctx, "kernel void f(int a, int b) {}").build()
    matches(f"<pyopencl._?Program {handle}>", program)
    matches(f"<pyopencl.Kernel {handle}, 'f' with 2 arguments>", program.f)
    matches(f"<pyopencl.Event {handle} of MARKER>", cl.enqueue_marker(queue))


def test_subclasses_show_their_name(ctx):
    class Mine(cl.Buffer):
        pass

    matches("<pyopencl.Mine at 0x[0-9a-f]+ of 16 bytes>", Mine(ctx, cl.mem_flags.READ_WRITE, 16))
