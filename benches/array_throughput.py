"""How fast operations on large arrays move memory, beside the device's copy, NumPy, a reference and CuPy.

    python array_throughput.py [--device NAME] [--log-size 24] [--dtypes float32,uint8]
                               [--vs INTERPRETER] [--variants]

Each figure is the bytes that an operation must move over the least time of several batches, and its ratio
to the copy of a buffer in the same run. The programs run in turn: this one, and with ``--vs`` another
interpreter's PyOpenCL; CuPy if it can be imported (``PYTHON_CUPY`` names an interpreter that has it). NumPy
works on the same machine, into memory that exists. ``--variants`` times shapes of kernels for GPUs instead.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from side_by_side import environment

SECONDS = 0.1
BATCHES = 5


@dataclass
class Operation:
    """An operation by what it does to arrays, and the elements that it must move for each element of `x`."""

    name: str
    compute: Callable[[Any], Any]
    """With the names x, y, row, z and the functions of a library."""
    elements: float
    into: Callable[[Any], Any] | None = None
    """What NumPy does, into memory that exists."""
    fused: bool = False
    floats_only: bool = False


def assign(names: Any, value: Any) -> None:
    names.z[...] = value


OPERATIONS = [
    Operation("x + y", lambda n: n.x + n.y, 3, lambda n: n.np.add(n.x, n.y, out=n.z)),
    Operation("2*x + y*x", lambda n: 2 * n.x + n.y * n.x, 3),
    Operation("2*x + y*x, fused", lambda n: 2 * n.x + n.y * n.x, 3, fused=True),
    Operation("x.T + y", lambda n: n.x.T + n.y, 3, lambda n: n.np.add(n.x.T, n.y, out=n.z)),
    Operation("(N,M) + (M,)", lambda n: n.x + n.row, 2, lambda n: n.np.add(n.x, n.row, out=n.z)),
    Operation(
        "x[::2] + x[::2]", lambda n: n.half + n.half, 1, lambda n: n.np.add(n.half, n.half, out=n.halved)
    ),
    Operation("x[::2, ::-1] + y[::2]", lambda n: n.turned + n.rows, 1.5),
    Operation("x[::-1] + y", lambda n: n.back + n.y, 3, lambda n: n.np.add(n.back, n.y, out=n.z)),
    Operation("x[::2].copy()", lambda n: n.half.copy(), 1, lambda n: n.np.copyto(n.halved, n.half)),
    Operation("exp(x)", lambda n: n.exp(n.x), 2, lambda n: n.np.exp(n.x, out=n.z), floats_only=True),
    Operation("sin(x)", lambda n: n.sin(n.x), 2, lambda n: n.np.sin(n.x, out=n.z), floats_only=True),
    Operation("log(x)", lambda n: n.log(n.x), 2, lambda n: n.np.log(n.x, out=n.z), floats_only=True),
    Operation("sum(x)", lambda n: n.sum(n.x), 1, lambda n: n.np.sum(n.x)),
    Operation("max(x)", lambda n: n.max(n.x), 1, lambda n: n.np.max(n.x)),
    Operation("z[...] = x.T", lambda n: assign(n, n.x.T), 2, lambda n: n.np.copyto(n.z, n.x.T)),
    Operation("sum((x - y)**2), fused", lambda n: n.sum((n.x - n.y) ** 2), 2, fused=True),
]


class Names:
    """What operations are written with."""

    def __init__(self, host: dict[str, Any], of: Callable[[Any], Any]) -> None:
        self.x, self.y, self.row, self.z = (of(host[name]) for name in ("x", "y", "row", "z"))
        flat = self.x.reshape(-1)
        self.half = flat[::2]
        self.back = self.x[::-1, ::-1]
        self.turned, self.rows = self.x[::2, ::-1], self.y[::2]


def host_arrays(np: Any, dtype: str, log_size: int) -> dict[str, Any]:
    side = 1 << (log_size // 2)
    shape = ((1 << log_size) // side, side)
    numbers = (np.arange(1 << log_size) % 61 / 16).astype(dtype).reshape(shape)
    return {"x": numbers, "y": numbers + numbers, "row": numbers[1].copy(), "z": numbers.copy()}


def least(run: Callable[[], Any], finish: Callable[[], Any]) -> float:
    """Seconds of one call, enqueued and done, in the best of several batches."""
    run()
    finish()
    start = perf_counter()
    run()
    finish()
    count = max(1, min(200, round(SECONDS / BATCHES / (perf_counter() - start))))
    times = []
    for _ in range(BATCHES):
        start = perf_counter()
        for _ in range(count):
            run()
        finish()
        times.append((perf_counter() - start) / count)
    return min(times)


def speeds(
    names: Names, dtype: str, bytes_of_one: int, finish: Callable[[], Any], fuse: Any, missing: set[str]
) -> Iterator[tuple[str, float]]:
    """GB/s of each operation."""
    for operation in OPERATIONS:
        if operation.floats_only and not dtype.startswith("float"):
            continue
        if (operation.fused and fuse is None) or operation.name in missing:
            continue
        compute = fuse(operation.compute) if operation.fused else operation.compute
        try:
            seconds = least(lambda compute=compute: compute(names), finish)
        except Exception as error:  # the reference refuses layouts that are not contiguous
            print(f"{operation.name}, {dtype}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        yield operation.name, operation.elements * bytes_of_one / seconds / 1e9


def of_pyopencl(options: argparse.Namespace, dtypes: list[str]) -> dict[str, Any]:
    import numpy as np

    import pyopencl as cl
    import pyopencl.array as cla

    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    (device, *_) = [device for device in devices if (options.device or "").lower() in device.name.lower()]
    queue = cl.CommandQueue(cl.Context([device]))
    figures: dict[str, dict[str, float]] = {}
    for dtype in dtypes:
        host = host_arrays(np, dtype, options.log_size)
        names = Names(host, lambda array: cla.to_device(queue, array))
        names.sum, names.max = cla.sum, cla.max
        missing = set()
        try:
            from pyopencl import clmath

            names.exp, names.sin, names.log = clmath.exp, clmath.sin, clmath.log
        except ImportError:
            missing.update({"exp(x)", "sin(x)", "log(x)"})
        try:
            check(np, host, names)
        except ValueError as error:
            print(f"{dtype}: {error}", file=sys.stderr)
            continue
        size = host["x"].nbytes
        source, target = (cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size) for _ in range(2))
        copy = least(partial(cl.enqueue_copy, queue, target, source), queue.finish)
        figures[dtype] = {
            "copy": 2 * size / copy / 1e9,
            **dict(speeds(names, dtype, size, queue.finish, getattr(cla, "fuse", None), missing)),
        }
    return {"device": f"{device.name}, {device.platform.version}", "figures": figures}


def check(np: Any, host: dict[str, Any], names: Names) -> None:
    """Ends the program if an operation gives wrong elements."""
    if not np.array_equal((names.x + names.y).get(), host["x"] + host["y"]):
        sys.exit("WRONG: x + y")


def of_numpy(options: argparse.Namespace, dtypes: list[str]) -> dict[str, Any]:
    import numpy as np

    figures: dict[str, dict[str, float]] = {}
    for dtype in dtypes:
        host = host_arrays(np, dtype, options.log_size)
        names = Names(host, lambda array: array)
        names.np, names.halved = np, names.half.copy()
        figures[dtype] = {
            "copy": 2 * host["x"].nbytes / least(partial(np.copyto, names.z, names.x), lambda: None) / 1e9
        }
        for operation in OPERATIONS:
            if operation.into is None or (operation.floats_only and not dtype.startswith("float")):
                continue
            seconds = least(partial(operation.into, names), lambda: None)
            figures[dtype][operation.name] = operation.elements * host["x"].nbytes / seconds / 1e9
    return {"device": f"NumPy {np.__version__}", "figures": figures}


def of_cupy(options: argparse.Namespace, dtypes: list[str]) -> dict[str, Any]:
    import cupy as cp
    import numpy as np

    finish = cp.cuda.Device().synchronize
    figures: dict[str, dict[str, float]] = {}
    for dtype in dtypes:
        host = host_arrays(np, dtype, options.log_size)
        names = Names(host, cp.asarray)
        names.sum, names.max, names.exp, names.sin, names.log = cp.sum, cp.max, cp.exp, cp.sin, cp.log
        copy = least(partial(cp.copyto, names.z, names.y), finish)
        figures[dtype] = {
            "copy": 2 * host["x"].nbytes / copy / 1e9,
            **dict(speeds(names, dtype, host["x"].nbytes, finish, cp.fuse, set())),
        }
    return {"device": f"CuPy {cp.__version__}", "figures": figures}


def variants(options: argparse.Namespace, dtypes: list[str]) -> None:
    """Times shapes of kernels for GPUs."""
    import numpy as np

    import pyopencl as cl
    import pyopencl._cl as native
    import pyopencl.array as cla

    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    (device, *_) = [device for device in devices if (options.device or "").lower() in device.name.lower()]
    print(f"{device.name}; GB/s by group, elements in flight, bytes of a vector, side of a tile")
    for dtype in dtypes:
        host = host_arrays(np, dtype, options.log_size)
        size = host["x"].nbytes
        for group in (128, 256, 512):
            for items in (1, 2, 4, 8):
                for vector in (0, 8, 16):
                    for tile in (32, 64) if (items, vector) == (4, 0) else (64,):
                        queue = cl.CommandQueue(cl.Context([device]))
                        native._tune_arrays(queue, group, items, vector, tile)
                        names = Names(host, lambda array, queue=queue: cla.to_device(queue, array))
                        wanted = {"x + y", "2*x + y*x, fused"}
                        if vector == 0:
                            wanted |= {"(N,M) + (M,)", "x[::2, ::-1] + y[::2]", "x[::2] + x[::2]"}
                        if (items, vector) == (4, 0):
                            wanted |= {"z[...] = x.T", "x.T + y"}
                        missing = {operation.name for operation in OPERATIONS} - wanted
                        found = dict(speeds(names, dtype, size, queue.finish, cla.fuse, missing))
                        figures = "  ".join(f"{name}: {speed:.0f}" for name, speed in found.items())
                        print(f"{dtype:8} {group:4} {items:2} {vector:3} {tile:3}  {figures}", flush=True)


PROGRAMS = {"pyopencl": of_pyopencl, "numpy": of_numpy, "cupy": of_cupy}


def has_cupy(interpreter: str) -> bool:
    return subprocess.run([interpreter, "-c", "import cupy"], capture_output=True).returncode == 0


def collect(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Runs the programs in turn, twice, and keeps the best figures."""
    interpreters = {"this": (sys.executable, "pyopencl")}
    if not options.skip_numpy:
        interpreters["numpy"] = (sys.executable, "numpy")
    if options.vs:
        interpreters["reference"] = (options.vs, "pyopencl")
    cupy = os.environ.get("PYTHON_CUPY", sys.executable)
    if has_cupy(cupy):
        interpreters["cupy"] = (cupy, "cupy")
    words = [os.path.abspath(sys.argv[0]), "--log-size", str(options.log_size), "--dtypes", options.dtypes]
    words += ["--device", options.device] if options.device else []
    columns: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(Path(folder))
        for _ in range(options.rounds):
            for name, (interpreter, program) in interpreters.items():
                command = [interpreter, *words, "--measure", program]
                own = dict(variables)
                if interpreter != sys.executable:
                    # It has packages of its own.
                    own.pop("PYTHONPATH", None)
                output = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=own).stdout
                answer = json.loads(output.splitlines()[-1])
                column = columns.setdefault(name, answer)
                for dtype, figures in answer["figures"].items():
                    known = column["figures"][dtype]
                    known.update({key: max(value, known.get(key, 0)) for key, value in figures.items()})
    return columns


