"""Names of types in C, declarations of kernel arguments, structs as devices lay them out."""

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.cltypes as ct
from pyopencl import tools
from pyopencl.compyte import array as compyte_array
from pyopencl.compyte import dtypes
from pyopencl.tools import OtherArg, ScalarArg, VectorArg, parse_arg_list, parse_c_arg


def test_registry_has_the_names_of_opencl_c_and_vectors():
    assert tools.dtype_to_ctype(np.uint16) == "ushort"
    assert tools.dtype_to_ctype(int) == "long"
    assert tools.dtype_to_ctype(np.complex64) == "cfloat_t"
    assert tools.dtype_to_ctype(ct.float3) == "float3"
    assert tools.get_or_register_dtype("long unsigned int") == np.uint64
    assert tools.get_or_register_dtype("ulong16") is ct.ulong16
    assert dtypes.TYPE_REGISTRY.name_to_dtype is dtypes.NAME_TO_DTYPE
    assert len(dtypes.NAME_TO_DTYPE) >= 81
    for nameless in (np.bool_, np.float16, "S3", ">f4", None):
        with pytest.raises(ValueError, match="dtype"):
            tools.dtype_to_ctype(nameless)


def test_registry_is_complete_whatever_is_imported_first(run_python):
    for module in ("pyopencl.compyte.dtypes", "pyopencl.cltypes", "pyopencl.tools"):
        result = run_python(
            f"import {module}, pyopencl.compyte.dtypes as d\n"
            "print(len(d.NAME_TO_DTYPE), d.NAME_TO_DTYPE['float4'].itemsize)"
        )
        assert result.stdout == "81 16\n", (module, result.stderr)


def test_names_are_registered_once():
    registry = dtypes.DTypeRegistry()
    first = np.dtype([("a", np.int32)])
    assert registry.get_or_register_dtype(["pair", "pair_t"], first) is first
    again = np.dtype([("a", np.int32)])
    assert registry.get_or_register_dtype("pair", again) is first
    assert registry.get_or_register_dtype("another", again) == first
    assert registry.dtype_to_ctype(again) == "pair"
    assert registry.get_or_register_dtype("another") == first
    with pytest.raises(RuntimeError, match="'pair_t' already registered"):
        registry.get_or_register_dtype(["new", "pair_t"], np.float32)
    with pytest.raises(KeyError):
        registry.get_or_register_dtype("new")
    assert registry.get_or_register_dtype([], "f8") == np.float64


def test_old_registration_warns_and_refuses_a_second_name():
    own = np.dtype([("only_here", np.int8)])
    with pytest.warns(DeprecationWarning, match="register_dtype is deprecated"):
        tools.register_dtype(own, "only_here_t")
    with (
        pytest.warns(DeprecationWarning, match="register_dtype is deprecated"),
        pytest.raises(RuntimeError, match="already registered"),
    ):
        tools.register_dtype(own, ["second_t"])
    with pytest.warns(DeprecationWarning, match="register_dtype is deprecated"):
        tools.register_dtype(own, ["second_t"], alias_ok=True)
    assert parse_c_arg("second_t *s").dtype == own


def test_registries_of_other_languages():
    c = dtypes.DTypeRegistry()
    dtypes.fill_registry_with_c_types(c, respect_windows=False)
    assert c.dtype_to_ctype(np.int8) == "signed char"
    assert c.dtype_to_ctype(np.uint64) == "unsigned long"
    assert c.name_to_dtype["bool"] == np.bool_
    assert len(c.name_to_dtype) == 24
    dtypes.fill_registry_with_c_types(bare := dtypes.DTypeRegistry(), True, include_bool=False)
    assert "bool" not in bare.name_to_dtype
    assert bare.name_to_dtype["long"] == np.dtype("l")
    dtypes.fill_registry_with_c99_stdint_types(stdint := dtypes.DTypeRegistry())
    assert stdint.dtype_to_ctype(np.uint16) == "uint16_t"
    assert len(stdint.name_to_dtype) == 12
    dtypes.fill_registry_with_c99_complex_types(stdint)
    assert stdint.name_to_dtype["double complex"] == np.complex128


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("float *x", VectorArg(np.float32, "x")),
        ("__global const float4 *restrict v", VectorArg(ct.float4, "v")),
        ("const unsigned int n", ScalarArg(np.uint32, "n")),
        ("int unsigned n", ScalarArg(np.uint32, "n")),
        ("volatile global long int *x", VectorArg(np.int64, "x")),
        ("cdouble_t z", ScalarArg(np.complex128, "z")),
        ("int x[5]", VectorArg(np.int32, "x")),
    ],
)
def test_declarations_are_read(text, expected):
    assert parse_c_arg(text) == expected
    assert parse_c_arg(expected.declarator()) == expected


