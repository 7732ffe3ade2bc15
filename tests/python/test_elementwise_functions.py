"""Functions that make kernels for one operation each, beside NumPy."""

import operator

import numpy as np
import pytest

import pyopencl.array as cl_array
from pyopencl import elementwise as ew
from pyopencl.elementwise import ArgumentKind

I8, I32, I64, U8 = (np.dtype(name) for name in ("int8", "int32", "int64", "uint8"))
F32, F64, C64 = (np.dtype(name) for name in ("float32", "float64", "complex64"))
SIZE = 20


@pytest.fixture
def data(queue):
    """Make an array of a dtype, of small numbers."""
    random = np.random.default_rng(7)

    def make(dtype, size=SIZE, low=-9, high=10):
        numbers = random.integers(low, high, size)
        if dtype.kind == "f":
            numbers = numbers / 4
        if dtype.kind == "c":
            numbers = numbers / 4 + 1j * random.integers(low, high, size) / 4
        return cl_array.to_device(queue, numbers.astype(dtype))

    return make


@pytest.fixture
def run(queue):
    """Launch a kernel: arrays are passed by memory and offset."""

    def launch(kernel, *arguments, size=SIZE):
        passed = []
        for argument in arguments:
            if isinstance(argument, cl_array.Array):
                passed += [argument.base_data, argument.offset]
            else:
                passed.append(argument)
        kernel(queue, (size,), None, *passed, size)
        return arguments[0].get()

    return launch


@pytest.fixture
def result(queue):
    """An array that begins in the middle of its memory."""
    return lambda dtype, size=SIZE: cl_array.zeros(queue, size + 3, dtype)[3:]


def test_elements_are_moved(ctx, run, data, result):
    x = data(F32)
    host = x.get()
    np.testing.assert_array_equal(
        run(ew.get_copy_kernel(ctx, I32, F32), result(I32), x), host.astype(np.int32)
    )
    np.testing.assert_array_equal(run(ew.get_fill_kernel(ctx, I8), result(I8), -3), np.full(SIZE, -3))
    arange = run(ew.get_arange_kernel(ctx, F32), result(F32), 2, 0.25)
    np.testing.assert_array_equal(arange, 2 + 0.25 * np.arange(SIZE))
    np.testing.assert_array_equal(run(ew.get_reverse_kernel(ctx, F32), result(F32), x), host[::-1])
    found = run(ew.get_diff_kernel(ctx, F32), result(F32), x, size=SIZE - 1)[:-1]
    np.testing.assert_array_equal(found, np.diff(host))


