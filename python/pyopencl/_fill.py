"""Filling memory of whatever kind with a pattern."""

from typing import TYPE_CHECKING

import pyopencl._cl as _cl
from pyopencl._cl import CommandQueue, Event, MemoryObjectHolder, SVMPointer, enqueue_fill_buffer

if TYPE_CHECKING:
    from pyopencl.typing import HostMemory, WaitList


def enqueue_fill(
    queue: CommandQueue,
    dest: "MemoryObjectHolder | SVMPointer",
    pattern: "HostMemory",
    size: int,
    *,
    offset: int = 0,
    wait_for: "WaitList" = None,
) -> Event:
    """Fill *size* bytes of *dest*, from the byte *offset* on, with repetitions of *pattern*."""
    if isinstance(dest, MemoryObjectHolder):
        return enqueue_fill_buffer(queue, dest, pattern, offset, size, wait_for)
    if isinstance(dest, SVMPointer):
        return _cl._enqueue_svm_fill_part(queue, dest, pattern, offset, size, wait_for)
    raise TypeError(
        f"enqueue_fill fills buffers and shared virtual memory: expected one of them, found {type(dest)!r}"
    )
