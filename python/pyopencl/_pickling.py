"""The queue with which arrays are pickled and restored."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from pyopencl._cl import CommandQueue, _restore_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pyopencl._cl import Array

QUEUE: ContextVar[CommandQueue | None] = ContextVar("pyopencl.array.queue_for_pickling", default=None)


@contextmanager
def queue_for_pickling(queue: CommandQueue) -> Iterator[None]:
    """Restore arrays from pickles on *queue* in this block, and pickle or deep-copy those that have no queue.

    It concerns this thread, or the task of :mod:`asyncio`. What is pickled of an array are its elements in
    C or Fortran order, its class and its attributes; it has a queue again if it had one::

        text = pickle.dumps(array)
        with queue_for_pickling(queue):
            array = pickle.loads(text)
    """
    if not isinstance(queue, CommandQueue):
        raise TypeError(f"queue_for_pickling: expected a CommandQueue, got {type(queue)}")
    token = QUEUE.set(queue)
    try:
        yield
    finally:
        QUEUE.reset(token)


def restore(kind: type[Array], elements: NDArray[Any], has_queue: bool) -> Array:
    """Make an array of a class with the elements that its pickle holds."""
    queue = QUEUE.get()
    if queue is None:
        raise RuntimeError(
            "an array is restored from its pickle in a block "
            "`with pyopencl.array.queue_for_pickling(queue):`, which says where it is to be"
        )
    return _restore_array(kind, elements, queue, has_queue)
