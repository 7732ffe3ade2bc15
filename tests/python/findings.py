"""Findings of Oclgrind fail the test during which they are written to stderr.

Oclgrind tells of invalid accesses, races and uninitialised values, and goes on. In pytest (conftest.py takes
the hook) this looks at what each test wrote; as a program it runs a command, and fails if that wrote
findings: ``make test-oclgrind`` runs the Rust tests by it.
"""

import re
import subprocess
import sys

import pytest

# Each finding has a line for the kernel; an instruction that Oclgrind does not know ends the kernel.
FINDING = re.compile(r"^.*\n\tKernel: .*\n|^OCLGRIND FATAL ERROR.*\n.*\n", re.MULTILINE)


def findings(text: str) -> "list[str]":
    """The findings in what was written to stderr: what each is, and the kernel."""
    return FINDING.findall(text)


def pass_on(text: str) -> None:
    """Writes what another process wrote to our stderr if it holds findings, so that the test fails."""
    if findings(text):
        sys.stderr.write(text)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    written = "".join(text for name, text in report.sections if name == f"Captured stderr {report.when}")
    if report.passed and (found := findings(written)):
        report.outcome = "failed"
        report.longrepr = f"{len(found)} findings of Oclgrind, the first: {found[0]}"
    return report


def main(command: "list[str]") -> int:
    """Runs the command, passing its stderr on; its exit status, or 1 if it succeeds with findings."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace")
    written = []
    for line in process.stderr:
        written.append(line)
        sys.stderr.write(line)
        sys.stderr.flush()
    status = process.wait()
    found = findings("".join(written))
    if found:
        print(f"{len(found)} findings of Oclgrind, see above", file=sys.stderr)
    # A signal's number is negative here, and above 128 in shells.
    return 128 - status if status < 0 else status or int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
