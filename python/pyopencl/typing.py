"""Types that annotations of programs on this package use."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, Union

import numpy as np

from pyopencl._cl import Buffer, CommandQueue, Context, Event, LocalMemory, MemoryObjectHolder

DTypeT = TypeVar("DTypeT", bound=np.dtype[Any])


class HasBufferInterface(Protocol):
    """What gives its memory through the buffer protocol (PEP 688): bytes, arrays, memory views."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


Allocator = Callable[[int], Buffer]
CtxFactory = Callable[[], Context]
# NumPy's own stubs say that arrays have a buffer from Python 3.12 on only.
KernelArg = Union[
    MemoryObjectHolder,
    LocalMemory,
    CommandQueue,
    np.generic,
    np.ndarray[Any, Any],
    HasBufferInterface,
    int,
    float,
    complex,
    None,
]
WaitList = Union[Sequence[Event], None]
