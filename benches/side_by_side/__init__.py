"""Runs the same measurements in several programs, in turn, and prints them side by side.

A benchmark says what it measures::

    def measure(names):
        yield Row("copy", sample("enqueue_copy(queue, buffer, host)", names))

    if __name__ == "__main__":
        run(measure)

Without arguments it starts itself again with ``--measure`` in each interpreter, several times in turn: this
one, and the one that the variable ``PYOPENCL_REFERENCE`` names, if it is set. What one program is slowed down
by, the next one is too, so ratios hold on a busy machine.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import timeit
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns
from typing import Any

ROUNDS = 3


@dataclass
class Row:
    """Times of one operation, in nanoseconds; with the bytes that it moves if the speed is of interest."""

    name: str
    ns: list[float]
    bytes: int = 0


def setup() -> dict[str, Any]:
    """What the measured statements need: a context and a queue on the first device, NumPy."""
    import numpy as np

    import pyopencl as cl

    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    return {"cl": cl, "np": np, "device": device, "context": context, "queue": cl.CommandQueue(context)}


def batch(statement: str, names: dict[str, Any], count: int) -> tuple[float, float]:
    """Runs the statement `count` times without garbage collection, then waits for the queue.

    Gives the nanoseconds that one took until it was enqueued, and with the waiting.
    """
    timer = timeit.Timer(statement, timer=perf_counter_ns, globals=names)
    start = perf_counter_ns()
    enqueued = timer.timeit(count)
    names["queue"].finish()
    return enqueued / count, (perf_counter_ns() - start) / count


def sample(statement: str, names: dict[str, Any], seconds: float = 0.12) -> list[float]:
    """Nanoseconds that the statement takes with all that it enqueues: several figures, many calls in each."""
    count = 1
    batch(statement, names, 1)
    while (took := batch(statement, names, count)[1] * count) < seconds * 1e8 and count < 1000:
        count = min(1000, 2 * count if took * 4 > seconds * 1e8 else 4 * count)
    batches = max(3, round(seconds * 1e9 / took))
    return [batch(statement, names, count)[1] for _ in range(batches)]


def run(
    measure: Callable[[dict[str, Any]], Iterator[Row]], others: dict[str, list[str]] | None = None
) -> None:
    """The main function of a benchmark. `others` are further programs, by name, that print the same JSON."""
    if "--measure" in sys.argv:
        names = setup()
        device = names["device"]
        rows = [vars(row) for row in measure(names)]
        print(json.dumps({"device": f"{device.name}, {device.platform.version}", "rows": rows}))
        return
    again = [os.path.abspath(sys.argv[0]), "--measure"]
    programs = {"this": [sys.executable, *again], **(others or {})}
    if reference := os.environ.get("PYOPENCL_REFERENCE"):
        programs["reference"] = [reference, *again]
    with tempfile.TemporaryDirectory() as folder:
        print_table(collect(programs, environment(Path(folder))))


def environment(folder: Path) -> dict[str, str]:
    """The environment, in which loaders that do not know ``OCL_ICD_FILENAMES`` find the same driver.

    Warnings are off: that a kernel is fetched again, or that a compiler was talkative, is no news here.
    """
    variables = {**os.environ, "PYTHONWARNINGS": "ignore"}
    if libraries := variables.get("OCL_ICD_FILENAMES"):
        vendor = folder / "driver.icd"
        vendor.write_text(libraries.split(os.pathsep)[0] + "\n")
        variables["OCL_ICD_VENDORS"] = str(vendor)
    return variables


@dataclass
class Column:
    """What one program measured."""

    device: str
    rows: dict[str, Row]


def collect(programs: dict[str, list[str]], variables: dict[str, str]) -> dict[str, Column]:
    """Runs the programs in turn and joins the figures of each."""
    columns: dict[str, Column] = {}
    for _ in range(ROUNDS):
        for name, words in programs.items():
            output = subprocess.run(words, check=True, stdout=subprocess.PIPE, env=variables).stdout
            # Drivers may write lines of their own before.
            answer = json.loads(output.splitlines()[-1])
            column = columns.setdefault(name, Column(answer["device"], {}))
            for row in answer["rows"]:
                found = Row(**row)
                column.rows.setdefault(found.name, Row(found.name, [], found.bytes)).ns += found.ns
    return columns


def print_table(columns: dict[str, Column]) -> None:
    """Least and median of each program, and how many times as long as the first one the others take."""
    for name, column in columns.items():
        print(f"{name}: {column.device}")
    print("microseconds, least and median; x: how many times as long as `this` (least)")
    head = f"{'':40}"
    for name in columns:
        head += f"{name:>20}" + ("" if name == "this" else f"{'x':>8}")
    print(head)
    for name, row in columns["this"].rows.items():
        line = f"{name:40}"
        for column_name, column in columns.items():
            found = column.rows.get(name)
            line += times(found)
            if column_name != "this":
                line += f"{min(found.ns) / min(row.ns):8.2f}" if found else f"{'':8}"
        if row.bytes:
            line += f"  {row.bytes / min(row.ns):9.2f} GB/s"
        print(line.rstrip())


def times(row: Row | None) -> str:
    """A cell of the table."""
    if row is None:
        return f"{'-':>20}"
    return f"{min(row.ns) / 1e3:10.2f}{statistics.median(row.ns) / 1e3:10.2f}"
