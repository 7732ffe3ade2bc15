"""Shared virtual memory: arrays in it, mappings, and the commands that take any memory of that kind."""

import math
import warnings
from typing import TYPE_CHECKING, Any, Generic, Literal

import numpy as np

import pyopencl._cl as _cl
from pyopencl._cl import SVM, CommandQueue, Context, Event, SVMAllocation, SVMPointer, svm_mem_flags
from pyopencl.typing import SVMInnerT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from numpy.typing import DTypeLike, NDArray

    from pyopencl.typing import HostMemory, WaitList


class SVMMap(Generic[SVMInnerT]):
    """Shared virtual memory that is mapped for the host, made by :meth:`SVM.map` and the like.

    As a context manager it gives :attr:`array`, and is unmapped at the end of the block. It is unmapped with
    the object otherwise.
    """

    def __init__(self, svm: "SVMPointer | None", array: SVMInnerT, queue: CommandQueue, event: Event) -> None:
        """Keep what the mapping was made with."""
        self.svm = svm
        self.array = array
        self.queue = queue
        self.event = event

    def release(self, queue: CommandQueue | None = None, wait_for: "WaitList" = None) -> Event:
        """Unmap the memory, on *queue* or the one that mapped it; the array must not be used afterwards."""
        if self.svm is None:
            raise _cl.LogicError(
                _cl._ErrorRecord(
                    "SVMMap.release", _cl.status_code.INVALID_VALUE, "the memory was unmapped before"
                )
            )
        event = self.svm._enqueue_unmap(self.queue if queue is None else queue, wait_for)
        self.svm = None
        return event

    def __enter__(self) -> SVMInnerT:
        """Give the array."""
        return self.array

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: "TracebackType | None",
    ) -> None:
        """Unmap the memory, unless :meth:`release` has done so."""
        if self.svm is not None:
            self.release()

    def __del__(self) -> None:
        if getattr(self, "svm", None) is not None:
            self.release()


def svm_empty(
    ctx: Context,
    flags: int,
    shape: "int | Sequence[int]",
    dtype: "DTypeLike",
    order: Literal["C", "F"] = "C",
    alignment: int | None = None,
    queue: CommandQueue | None = None,
) -> "NDArray[Any]":
    """Make an array in shared virtual memory; its ``base`` is the :class:`SVMAllocation`.

    *flags* is a mask of :class:`svm_mem_flags`, *alignment* is in bytes; *queue*, if given, frees the memory.
    """
    dtype = np.dtype(dtype)
    size = math.prod(np.atleast_1d(shape).tolist()) * dtype.itemsize
    allocation = SVMAllocation(ctx, size, alignment or 0, flags, queue)
    return allocation._array(shape, dtype, order)


def svm_empty_like(
    ctx: Context, flags: int, ary: "NDArray[Any]", alignment: int | None = None
) -> "NDArray[Any]":
    """Make an array in shared virtual memory with the shape, dtype and order of *ary*."""
    if ary.flags.c_contiguous:
        return svm_empty(ctx, flags, ary.shape, ary.dtype, "C", alignment)
    if ary.flags.f_contiguous:
        return svm_empty(ctx, flags, ary.shape, ary.dtype, "F", alignment)
    raise ValueError("the array is neither C- nor Fortran-contiguous")


def csvm_empty(
    ctx: Context,
    shape: "int | Sequence[int]",
    dtype: "DTypeLike",
    order: Literal["C", "F"] = "C",
    alignment: int | None = None,
    queue: CommandQueue | None = None,
) -> "NDArray[Any]":
    """Make an array in coarse-grained shared virtual memory, which the host may touch while it is mapped."""
    return svm_empty(ctx, svm_mem_flags.READ_WRITE, shape, dtype, order, alignment, queue)


def csvm_empty_like(ctx: Context, ary: "NDArray[Any]", alignment: int | None = None) -> "NDArray[Any]":
    """Make an array in coarse-grained shared virtual memory with the shape, dtype and order of *ary*."""
    return svm_empty_like(ctx, svm_mem_flags.READ_WRITE, ary, alignment)


def fsvm_empty(
    ctx: Context,
    shape: "int | Sequence[int]",
    dtype: "DTypeLike",
    order: Literal["C", "F"] = "C",
    alignment: int | None = None,
    queue: CommandQueue | None = None,
) -> "NDArray[Any]":
    """Make an array in fine-grained shared virtual memory, for the host whenever no command uses it."""
    flags = svm_mem_flags.READ_WRITE | svm_mem_flags.SVM_FINE_GRAIN_BUFFER
    return svm_empty(ctx, flags, shape, dtype, order, alignment, queue)


def fsvm_empty_like(ctx: Context, ary: "NDArray[Any]", alignment: int | None = None) -> "NDArray[Any]":
    """Make an array in fine-grained shared virtual memory with the shape, dtype and order of *ary*."""
    flags = svm_mem_flags.READ_WRITE | svm_mem_flags.SVM_FINE_GRAIN_BUFFER
    return svm_empty_like(ctx, flags, ary, alignment)


def enqueue_svm_memfill(
    queue: CommandQueue,
    dest: "SVMPointer | HostMemory",
    pattern: "HostMemory",
    byte_count: int | None = None,
    wait_for: "WaitList" = None,
) -> Event:
    """Fill *byte_count* bytes (all by default) of shared virtual memory with repetitions of *pattern*."""
    svm = dest if isinstance(dest, SVMPointer) else SVM(dest)
    return _cl._enqueue_svm_memfill(queue, svm, pattern, byte_count, wait_for)


def enqueue_svm_migrate_mem(
    queue: CommandQueue, svms: "Sequence[SVMPointer]", flags: int, wait_for: "WaitList" = None
) -> Event:
    """Move shared virtual memory to the queue's device, or to the host.

    *flags* is a mask of :class:`mem_migration_flags`.
    """
    return _cl._enqueue_svm_migrate_mem(queue, svms, flags, wait_for)


def enqueue_svm_migratemem(
    queue: CommandQueue, svms: "Sequence[SVMPointer]", flags: int, wait_for: "WaitList" = None
) -> Event:
    """Do what :func:`enqueue_svm_migrate_mem` does, under its old name."""
    warnings.warn(
        "enqueue_svm_migratemem is deprecated, use enqueue_svm_migrate_mem", DeprecationWarning, stacklevel=2
    )
    return enqueue_svm_migrate_mem(queue, svms, flags, wait_for)