def test_offsets_go_with_pointers():
    args = parse_arg_list("float *x, double y", with_offset=True)
    assert args == [VectorArg(np.float32, "x", with_offset=True), ScalarArg(np.float64, "y")]
    assert args[0].declarator() == "__global float *x__base, long x__offset"
    assert tools.get_arg_list_arg_types(args) == (args[0], np.dtype(np.float64))
    assert tools.get_arg_list_scalar_arg_dtypes(args) == [None, np.int64, np.float64]
    code = tools.get_arg_offset_adjuster_code(args)
    assert code == "__global float *x = (__global float *) ((__global char *) x__base + x__offset);"


def test_lists_may_mix_texts_and_arguments():
    image = OtherArg("read_only image2d_t im", "im")
    args = parse_arg_list(["float *x", ScalarArg(np.int8, "c"), image])
    assert [arg.declarator() for arg in args] == ["__global float *x", "char c", "read_only image2d_t im"]
    assert [arg.name for arg in args] == ["x", "c", "im"]
    for function in (tools.get_arg_list_arg_types, tools.get_arg_list_scalar_arg_dtypes):
        with pytest.raises(RuntimeError):
            function(args)


def test_declarations_that_are_refused():
    for text in ("", "float", "nothing *x", "float x;", "float **x", "float *x, int n", "bool b"):
        with pytest.raises(ValueError, match=r"cannot read|unknown type"):
            parse_c_arg(text)
    for text in ("__local float *x", "__constant int *x"):
        with pytest.raises(RuntimeError, match="local or constant"):
            parse_c_arg(text)
    with pytest.raises(ValueError, match="'no_t' in the declaration 'no_t x'"):
        dtypes.parse_c_arg_backend("no_t x", lambda *args: args, lambda *args: args, {"yes_t": 1}.__getitem__)


def test_names_may_come_from_elsewhere():
    def known(name):
        return {"complex<float>": np.dtype(np.complex64)}[name]

    read = dtypes.parse_c_arg_backend("complex<float> *z", lambda *_: None, lambda *args: args, known)
    assert read == (np.complex64, "z")


# --- structs


def test_structs_are_laid_out_as_the_device_does(ctx):
    device = ctx.devices[0]
    inner = np.dtype([("a", np.int8), ("b", np.float32, (2, 3)), ("z", np.complex64)])
    inner, inner_text = tools.match_dtype_to_c_struct(device, "dtypes_inner", inner)
    assert inner_text == ("typedef struct {\n  char a;\n  float b[2][3];\n  cfloat_t z;\n} dtypes_inner;\n\n")
    assert [inner.fields[name][1] for name in inner.names] == [0, 4, 28]
    assert inner.itemsize == 36
    inner = tools.get_or_register_dtype("dtypes_inner", inner)
    outer = np.dtype([("v", ct.float3), ("many", inner, (2,)), ("s", np.int16)])
    outer, text = tools.match_dtype_to_c_struct(device, "dtypes_outer", outer, context=ctx)
    assert [outer.fields[name][1] for name in outer.names] == [0, 16, 88]
    assert outer.itemsize == 96
    tools.get_or_register_dtype("dtypes_outer", outer)
    assert tools.dtype_to_c_struct(device, outer) == text
    assert tools.dtype_to_c_struct(device, inner) == inner_text
    assert tools.dtype_to_c_struct(device, ct.float3) == tools.dtype_to_c_struct(device, np.dtype("f4")) == ""


