"""The repository keeps its own rules, and the checker of those rules sees breaches."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_architecture.py"


@pytest.fixture(scope="module")
def checker():
    spec = importlib.util.spec_from_file_location("check_architecture", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_repository_keeps_its_rules(checker):
    files = checker.source_files()
    assert "pyproject.toml" in files
    assert "crates/driver/src/lib.rs" in files
    assert not any(path.startswith(("target/", ".venv/")) for path in files)
    found = [line for path in files for line in checker.breaches(path, (checker.ROOT / path).read_text())]
    assert found == []


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("crates/array/src/a.rs", "x\n" * 601, "601 lines"),
        ("crates/runtime/src/a.rs", "use opencl_sys::cl_int;", "opencl_sys"),
        ("crates/array/src/a.rs", "use pyo3::prelude::*;", "pyo3"),
        (
            "crates/runtime/Cargo.toml",
            "[dependencies]\nopencl-array.workspace = true",
            "must not depend on array",
        ),
        ("crates/array/Cargo.toml", 'pyo3 = "0.30"', "must not depend on Python"),
        ("crates/driver/src/a.rs", "fn f() {\n    unsafe { g() }\n}", "SAFETY"),
        ("crates/driver/src/a.rs", "unsafe impl Send for Table {}", "SAFETY"),
        ("crates/array/src/ops/a.rs", "unsafe fn f() {}", "launch.rs"),
        ("crates/runtime/src/a.rs", 'let home = std::env::var("HOME");', "variables"),
        ("crates/runtime/src/a.rs", "let x = y.unwrap();", "unwrap"),
        ("python/pyopencl/a.py", "# TODO: more", "forbidden"),
        ("docs/a.md", "see /home/someone/file", "forbidden"),
        ("crates/array/src/a.rs", "todo!()", "forbidden"),
    ],
)
def test_a_breach_is_seen(checker, path, text, message):
    found = checker.breaches(path, text)
    assert len(found) == 1
    assert found[0].startswith(f"{path}:")
    assert message in found[0]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("crates/driver/src/a.rs", "// SAFETY: the table outlives the call.\nunsafe { g() }"),
        ("crates/driver/src/search.rs", 'std::env::var_os("HOME")'),
        ("crates/runtime/src/a.rs", "fn f() {}\n#[cfg(test)]\nmod tests { fn g() { h().unwrap(); } }"),
        ("crates/stub-driver/src/sys.rs", "pub use opencl_sys::cl_int;"),
        ("crates/array/src/launch.rs", "// SAFETY: generated.\nunsafe { launch() }"),
        ("crates/bindings/Cargo.toml", "opencl-array.workspace = true\npyo3.workspace = true"),
    ],
)
def test_what_is_allowed_is_not_reported(checker, path, text):
    assert checker.breaches(path, text) == []
