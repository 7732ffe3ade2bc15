"""What chunks and threads do to copies between host and device that go through pinned memory: for choosing
both, and the least size from which such copies pay.

    python host_copies.py
"""

import itertools
from collections.abc import Iterator
from typing import Any

from side_by_side import Row, run, sample

KIB, MIB = 2**10, 2**20

# Sizes of chunks, for copies of LARGE bytes, or FEWER where such copies do not pay anyway.
CHUNKS = (MIB, 4 * MIB, 16 * MIB, 32 * MIB)
THREADS = (1, 2, 4, 8, 12, 16)
LARGE = 512 * MIB
FEWER = 64 * MIB

# Sizes of copies, by one call of the driver and in chunks of which there are four at least.
SIZES = (2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 32 * MIB, 64 * MIB)

COPIES = {"to": "copy(queue, buffer, host)", "from": "copy(queue, host, buffer)"}


def measure(names: dict[str, Any]) -> Iterator[Row]:
    cl, np, context = names["cl"], names["np"], names["context"]
    names["copy"] = cl.enqueue_copy
    large = FEWER if names["device"].host_unified_memory else LARGE
    names["buffer"] = cl.Buffer(context, cl.mem_flags.READ_WRITE, large)
    names["host"] = np.ones(large, np.uint8)
    for chunk, threads in itertools.product(CHUNKS, THREADS):
        context._set_host_copies(True, chunk, threads)
        for way, statement in COPIES.items():
            name = f"{way}, chunks of {chunk // MIB} MiB, {threads} threads"
            yield Row(name, sample(statement, names), bytes=large)
    for size in SIZES:
        names["host"] = np.ones(size, np.uint8)
        for way, statement in COPIES.items():
            context._set_host_copies(False)
            yield Row(f"{way}, {size // MIB} MiB, plain", sample(statement, names), bytes=size)
            for threads in (2, 4, 8):
                chunk = min(16 * MIB, max(512 * KIB, size // 4))
                context._set_host_copies(True, chunk, threads)
                name = f"{way}, {size // MIB} MiB, {threads} threads"
                yield Row(name, sample(statement, names), bytes=size)


if __name__ == "__main__":
    run(measure)
