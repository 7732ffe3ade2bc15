"""How long a program waits for its first results, with nothing in the caches and in a second process.

    python first_result.py [--vs INTERPRETER]

Each step is one that a program takes once: import, a context with a queue, and the first of several
operations on arrays, whose kernels are built or taken from the cache. Each process has folders of its own for
the caches of PyOpenCL and of the drivers; cold, they are empty, warm, a process before has filled them.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from side_by_side import environment

STEPS = """
import json, time
start = time.perf_counter()
steps = {}
def step(name):
    global start
    now = time.perf_counter()
    steps[name] = now - start
    start = time.perf_counter()
import numpy as np
step("import numpy")
import pyopencl as cl
import pyopencl.array as cla
step("import pyopencl.array")
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
step("context and queue")
x = cla.to_device(queue, np.arange(100_000, dtype=np.float32))
step("to_device")
(x + x).get()
step("x + x")
(2 * x).get()
step("2 * x")
cla.sum(x).get()
step("sum(x)")
(2 * x + x * x).get()
step("2 * x + x * x")
if hasattr(cla, "fuse"):
    cla.fuse(lambda: 2 * x + x * x)().get()
    step("the same, fused")
cla.max(x).get()
step("max(x)")
print(json.dumps(steps))
"""

CACHES = ("XDG_CACHE_HOME", "POCL_CACHE_DIR", "CUDA_CACHE_PATH", "NEO_CACHE_DIR")


def seconds(interpreter: str, variables: dict[str, str]) -> dict[str, float]:
    words = [interpreter, "-W", "ignore", "-c", STEPS]
    output = subprocess.run(words, check=True, stdout=subprocess.PIPE, env=variables).stdout
    return json.loads(output.splitlines()[-1])


def rounds(interpreter: str, count: int) -> tuple[dict[str, float], dict[str, float]]:
    """Medians of each step, cold and warm."""
    times: tuple[list[dict[str, float]], list[dict[str, float]]] = ([], [])
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:
            variables = environment(Path(folder))
            if interpreter != sys.executable:
                # It has a package of its own.
                variables.pop("PYTHONPATH", None)
            for name in CACHES:
                variables[name] = os.path.join(folder, name.lower())
                os.makedirs(variables[name])
            for found in times:
                found.append(seconds(interpreter, variables))
    cold, warm = (
        {step: statistics.median(one[step] for one in found) for step in found[0]} for found in times
    )
    return cold, warm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vs", metavar="INTERPRETER", help="another interpreter whose PyOpenCL is timed too")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    columns = {"this": rounds(sys.executable, options.rounds)}
    if options.vs:
        columns["reference"] = rounds(options.vs, options.rounds)
    print(f"milliseconds, medians of {options.rounds} processes")
    print(f"{'':24}" + "".join(f"{name + ', ' + when:>18}" for name in columns for when in ("cold", "warm")))
    for step in [*columns["this"][0], "all"]:
        line = f"{step:24}"
        for column in columns.values():
            for found in column:
                time = sum(found.values()) if step == "all" else found.get(step)
                line += f"{'-':>18}" if time is None else f"{time * 1e3:18.1f}"
        print(line)


if __name__ == "__main__":
    main()
