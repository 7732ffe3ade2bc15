"""A captured call repeats the call."""

import io
import subprocess
import sys

import numpy as np
import pytest

import pyopencl as cl
from pyopencl.capture_call import capture_kernel_call

SOURCE = r"""
kernel void fill(global float *out, int n, float factor, local float *scratch, global int *none)
{
    int i = get_global_id(0);
    printf("%d %g %d %g\n", i, factor * n * out[i], none == 0, (float)STEP);
}
"""


@pytest.fixture
def call(ctx):
    kernel = cl.Program(ctx, SOURCE).build(["-DSTEP=7"]).fill
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(ctx, flags, hostbuf=np.arange(4, dtype=np.float32))
    return kernel, (buffer, np.int32(2), np.float32(0.5), cl.LocalMemory(16), None)


def test_a_captured_call_runs_as_a_program(queue, call, tmp_path):
    kernel, arguments = call
    path = tmp_path / "captured.py"
    kernel.capture_call(str(path), queue, (3,), None, *arguments, global_offset=(1,))
    result = subprocess.run(
        [sys.executable, path],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    lines = sorted(line for line in result.stdout.splitlines() if line)
    assert lines == ["1 1 1 7", "2 2 1 7", "3 3 1 7"]


def test_shared_virtual_memory_is_written_down(queue, tmp_path):
    try:
        memory = cl.SVMAllocation(queue.context, 16, 0, cl.svm_mem_flags.READ_WRITE)
    except cl.Error:
        pytest.skip("the device has no shared virtual memory")
    cl.enqueue_copy(queue, memory, np.array([3, 1, 4, 1], np.int32))
    source = (
        'kernel void show(global int *a) { printf("%d\\n", a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3]); }'
    )
    path = tmp_path / "captured.py"
    cl.Program(queue.context, source).build().show.capture_call(str(path), queue, (1,), None, memory)
    result = subprocess.run(
        [sys.executable, path],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert result.stdout.split() == ["3141"]


def test_open_files_and_flags(queue, call):
    kernel, arguments = call
    text = io.StringIO()
    capture_kernel_call(kernel, text, queue, (2,), (2,), *arguments, g_times_l=True, wait_for=[])
    assert "g_times_l=True" in text.getvalue()
    compile(text.getvalue(), "captured", "exec")


def test_what_cannot_be_captured_is_named(queue, call):
    kernel, arguments = call
    with pytest.raises(RuntimeError, match="#2"):
        kernel.capture_call(io.StringIO(), queue, (2,), None, arguments[0], object(), *arguments[2:])