def test_take_and_put(ctx, queue, run, data, result):
    sources, index = [data(F32), data(F32)], data(I32, low=0, high=SIZE)
    outputs = [result(F32), result(F32)]
    run(ew.get_take_kernel(ctx, F32, I32, vec_count=2), *outputs, *sources, index)
    for output, source in zip(outputs, sources, strict=True):
        np.testing.assert_array_equal(output.get(), source.get()[index.get()])

    order = np.random.default_rng(3).permutation(SIZE).astype(np.int32)
    places = cl_array.to_device(queue, order)
    fill = cl_array.to_device(queue, np.array([0, 1], np.uint8))
    lengths = cl_array.to_device(queue, np.array([SIZE // 2, 1], np.int64))
    run(ew.get_put_kernel(ctx, F32, I32, vec_count=2), *outputs, places, *sources, fill, lengths)
    np.testing.assert_array_equal(outputs[0].get()[order], np.tile(sources[0].get()[: SIZE // 2], 2))
    np.testing.assert_array_equal(outputs[1].get(), np.full(SIZE, sources[1].get()[0]))

    whole = cl_array.zeros(queue, SIZE, np.float32)
    kernel = ew.get_take_put_kernel(ctx, F32, I32, True)
    inner = sources[0].get()[5:]
    near = index % 10
    kernel(
        queue,
        (SIZE,),
        None,
        *(whole.data, places.data, 0, near.data, 0, sources[0].data, 0, 5, SIZE),
    )
    np.testing.assert_array_equal(whole.get()[order], inner[near.get()])


@pytest.mark.parametrize(("x_dtype", "y_dtype", "z_dtype"), [(F32, I32, F32), (I8, I64, I64), (U8, F32, F32)])
def test_arithmetic(ctx, run, data, result, x_dtype, y_dtype, z_dtype):
    x, y = data(x_dtype, low=1), data(y_dtype, low=1)
    a, b = x.get().astype(z_dtype), y.get().astype(z_dtype)
    types = (x_dtype, y_dtype, z_dtype)
    z = result(z_dtype)
    np.testing.assert_array_equal(run(ew.get_axpbyz_kernel(ctx, *types), z, 3, x, -2, y), 3 * a - 2 * b)
    scalar = run(ew.get_axpbyz_kernel(ctx, *types, y_is_scalar=True), z, 3, x, -2, y)
    np.testing.assert_array_equal(scalar, 3 * a - 2 * b[0])
    kernel = ew.get_axpbz_kernel(ctx, z_dtype, x_dtype, z_dtype, z_dtype)
    np.testing.assert_array_equal(run(kernel, z, 3, x, -2), 3 * a - 2)
    np.testing.assert_array_equal(run(ew.get_multiply_kernel(ctx, *types), z, x, y), a * b)
    scalar = run(ew.get_multiply_kernel(ctx, *types, x_is_scalar=True), z, x, y)
    np.testing.assert_array_equal(scalar, a[0] * b)
    if z_dtype.kind == "f":
        np.testing.assert_allclose(run(ew.get_divide_kernel(ctx, *types), z, x, y), a / b, rtol=3e-7)
        kernel = ew.get_rdivide_elwise_kernel(ctx, x_dtype, y_dtype, z_dtype)
        np.testing.assert_allclose(run(kernel, z, x, 7), 7 / a, rtol=3e-7)
    for sign in ("+", "-", "*"):
        compute = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]
        kernel = ew.get_array_binop_kernel(ctx, sign, z_dtype, x_dtype, y_dtype)
        np.testing.assert_array_equal(run(kernel, z, x, y), compute(a, b))
        kernel = ew.get_array_scalar_binop_kernel(ctx, sign, z_dtype, x_dtype, y_dtype)
        np.testing.assert_array_equal(run(kernel, z, x, 5), compute(a, z_dtype.type(5)))
    np.testing.assert_array_equal(run(ew.get_unop_kernel(ctx, "-", z_dtype, x_dtype), z, x), -a)


def test_complex_numbers(ctx, queue, run, data, result):
    x, y, z = data(C64), data(F32, low=1), result(C64)
    a, b = x.get(), y.get()
    types = (C64, F32, C64)
    np.testing.assert_array_equal(run(ew.get_copy_kernel(ctx, C64, F32), z, y), b)
    np.testing.assert_allclose(run(ew.get_multiply_kernel(ctx, *types), z, x, y), a * b, rtol=1e-6)
    np.testing.assert_allclose(run(ew.get_divide_kernel(ctx, *types), z, x, y), a / b, rtol=1e-6)
    axpby = run(ew.get_axpbyz_kernel(ctx, *types), z, 2j, x, 3, y)
    np.testing.assert_allclose(axpby, 2j * a + 3 * b, rtol=1e-6)
    np.testing.assert_array_equal(run(ew.get_unop_kernel(ctx, "-", C64, C64), z, x), -a)
    np.testing.assert_allclose(
        run(ew.get_unary_func_kernel(ctx, "cfloat_exp", C64), z, x), np.exp(a), rtol=1e-5
    )
    for sign, compare in ("<", operator.lt), ("==", operator.eq):
        kernel = ew.get_array_comparison_kernel(ctx, sign, C64, F32)
        np.testing.assert_array_equal(run(kernel, result(I8), x, y), compare(a, b))
    with pytest.raises(TypeError, match="'&' is not defined for complex64"):
        ew.get_array_binop_kernel(ctx, "&", C64, C64, C64)
    kernel = ew.ElementwiseKernel(ctx, "cfloat_t *z, cfloat_t a", "z[i] = cfloat_mul(a, cfloat_new(i, 2))")
    kernel(z, 1 + 3j)
    np.testing.assert_array_equal(z.get(), (1 + 3j) * (np.arange(SIZE) + 2j))


def test_operators_of_bits(ctx, run, data, result):
    x, y, z = data(I32), data(I32, low=0), result(I32)
    for sign, compute in (
        ("&", operator.and_),
        ("|", operator.or_),
        ("^", operator.xor),
        ("<<", operator.lshift),
    ):
        kernel = ew.get_array_binop_kernel(ctx, sign, I32, I32, I32)
        np.testing.assert_array_equal(run(kernel, z, x, y), compute(x.get(), y.get()))
    np.testing.assert_array_equal(run(ew.get_unop_kernel(ctx, "~", I32, I32), z, x), ~x.get())


def test_powers(ctx, run, data, result):
    x, y = data(I32, low=-5, high=6), data(I8, low=0, high=9)
    expected = x.get() ** y.get().astype(np.int32)
    types = (I32, I8, I32)
    np.testing.assert_array_equal(
        run(ew.get_pow_kernel(ctx, *types, True, True), result(I32), x, y), expected
    )
    found = run(ew.get_pow_kernel(ctx, *types, True, False), result(I32), x, 3)
    np.testing.assert_array_equal(found, x.get() ** 3)
    found = run(ew.get_pow_kernel(ctx, *types, False, True), result(I32), -1, y - 4)
    np.testing.assert_array_equal(found, np.where(y.get() % 2, -1, 1))
    positive = data(F32, low=1)
    found = run(ew.get_pow_kernel(ctx, F32, I8, F32, True, True), result(F32), positive, y)
    np.testing.assert_allclose(found, positive.get() ** y.get(), rtol=1e-5)


def test_functions(ctx, run, data, result):
    x, y, z = data(F32), data(F32, low=1), result(F32)
    np.testing.assert_allclose(run(ew.get_unary_func_kernel(ctx, "sin", F32), z, x), np.sin(x.get()), 1e-5)
    found = run(ew.get_unary_func_kernel(ctx, "isfinite", F32, I32), result(I32), x)
    np.testing.assert_array_equal(found, np.ones(SIZE))
    found = run(ew.get_binary_func_kernel(ctx, "atan2", F32, F32, F32), z, x, y)
    np.testing.assert_allclose(found, np.arctan2(x.get(), y.get()), rtol=1e-5)
    preamble = "static float weigh(float x, float y) { return x + 2*y; }"
    kernel = ew.get_binary_func_kernel(ctx, "weigh", F32, F32, F32, preamble, name="weighed")
    assert kernel.function_name == "weighed_kernel"
    np.testing.assert_array_equal(run(kernel, z, x, y), x.get() + 2 * y.get())
    whole = data(I32)
    found = run(ew.get_float_binary_func_kernel(ctx, "hypot", I32, F32, F32), z, whole, y)
    np.testing.assert_allclose(found, np.hypot(whole.get(), y.get()), rtol=1e-6)
    np.testing.assert_array_equal(run(ew.get_fmod_kernel(ctx), z, x, y), np.fmod(x.get(), y.get()))
    significand, exponent = result(F32), result(I32)
    run(ew.get_frexp_kernel(ctx, F32, I32, F32), significand, exponent, x)
    np.testing.assert_array_equal([significand.get(), exponent.get()], np.frexp(x.get()))
    np.testing.assert_array_equal(
        run(ew.get_ldexp_kernel(ctx, F32, F32, I32), z, significand, exponent), x.get()
    )
    fraction = result(F32)
    run(ew.get_modf_kernel(ctx), z, fraction, x)
    np.testing.assert_array_equal([fraction.get(), z.get()], np.modf(x.get()))


@pytest.mark.parametrize("sign", ["<", "<=", "==", "!=", ">=", ">"])
def test_comparisons(ctx, run, data, result, sign):
    compare = {
        "<": operator.lt,
        "<=": operator.le,
        "==": operator.eq,
        "!=": operator.ne,
        ">=": operator.ge,
        ">": operator.gt,
    }[sign]
    for x_dtype, y_dtype in (F32, I32), (U8, I8):
        x, y = data(x_dtype), data(y_dtype)
        found = run(ew.get_array_comparison_kernel(ctx, sign, x_dtype, y_dtype), result(I8), x, y)
        np.testing.assert_array_equal(found, compare(x.get(), y.get()))
        found = run(ew.get_array_scalar_comparison_kernel(ctx, sign, x_dtype), result(I8), x, 2)
        np.testing.assert_array_equal(found, compare(x.get(), x_dtype.type(2)))


def test_choices(ctx, run, data, result):
    criterion, then, otherwise, z = data(I32), data(F32), data(F32), result(F32)
    np.testing.assert_array_equal(
        run(ew.get_logical_not_kernel(ctx, I32), result(I8), criterion), criterion.get() == 0
    )

    def choose(then_flags, else_flags, *values):
        arrays, scalars = zip(then_flags, else_flags, strict=True)
        return run(ew.get_if_positive_kernel(ctx, I32, F32, *arrays, *scalars), z, criterion, *values)

    array, first, number = (True, False), (True, True), (False, True)
    positive, (a, b) = criterion.get() > 0, (then.get(), otherwise.get())
    np.testing.assert_array_equal(choose(array, array, then, otherwise), np.where(positive, a, b))
    np.testing.assert_array_equal(choose(first, array, then, otherwise), np.where(positive, a[0], b))
    np.testing.assert_array_equal(choose(array, number, then, 7.5), np.where(positive, a, 7.5))
    with pytest.raises(ValueError, match="neither"):
        choose((False, False), array, 1, otherwise)


def test_least_and_greatest(ctx, queue, run, data, result):
    x, y = data(I32), cl_array.to_device(queue, np.array([1, np.nan, -3, 2] * 5, np.float32))
    kinds = ArgumentKind.ARRAY, ArgumentKind.ARRAY
    for name, compute in ("min", np.minimum), ("max", np.maximum):
        kernel = ew.get_minmaximum_kernel(ctx, name, F32, I32, F32, *kinds)
        assert kernel.function_name == f"{name}imum"
        np.testing.assert_array_equal(
            run(kernel, result(F32), x, y), compute(x.get().astype(np.float32), y.get())
        )
        kernel = ew.get_minmaximum_kernel(ctx, name, F32, F32, I32, *kinds)
        np.testing.assert_array_equal(
            run(kernel, result(F32), y, x), compute(y.get(), x.get().astype(np.float32))
        )
    kinds = ArgumentKind.DEV_SCALAR, ArgumentKind.SCALAR
    kernel = ew.get_minmaximum_kernel(ctx, "max", I32, I32, I32, *kinds)
    np.testing.assert_array_equal(run(kernel, result(I32), x, 4), np.full(SIZE, max(x.get()[0], 4)))
    with pytest.raises(ValueError, match="'minimum'"):
        ew.get_minmaximum_kernel(ctx, "minimum", I32, I32, I32, *kinds)


def test_kinds_of_arguments(queue):
    whole, single = cl_array.zeros(queue, 3, F32), cl_array.zeros(queue, (), F32)
    kinds = [ew.get_argument_kind(value) for value in (whole, single, 3, np.float32(3))]
    assert kinds == [ArgumentKind.ARRAY, ArgumentKind.DEV_SCALAR, ArgumentKind.SCALAR, ArgumentKind.SCALAR]
    texts = [ew.get_decl_and_access_for_kind("x", kind) for kind in ArgumentKind]
    assert texts == [("*x", "x[i]"), ("*x", "x[0]"), ("x", "x")]
    assert ew.real_dtype(C64) == F32
    assert ew.real_dtype(I8) == I8
    assert ew.complex_dtype_to_name(C64) == "cfloat"
    with pytest.raises(RuntimeError, match="invalid complex type: float32"):
        ew.complex_dtype_to_name(F32)


def test_kernels_are_kept(ctx):
    assert ew.get_copy_kernel(ctx, F32, F32) is ew.get_copy_kernel(ctx, F32, F32)
    assert ew.get_copy_kernel(ctx, F32, F32) is not ew.get_copy_kernel(ctx, F32, I32)


def test_bessel_and_hankel_functions(ctx, run, data, result):
    special = pytest.importorskip("scipy.special")
    x = data(F64, low=1, high=120)
    for which, function in (("j", special.jv), ("y", special.yv)):
        kernel = ew.get_bessel_kernel(ctx, which, F64, I32, F64)
        found = run(kernel, result(F64), np.int32(3), x)
        np.testing.assert_allclose(found, function(3, x.get()), rtol=1e-10, atol=1e-13)
    with pytest.raises(ValueError, match="'j' or 'y', not 'k'"):
        ew.get_bessel_kernel(ctx, "k", F64, I32, F64)
    z = data(np.dtype(np.complex128), low=1, high=60)
    first, second = result(z.dtype), result(z.dtype)
    run(ew.get_hankel_01_kernel(ctx, z.dtype, z.dtype), first, second, z)
    np.testing.assert_allclose(first.get(), special.hankel1(0, z.get()), rtol=1e-9)
    np.testing.assert_allclose(second.get(), special.hankel1(1, z.get()), rtol=1e-9)
