"""Functions of elements: layouts, queues, branch cuts, and digits beside mpmath's and SciPy's."""

import mpmath
import numpy as np
import pytest
import scipy.special

import pyopencl as cl
import pyopencl.array as cla
from pyopencl import clmath

COMPLEX = {
    "acos": mpmath.acos,
    "acosh": mpmath.acosh,
    "asin": mpmath.asin,
    "asinh": mpmath.asinh,
    "atan": mpmath.atan,
    "atanh": mpmath.atanh,
    "cos": mpmath.cos,
    "cosh": mpmath.cosh,
    "exp": mpmath.exp,
    "exp10": lambda z: mpmath.mpf(10) ** z,
    "exp2": lambda z: mpmath.mpf(2) ** z,
    "expm1": lambda z: mpmath.exp(z) - 1,
    "log": mpmath.log,
    "log10": mpmath.log10,
    "log1p": lambda z: mpmath.log(1 + z),
    "log2": lambda z: mpmath.log(z, 2),
    "sin": mpmath.sin,
    "sinh": mpmath.sinh,
    "sqrt": mpmath.sqrt,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
}


def needs_fp64(device, dtype):
    if np.dtype(dtype).name in ("float64", "complex128") and not device.double_fp_config:
        pytest.skip("the device has no double precision")


def points(dtype):
    """Complex numbers near and far, near the unit circle, the branch points, and the axes."""
    rng = np.random.default_rng(4)

    def normal(count):
        return rng.standard_normal(count) + 1j * rng.standard_normal(count)

    turn = np.exp(1j * rng.uniform(-3.1, 3.1, 40))
    every = [
        2 * normal(40),
        1e-3 * normal(20),
        turn,
        20 * turn,
        1 + 1e-3 * normal(20),
        -1 + 1e-3 * normal(20),
    ]
    every += [normal(20).real + 1e-6j, 1e-6 + 1j * normal(20).real]
    return np.concatenate(every).astype(dtype)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_functions_are_exact_to_a_few_units(queue, device, name, dtype):
    needs_fp64(device, dtype)
    numbers = points(dtype)
    found = getattr(clmath, name)(cla.to_device(queue, numbers))
    assert found.dtype == dtype
    real = numbers.real.dtype.type
    with mpmath.workprec(400):
        for number, value in zip(numbers, found.get(), strict=True):
            expected = COMPLEX[name](mpmath.mpc(complex(number)))
            unit = float(np.spacing(real(abs(complex(expected)))))
            error = float(abs(mpmath.mpc(complex(value)) - expected)) / unit
            assert error <= 8, f"{name}({number}) = {value}: {error} units from {complex(expected)}"


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["exp2", "exp10"])
def test_the_modulus_of_powers_is_that_of_the_real_part(queue, device, name, dtype):
    needs_fp64(device, dtype)
    real = np.dtype(dtype).type(0).real.dtype
    large = np.finfo(real).max
    phases = np.array([1e3, 1e5, 1e10, 1e20, 1e35, large / 3, large], real)
    numbers = np.concatenate([1j * phases, 3 - 1j * phases]).astype(dtype)
    found = getattr(clmath, name)(cla.to_device(queue, numbers)).get()
    moduli = np.repeat(np.array([1, (2 if name == "exp2" else 10) ** 3], real), len(phases))
    np.testing.assert_allclose(abs(found), moduli, rtol=8 * np.finfo(real).eps)
    # The angle keeps digits where y * eps is far beyond a turn.
    far = np.dtype(dtype).type(1e10j if dtype == "complex64" else 1e18j)
    with mpmath.workprec(400):
        expected = complex(COMPLEX[name](mpmath.mpc(complex(far))))
    found = getattr(clmath, name)(cla.to_device(queue, np.array([far]))).get()
    np.testing.assert_allclose(found, [expected], rtol=1e-3)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_powers_whose_size_overflows_have_parts(queue, device, dtype):
    needs_fp64(device, dtype)
    large = np.finfo(dtype).max
    # The size is 1.2 times the largest number, each part sqrt(1/2) of that.
    size, angle = (np.log(large) + np.log(1.2)) / 2.5, np.pi / 4 / 2.5
    host = np.exp(np.longdouble(size) + 1j * np.longdouble(angle)).astype(dtype)
    found = (cla.to_device(queue, np.array([host])) ** 2.5).get()
    assert np.isfinite(found).all()
    expected = 1.2 * np.sqrt(0.5) * large
    np.testing.assert_allclose([found.real[0], found.imag[0]], [expected] * 2, rtol=500 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["acos", "acosh", "asin", "asinh", "atan", "atanh", "log", "sqrt"])
