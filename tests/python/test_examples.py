"""The lessons under examples/python run, and find their results right."""

import subprocess
import sys
from pathlib import Path

import findings
import pytest

LESSONS = sorted((Path(__file__).resolve().parents[2] / "examples" / "python").glob("[0-9][0-9]-*.py"))


def test_there_are_lessons():
    assert LESSONS


@pytest.mark.needs("compiled kernels")
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_lesson(lesson, tmp_path):
    result = subprocess.run(
        [sys.executable, lesson],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    findings.pass_on(result.stderr)
    assert result.returncode == 0, result.stdout + result.stderr
