"""What Oclgrind finds makes tests fail."""

import os
import subprocess
import sys

import findings
import pytest

RACE = "Write-write data race at global memory address 0x1000000000000\n\tKernel: race\n"
UNKNOWN = "OCLGRIND FATAL ERROR (Uninitialized.cpp:1805)\nUnsupported instruction: freeze\n"
WRITES_RACE = f"import sys; sys.stderr.write({RACE!r})"


def run(*arguments, **variables):
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_findings_are_told_from_other_text():
    text = f"warning: Kernel: is no finding\n\n{RACE}\t\n\tFirst entity: …\n\n{UNKNOWN}\tKernel: other\n"
    assert findings.findings(text) == [RACE, UNKNOWN]
    assert findings.findings("1 warning generated.\n") == []


@pytest.mark.parametrize(
    ("code", "status"),
    [("pass", 0), (WRITES_RACE, 1), (WRITES_RACE + "; sys.exit(3)", 3), ("import os; os.abort()", 134)],
)
def test_a_command_with_findings_fails(code, status):
    assert run(findings.__file__, sys.executable, "-c", code).returncode == status


def test_a_test_with_findings_fails(tmp_path):
    (tmp_path / "conftest.py").write_text("from findings import pytest_runtest_makereport\n")
    (tmp_path / "test_two.py").write_text(f"def test_silent(): pass\ndef test_race(): {WRITES_RACE}\n")
    folder = os.path.dirname(findings.__file__)
    result = run("-m", "pytest", "-p", "no:cacheprovider", str(tmp_path), PYTHONPATH=folder)
    assert "1 failed, 1 passed" in result.stdout, result.stdout + result.stderr
    assert "1 findings of Oclgrind, the first: Write-write data race" in result.stdout


def test_oclgrind_tells_of_invalid_accesses_so(device):
    if device.platform.name != "Oclgrind":
        pytest.skip("only Oclgrind looks for them")
    code = (
        "import pyopencl as cl\n"
        "ctx = cl.create_some_context(interactive=False)\n"
        "source = 'kernel void beyond(global int *a) { a[get_global_id(0)] = 1; }'\n"
        "queue, buffer = cl.CommandQueue(ctx), cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 8)\n"
        "cl.Program(ctx, source).build().beyond(queue, (3,), None, buffer)\n"
        "queue.finish()\n"
    )
    result = run(findings.__file__, sys.executable, "-c", code)
    assert result.returncode == 1
    (found,) = findings.findings(result.stderr)
    assert found.startswith("Invalid write of size 4 at global memory address")
    assert found.endswith("Kernel: beyond\n")