def test_fields_keep_titles_and_go_by_their_offsets(ctx):
    dtype = np.dtype(
        {"names": ["a", "b"], "formats": ["i1", "f4"], "offsets": [4, 0], "titles": ["first", None]}
    )
    matched, text = tools.match_dtype_to_c_struct(ctx.devices[0], "dtypes_turned", dtype)
    assert matched.names == ("b", "a")
    assert matched.fields["first"][:2] == (np.dtype("i1"), 4)
    assert matched.itemsize == 8
    assert text.index("float b") < text.index("char a")


def test_structs_that_are_refused(ctx):
    device = ctx.devices[0]
    for dtype in (np.dtype([]), np.dtype("f4"), np.dtype([("b", "?")]), np.dtype([("r", [("x", "i8")])])):
        with pytest.raises(ValueError, match="dtype"):
            tools.match_dtype_to_c_struct(device, "dtypes_none", dtype)
    with pytest.raises(cl.RuntimeError):
        tools.match_dtype_to_c_struct(device, "9", np.dtype([("a", "i4")]))
    packed = tools.get_or_register_dtype("dtypes_packed", np.dtype([("a", "i1"), ("b", "f4")]))
    with pytest.raises(ValueError, match="lays out 'dtypes_packed' as"):
        tools.dtype_to_c_struct(device, packed)


# --- arrays of any package


def test_strides_without_gaps():
    for shape in [(2, 3, 4), (), (5,), (2, 0, 3), (2, 1, 3)]:
        for order, contiguous, is_contiguous in [
            ("C", compyte_array.c_contiguous_strides, compyte_array.is_c_contiguous_strides),
            ("F", compyte_array.f_contiguous_strides, compyte_array.is_f_contiguous_strides),
        ]:
            strides = contiguous(4, shape)
            assert is_contiguous(strides, 4, shape)
            array = np.zeros(shape, np.float32, order)
            if array.size:
                assert strides == array.strides
            flags = compyte_array.ArrayFlags(array)
            assert flags.c_contiguous == array.flags.c_contiguous
            assert flags.f_contiguous == array.flags.f_contiguous
            assert flags.forc == array.flags.forc
    assert compyte_array.equal_strides((12, 4), (8, 4), (1, 3))
    assert not compyte_array.equal_strides((12, 4), (8, 4), (2, 3))
    assert not compyte_array.equal_strides((12, 4), (12, 4, 1), (2, 3))
    assert str(compyte_array.ArrayFlags(np.zeros(6)[::2])) == "  C_CONTIGUOUS : False\n  F_CONTIGUOUS : False"


def test_common_dtypes_of_arrays_and_numbers():
    single, whole = np.zeros(2, np.float32), np.zeros(2, np.int32)
    common = compyte_array.get_common_dtype
    assert common(single, 2.5, True) == np.float32
    assert common(single, whole, True) == np.float64
    assert common(single, whole, False) == np.float32
    assert common(single, 2j, True) == np.complex64
    assert common(whole, 2j, False) == np.complex64
    assert common(single, np.int64(3), True) == np.float64


def test_bounds_of_memory(queue):
    host = np.zeros((4, 6), np.int16)
    low, high = compyte_array.bound(host[::-2, 1:])
    assert (low - host.ctypes.data, high - host.ctypes.data) == (14, 48)
    assert compyte_array.may_share_memory(host, host[2:]) is True
    assert compyte_array.may_share_memory(host[:2], host[2:]) is False
    device = cl_array.to_device(queue, host)
    assert compyte_array.bound(device[1:]) == (12, 48)
    assert compyte_array.may_share_memory(device, device[3:])
    assert not compyte_array.may_share_memory(device, device.copy())
    strided = compyte_array.as_strided(host, (2, 2), (2, 2))
    assert strided.strides == (2, 2)
