"""The tool behind `make compat` reads pytest's last line and tells better from worse."""

import importlib.util
import io
import sys
import tarfile
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "compat.py"


@pytest.fixture(scope="module")
def compat():
    spec = importlib.util.spec_from_file_location("compat", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("43 passed, 1 skipped, 2 xfailed, 8 warnings in 7.70s", (43, 0, 1, 2)),
        ("2 failed, 3 passed, 1 xpassed, 1 error in 65.01s (0:01:05)", (4, 3, 0, 0)),
        ("========== 2 errors in 0.22s ==========", (0, 2, 0, 0)),
    ],
)
def test_counts_are_read_from_the_last_line(compat, line, expected):
    assert compat.counts(f"5 passed in 1.00s (said by a test)\n{line}\n") == compat.Counts(*expected)


def test_a_run_without_a_last_line_ended_early(compat):
    assert compat.counts("....\nFatal Python error: Segmentation fault\n") is None
    assert compat.verdict(None, compat.Counts(1)) == "ended early"


@pytest.mark.parametrize(
    ("found", "reference", "expected"),
    [
        ((44, 0, 1, 2), (44, 0, 1, 2), "the same"),
        ((46, 0, 1, 0), (44, 0, 1, 2), "as good"),
        ((158, 1, 0, 0), (157, 2, 0, 0), "as good"),
        ((43, 0, 2, 2), (44, 0, 1, 2), "worse"),
        ((45, 1, 0, 1), (44, 0, 1, 2), "worse"),
        ((3, 0, 0, 0), None, "all pass"),
        ((3, 1, 0, 0), None, "worse"),
        ((0, 0, 3, 0), None, "worse"),
    ],
)
def test_fewer_passes_or_more_failures_are_worse(compat, found, reference, expected):
    reference = reference and compat.Counts(*reference)
    assert compat.verdict(compat.Counts(*found), reference) == expected


def test_only_the_tests_of_an_archive_are_unpacked(compat, tmp_path):
    archive = tmp_path / "x.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name in ("x-1/test/test_a.py", "x-1/test/data/b.h", "x-1/x/test/c.py", "x-1/test/../../d", "e"):
            member = tarfile.TarInfo(name)
            member.size = 1
            tar.addfile(member, io.BytesIO(b"1"))
    compat.unpack(archive, tmp_path / "out" / "test")
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["out/test/data/b.h", "out/test/pytest.ini", "out/test/test_a.py", "x.tar.gz"]
