"""Headers that kernels may include: Bessel, Airy and Hankel functions, polynomials, generators of numbers."""

import mpmath
import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla

DOUBLE = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"


@pytest.fixture(autouse=True)
def _has_doubles(ctx):
    if not cla.has_double_support(ctx.devices[0]):
        pytest.skip("the device has no double precision")


def run(queue, header, body, results, *inputs):
    """Results, as many doubles as told for each element, of a statement for element i of arrays a, b, ..."""
    names = "abcdef"[: len(inputs)]
    parameters = "".join(f", global const double *{name}" for name in names)
    text = f"{DOUBLE}#include <{header}>\nkernel void f(global double *out{parameters})\n{{\n"
    text += f"    const int i = get_global_id(0);\n    global double *to = out + {results} * i;\n{body}\n}}\n"
    kernel = cl.Program(queue.context, text).build(options=["-Werror"]).f
    arrays = [cla.to_device(queue, np.asarray(values, np.float64)) for values in inputs]
    out = cla.zeros(queue, (arrays[0].size, results), np.float64)
    kernel(queue, (arrays[0].size,), None, out.data, *(array.data for array in arrays))
    return out.get().T


def exact(function, *inputs):
    with mpmath.workdps(40):
        values = [
            function(*(mpmath.mpf(float(number)) for number in each)) for each in zip(*inputs, strict=True)
        ]
        return np.array([float(mpmath.re(value)) for value in values])


ORDERS = [
    0,
    1,
    2,
    7,
    40,
    0.5,
    1 / 3,
    2.25,
    7.5,
    33.3,
    120.7,
    -0.5,
    -1 / 3,
    -2.75,
    -11.1,
    -3,
    0.999999,
    -2.0000001,
]
PLACES = [1e-9, 0.0004, 0.1, 1, 2.5, 7, 12, 20, 24.9, 25.1, 40, 99.5, 130, 700]


def test_bessel_functions_of_real_order(queue):
    order, x = (np.ravel(values) for values in np.meshgrid(ORDERS, PLACES))
    (found,) = run(queue, "pyopencl-bessel-j.cl", "    to[0] = bessel_jv(a[i], b[i]);", 1, order, x)
    expected = exact(mpmath.besselj, order, x)
    with mpmath.workdps(40):
        pairs = [(mpmath.mpf(float(v)), mpmath.mpf(float(z))) for v, z in zip(order, x, strict=True)]
        size = [
            abs(mpmath.besselj(v, z)) + (abs(mpmath.bessely(v, z)) if z > abs(v) or v < 0 else 0)
            for v, z in pairs
        ]
    size = np.array([float(value) for value in size])
    finite = np.isfinite(expected) & np.isfinite(size) & (size > 1e-300)
    error = np.abs(found - expected)[finite] / size[finite]
    assert error.max() < 2e-13
    assert finite.sum() > 200
    special = ([0.5, -0.5, -1.5, 0.5, 0.5, np.nan, 2, -2], [0, 0, 0, np.inf, -1, 1, 0, 0])
    (found,) = run(queue, "pyopencl-bessel-j.cl", "    to[0] = bessel_jv(a[i], b[i]);", 1, *special)
    np.testing.assert_array_equal(found, [0, np.inf, -np.inf, 0, np.nan, np.nan, 0, 0])


def test_bessel_functions_of_integer_order(queue):
    body = "    to[0] = bessel_j0(a[i]); to[1] = bessel_j1(a[i]); to[2] = bessel_jn(5, a[i]);\n"
    body += "    to[3] = bessel_y0(a[i]); to[4] = bessel_y1(a[i]); to[5] = bessel_yn(3, a[i]);"
    found = run(queue, "pyopencl-bessel-y.cl", body, 6, PLACES)
    cases = [(mpmath.besselj, n) for n in (0, 1, 5)] + [(mpmath.bessely, n) for n in (0, 1, 3)]
    for values, (function, order) in zip(found, cases, strict=True):
        expected = exact(lambda x, function=function, order=order: function(order, x), PLACES)
        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-15)


