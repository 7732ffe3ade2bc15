"""Types that annotations of programs on this package use."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, Union

import numpy as np

from pyopencl._cl import (
    Buffer,
    CommandQueue,
    Context,
    Event,
    LocalMemory,
    MemoryObjectHolder,
    Sampler,
    SVMPointer,
)

DTypeT = TypeVar("DTypeT", bound=np.dtype[Any])


class HasBufferInterface(Protocol):
    """What gives its memory through the buffer protocol (PEP 688): bytes, arrays, memory views."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


# Host memory of a copy or fill. NumPy's own stubs tell of its buffers from Python 3.12 on only.
HostMemory = Union[np.ndarray[Any, Any], np.generic, HasBufferInterface]
# What `SVM` wraps: an array mostly.
SVMInnerT = TypeVar("SVMInnerT", bound=HostMemory)
Allocator = Callable[[int], Union[Buffer, SVMPointer]]
CtxFactory = Callable[[], Context]
KernelArg = Union[
    MemoryObjectHolder, Sampler, SVMPointer, LocalMemory, CommandQueue, HostMemory, int, float, complex, None
]
WaitList = Union[Sequence[Event], None]
