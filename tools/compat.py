"""Runs PyOpenCL's own tests against this package and sets the counts beside PyOpenCL's. Run by `make compat`.

    python tools/compat.py [FILE ...] [--driver NAME ...] [--pytest ARGUMENT ...]

The tests are unpacked from the source archive of the registry and run as they are, on one driver at a time,
in an environment of their own; nothing else of the archive is unpacked. Everything lies in target/compat,
the output of each run too. Exit status 1 if fewer tests pass, or more fail, than with PyOpenCL.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

VERSION = "2026.1.4"
ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "target" / "compat"
TESTS = FOLDER / "test"
PYTHON = FOLDER / "venv" / "bin" / "python"
TIMEOUT = 3600  # seconds for one file on one driver

# pip asks the archive's build backend for metadata before it lets us have it.
ARCHIVE_NEEDS = ("cmake", "ninja", "scikit-build-core", "nanobind")
TESTS_NEED = ("numpy", "pytest>=8", "pytools", "mako", "scipy", "matplotlib")


@dataclass(frozen=True)
class Driver:
    """A driver that comes as packages, and its library among them."""

    packages: tuple[str, ...]
    library: str


DRIVERS = {
    "pocl": Driver(("pocl-binary-distribution",), "lib/python3*/site-packages/pyopencl/.libs/libpocl*.so*"),
    "intel": Driver(("intel-opencl-rt", "intel-cmplr-lib-rt"), "lib/libintelocl.so"),
}


@dataclass(frozen=True)
class Counts:
    """Outcomes of the tests of a file; an error counts as a failure."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    xfailed: int = 0

    def __str__(self) -> str:
        return f"{self.passed:7d}{self.failed:7d}{self.skipped:8d}{self.xfailed:8d}"

    def worse_than(self, other: Counts) -> bool:
        return self.passed < other.passed or self.failed > other.failed


# What PyOpenCL itself gives, with the same files on the same drivers.
REFERENCE = {
    ("test_wrapper.py", "pocl"): Counts(44, 0, 1, 2),
    ("test_wrapper.py", "intel"): Counts(45, 0, 2, 0),
    ("test_enqueue_copy.py", "pocl"): Counts(2, 0, 1, 0),
    ("test_enqueue_copy.py", "intel"): Counts(2, 0, 1, 0),
    ("test_array.py", "pocl"): Counts(157, 2, 0, 0),
    ("test_array.py", "intel"): Counts(151, 1, 1, 5),
    ("test_clmath.py", "pocl"): Counts(25, 0, 5, 0),
    ("test_clmath.py", "intel"): Counts(25, 0, 5, 0),
    ("test_arrays_in_structs.py", "pocl"): Counts(1, 0, 0, 0),
    ("test_arrays_in_structs.py", "intel"): Counts(1, 0, 0, 0),
}

DEFAULT_FILES = ("test_wrapper.py", "test_enqueue_copy.py")


def counts(output: str) -> Counts | None:
    """Read pytest's last line; None if there is none, because the process ended before."""
    lines = [line for line in output.splitlines() if re.search(r"\bin \d+\.\d+s\b", line)]
    if not lines:
        return None
    found = {name: int(number) for number, name in re.findall(r"(\d+) ([a-z]+)", lines[-1])}
    return Counts(
        passed=found.get("passed", 0) + found.get("xpassed", 0),
        failed=found.get("failed", 0) + found.get("error", 0) + found.get("errors", 0),
        skipped=found.get("skipped", 0),
        xfailed=found.get("xfailed", 0),
    )


def verdict(found: Counts | None, reference: Counts | None) -> str:
    """Say how a run compares; everything but "worse" and "ended early" is as it should be."""
    if found is None:
        return "ended early"
    if reference is None:
        return "worse" if found.failed or not found.passed else "all pass"
    if found.worse_than(reference):
        return "worse"
    return "the same" if found == reference else "as good"


def install(*packages: str) -> None:
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    subprocess.run(command, check=True)


