"""Filling memory of whatever kind with a pattern."""

from typing import TYPE_CHECKING

from pyopencl._cl import CommandQueue, Event, MemoryObjectHolder, enqueue_fill_buffer

if TYPE_CHECKING:
    from pyopencl.typing import HostMemory, WaitList


def enqueue_fill(
    queue: CommandQueue,
    dest: MemoryObjectHolder,
    pattern: "HostMemory",
    size: int,
    *,
    offset: int = 0,
    wait_for: "WaitList" = None,
) -> Event:
    """Fill *size* bytes of *dest*, from the byte *offset* on, with repetitions of *pattern*."""
    if isinstance(dest, MemoryObjectHolder):
        return enqueue_fill_buffer(queue, dest, pattern, offset, size, wait_for)
    raise TypeError(f"enqueue_fill fills buffers: expected a memory object, found {type(dest)!r}")
