"""The garbage collector, when it comes at the worst of times."""

import pytest

PROLOGUE = """
import gc, warnings
import numpy as np, pyopencl as cl, pyopencl.array as cla
from pyopencl.tools import ImmediateAllocator, MemoryPool
ctx = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(ctx)
program = cl.Program(ctx, "kernel void k(global float *o) { o[get_global_id(0)] = 1; }").build()
a = cla.zeros(queue, 16, np.float32)
class Sub(cla.Array): pass
warnings.simplefilter("ignore", cl.RepeatedKernelRetrieval)
# Dictionaries of objects that went are used again without the collector: all are kept.
held = []
gc.set_threshold(1)
for _ in range(COUNT):
"""

# Drivers for GPUs have room for some dozens of contexts.
COUNTS = {"context": 25}

MAKERS = {
    "array": "a + a",
    "view": "a[1:3]",
    "subclass": "Sub(queue, (4,), np.float32)",
    "kernel": "program.k",
    "kernel of its own": "cl.Kernel(program, 'k')",
    "buffer": "cl.Buffer(ctx, cl.mem_flags.USE_HOST_PTR, hostbuf=np.zeros(64, np.int8))",
    "user event": "cl.UserEvent(ctx)",
    "nanny event": "cl.enqueue_copy(queue, a.data, np.zeros(16, np.float32))",
    "map": "cl.enqueue_map_buffer(queue, a.data, cl.map_flags.READ, 0, (16,), np.float32)",
    "queue": "cl.CommandQueue(ctx)",
    "context": "cl.Context(ctx.devices)",
    "program": "cl.Program(ctx, 'kernel void other() {}')",
    "sampler": "cl.Sampler(ctx, False, cl.addressing_mode.NONE, cl.filter_mode.NEAREST)",
    "pooled buffer": "MemoryPool(ImmediateAllocator(queue)).allocate(64)",
    "local memory": "cl.LocalMemory(4)",
    "platforms and devices": "[platform.get_devices() for platform in cl.get_platforms()]",
}


@pytest.mark.parametrize("kind", MAKERS)
def test_collecting_while_an_object_is_made(run_python, kind):
    prologue = PROLOGUE.replace("COUNT", str(COUNTS.get(kind, 100)))
    result = run_python(f"{prologue}    held.append({MAKERS[kind]})\nprint('done')\n")
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr
