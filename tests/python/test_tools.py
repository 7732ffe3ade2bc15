"""Caches by first argument, devices for tests, SPIR-V."""

import warnings

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl import tools


def test_results_are_kept_by_first_argument(ctx):
    calls = []

    @tools.first_arg_dependent_memoize
    def double(first, number, by=2):
        """Documented."""
        calls.append((first, number, by))
        return number * by

    other = cl.Context(ctx.devices)
    assert (double.__name__, double.__doc__) == ("double", "Documented.")
    for _ in range(2):
        assert [double(ctx, 1), double(ctx, 2), double(ctx, 2, by=3), double(other, 1)] == [2, 4, 6, 2]
    assert len(calls) == 4
    with pytest.raises(TypeError):
        double(ctx, [])
    with pytest.raises(TypeError):
        double()
    tools.clear_first_arg_caches()
    double(ctx, 1)
    assert len(calls) == 5
    assert tools.context_dependent_memoize is tools.first_arg_dependent_memoize


def test_results_of_nested_functions_are_kept(ctx):
    calls = []

    def outer(first, result):
        @tools.first_arg_dependent_memoize_nested
        def inner(first):
            calls.append(first)
            return result

        return inner(first)

    assert [outer(ctx, 1), outer(ctx, 2)] == [1, 1]
    tools.clear_first_arg_caches()
    assert outer(ctx, 3) == 3
    assert len(calls) == 2


def test_errors_are_not_kept(ctx):
    calls = []

    @tools.first_arg_dependent_memoize
    def fail(first):
        calls.append(first)
        raise KeyError("again")

    for _ in range(2):
        with pytest.raises(KeyError, match="again"):
            fail(ctx)
    assert len(calls) == 2


def test_devices_for_tests_are_named(monkeypatch):
    every = [(platform, platform.get_devices()) for platform in cl.get_platforms()]
    first, devices = every[0]
    monkeypatch.delenv("PYOPENCL_TEST", raising=False)
    find = tools.get_test_platforms_and_devices
    assert find() == find("") == every
    assert find("0") == [every[0]]
    assert find("0:0") == find(f"{first.name.upper()}:{devices[0].name}") == [(first, [devices[0]])]
    assert find("0:0,0;0") == [(first, [devices[0]] * 2), every[0]]
    monkeypatch.setenv("PYOPENCL_TEST", "0:0")
    assert find() == [(first, [devices[0]])]
    for wrong in ("nothing of this name", "0:nothing of this name"):
        with pytest.raises(RuntimeError, match="'nothing of this name' not found"):
            find(wrong)
    with pytest.raises(IndexError):
        find("0:99")


class Function:
    """What pytest knows of a test function."""

    def __init__(self, *names):
        self.fixturenames = list(names)
        self.parameters = None

    def parametrize(self, names, values, ids):
        self.parameters = names, values, [ids(value) for row in values for value in row]


def test_tests_are_run_for_each_device(monkeypatch):
    monkeypatch.setenv("PYOPENCL_TEST", "0:0")
    platform = cl.get_platforms()[0]
    device = platform.get_devices()[0]
    function = Function("x", "ctx_factory", "device", "platform")
    tools.pytest_generate_tests_for_pyopencl(function)
    names, [(given_platform, given_device, factory)], ids = function.parameters
    assert names == ["platform", "device", "ctx_factory"]
    assert (given_platform, given_device) == (platform, device)
    assert ids[0] == f"<pyopencl.Platform {platform.name!r}>"
    assert ids[2] == str(factory) == f"<context factory for {device!r}>"
    context = factory()
    assert context.devices == [device]
    assert factory() != context
    function = Function("x")
    tools.pytest_generate_tests_for_pyopencl(function)
    assert function.parameters is None
    assert tools.get_pyopencl_fixture_arg_names(Function("x", "device"), ["x", "y"]) == ["device", "x"]
    with pytest.warns(DeprecationWarning, match="ctx_factory"):
        assert tools.get_pyopencl_fixture_arg_names(Function("ctx_getter")) == ["ctx_getter"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tools.get_pyopencl_fixture_arg_names(Function("ctx_factory"))


def test_spirv_is_known_by_its_first_word():
    assert tools.is_spirv(bytes.fromhex("07230203") + bytes(16))
    assert tools.is_spirv(bytes.fromhex("03022307"))
    for other in (b"", b"\x03\x02", b"kernel void f() {}", "kernel", None, bytearray.fromhex("03022307")):
        assert not tools.is_spirv(other)


def test_logarithms():
    assert [tools.bitlog2(number) for number in (0, 1, 2, 3, 2**32 - 1, 2**32, 2**64 - 1)] == [
        *(0, 0, 1, 1, 31, 32, 63)
    ]
    with pytest.raises((TypeError, OverflowError)):
        tools.bitlog2(-1)


def test_arrays_have_a_module(queue):
    assert tools.array_module(np.zeros(3)) is np
    first = cl_array.to_device(queue, np.array([1, 2, 3], np.float32))
    second = cl_array.to_device(queue, np.array([4, 5, 6], np.float32))
    module = tools.array_module(first)
    assert module.ndarray is cl_array.Array
    assert module.dot(first, second) == module.vdot(first, second) == 32
    assert isinstance(module.dot(first, second), np.ndarray)
    made = module.empty((2, 3), np.int16, order="F")
    assert (made.shape, made.dtype, made.queue) == ((2, 3), np.int16, queue)
    assert made.strides == (2, 4)
    assert module.hstack([first, second, first]).get().tolist() == [1, 2, 3, 4, 5, 6, 1, 2, 3]
    table = cl_array.to_device(queue, np.arange(6).reshape(2, 3))
    column = cl_array.to_device(queue, np.array([[10], [20]]))
    assert module.hstack((table, column)).get().tolist() == [[0, 1, 2, 10], [3, 4, 5, 20]]
    for other in (3, [1], None, np.float32(1)):
        with pytest.raises(TypeError, match="is needed"):
            tools.array_module(other)
