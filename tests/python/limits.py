"""What a driver cannot do that tests need, with reasons; in Rust, crates/runtime/tests/common/limits.rs.

A test says what it needs by ``@pytest.mark.needs("threads")``, and is skipped where that is missing.
"""

import pytest

NEEDS = {
    "waiting commands": "commands that wait for a user event while the program goes on",
    "threads": "calls from several threads at once",
    "compiled kernels": "kernels that take some cycles for an instruction",
    "limited memory": "a buffer larger than all memory is refused",
    "refused profiles": "a queue without profiling tells no times",
    "checked flags": "flags of memory that contradict each other are refused",
}

# By the name of the platform.
LACKING = {
    "Oclgrind": {
        "waiting commands": "Oclgrind runs commands in the thread that flushes, which would wait for ever",
        "threads": "Oclgrind guards none of its lists, and crashes when several threads call it",
        "compiled kernels": "Oclgrind interprets kernels",
        "limited memory": "Oclgrind gives more than it says it has",
        "refused profiles": "Oclgrind tells times of every queue",
        "checked flags": "Oclgrind does not look at them",
    },
}


@pytest.fixture(autouse=True)
def skip_where_lacking(request):
    for marker in request.node.iter_markers("needs"):
        lacking = LACKING.get(request.getfixturevalue("device").platform.name, {})
        for need in marker.args:
            assert need in NEEDS, f"limits.py knows no need {need!r}"
            if need in lacking:
                pytest.skip(lacking[need])
