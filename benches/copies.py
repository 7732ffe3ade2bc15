"""What copies cost: host to device, device to host, within the device, from small sizes to large ones.

    python copies.py

``PYOPENCL_REFERENCE`` names an interpreter to compare with.
"""

import sys
from collections.abc import Iterator
from typing import Any

from side_by_side import Row, run, sample

SIZES = {"4 KiB": 2**12, "64 KiB": 2**16, "1 MiB": 2**20, "16 MiB": 2**24}


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
            ("host to device", "copy(queue, source_buffer, host)"),
            ("within the device", "copy(queue, target_buffer, source_buffer)"),
            ("device to host", "copy(queue, target, target_buffer)"),
        ):
            yield Row(f"{name}, {label}", sample(statement, names), bytes=size)
        if not np.array_equal(target, host):
            sys.exit(f"WRONG: {label} came back changed")


if __name__ == "__main__":
    run(measure)