def prepare() -> None:
    """Make the environment, fetch the archive and unpack its tests."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", FOLDER / "venv"], check=True)
    ready = FOLDER / "venv" / "ready"
    needs = "\n".join((*ARCHIVE_NEEDS, *TESTS_NEED))
    if not ready.exists() or ready.read_text("utf-8") != needs:
        install(*ARCHIVE_NEEDS, *TESTS_NEED)
        ready.write_text(needs, "utf-8")
    archive = FOLDER / f"pyopencl-{VERSION}.tar.gz"
    if not archive.exists():
        command = [PYTHON, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        options = ["--no-binary", "pyopencl", "--no-build-isolation", "--dest", FOLDER]
        subprocess.run([*command, *options, f"pyopencl=={VERSION}"], check=True)
    unpack(archive, TESTS)


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of the archive's folder `test` to *folder*."""
    with tarfile.open(archive) as tar:
        for member in tar:
            _, top, *rest = (*PurePosixPath(member.name).parts, "", "")
            inside = PurePosixPath(*filter(None, rest))
            content = tar.extractfile(member) if top == "test" and ".." not in inside.parts else None
            if content is not None:
                path = folder / inside
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())
    # Ends pytest's search for settings, which would find those of this project.
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")


def library(driver: Driver) -> Path:
    """Install a driver if need be, and find its library. Raises CalledProcessError if pip cannot."""
    if not (found := sorted((FOLDER / "venv").glob(driver.library))):
        install(*driver.packages)
        found = sorted((FOLDER / "venv").glob(driver.library))
    return found[0]


def run(file: str, driver: str, library: Path, arguments: Iterable[str]) -> tuple[Counts | None, float]:
    """Run a test file on a driver; its output goes to a file. Gives the counts and the seconds it took."""
    # The one driver that is named, and no other; the caches of the user stay out of it.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("OCL_", "PYOPENCL_"))
    }
    environment |= {"OCL_ICD_VENDORS": str(library), "PYTHONPATH": str(ROOT / "python")}
    environment |= {"XDG_CACHE_HOME": str(FOLDER / "cache")}
    environment.pop("VIRTUAL_ENV", None)
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=600", file]
    log = FOLDER / f"{Path(file).stem}-{driver}.log"
    start = time.monotonic()
    with log.open("w", encoding="utf-8") as output:
        try:
            subprocess.run(
                [*command, *arguments],
                cwd=TESTS,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            output.write(f"\nstopped after {TIMEOUT} s\n")
    return counts(log.read_text("utf-8", errors="replace")), time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(description="PyOpenCL's own tests against this package")
    parser.add_argument("files", nargs="*", default=DEFAULT_FILES, metavar="FILE")
    parser.add_argument("--driver", action="append", choices=DRIVERS, help="only on this driver")
    parser.add_argument("--pytest", nargs=argparse.REMAINDER, default=[], help="further arguments of pytest")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        prepare()
    except subprocess.CalledProcessError:
        parser.exit(2, "the tests could not be fetched: this needs PyPI\n")
    known = sorted(path.name for path in TESTS.glob("test_*.py"))
    for file in options.files:
        if file not in known:
            parser.error(f"{file!r} is not among {', '.join(known)}")

    libraries = {}
    for name in options.driver or DRIVERS:
        try:
            libraries[name] = library(DRIVERS[name])
        except subprocess.CalledProcessError:
            print(f"without {name}: pip cannot install {' '.join(DRIVERS[name].packages)} here")
    columns = f"{'passed':>7}{'failed':>7}{'skipped':>8}{'xfailed':>8}"
    print(f"{'':35}{'this package':^30}      {f'PyOpenCL {VERSION}':^30}")
    print(f"{'file':27}{'driver':8}{columns}{'s':>6}{columns}")
    fine = bool(libraries)
    for file in options.files:
        for name, path in libraries.items():
            found, seconds = run(file, name, path, options.pytest)
            reference = REFERENCE.get((file, name))
            word = verdict(found, reference)
            fine = fine and word not in ("worse", "ended early")
            ours, theirs = found or f"{'':30}", reference or f"{'not known':>30}"
            print(f"{file:27}{name:8}{ours}{seconds:6.0f}{theirs}  {word}", flush=True)
    print(f"output of each run: {FOLDER.relative_to(ROOT)}/*.log")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
