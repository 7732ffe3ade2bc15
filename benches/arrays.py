"""What operations on arrays cost, from sizes where the host's part decides to sizes where the memory's does.

    python arrays.py

``PYOPENCL_REFERENCE`` names an interpreter to compare with.
"""

import sys
from collections.abc import Iterator
from typing import Any

from side_by_side import Row, run, sample

SIZES = [2**exponent for exponent in range(10, 23, 2)]


def measure(names: dict[str, Any]) -> Iterator[Row]:
    np, queue = names["np"], names["queue"]
    import pyopencl.array as cla

    names["cla"] = cla
    for size in SIZES:
        numbers = np.arange(size, dtype=np.float32) % 64
        names["A"] = cla.to_device(queue, numbers)
        names["B"] = cla.to_device(queue, numbers)
        if not np.array_equal((names["A"] + names["B"]).get(), 2 * numbers):
            sys.exit(f"WRONG: A + B of {size} elements")
        if not np.isclose(cla.sum(names["A"]).get(), numbers.sum(dtype=np.float64), rtol=1e-5):
            sys.exit(f"WRONG: sum of {size} elements")
        yield Row(f"A + B, {size:>7} float32", sample("A + B", names), bytes=12 * size)
        yield Row(f"sum(A), {size:>7} float32", sample("cla.sum(A)", names), bytes=4 * size)


if __name__ == "__main__":
    run(measure)
