"""Threads share queues, kernels and programs; results are each thread's own."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pyopencl as cl

SOURCE = "kernel void put(global int *out, int a, int b) { out[get_global_id(0)] = a * 1000 + b; }"
THREADS = 4


def in_threads(work):
    """Runs work(0), work(1), … at the same time; gives the results, raises what was raised."""
    barrier = threading.Barrier(THREADS)

    def start(number):
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(start, range(THREADS)))


@pytest.mark.needs("threads")
def test_one_kernel_in_many_threads(ctx):
    kernel = cl.Program(ctx, SOURCE).build().put

    def work(number):
        queue = cl.CommandQueue(ctx)
        buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 16)
        result = np.empty(4, np.int32)
        wrong = []
        for step in range(200):
            kernel(queue, (4,), None, buffer, np.int32(number), np.int32(step))
            cl.enqueue_copy(queue, result, buffer)
            if not (result == number * 1000 + step).all():
                wrong.append((step, result.tolist()))
        return wrong

    assert in_threads(work) == [[]] * THREADS


@pytest.mark.needs("threads")
def test_one_queue_in_many_threads(ctx, queue):
    program = cl.Program(ctx, SOURCE).build()

    def work(number):
        kernel = cl.Kernel(program, "put")
        buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 16)
        result = np.empty(4, np.int32)
        wrong = 0
        for step in range(200):
            kernel(queue, (4,), None, buffer, np.int32(number), np.int32(step))
            cl.enqueue_copy(queue, result, buffer)
            wrong += int((result != number * 1000 + step).any())
        return wrong

    assert in_threads(work) == [0] * THREADS


@pytest.mark.needs("threads")
def test_builds_in_many_threads(ctx):
    def work(number):
        for step in range(4):
            program = cl.Program(
                ctx, f"kernel void k{number}_{step}(global int *o) {{ o[0] = {step}; }}"
            ).build()
            assert program.kernel_names == f"k{number}_{step}"
        return cl.Program(ctx, SOURCE).build().num_kernels

    assert in_threads(work) == [1] * THREADS


def test_first_use_in_many_threads(run_python):
    result = run_python(
        "import threading, pyopencl as cl\n"
        "seen = []\n"
        "barrier = threading.Barrier(8)\n"
        "def work():\n"
        "    barrier.wait()\n"
        "    seen.append(tuple(platform.int_ptr for platform in cl.get_platforms()))\n"
        "threads = [threading.Thread(target=work) for _ in range(8)]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]\n"
        "print(len(seen), len(set(seen)))\n"
    )
    assert result.stdout == "8 1\n", result.stderr


def test_info_attributes_in_many_threads(ctx, device):
    name = device.name

    def work(number):
        return all(device.name == name and ctx.devices[0] == device for _ in range(500))

    assert in_threads(work) == [True] * THREADS
