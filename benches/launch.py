"""What a kernel launch costs, from Python and, with a C compiler at hand, the same loop in C.

    python launch.py

The C program gets the driver that the variable ``OCL_ICD_FILENAMES`` names, else PoCL from this environment:
set the variable to measure another device. ``PYOPENCL_REFERENCE`` names an interpreter to compare with.

A processor may be half as fast again in one process as in the next, so that what Python adds shows in one
process alone: there the loop in C and the calls from Python take turns.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from side_by_side import Row, batch, run, sample

ITEMS = 1024
LAUNCHES = 1000
BATCHES = 10
LIBRARY = "LAUNCH_HERE"
"""The variable that names the loop in C for this process."""
SOURCE = """
kernel void k(global const float *a, global const float *b, global float *c, int n)
{ int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }
"""


def measure(names: dict[str, Any]) -> Iterator[Row]:
    cl, np, context = names["cl"], names["np"], names["context"]
    program = cl.Program(context, SOURCE).build()
    typed = cl.Kernel(program, "k")
    typed.set_scalar_arg_dtypes([None, None, None, np.int32])
    numbers = np.arange(ITEMS, dtype=np.float32)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    a, b, c = (cl.Buffer(context, flags, hostbuf=numbers) for _ in range(3))
    names.update(prg=program, k=program.k, typed=typed, a=a, b=b, c=c, n=ITEMS)

    in_c: list[float] = []
    for name, statement in (
        ("launch", "k(queue, (1024,), (128,), a, b, c, np.int32(n))"),
        ("launch, declared types", "typed(queue, (1024,), (128,), a, b, c, n)"),
    ):
        batch(statement, names, LAUNCHES)
        figures = []
        for _ in range(BATCHES):
            figures.append(batch(statement, names, LAUNCHES))
            in_c.extend(launches_here(names))
        yield Row(name, [enqueued for enqueued, _ in figures])
        yield Row(f"{name}, with finish", [finished for _, finished in figures])
    if in_c:
        yield Row("by C in this process, with finish", in_c)
    yield Row("prg.k", sample("prg.k", names))

    result = np.empty_like(numbers)
    cl.enqueue_copy(names["queue"], result, c)
    if not np.array_equal(result, 2 * numbers):
        sys.exit("WRONG: the kernel did not add")


def launches_here(names: dict[str, Any]) -> list[float]:
    """The launches by a loop in C in this process, if it was built."""
    library = os.environ.get(LIBRARY)
    if library is None:
        return []
    if "here" not in names:
        kernel = names["cl"].Kernel(names["prg"], "k")
        objects = (names["queue"], kernel, names["a"], names["b"], names["c"])
        launch = ctypes.CDLL(library).launch
        launch.restype = ctypes.c_double
        handles = [ctypes.c_void_p(one.int_ptr) for one in objects]
        names["here"] = lambda: launch(*handles, ITEMS, LAUNCHES), kernel
        names["here"][0]()
    took = names["here"][0]()
    if took < 0:
        sys.exit("WRONG: the loop in C failed")
    return [took]


def driver() -> str | None:
    """The driver for the C program."""
    if named := os.environ.get("OCL_ICD_FILENAMES"):
        return named.split(os.pathsep)[0]
    found = (file for folder in sys.path for file in Path(folder, "pyopencl", ".libs").glob("libpocl*.so*"))
    return next(map(str, found), None)


def build_here(folder: str) -> None:
    """The loop in C for processes of Python, built into a folder."""
    if compiler := find_compiler():
        source, library = Path(__file__).with_name("launch_here.c"), Path(folder, "launch_here.so")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        os.environ[LIBRARY] = str(library)


def find_compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


def launch_loop(folder: str) -> dict[str, list[str]]:
    """The program in C, built into a folder; says why if there is none."""
    compiler = find_compiler()
    library = driver()
    if compiler is None or library is None:
        missing = "a C compiler" if compiler is None else "a driver: set OCL_ICD_FILENAMES to its library"
        print(f"no figures for C, which need {missing}")
        return {}
    source = Path(__file__).with_name("launch_loop.c")
    program = Path(folder, "launch_loop")
    subprocess.run([compiler, "-O2", "-o", program, source, "-ldl"], check=True)
    return {"C": [str(program), library, "--json"]}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        if "--measure" not in sys.argv:
            build_here(folder)
        run(measure, {} if "--measure" in sys.argv else launch_loop(folder))
