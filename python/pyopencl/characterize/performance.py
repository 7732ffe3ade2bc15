"""Measurements: launches, transfers and additions, in seconds and per second.

Each takes a *timer_factory*, a class of a timer for a queue: :class:`WallTimer` by default, or
:class:`Timer`, for which the queue must have profiling on. What is measured is repeated until it takes a
tenth of a second.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import numpy as np

import pyopencl as cl

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = (
    "DeviceToDeviceTransfer",
    "DeviceToHostTransfer",
    "HostDeviceTransferBase",
    "HostToDeviceTransfer",
    "Timer",
    "WallTimer",
    "get_add_rate",
    "get_empty_kernel_time",
    "get_profiling_overhead",
    "transfer_bandwidth",
    "transfer_latency",
)


class Timer:
    """Adds up the time that the device takes for commands, by their profiles.

    The *queue* must have ``command_queue_properties.PROFILING_ENABLE``.
    """

    def __init__(self, queue: cl.CommandQueue) -> None:
        self.queue = queue
        self._events: list[cl.Event] = []

    def start(self) -> None:
        """Begin to measure."""
        self._events.clear()

    def stop(self) -> None:
        """End the measurement: waits for the commands."""
        self.queue.finish()

    def add_event(self, evt: cl.Event) -> None:
        """Count the command of this event in."""
        self._events.append(evt)

    def get_elapsed(self) -> float:
        """The time that was measured, in seconds."""
        return sum(event.profile.end - event.profile.start for event in self._events) * 1e-9


class WallTimer(Timer):
    """Measures the time that passes on the host until the queue has nothing left to do."""

    start_time: float
    end_time: float

    def start(self) -> None:
        """Begin to measure: waits for what is in the queue."""
        self.queue.finish()
        self.start_time = perf_counter()

    def stop(self) -> None:
        """End the measurement: waits for the commands."""
        self.queue.finish()
        self.end_time = perf_counter()

    def add_event(self, evt: cl.Event) -> None:
        """Do nothing: all commands of the queue count."""

    def get_elapsed(self) -> float:
        """The time that was measured, in seconds."""
        return self.end_time - self.start_time


_TimerFactory = type[Timer] | None

# What is measured takes so long, at least; the second is a limit where a timer stands still.
_LONG_ENOUGH, _TOO_LONG = 0.1, 2.0


def _seconds(queue: cl.CommandQueue, work: Callable[[], cl.Event], timer_factory: _TimerFactory) -> float:
    """The time of one command: the mean of as many as are needed."""
    work().wait()
    begin, count = perf_counter(), 1
    while True:
        timer = (timer_factory or WallTimer)(queue)
        timer.start()
        for _ in range(count):
            timer.add_event(work())
        timer.stop()
        elapsed = timer.get_elapsed()
        if elapsed >= _LONG_ENOUGH or perf_counter() - begin > _TOO_LONG:
            return elapsed / count
        count *= 2


# --- transfers


class _Transfer(Protocol):
    def do(self) -> cl.Event: ...


class HostDeviceTransferBase:
    """Memory of *block_size* bytes on the host, and as much on the device."""

    def __init__(self, queue: cl.CommandQueue, block_size: int) -> None:
        self.queue = queue
        self.host_buf = np.ones(block_size, np.uint8)
        self.dev_buf = _filled(queue, block_size)


class HostToDeviceTransfer(HostDeviceTransferBase):
    """Copies from the host to the device."""

    def do(self) -> cl.Event:
        """Enqueue the copy."""
        return cl.enqueue_copy(self.queue, self.dev_buf, self.host_buf, is_blocking=False)


class DeviceToHostTransfer(HostDeviceTransferBase):
    """Copies from the device to the host."""

    def do(self) -> cl.Event:
        """Enqueue the copy."""
        return cl.enqueue_copy(self.queue, self.host_buf, self.dev_buf, is_blocking=False)


class DeviceToDeviceTransfer:
    """Copies *block_size* bytes from one buffer to another."""

    def __init__(self, queue: cl.CommandQueue, block_size: int) -> None:
        self.queue = queue
        self.dev_buf_1 = _filled(queue, block_size)
        self.dev_buf_2 = _filled(queue, block_size)

    def do(self) -> cl.Event:
        """Enqueue the copy."""
        return cl.enqueue_copy(self.queue, self.dev_buf_2, self.dev_buf_1)


def _filled(queue: cl.CommandQueue, size: int) -> cl.Buffer:
    """A buffer that is really there: some drivers make memory at its first use."""
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size)
    cl.enqueue_fill_buffer(queue, buffer, np.uint8(1), 0, size)
    return buffer


def transfer_latency(
    queue: cl.CommandQueue,
    transfer_type: Callable[[cl.CommandQueue, int], _Transfer],
    timer_factory: _TimerFactory = None,
) -> float:
    """The time of a copy of one byte, in seconds; *transfer_type* is a class of this module."""
    return _seconds(queue, transfer_type(queue, 1).do, timer_factory)


def transfer_bandwidth(
    queue: cl.CommandQueue,
    transfer_type: Callable[[cl.CommandQueue, int], _Transfer],
    block_size: int,
    timer_factory: _TimerFactory = None,
) -> float:
    """How many bytes in a second copies of *block_size* bytes move, of a class of this module."""
    return block_size / _seconds(queue, transfer_type(queue, block_size).do, timer_factory)


# --- kernels


def get_empty_kernel_time(queue: cl.CommandQueue, timer_factory: _TimerFactory = None) -> float:
    """The time of a kernel that does nothing in one work-item, in seconds."""
    kernel = cl.Kernel(cl.Program(queue.context, "kernel void nothing() {}").build(), "nothing")
    return _seconds(queue, lambda: kernel(queue, (1,), None), timer_factory)


def get_profiling_overhead(ctx: cl.Context, timer_factory: _TimerFactory = None) -> tuple[float, float]:
    """What profiling adds to the time of an empty kernel, and that time without it, in seconds.

    *timer_factory* must not need profiling.
    """
    plain = cl.CommandQueue(ctx)
    profiling = cl.CommandQueue(ctx, properties=cl.command_queue_properties.PROFILING_ENABLE)
    without = get_empty_kernel_time(plain, timer_factory)
    return get_empty_kernel_time(profiling, timer_factory) - without, without


_ADDS = 8192
# Enough for each compute unit to hide the latency of an addition.
_WORK_GROUPS_PER_UNIT, _WORK_GROUP = 16, 128


def get_add_rate(
    queue: cl.CommandQueue,
    type: str = "float",  # noqa: A002  (the name of the API)
    timer_factory: _TimerFactory = None,
) -> float:
    """How many additions of a *type* of OpenCL C, ``"int"`` for instance, the whole device does in a second.

    Work-items add vectors where the device prefers these, of which each element counts. Raises
    :class:`pyopencl.RuntimeError` if the device does not have the type.
    """
    device = queue.device
    width = getattr(device, f"preferred_vector_width_{type.removeprefix('u')}", 1) or 1
    options = [f"-DTYPE={type}{width if width > 1 else ''}", f"-DADDS={_ADDS}"]
    source = Path(__file__).with_name("adds.cl").read_text()
    kernel = cl.Kernel(cl.Program(queue.context, source).build(options, devices=[device]), "adds")
    work_group = min(_WORK_GROUP, device.max_work_group_size)
    items = device.max_compute_units * _WORK_GROUPS_PER_UNIT * work_group
    # Zeros stay zeros, so that no number overflows; 16 bytes are the largest element.
    size = items * width * 16
    numbers = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size)
    cl.enqueue_fill_buffer(queue, numbers, np.uint8(0), 0, size)
    seconds = _seconds(queue, lambda: kernel(queue, (items,), (work_group,), numbers), timer_factory)
    return items * width * _ADDS / seconds
