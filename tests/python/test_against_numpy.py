"""Operations against NumPy: dtypes, layouts, scalars and values drawn at random.

``OPERATIONS`` is the table to extend. ``make sweep`` draws some 20,000 examples.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import pyopencl as cl
import pyopencl.array as cla
from pyopencl import clmath

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
REALS = ("bool", *INTEGERS, "float16", "float32", "float64")
NUMBERS = (*REALS, "complex64", "complex128")


@dataclass(frozen=True)
class Operation:
    """An operation of ours, NumPy's, the dtypes that operands are drawn from, and how exact the result is."""

    name: str
    ours: Callable[..., Any]
    numpys: Callable[..., Any]
    operands: int
    dtypes: tuple[str, ...] = NUMBERS
    # Units in the last place (of a complex number's magnitude) by which floating-point results may differ;
    # or what gives them for the operands.
    ulps: "float | Callable[..., Any]" = 0
    # The largest magnitude of operands, for operations whose error grows with it.
    limit: float = np.inf


def both(name: str, operands: int, operation: Callable[..., Any], **rest: Any) -> Operation:
    return Operation(name, operation, operation, operands, **rest)


def power_ulps(base: Any, exponent: Any) -> Any:
    """Of complex powers, exponentials of products: a unit of a product is as many as that is large."""
    if np.result_type(base, exponent).kind != "c":
        return 24
    with np.errstate(all="ignore"):
        product = np.abs(np.asarray(exponent, complex) * np.log(np.asarray(base, complex)))
    return 24 + 8 * np.where(np.isfinite(product), product, 0)


OPERATIONS = [
    both("add", 2, operator.add),
    both("subtract", 2, operator.sub),
    both("multiply", 2, operator.mul, ulps=2),
    both("divide", 2, operator.truediv, ulps=8),
    # NumPy's operator has an int8 of its own for the square of truth values; its function has not.
    Operation("power", operator.pow, np.power, 2, ulps=power_ulps, limit=8),
    both("floor_divide", 2, operator.floordiv),
    both("remainder", 2, operator.mod),
    both("divmod", 2, divmod),
    both("left_shift", 2, operator.lshift),
    both("right_shift", 2, operator.rshift),
    both("and", 2, operator.and_),
    both("or", 2, operator.or_),
    both("xor", 2, operator.xor),
    Operation("maximum", cla.maximum, np.maximum, 2),
    Operation("minimum", cla.minimum, np.minimum, 2),
    both("negative", 1, operator.neg),
    both("absolute", 1, abs, ulps=4),
    both("invert", 1, operator.invert),
    both("conjugate", 1, lambda a: a.conj()),
    both("real", 1, lambda a: a.real),
    both("imag", 1, lambda a: a.imag),
]


def function(name: str, numpys: Callable[..., Any], ulps: float, **rest: Any) -> Operation:
    """A function of clmath beside NumPy's, real ones by default."""
    return Operation(name, getattr(clmath, name), numpys, rest.pop("operands", 1), ulps=ulps, **rest)


OPERATIONS += [
    function("acos", np.arccos, 6),
    function("acosh", np.arccosh, 6),
    function("asin", np.arcsin, 6),
    function("asinh", np.arcsinh, 6),
    function("atan", np.arctan, 6),
    function("atanh", np.arctanh, 6),
    function("cbrt", np.cbrt, 4, dtypes=REALS),
    function("ceil", np.ceil, 0, dtypes=REALS),
    function("cos", np.cos, 8, limit=1e4),
    function("cosh", np.cosh, 8, limit=80),
    function("exp", np.exp, 8, limit=80),
    function("exp2", np.exp2, 8, dtypes=REALS, limit=80),
    function("expm1", np.expm1, 8, limit=80),
    function("fabs", np.fabs, 0, dtypes=REALS),
    function("floor", np.floor, 0, dtypes=REALS),
    function("log", np.log, 6),
    function("log10", np.log10, 6),
    function("log1p", np.log1p, 6, dtypes=REALS),
    function("log2", np.log2, 6),
    function("rint", np.rint, 0),
    function("sin", np.sin, 8, limit=1e4),
    function("sinh", np.sinh, 8, limit=80),
    function("sqrt", np.sqrt, 6),
    function("tan", np.tan, 10, limit=1e4),
    function("tanh", np.tanh, 8),
    function("trunc", np.trunc, 0, dtypes=REALS),
    function("frexp", np.frexp, 0, dtypes=REALS),
    function("modf", np.modf, 0, dtypes=REALS),
    function("atan2", np.arctan2, 8, operands=2, dtypes=REALS),
    function("fmod", np.fmod, 0, operands=2, dtypes=REALS),
]

# Comparisons of this class give int8.
COMPARISONS = [
    Operation(operation.__name__, operation, lambda *ab, _op=operation: np.int8(_op(*ab)), 2)
    for operation in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)
]

