"""The interpreter ends cleanly, whatever is alive."""

import pytest

LIVE = """
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(ctx)
buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 4096)
"""

CASES = {
    "nothing": "",
    "a transfer under way": "host = np.zeros(1024, np.float32)\n"
    "event = cl.enqueue_copy(queue, buffer, host, is_blocking=False)",
    "a map": "array, event = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, (1024,), np.float32)",
    "a launch under way": "source = 'kernel void k(global float *o) { o[get_global_id(0)] = 1; }'\n"
    "kernel = cl.Program(ctx, source).build().k\nevent = kernel(queue, (1024,), None, buffer)",
    "a user event never set": "gate = cl.UserEvent(ctx)",
    "a user event in a cycle": "gate = cl.UserEvent(ctx); cycle = [gate]; cycle.append(cycle); del gate",
    "a callback never called": "gate = cl.UserEvent(ctx)\ngate.set_callback(0, print)",
    "a callback during the exit": "import threading, time\n"
    "gate = cl.UserEvent(ctx)\n"
    "gate.set_callback(0, lambda status: None)\n"
    "threading.Thread(target=lambda: (time.sleep(0.05), gate.set_status(0)), daemon=True).start()",
    "a cycle": "cycle = [ctx, queue, buffer]; cycle.append(cycle); buffer.cycle = cycle",
    "an unraised error": "try:\n    cl.Buffer(ctx, 0, 0)\nexcept cl.Error as e:\n    error = e",
    "arrays": "import pyopencl.array as cla\na = cla.zeros(queue, 1000, np.float32) + 1",
    "a worker thread": "import threading\n"
    "threading.Thread(target=lambda: [cl.enqueue_marker(queue) for _ in range(1000)]).start()",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_exit_is_clean(run_python, case):
    result = run_python(LIVE + case + "\n")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.needs("waiting commands")
def test_exit_while_a_command_waits_for_ever(run_python):
    wait = "gate = cl.UserEvent(ctx)\nevent = cl.enqueue_marker(queue, wait_for=[gate]); queue.flush()\n"
    result = run_python(LIVE + wait + "del event\n")
    assert (result.returncode, result.stderr) == (0, "")


def test_exit_after_import_alone(run_python):
    result = run_python("import pyopencl")
    assert (result.returncode, result.stderr) == (0, "")
