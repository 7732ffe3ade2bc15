"""Arrays of structs: fields as views, padding kept, elements at any address."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.cltypes as ct
from pyopencl import tools
from pyopencl.elementwise import ElementwiseKernel

PACKED = np.dtype([("tag", np.int8), ("value", np.float64), ("many", np.int16, (2, 3)), ("z", np.complex64)])
NESTED = np.dtype([("at", ct.float3), ("inner", PACKED, (2,)), ("flag", np.bool_)])


def filled(dtype, shape):
    """Records whose bytes are small numbers, so that no field is NaN."""
    count = int(np.prod(shape)) * dtype.itemsize
    return (np.arange(count) * 7 % 61).astype(np.uint8).view(dtype).reshape(shape)


@pytest.mark.parametrize("dtype", [NESTED, np.dtype([("a", "i1"), ("b", "f8")], align=True)])
def test_records_are_moved_bit_for_bit(queue, dtype):
    # NumPy leaves padding out when it copies fields, but not of bytes without fields.
    opaque = np.dtype(f"V{dtype.itemsize}")

    def same(array, host):
        return array.get().view(opaque).tobytes() == host.tobytes()

    array = cl_array.to_device(queue, filled(dtype, (3, 4)))
    host = filled(dtype, (3, 4)).view(opaque)
    assert array.dtype == dtype
    assert same(array, host)
    assert same(array[::-1, ::2], host[::-1, ::2])
    assert same(array.T.copy(), host.T)
    assert same(array.reshape(2, 6)[1, 2:3], host.reshape(2, 6)[1, 2:3])
    assert same(cl_array.concatenate((array, array)), np.concatenate((host, host)))
    array[0] = array[2]
    assert same(array[:2], host[[2, 1]])
    array[0] = filled(dtype, (3, 4))[0]
    assert same(array, host)
    assert not cl_array.zeros_like(array).view(np.uint8).get().any()


@pytest.mark.parametrize("dtype", ["S3", "M8[D]", ">f4", np.longdouble])
def test_other_elements_are_moved_too(queue, dtype):
    host = np.zeros(6, dtype)
    host.view(np.uint8)[:] = np.arange(host.nbytes) % 50
    array = cl_array.to_device(queue, host)
    assert array.dtype == host.dtype
    assert array[::-1].get().tobytes() == host[::-1].tobytes()
    with pytest.raises(TypeError):
        array + array


def test_fields_are_views(queue):
    host = filled(PACKED, (4, 3))
    array = cl_array.to_device(queue, host)
    for name in PACKED.names:
        assert array[name].dtype == PACKED[name].base
        assert np.array_equal(array[name].get(), host[name])
        assert np.array_equal(array[1:, ::-2][name].get(), host[1:, ::-2][name])
    array["value"] *= 2
    array["many"][:, :, 1] = 5
    array["tag"] = np.arange(12, dtype=np.int8).reshape(4, 3)
    host["value"] *= 2
    host["many"][:, :, 1] = 5
    host["tag"] = np.arange(12).reshape(4, 3)
    assert array.get().tobytes() == host.tobytes()
    np.testing.assert_array_equal((array["z"] * array["value"]).get(), host["z"] * host["value"])
    np.testing.assert_allclose(cl_array.sum(array["value"]).get(), host["value"].sum())


def test_nested_fields_and_titles(queue):
    host = filled(NESTED, (5,))
    array = cl_array.to_device(queue, host)
    assert np.array_equal(array["inner"]["many"].get(), host["inner"]["many"])
    assert np.array_equal(array["at"]["z"].get(), host["at"]["z"])
    titled = np.dtype([(("the title", "a"), np.int32), ("b", np.int32)])
    records = cl_array.to_device(queue, filled(titled, (3,)))
    assert np.array_equal(records["the title"].get(), records["a"].get())
    with pytest.raises(ValueError, match='no field "c"'):
        records["c"]


def test_elements_are_set_as_numpy_sets_them(queue):
    pair = np.dtype([("id", np.uint32), ("val", np.float32)])
    host = filled(pair, (4,))
    array = cl_array.to_device(queue, host)
    for index, value in [(0, (1, 2.5)), (slice(1, 3), host[3]), (3, 7), (slice(2, 4), [(1, 2), (3, 4)])]:
        array[index] = value
        host[index] = value
        assert np.array_equal(array.get(), host)
    assert np.array_equal(array.fill((8, 0.5)).get(), np.array([(8, 0.5)] * 4, pair))
    assert np.array_equal(array.fill(host[0]).get(), np.full(4, host[0], pair))
    with pytest.raises((TypeError, ValueError)):
        array[0] = (1, 2, 3)
    with pytest.raises(TypeError):
        array[0] = cl_array.zeros(queue, (), np.float32)


def test_records_are_not_computed_with(queue):
    array = cl_array.to_device(queue, filled(PACKED, (4,)))
    for wrong in (
        lambda: array + array,
        lambda: array < array,
        lambda: -array,
        lambda: cl_array.sum(array),
        lambda: array.astype(np.float32),
        lambda: array.fill(object()),
    ):
        with pytest.raises((TypeError, ValueError)):
            wrong()
    with pytest.raises(TypeError, match="Python objects"):
        cl_array.to_device(queue, np.array([(1, None)], [("a", "i4"), ("o", object)]))


def test_kernels_take_arrays_of_structs(queue):
    device = queue.device
    inner, inner_text = tools.match_dtype_to_c_struct(
        device, "records_inner", np.dtype([("a", np.int8), ("b", np.float32)])
    )
    tools.get_or_register_dtype("records_inner", inner)
    outer, text = tools.match_dtype_to_c_struct(
        device, "records_outer", np.dtype([("n", inner, (2,)), ("s", np.int16), ("v", ct.int3)])
    )
    host = filled(outer, (5,))
    array = cl_array.to_device(queue, host)
    body = (
        "kernel void k(global records_outer *p) { int i = get_global_id(0); p[i].n[1].b *= 2; p[i].v.z = i; }"
    )
    cl.Program(queue.context, inner_text + text + body).build().k(queue, (5,), None, array.data)
    host["n"]["b"][:, 1] *= 2
    host["v"]["z"] = np.arange(5)
    result = array.get()
    for name in ("n", "s"):
        assert np.array_equal(result[name], host[name])
    for name in "xyz":
        assert np.array_equal(result["v"][name], host["v"][name])


def test_snippets_take_arrays_and_values_of_structs(queue):
    pair = np.dtype([("id", np.uint32), ("val", np.float32)])
    pair, text = tools.match_dtype_to_c_struct(queue.device, "records_pair", pair)
    pair = tools.get_or_register_dtype("records_pair", pair)
    records = cl_array.to_device(queue, np.array([(1, 2), (3, 4)], pair))
    kernel = ElementwiseKernel(
        queue.context, "records_pair *r, records_pair add", "r[i].id += add.id; r[i].val *= 3", preamble=text
    )
    kernel(records, np.array((10, 0), pair)[()])
    assert np.array_equal(records.get(), np.array([(11, 6), (13, 12)], pair))


def test_positions_and_masks_of_records(queue):
    host = filled(PACKED, (6,))
    array = cl_array.to_device(queue, host)
    positions, mask = np.array([4, 0, 4]), np.array([True, False, True, False, False, True])
    assert array[positions].get().tobytes() == host[positions].tobytes()
    assert array[mask].get().tobytes() == host[mask].tobytes()
    assert np.array_equal(array["value"][positions].get(), host["value"][positions])
    assert np.array_equal(array["value"][mask].get(), host["value"][mask])
    array["value"][positions] = host["value"][positions] = 9
    array["many"][mask] = host["many"][mask] = 5
    array[mask] = array[1]
    host[mask] = host[1]
    assert array.get().tobytes() == host.tobytes()


_SCALARS = st.sampled_from([np.int8, np.uint16, np.int32, np.float32, np.int64, np.uint64])
_FIELD = st.tuples(_SCALARS, st.sampled_from([(), (2,), (3, 2)]))


@settings(max_examples=6, deadline=None)
@given(st.lists(_FIELD, min_size=1, max_size=6))
def test_devices_align_structs_as_numpy_does(fields):
    dtype = np.dtype([(f"f{n}", scalar, shape) for n, (scalar, shape) in enumerate(fields)])
    aligned = np.dtype(dtype.descr, align=True)
    device = cl.create_some_context(interactive=False).devices[0]
    matched, _ = tools.match_dtype_to_c_struct(device, "records_any", dtype)
    assert [matched.fields[name][1] for name in matched.names] == [
        aligned.fields[name][1] for name in aligned.names
    ]
    assert matched.itemsize == aligned.itemsize


@pytest.mark.parametrize(
    ("dtype", "step"),
    [(np.complex128, 8), (np.complex64, 2), (np.float64, 1), (np.int16, 1), (np.float16, 1), (ct.float4, 4)],
)
def test_elements_may_lie_at_any_address(queue, dtype, step):
    dtype = np.dtype(dtype)
    raw = (np.arange(step + 6 * dtype.itemsize) * 7 % 61).astype(np.uint8)
    array = cl_array.to_device(queue, raw)
    view, host = array[step:].view(dtype), raw[step:].view(dtype)
    assert view[::-1].get().tobytes() == host[::-1].tobytes()
    if dtype.names is None:
        expected = host + host[::-1]
        assert np.array_equal((view + view[::-1]).get(), expected)
        view += view[::-1]
        assert np.array_equal(view.get(), expected)
        assert array[:step].get().tobytes() == raw[:step].tobytes()