def test_airy_functions(queue):
    x = np.concatenate([np.linspace(-60, 60, 241), [-3000, -1e-9, 0, 1e-9, 0.999, 1.001, 9.99, 10.01, 103]])
    body = "    double p[4]; if (airy(a[i], p, p + 1, p + 2, p + 3) != 0) p[0] = NAN;\n"
    body += "    for (int k = 0; k < 4; ++k) to[k] = p[k];"
    found = run(queue, "pyopencl-airy.cl", body, 4, x)
    functions = [(mpmath.airyai, 0), (mpmath.airyai, 1), (mpmath.airybi, 0), (mpmath.airybi, 1)]
    expected = [exact(lambda z, f=f, d=d: f(z, derivative=d), x) for f, d in functions]
    for first, second in ((0, 2), (1, 3)):
        # Below 0 beside the size of the oscillation, which both have.
        size = np.where(x < 0, np.hypot(expected[first], expected[second]), 0)
        for place in (first, second):
            error = np.abs(found[place] - expected[place]) / np.maximum(size, np.abs(expected[place]))
            # The exponent, and the phase, are rounded.
            bound = 2e-15 * (3 + np.abs(x) ** 1.5)
            assert (error <= bound).all(), (place, x[error > bound], error[error > bound])
    ai, aip, bi, bip = run(queue, "pyopencl-airy.cl", body, 4, [np.inf, np.nan])
    assert (ai[0], aip[0], bi[0], bip[0]) == (0, 0, np.inf, np.inf)
    assert np.isnan([ai[1], aip[1], bi[1], bip[1]]).all()


def test_polynomials_of_tables(queue):
    header = (
        "pyopencl-eval-tbl.cl>\nconstant double table[] = {2, -3, 0.5, 7};\n#include <pyopencl-eval-tbl.cl"
    )
    body = "    to[0] = cephes_polevl(a[i], table, 3); to[1] = cephes_p1evl(a[i], table, 4);"
    x = np.linspace(-2, 2, 9)
    table = [2, -3, 0.5, 7]
    np.testing.assert_array_equal(
        run(queue, header, body, 2, x), [np.polyval(table, x), np.polyval([1, *table], x)]
    )


def test_bessel_and_hankel_functions_of_complex_argument(queue):
    real, imaginary = (
        np.ravel(part) for part in np.meshgrid([-30.0, -3, 0.5, 4, 40], [-20.0, -0.5, 0, 2, 30])
    )
    body = "    cdouble_t p, q; bessel_j_complex(3, cdouble_new(a[i], b[i]), &p, &q);\n"
    body += "    to[0] = p.x; to[1] = p.y; to[2] = q.x; to[3] = q.y;\n"
    body += "    hankel_01_complex(cdouble_new(a[i], b[i]), &p, &q, 1);\n"
    body += "    to[4] = p.x; to[5] = p.y; to[6] = q.x; to[7] = q.y;"
    header = "pyopencl-bessel-j-complex.cl>\n#include <pyopencl-hankel-complex.cl"
    found = run(queue, header, body, 8, real, imaginary)
    cases = [(mpmath.besselj, 3), (mpmath.besselj, 4), (mpmath.hankel1, 0), (mpmath.hankel1, 1)]
    with mpmath.workdps(40):
        for place, (function, order) in enumerate(cases):
            values = found[2 * place] + 1j * found[2 * place + 1]
            pairs = zip(real, imaginary, strict=True)
            expected = np.array([complex(function(order, mpmath.mpc(*pair))) for pair in pairs])
            np.testing.assert_allclose(values, expected, rtol=1e-12, err_msg=f"{function.__name__} {order}")


def test_scaled_hankel_functions(queue):
    real, imaginary = (np.ravel(part) for part in np.meshgrid([-30.0, -3, 0, 4, 40], [-20.0, -0.5, 0, 2, 30]))
    body = "    cdouble_t p, q; hankel_01_complex(cdouble_new(a[i], b[i]), &p, &q, 0);\n"
    body += "    to[0] = p.x; to[1] = p.y; to[2] = q.x; to[3] = q.y;"
    keep = (real != 0) | (imaginary != 0)
    real, imaginary = real[keep], imaginary[keep]
    found = run(queue, "pyopencl-hankel-complex.cl", body, 4, real, imaginary)
    with mpmath.workdps(40):
        for order in (0, 1):
            points = [mpmath.mpc(*pair) for pair in zip(real, imaginary, strict=True)]
            expected = [complex(mpmath.hankel1(order, z) * mpmath.exp(-1j * z)) for z in points]
            np.testing.assert_allclose(found[2 * order] + 1j * found[2 * order + 1], expected, rtol=1e-12)
    # H_0(iy) = 2/(i pi) K_0(y), too small for a number.
    values = run(queue, "pyopencl-hankel-complex.cl", body, 4, [0.0], [1000.0])
    expected = float(mpmath.besselk(0, 1000) * mpmath.exp(1000) * 2 / mpmath.pi)
    np.testing.assert_allclose(values[:2, 0], [0, -expected], rtol=1e-13, atol=1e-15)


