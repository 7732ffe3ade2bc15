"""What copies cost: host to device, device to host, within the device, from small sizes to large ones.

    python copies.py

``PYOPENCL_REFERENCE`` names an interpreter to compare with. Large copies between host and device are measured
in three manners more: by one call of the driver (*plain*), with memory that the driver has pinned (*pinned*,
the limit), and into an array that is made for the purpose (*fresh*, and ``Array.get``).
"""

import sys
from collections.abc import Iterator
from typing import Any

from side_by_side import Row, run, sample

SIZES = {
    "4 KiB": 2**12,
    "64 KiB": 2**16,
    "1 MiB": 2**20,
    "8 MiB": 2**23,
    "16 MiB": 2**24,
    "64 MiB": 2**26,
    "512 MiB": 2**29,
}

# From here on copies may go through pinned memory.
LARGE = 2**23

TO_DEVICE = "copy(queue, source_buffer, host)"
FROM_DEVICE = "copy(queue, target, target_buffer)"
INTO_FRESH = "copy(queue, np.empty_like(host), target_buffer)"


def measure(names: dict[str, Any]) -> Iterator[Row]:
    cl, np, context = names["cl"], names["np"], names["context"]
    names["copy"] = cl.enqueue_copy
    for label, size in SIZES.items():
        host = np.arange(size // 4, dtype=np.uint32)
        target = np.zeros_like(host)
        source_buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, size)
        target_buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, size)
        names.update(host=host, target=target, source_buffer=source_buffer, target_buffer=target_buffer)
        for name, statement in (
            ("host to device", TO_DEVICE),
            ("within the device", "copy(queue, target_buffer, source_buffer)"),
            ("device to host", FROM_DEVICE),
        ):
            yield Row(f"{name}, {label}", sample(statement, names), bytes=size)
        if not np.array_equal(target, host):
            sys.exit(f"WRONG: {label} came back changed")
        if size >= LARGE:
            yield from measure_large(names, label, size)


def measure_large(names: dict[str, Any], label: str, size: int) -> Iterator[Row]:
    """The further manners."""
    cl, np, context, host = names["cl"], names["np"], names["context"], names["host"]
    import pyopencl.array as cla

    yield Row(f"device to host, fresh, {label}", sample(INTO_FRESH, names), bytes=size)
    names["array"] = cla.to_device(names["queue"], host)
    yield Row(f"Array.get, {label}", sample("array.get()", names), bytes=size)
    if not np.array_equal(names["array"].get(), host):
        sys.exit(f"WRONG: an array of {label} came back changed")
    del names["array"]
    # The reference has plain copies anyway.
    if hasattr(context, "_set_host_copies"):
        context._set_host_copies(False)
        for name, statement in (
            ("host to device", TO_DEVICE),
            ("device to host", FROM_DEVICE),
            ("device to host, fresh", INTO_FRESH),
        ):
            yield Row(f"{name}, plain, {label}", sample(statement, names), bytes=size)
        context._set_host_copies(None)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
    pinned = cl.Buffer(context, flags, size)
    both = cl.map_flags.READ | cl.map_flags.WRITE
    names["pinned"], _ = cl.enqueue_map_buffer(names["queue"], pinned, both, 0, size, np.uint8)
    for name, statement in (
        ("host to device", "copy(queue, source_buffer, pinned)"),
        ("device to host", "copy(queue, pinned, target_buffer)"),
    ):
        yield Row(f"{name}, pinned, {label}", sample(statement, names), bytes=size)
    names.pop("pinned").base.release(names["queue"])


if __name__ == "__main__":
    run(measure)
