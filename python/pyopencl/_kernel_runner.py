"""Kernels that packages bring for arrays: launched over all elements, in sizes that suit the device."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import pyopencl as cl

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyopencl._cl import Device, Event, Kernel

# Work-items of a group: enough for a GPU to hide latencies, few enough for every device.
_LEAST_ITEMS, _MOST_ITEMS = 32, 128
# Work-groups for each compute unit: more find no room at the same time.
_GROUPS_PER_UNIT = 32


def splay(
    device: Device, n: int, kernel_specific_max_wg_size: int | None = None
) -> tuple[tuple[int], tuple[int]]:
    """Choose global and local size, in work-items, for a kernel that loops over *n* elements.

    The local size is at most *kernel_specific_max_wg_size*, which may be less than what the device takes.
    """
    most = min(_MOST_ITEMS, device.max_work_group_size, kernel_specific_max_wg_size or _MOST_ITEMS)
    least = min(_LEAST_ITEMS, most)
    shares = max(1, -(-n // least))
    groups = min(shares, _GROUPS_PER_UNIT * device.max_compute_units)
    items = min(most, least * -(-shares // groups))
    return (groups * items,), (items,)


def elwise_kernel_runner(kernel_getter: Callable[..., Kernel]) -> Callable[..., Event]:
    """Make a function that launches, over all elements of its first argument, the kernel of *kernel_getter*.

    *kernel_getter* gets the arguments of the call: an array that is written, and what else the kernel takes.
    The kernel gets them too, and the number of elements behind them. Keywords of the call are *queue*, by
    default that of the array, *wait_for*, and those of *kernel_getter*. If
    :data:`pyopencl.array.ARRAY_KERNEL_EXEC_HOOK` is set, it is called as the kernel would be, with the kernel
    before the other arguments.
    """

    @wraps(kernel_getter)
    def kernel_runner(out: Any, *args: Any, **kwargs: Any) -> Event:
        from pyopencl import array

        queue = kwargs.pop("queue", None)
        queue = out.queue if queue is None else queue
        if queue is None:
            raise ValueError("the array has no queue: pass queue= to the operation")
        wait_for = kwargs.pop("wait_for", None)
        kernel = kernel_getter(out, *args, **kwargs)
        most = kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, queue.device)
        sizes = splay(queue.device, out.size, most)
        hook: Any = array.ARRAY_KERNEL_EXEC_HOOK
        if hook is not None:
            event: Event = hook(kernel, queue, *sizes, out, *args, out.size, wait_for=wait_for)
            return event
        return kernel(queue, *sizes, out, *args, out.size, wait_for=wait_for)

    return kernel_runner
