"""OpenCL's types as NumPy's: layouts, functions that make vectors, vectors as arguments of kernels."""

import warnings

import numpy as np
import pytest

import pyopencl as cl
from pyopencl import cltypes

SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double")
VECTORS = [(scalar, count) for scalar in SCALARS for count in (2, 3, 4, 8, 16)]


@pytest.mark.parametrize(("scalar", "count"), VECTORS)
def test_a_vector_has_its_components_one_after_the_other(scalar, count):
    base = np.dtype(getattr(cltypes, scalar))
    dtype = getattr(cltypes, f"{scalar}{count}")
    assert dtype.itemsize == base.itemsize * (4 if count == 3 else count)
    for n in range(count):
        assert dtype.fields[f"s{n}"][:2] == (base, n * base.itemsize)
    for n, name in enumerate("xyzw"[:count]):
        assert dtype.fields[name][:2] == (base, n * base.itemsize)
    assert cltypes.vec_types[base, count] == dtype
    assert cltypes.vec_type_to_scalar_and_count[dtype] == (base, count)


@pytest.mark.parametrize(("scalar", "count"), VECTORS)
def test_vectors_are_made_of_components(scalar, count):
    def components(vector):
        return [int(vector[f"s{n}"]) for n in range(count)]

    def function(prefix):
        return getattr(cltypes, f"{prefix}_{scalar}{count}")

    assert components(function("make")(*range(count))) == list(range(count))
    assert components(function("zeros")()) == [0] * count
    assert components(function("ones")()) == [1] * count
    filled = function("filled")(7)
    assert components(filled) == [7] * count
    assert filled.shape == ()
    assert filled.dtype == getattr(cltypes, f"{scalar}{count}")


def test_padding_is_zero_and_may_be_given():
    assert cltypes.filled_float3(7).tolist() == (7, 7, 7, 0)
    assert cltypes.make_float3(1, 2, 3, 4).tolist() == (1, 2, 3, 4)


def test_components_may_be_named():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cltypes.make_int4(1, 2, s3=4, z=3).tolist() == (1, 2, 3, 4)
    with pytest.raises(ValueError, match="q"):
        cltypes.make_int4(1, 2, 3, 4, q=1)


def test_leaving_components_out_is_deprecated():
    with pytest.warns(DeprecationWarning, match="zeros_") as caught:
        assert cltypes.make_float4(1, z=2).tolist() == (1, 0, 2, 0)
    assert caught[0].filename == __file__


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="5"):
        cltypes.make_float4(1, 2, 3, 4, 5)
    with pytest.raises(OverflowError):
        cltypes.make_char2(300, 1)


def test_the_module_is_there_without_being_imported(run_python):
    code = """
import sys
import pyopencl as cl
assert "pyopencl.cltypes" not in sys.modules
print(cl.cltypes.make_int2(1, 2)["y"], cl.tools.bitlog2(8))
try:
    cl.nothing
except AttributeError as error:
    print(error)
"""
    result = run_python(code)
    assert result.stdout == "2 3\nmodule 'pyopencl' has no attribute 'nothing'\n"
    assert result.stderr == ""


@pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning")  # PoCL's warns of large arguments
@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("count", [2, 3, 4, 8, 16])
def test_a_vector_is_an_argument_of_a_kernel(ctx, queue, device, scalar, count):
    if scalar == "double" and not device.double_fp_config:
        pytest.skip("the device has no doubles")
    if (
        device.platform.name == "Portable Computing Language"
        and getattr(cltypes, f"{scalar}{count}").itemsize == 64
    ):
        pytest.skip("PoCL 3.0 cannot pass 64 bytes by value: it loses the kernel or crashes")
    source = f"kernel void store({scalar}{count} v, global {scalar} *out) {{ vstore{count}(v, 0, out); }}"
    kernel = cl.Program(ctx, source).build().store
    out = np.zeros(count, getattr(cltypes, scalar))
    buffer = cl.Buffer(ctx, cl.mem_flags.WRITE_ONLY, out.nbytes)
    vector = getattr(cltypes, f"make_{scalar}{count}")(*range(1, count + 1))
    kernel(queue, (1,), None, vector, buffer)
    cl.enqueue_copy(queue, out, buffer)
    assert out.tolist() == list(range(1, count + 1))