# Words of a counter of zeros with a key of zeros, of ones with ones, and of the digits of pi: the known
# answers that the authors of the generators publish with them.
PI = [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89]
PI += [0x452821E638D01377, 0xBE5466CF34E90C6C]
PI_32 = [word >> shift & 0xFFFFFFFF for word in PI for shift in (32, 0)]
KNOWN = {
    ("philox", 2, 32): ["ff1dae59 6cd10df2", "2c3f628b ab4fd7ad", "dd7ce038 f62a4c12"],
    ("philox", 4, 32): [
        "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ],
    ("philox", 2, 64): [
        "ca00a0459843d731 66c24222c9a845b5",
        "65b021d60cd8310f 4d02f3222f86df20",
        "0a5e742c2997341c b0f883d38000de5d",
    ],
    ("philox", 4, 64): [
        "16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b",
        "87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0",
        "a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6",
    ],
    ("threefry", 2, 32): ["6b200159 99ba4efe", "1cb996fc bb002be7", "c4923a9c 483df7a0"],
    ("threefry", 4, 32): [
        "9c6ca96a e17eae66 fc10ecd4 5256a7d8",
        "2a881696 57012287 f6c7446e a16a6732",
        "59cd1dbb b8879579 86b5d00c ac8b6d84",
    ],
    ("threefry", 2, 64): [
        "c2b6e3a8c2c69865 6f81ed42f350084d",
        "e02cb7c4d95d277a d06633d0893b8b68",
        "263c7d30bb0f0af1 56be8361d3311526",
    ],
}


def words(queue, generator, count, bits, counter, key, rounds=None):
    name, kind = f"{generator}{count}x{bits}", f"uint{bits}_t"
    call = f"{name}(c, k)" if rounds is None else f"{name}_R({rounds}, c, k)"
    text = f"#include <pyopencl-random123/{generator}.cl>\n"
    text += f"kernel void f(global {kind} *out, global const {kind} *counter, global const {kind} *key)\n{{\n"
    text += f"    {name}_ctr_t c; {name}_ukey_t u;\n"
    text += f"    for (int i = 0; i < {count}; ++i) c.v[i] = counter[i];\n"
    text += f"    for (int i = 0; i < {len(key)}; ++i) u.v[i] = key[i];\n"
    text += f"    const {name}_key_t k = {name}keyinit(u);\n    const {name}_ctr_t words = {call};\n"
    text += f"    for (int i = 0; i < {count}; ++i) out[i] = words.v[i];\n}}\n"
    kernel = cl.Program(queue.context, text).build(options=["-Werror"]).f
    dtype = np.dtype(f"uint{bits}")
    out = cla.zeros(queue, count, dtype)
    given = [cla.to_device(queue, np.array(part, dtype)) for part in (counter, key)]
    kernel(queue, (1,), None, out.data, *(part.data for part in given))
    return out.get()


@pytest.mark.parametrize(("generator", "count", "bits"), KNOWN)
def test_generators_give_the_known_answers(queue, generator, count, bits):
    key = count if generator == "threefry" else count // 2
    digits = PI if bits == 64 else PI_32
    full = 2**bits - 1
    inputs = [
        ([0] * count, [0] * key),
        ([full] * count, [full] * key),
        (digits[:count], digits[count : count + key]),
    ]
    for (counter, key_words), known in zip(inputs, KNOWN[generator, count, bits], strict=True):
        found = words(queue, generator, count, bits, counter, key_words)
        assert [int(word) for word in found] == [int(word, 16) for word in known.split()]


def threefry_4x64(rounds, counter, key):
    """Threefry in Python's integers, round by round."""
    turns = [(14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32)]
    mask, parity = 2**64 - 1, 0x1BD11BDAA9FC1A22
    key = [*key, parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
    x = [(word + k) & mask for word, k in zip(counter, key, strict=False)]
    for number in range(rounds):
        for first, turn in zip((0, 2), turns[number % 8], strict=True):
            second = (first + (1 if number % 2 == 0 else 3)) % 4
            x[first] = (x[first] + x[second]) & mask
            x[second] = (x[second] << turn | x[second] >> (64 - turn)) & mask ^ x[first]
        if number % 4 == 3:
            times = number // 4 + 1
            x = [(word + key[(times + i) % 5] + (times if i == 3 else 0)) & mask for i, word in enumerate(x)]
    return x


@pytest.mark.parametrize("rounds", [1, 4, 13, 20, 72])
def test_generators_of_other_rounds(queue, rounds):
    found = words(queue, "threefry", 4, 64, PI[:4], PI[2:], rounds)
    assert [int(word) for word in found] == threefry_4x64(rounds, PI[:4], PI[2:])
    ten = words(queue, "philox", 4, 32, [1, 2, 3, 4], [5, 6], 10)
    assert (ten == words(queue, "philox", 4, 32, [1, 2, 3, 4], [5, 6])).all()
    if rounds != 10:
        assert (ten != words(queue, "philox", 4, 32, [1, 2, 3, 4], [5, 6], rounds)).any()