def test_signs_of_zero_choose_the_side_of_branch_cuts(queue, device, name, dtype):
    needs_fp64(device, dtype)
    numpys = getattr(np, {"log": "log", "sqrt": "sqrt"}.get(name, name.replace("a", "arc", 1)))
    parts = [-3.0, -0.5, -0.0, 0.0, 0.5, 3.0]
    numbers = np.array([complex(x, y) for x in parts for y in parts], dtype)
    with np.errstate(all="ignore"):
        expected = numpys(numbers)
    found = getattr(clmath, name)(cla.to_device(queue, numbers)).get()
    np.testing.assert_allclose(found.real, expected.real, rtol=1e-6)
    np.testing.assert_allclose(found.imag, expected.imag, rtol=1e-6)
    np.testing.assert_array_equal(np.signbit(found.real), np.signbit(expected.real))
    np.testing.assert_array_equal(np.signbit(found.imag), np.signbit(expected.imag))


SPECIAL = ["acos", "asinh", "atanh", "cosh", "exp", "log", "sinh", "sqrt", "tanh"]


@pytest.mark.parametrize("name", SPECIAL)
def test_infinities_and_nan_are_those_of_c(queue, name):
    numpys = getattr(np, name if name in ("cosh", "exp", "log", "sinh", "sqrt", "tanh") else "arc" + name[1:])
    parts = [-np.inf, -1.0, 0.0, 1.0, np.inf, np.nan]
    numbers = np.array([complex(x, y) for x in parts for y in parts], np.complex64)
    with np.errstate(all="ignore"):
        expected = numpys(numbers)
    found = getattr(clmath, name)(cla.to_device(queue, numbers)).get()
    # Signs of infinities and zeros that C leaves open are not compared.
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        np.testing.assert_allclose(np.abs(one), np.abs(other), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("order", [0, 1, 2, 7, -3])
def test_bessel_functions_of_real_numbers(queue, device, order, dtype):
    needs_fp64(device, dtype)
    x = np.concatenate([np.linspace(0.01, 60, 400), [1e-5, 1e3, 1e5]]).astype(dtype)
    size = np.sqrt(2 / (np.pi * np.maximum(x, 1)))
    for ours, scipys in ((clmath.bessel_jn, scipy.special.jv), (clmath.bessel_yn, scipy.special.yv)):
        expected = scipys(order, x.astype(np.float64))
        with np.errstate(over="ignore"):
            there = np.isfinite(expected.astype(dtype))
        error = np.abs(ours(order, cla.to_device(queue, x)).get() - expected)[there]
        assert (error <= 64 * np.finfo(dtype).eps * np.maximum(np.abs(expected), size)[there]).all()


def test_bessel_functions_at_the_ends(queue):
    x = cla.to_device(queue, np.array([0, np.inf, np.nan, -2], np.float32))
    np.testing.assert_allclose(
        clmath.bessel_jn(0, x).get(), [1, 0, np.nan, scipy.special.jv(0, 2)], rtol=1e-6
    )
    np.testing.assert_allclose(clmath.bessel_jn(3, x).get()[[0, 3]], [0, -scipy.special.jv(3, 2)], rtol=1e-6)
    np.testing.assert_array_equal(clmath.bessel_yn(1, x).get(), [-np.inf, 0, np.nan, np.nan])
    orders = cla.to_device(queue, np.arange(4, dtype=np.int32))
    two = np.float32(2)
    np.testing.assert_allclose(
        clmath.bessel_jn(orders, two).get(), scipy.special.jv(np.arange(4), 2), rtol=1e-5
    )


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_bessel_and_hankel_functions_of_complex_numbers(queue, device, dtype):
    needs_fp64(device, dtype)
    rng = np.random.default_rng(2)
    size = 10 ** rng.uniform(-3, 1.7, 300)
    z = (size * np.exp(1j * rng.uniform(-3.1, 3.1, 300))).astype(dtype)
    wide, array = z.astype(np.complex128), cla.to_device(queue, z)
    unit = 128 * np.finfo(dtype).eps
    for order in (0, 1, 4, -3):
        expected = scipy.special.jv(order, wide)
        scale = np.maximum(np.abs(expected), np.sqrt(2 / (np.pi * np.maximum(np.abs(wide), 1))))
        assert (np.abs(clmath.bessel_jn(order, array).get() - expected) <= unit * scale).all()
    for order, found in enumerate(clmath.hankel_01(array)):
        expected = scipy.special.hankel1(order, wide)
        assert (np.abs(found.get() - expected) <= unit * np.abs(expected)).all()


def test_any_layout_queue_and_size(ctx, queue):
    host = np.arange(24, dtype=np.float32).reshape(4, 6) / 7
    array = cla.to_device(queue, host)
    for view in (np.s_[:, ::2], np.s_[::-1], np.s_[1:1], np.s_[2]):
        np.testing.assert_allclose(clmath.sin(array[view]).get(), np.sin(host[view]), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(clmath.cos(array.T).get(), np.cos(host.T), rtol=1e-5, atol=1e-6)
    row = cla.to_device(queue, host[1])
    np.testing.assert_allclose(clmath.atan2(array, row).get(), np.arctan2(host, host[1]), rtol=1e-5)
    np.testing.assert_allclose(clmath.atan2(2, array).get(), np.arctan2(np.float32(2), host), rtol=1e-5)
    other = cl.CommandQueue(ctx)
    assert clmath.exp(array, queue=other).queue == other
    bare = array.with_queue(None)
    np.testing.assert_allclose(clmath.exp(bare, other).get(), np.exp(host), rtol=1e-5)


def test_results_of_two_parts(queue):
    host = np.array([6.5, -0.375, 0, -0.0, np.inf, -np.inf, np.nan], np.float32)
    for name in ("frexp", "modf"):
        found = getattr(clmath, name)(cla.to_device(queue, host))
        for one, expected in zip(found, getattr(np, name)(host), strict=True):
            assert one.dtype == expected.dtype
            np.testing.assert_array_equal(one.get(), expected)
    scaled = clmath.ldexp(cla.to_device(queue, host[:3]), cla.to_device(queue, np.array([3, -2, 7])))
    np.testing.assert_array_equal(scaled.get(), np.ldexp(host[:3], [3, -2, 7]))


def test_what_is_no_operand_is_refused(queue):
    with pytest.raises(TypeError, match="none of the operands is an array"):
        clmath.sin(1.0)
    with pytest.raises(TypeError, match=r"floor.*complex64"):
        clmath.floor(cla.zeros(queue, 3, np.complex64))


HEADER = """
#include <pyopencl-complex.h>
kernel void calls(global cfloat_t *z, const float r)
{
    const cfloat_t a = z[0], b = z[1];
    z[2] = cfloat_add(cfloat_addr(a, r), cfloat_radd(r, b));
    z[3] = cfloat_mul(cfloat_mulr(a, r), cfloat_rmul(r, b));
    z[4] = cfloat_divide(cfloat_divider(a, r), cfloat_rdivide(r, b));
    z[5] = cfloat_sub(cfloat_fromreal(cfloat_real(a)), cfloat_new(cfloat_imag(b), cfloat_abs(a)));
    z[6] = cfloat_fma(cfloat_neg(a), cfloat_conj(b), cfloat_new(cfloat_abs_squared(a), 0));
    z[7] = cfloat_pow(a, b);
    z[8] = cfloat_powr(a, r);
    z[9] = cfloat_rpow(r, a);
    z[10] = cfloat_exp(cfloat_log(cfloat_sqrt(a)));
    z[11] = cfloat_tan(cfloat_sin(cfloat_cos(a)));
    z[12] = cfloat_tanh(cfloat_sinh(cfloat_cosh(cfloat_cast(b))));
}
"""


def test_the_header_offers_arithmetic_and_functions(ctx, queue):
    a, b, r = 1.5 - 0.5j, -0.25 + 0.75j, 2.0
    array = cla.to_device(queue, np.array([a, b, *[0] * 11], np.complex64))
    cl.Program(ctx, HEADER).build().calls(queue, (1,), None, array.data, np.float32(r))
    expected = [
        a + r + r + b,
        a * r * (r * b),
        (a / r) / (r / b),
        a.real - (b.imag + 1j * abs(a)),
        -a * b.conjugate() + abs(a) ** 2,
        a**b,
        a**r,
        r**a,
        np.sqrt(a),
        np.tan(np.sin(np.cos(a))),
        np.tanh(np.sinh(np.cosh(b))),
    ]
    np.testing.assert_allclose(array.get()[2:], expected, rtol=1e-5)


def test_the_header_has_double_precision_on_demand(ctx, device, queue):
    needs_fp64(device, "complex128")
    source = """
    #define PYOPENCL_DEFINE_CDOUBLE
    #include <pyopencl-complex.h>
    kernel void roots(global cdouble_t *z)
    {
        z[0] = cdouble_sqrt(z[0]);
        z[0] = cdouble_add(z[0], cdouble_cast(cfloat_cast(z[0])));
    }
    """
    array = cla.to_device(queue, np.array([-4.0 + 0j]))
    cl.Program(ctx, source).build().roots(queue, (1,), None, array.data)
    np.testing.assert_array_equal(array.get(), [4j])


def test_numbers_beside_small_integers_need_not_fit_them(queue):
    host = np.array([-3, 0, 100], np.int8)
    found = clmath.atan2(cla.to_device(queue, host), -32768)
    expected = np.arctan2(host, -32768)
    assert found.dtype == expected.dtype == np.float16
    np.testing.assert_allclose(found.get(), expected, rtol=2e-3)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "float16", "float32"])
@pytest.mark.parametrize("number", [1, 2.5])
def test_numbers_beside_arrays_give_the_dtypes_of_numpy(device, queue, dtype, number):
    host = np.array([0, 1], dtype)
    needs_fp64(device, np.arctan2(host, number).dtype)
    array = cla.to_device(queue, host)
    assert clmath.atan2(array, number).dtype == np.arctan2(host, number).dtype
    assert clmath.atan2(number, array).dtype == np.arctan2(number, host).dtype
