"""Fixtures: one context for a test run, a queue for each test; hypothesis profiles; hooks of our modules."""

import itertools
import os
import subprocess
import sys

import findings
import hypothesis
import pytest
from findings import pytest_runtest_makereport  # noqa: F401
from limits import skip_where_lacking  # noqa: F401

import pyopencl as cl

# The same examples each time, so that a run tells of the change; `make sweep` draws new ones.
hypothesis.settings.register_profile("fast", max_examples=40, deadline=None, derandomize=True)
# Oclgrind interprets kernels.
hypothesis.settings.register_profile("oclgrind", max_examples=10, deadline=None)
hypothesis.settings.register_profile("sweep", max_examples=2000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


@pytest.fixture(scope="session")
def ctx() -> cl.Context:
    """A context on the device that PYOPENCL_CTX names, else on the first one."""
    return cl.create_some_context(interactive=False)


@pytest.fixture
def device(ctx: cl.Context) -> cl.Device:
    return ctx.devices[0]


@pytest.fixture
def queue(ctx: cl.Context) -> cl.CommandQueue:
    return cl.CommandQueue(ctx)


@pytest.fixture(scope="session")
def new_queue(ctx: cl.Context):
    """Makes queues for examples drawn at random. Kernels stay with their context, and those of a sweep would
    take gigabytes, so that after 200 queues the next ones are of a new context."""
    made = itertools.count(1)
    context = ctx

    def queue() -> cl.CommandQueue:
        nonlocal context
        if next(made) % 200 == 0:
            context = cl.Context(ctx.devices)
        return cl.CommandQueue(context)

    return queue


@pytest.fixture
def profiling_queue(ctx: cl.Context) -> cl.CommandQueue:
    return cl.CommandQueue(ctx, properties=cl.command_queue_properties.PROFILING_ENABLE)


@pytest.fixture
def run_python():
    """Runs code in a Python process of its own, with variables set (or, for None, unset)."""

    def run(code: str, timeout: float = 120, **variables: "str | None") -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            **{name: value for name, value in variables.items() if value is not None},
        }
        for name in [name for name, value in variables.items() if value is None]:
            environment.pop(name, None)
        result = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        findings.pass_on(result.stderr)
        return result

    return run