LAYOUTS = {
    "whole": lambda a: a,
    "transposed": lambda a: a.T,
    "backwards": lambda a: a[::-1],
    "columns": lambda a: a[:, ::2],
    "turned": lambda a: a.T[1:, ::-1],
    "row": lambda a: a[1],
}


def elements(dtype: str, limit: float) -> "st.SearchStrategy[Any]":
    kind = np.dtype(dtype).kind
    if kind in "iu":
        info = np.iinfo(dtype)
        low, high = int(max(info.min, -limit)), int(min(info.max, limit))
        near = st.integers(max(low, -9), min(high, 70))
        edges = st.sampled_from([info.min, info.max]) if limit == np.inf else near
        return st.one_of(near, edges, st.integers(low, high))
    if kind == "b":
        return st.booleans()
    width = {"float16": 16, "float32": 32, "complex64": 32}.get(dtype, 64)
    bound = None if limit == np.inf else limit
    reals = st.floats(
        -bound if bound else None, bound, width=width, allow_nan=None if bound is None else False
    )
    plain = st.integers(-8, 8).map(float)
    if kind == "f":
        return st.one_of(plain, reals)
    parts = st.one_of(plain, st.floats(-100, 100, width=width, allow_subnormal=False))
    return st.builds(complex, parts, parts)


@st.composite
def operands(draw: Any, operation: Operation) -> Any:
    """For each operand the base array, or a scalar, and the layout."""
    count = operation.operands
    dtypes = [draw(st.sampled_from(operation.dtypes)) for _ in range(count)]
    shape = draw(st.sampled_from([(2, 3), (3, 3), (0, 2), (5, 4), (4, 70)]))
    layout = draw(st.sampled_from(sorted(LAYOUTS)))
    if shape[0] == 0 and layout == "row":
        layout = "whole"
    scalar = draw(st.sampled_from([None, None, *range(count)])) if count > 1 else None
    drawn = []
    for number, dtype in enumerate(dtypes):
        values = elements(dtype, operation.limit)
        if number == scalar:
            value = draw(values)
            drawn.append((draw(st.sampled_from([value, np.dtype(dtype).type(value)])), "scalar"))
            continue
        other = draw(st.sampled_from([layout, layout, "row"])) if number and layout == "whole" else layout
        if shape[0] == 0 and other == "row":
            other = layout
        drawn.append((draw(npst.arrays(dtype, shape, elements=values)), other))
    return drawn


def compare(found: np.ndarray, expected: np.ndarray, ulps: Any) -> None:
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if expected.dtype.kind not in "fc" or np.all(np.equal(ulps, 0)):
        np.testing.assert_array_equal(found, expected)
        return
    with np.errstate(all="ignore"):
        # The magnitude of a complex number may be beyond what its parts are.
        most = np.nextafter(np.finfo(expected.dtype).max, 0)
        size = np.where(np.isfinite(expected), np.minimum(np.abs(expected), most), 1)
        unit = np.spacing(size.astype(expected.real.dtype))
        near = np.abs(found - expected) <= ulps * unit
    fine = near | (found == expected) | (np.isnan(found) & np.isnan(expected))
    if expected.dtype.kind == "c":
        # Which part of what is not finite is NaN is not defined by C either.
        fine |= ~np.isfinite(found) & ~np.isfinite(expected)
    assert fine.all(), f"{found[~fine][:4]} instead of {expected[~fine][:4]}"


def check(queue: cl.CommandQueue, operation: Operation, drawn: Any) -> None:
    hosts = [value if layout == "scalar" else LAYOUTS[layout](value) for value, layout in drawn]
    arrays = [
        value if layout == "scalar" else LAYOUTS[layout](cla.to_device(queue, value))
        for value, layout in drawn
    ]
    with np.errstate(all="ignore"):
        try:
            expected = operation.numpys(*hosts)
        except ValueError:
            return  # of elements (negative integer powers), which a kernel cannot refuse
        except (TypeError, OverflowError):
            with pytest.raises((TypeError, OverflowError)):
                operation.ours(*arrays)
            return
    found = operation.ours(*arrays)
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    ulps = operation.ulps(*hosts) if callable(operation.ulps) else operation.ulps
    for one, wanted in zip(found, expected, strict=True):
        compare(one.get(), np.asarray(wanted), ulps)


# One test for all operations: ten times the profile's number of examples.
@settings(
    max_examples=10 * settings.default.max_examples,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_operations_are_numpys(new_queue, data):
    queue = new_queue()
    operation = data.draw(st.sampled_from([*OPERATIONS, *COMPARISONS]))
    drawn = data.draw(operands(operation))
    # Without double precision, nothing that NumPy computes in it.
    narrow = {"bool", "int8", "uint8", "int16", "uint16", "float16", "float32", "complex64"}
    assume(queue.device.double_fp_config or all(str(np.asarray(value).dtype) in narrow for value, _ in drawn))
    check(queue, operation, drawn)