def print_table(columns: dict[str, dict[str, Any]], log_size: int) -> None:
    for name, column in columns.items():
        print(f"{name}: {column['device']}")
    print(f"2^{log_size} elements; GB/s; in brackets: over the device's copy; x: this over the other one")
    for dtype, figures in columns["this"]["figures"].items():
        others = [name for name in columns if name != "this"]
        print(f"\n{dtype:26}{'this':>18}" + "".join(f"{name:>12}{'x':>7}" for name in others))
        for row, speed in figures.items():
            line = f"{row:26}{speed:10.1f} ({speed / figures['copy']:5.2f})"
            for name, column in columns.items():
                if name != "this":
                    other = column["figures"].get(dtype, {}).get(row)
                    line += f"{other:12.1f}{speed / other:7.2f}" if other else f"{'-':>12}{'':7}"
            print(line.rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", help="a part of the device's name; by default the first one")
    parser.add_argument("--log-size", type=int, default=24, help="base-2 logarithm of the number of elements")
    parser.add_argument("--dtypes", default="float32,float64,uint8,int16,float16,int32")
    parser.add_argument("--vs", metavar="INTERPRETER", help="another interpreter whose PyOpenCL is timed too")
    parser.add_argument("--skip-numpy", action="store_true", help="do not time NumPy")
    parser.add_argument("--rounds", type=int, default=2, help="how often each program runs")
    parser.add_argument("--variants", action="store_true", help="time shapes of kernels for GPUs")
    parser.add_argument("--measure", choices=PROGRAMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    dtypes = options.dtypes.split(",")
    if options.variants:
        variants(options, dtypes)
    elif options.measure:
        print(json.dumps(PROGRAMS[options.measure](options, dtypes)))
    else:
        print_table(collect(options), options.log_size)


if __name__ == "__main__":
    main()
