"""Checks the rules of DESIGN.md and CONTRIBUTING.md that no linter knows. Run by `make lint`.

Prints one line for each breach, and exits 1 if there is any. Each rule is a function from a file's path
(relative to the repository, with slashes) and its text to the breaches in it, as (line, message).
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 600
BUILT = {".git", ".venv", ".hypothesis", "__pycache__", "_build", "dist", "target"}
SOURCES = (".rs", ".py", ".pyi", ".cl", ".h", ".c", ".j2", ".toml", ".md", "Makefile", "run")

# The stub driver is the other side of the interface: it takes the C types from one file of its own.
STUB_TYPES = "crates/stub-driver/src/sys.rs"

Breach = tuple[int, str]

# What each crate may depend on, of ours.
DEPENDENCIES = {
    "driver": set(),
    "runtime": {"driver"},
    "array": {"driver", "runtime"},
    "bindings": {"driver", "runtime", "array"},
    "stub-driver": {"driver"},
}


def numbered(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.splitlines(), start=1)


def code_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a Rust file that are no comments and stand before the tests at its end."""
    for number, line in numbered(text):
        if line.startswith("#[cfg(test)]"):
            return
        if not line.lstrip().startswith("//"):
            yield number, line


def crate_of(path: str) -> str | None:
    parts = path.split("/")
    return parts[1] if parts[0] == "crates" and len(parts) > 2 else None


def file_length(path: str, text: str) -> Iterator[Breach]:
    if path.endswith((".rs", ".py", ".cl", ".h", ".c", ".j2")):
        lines = text.count("\n")
        if lines > MAX_LINES:
            yield lines, f"{lines} lines: split at {MAX_LINES}"


def raw_bindings(path: str, text: str) -> Iterator[Breach]:
    if path.endswith(".rs") and crate_of(path) not in (None, "driver") and path != STUB_TYPES:
        for number, line in code_lines(text):
            if re.search(r"\bopencl_sys\b", line):
                yield number, "opencl_sys is named in crates/driver alone: use its re-exports"


def python_in_rust(path: str, text: str) -> Iterator[Breach]:
    if path.endswith(".rs") and crate_of(path) not in (None, "bindings"):
        for number, line in code_lines(text):
            if re.search(r"\b(pyo3|numpy)::", line):
                yield number, "pyo3 and numpy are named in crates/bindings alone"


def crate_order(path: str, text: str) -> Iterator[Breach]:
    if not (path.startswith("crates/") and path.endswith("Cargo.toml")):
        return
    crate = crate_of(path)
    allowed = DEPENDENCIES.get(crate or "", set())
    for number, line in numbered(text):
        match = re.match(r"opencl-(driver|runtime|array|stub-driver)\b", line)
        if match and match[1] not in allowed:
            yield number, f"{crate} must not depend on {match[1]}"
        if re.match(r"opencl-sys\b", line) and crate not in ("driver", "stub-driver"):
            yield number, f"{crate} must not depend on opencl-sys"
        if re.match(r"(pyo3|numpy)\b", line) and crate != "bindings":
            yield number, f"{crate} must not depend on Python"


def safety_comments(path: str, text: str) -> Iterator[Breach]:
    """Clippy asks for them too, but not inside macros."""
    if not path.endswith(".rs"):
        return
    lines = text.splitlines()
    for number, line in numbered(text):
        if line.lstrip().startswith("//") or not re.search(r"\bunsafe(\s*\{|\s+impl\b)", line):
            continue
        around = lines[max(0, number - 7) : number + 1]
        if not any("SAFETY:" in other for other in around):
            yield number, "unsafe without a SAFETY comment"


def unsafe_rooms(path: str, text: str) -> Iterator[Breach]:
    if crate_of(path) == "array" and "/src/" in path and path.endswith(".rs"):
        if path.endswith("/launch.rs") or "/launch/" in path:
            return
        for number, line in code_lines(text):
            if re.search(r"\bunsafe\b", line) and "unsafe_code" not in line:
                yield number, "in array, unsafe stands in launch.rs alone"


def environment(path: str, text: str) -> Iterator[Breach]:
    """Clippy's ban can be lifted by an attribute anywhere; this one says where."""
    if crate_of(path) is None or "/src/" not in path or not path.endswith(".rs"):
        return
    # choose.rs reads the variables by which users name a device: Rust and Python programs obey the same ones.
    rooms = ("crates/driver/src/search.rs", "crates/runtime/src/cache", "crates/runtime/src/choose.rs")
    if path.startswith(rooms):
        return
    if crate_of(path) == "stub-driver":
        return
    for number, line in code_lines(text):
        if re.search(r"\benv::(var|vars|var_os|vars_os)\b", line):
            yield number, "variables are read in driver/search.rs, runtime/cache and runtime/choose.rs alone"


def unwraps(path: str, text: str) -> Iterator[Breach]:
    if crate_of(path) in (None, "stub-driver") or "/src/" not in path or not path.endswith(".rs"):
        return
    if path.endswith("/tests.rs") or "/tests/" in path:
        return
    for number, line in code_lines(text):
        if ".unwrap()" in line:
            yield number, "unwrap outside tests: return an error, or expect(...) with the invariant"


def words(path: str, text: str) -> Iterator[Breach]:
    """Marks of unfinished work, and paths of one machine."""
    if path in ("tools/check_architecture.py", "tests/python/test_architecture.py"):
        return
    for number, line in numbered(text):
        match = re.search(r"\b(todo!|unimplemented!|dbg!)|\b(TODO|FIXME|XXX)\b|(?<![\w.])/(home|root)/", line)
        if match:
            yield number, f"forbidden: {match[0]!r}"


RULES: tuple[Callable[[str, str], Iterator[Breach]], ...] = (
    file_length,
    raw_bindings,
    python_in_rust,
    crate_order,
    safety_comments,
    unsafe_rooms,
    environment,
    unwraps,
    words,
)


def breaches(path: str, text: str) -> list[str]:
    """What is wrong with one file, as lines to print."""
    return [f"{path}:{number}: {message}" for rule in RULES for number, message in rule(path, text)]


def source_files() -> list[str]:
    """The files of the repository of the kinds that the rules are about."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in BUILT and not name.endswith("_cache")]
        found += [Path(folder, name).relative_to(ROOT).as_posix() for name in files if name.endswith(SOURCES)]
    return sorted(found)


def main() -> int:
    found = [line for path in source_files() for line in breaches(path, (ROOT / path).read_text("utf-8"))]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
