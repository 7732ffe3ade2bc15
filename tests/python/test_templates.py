"""Kernels whose types and values are filled in when they are built."""

import sys

import numpy as np
import pytest

import pyopencl.array as cl_array
from pyopencl.elementwise import ElementwiseKernel, ElementwiseTemplate
from pyopencl.tools import (
    KernelTemplateBase,
    ScalarArg,
    VectorArg,
    get_or_register_dtype,
    match_dtype_to_c_struct,
)


def test_types_are_filled_in(ctx, queue):
    template = ElementwiseTemplate(
        "real *z, index a", "z[i] = a*SCALE", name="scaled", preamble="#define SCALE 3"
    )
    for real, index in (np.float32, np.int32), (np.int16, np.int64):
        kernel = template.build(ctx, type_aliases=(("real", real), ("index", np.dtype(index))))
        assert isinstance(kernel, ElementwiseKernel)
        assert kernel.name == "scaled"
        z = cl_array.zeros(queue, 4, real)
        kernel(z, 4)
        np.testing.assert_array_equal(z.get(), np.full(4, 12, real))
    with pytest.raises(ValueError, match="unknown type 'index'"):
        template.build(ctx, type_aliases=(("real", np.float32),))


def test_aliases_are_types_in_the_text(ctx, queue):
    template = ElementwiseTemplate("real *z", "z[i] = (real) 2.5 + more", preamble="typedef real other;\n")
    kernel = template.build(
        ctx,
        type_aliases=(("real", np.float32),),
        more_arguments="real more",
        more_preamble="typedef other another;\n",
    )
    z = cl_array.zeros(queue, 2, np.float32)
    kernel(z, 0.25)
    np.testing.assert_array_equal(z.get(), [2.75, 2.75])


def test_arguments_may_be_objects(ctx, queue):
    template = ElementwiseTemplate([VectorArg(np.float32, "z", with_offset=True)], "z[i] = a")
    kernel = template.build(ctx, more_arguments=(ScalarArg(np.int32, "a"),))
    z = cl_array.zeros(queue, 3, np.float32)
    kernel(z[1:], 7)
    np.testing.assert_array_equal(z.get(), [0, 7, 7])


def test_values_are_filled_in_where_a_text_says_so(ctx, queue):
    z = cl_array.zeros(queue, 2, np.float32)
    plain = ElementwiseTemplate("float *z", "//CL:printf//z[i] = %(value)s")
    plain.build(ctx, var_values=(("value", 3),))(z)
    np.testing.assert_array_equal(z.get(), [3, 3])
    printf = ElementwiseTemplate("float *z", "//CL//z[i] = %(value)s %% 5", template_processor="printf")
    printf.build(ctx, var_values=(("value", 13),))(z)
    np.testing.assert_array_equal(z.get(), [3, 3])
    assert plain.get_text_template("%(value)s").render({}) == "%(value)s"
    assert printf.get_text_template("%(value)s").render({"value": 4}) == "4"
    assert printf.get_renderer((), (("value", 5),))("//CL:printf//<%(value)s>") == "<5>"
    with pytest.raises(RuntimeError, match="'jinja'"):
        plain.get_text_template("//CL:jinja//")


def test_mako_is_asked_for_only_where_it_is_used(ctx, queue, monkeypatch):
    template = ElementwiseTemplate("float *z", "//CL:mako//z[i] = ${value}")
    monkeypatch.setitem(sys.modules, "mako.template", None)
    with pytest.raises(ImportError, match="pip install mako"):
        template.build(ctx, var_values=(("value", 3),))


def test_mako_gets_text_and_values(ctx, queue, monkeypatch):
    class Template:
        def __init__(self, text, strict_undefined):
            assert strict_undefined
            self.text = text

        def render(self, **values):
            return self.text.replace("${value}", str(values["value"]))

    module = type(sys)("mako.template")
    module.Template = Template
    monkeypatch.setitem(sys.modules, "mako", type(sys)("mako"))
    monkeypatch.setitem(sys.modules, "mako.template", module)
    template = ElementwiseTemplate("float *z", "z[i] = ${value}", template_processor="mako")
    z = cl_array.zeros(queue, 2, np.float32)
    template.build(ctx, var_values=(("value", 3),))(z)
    np.testing.assert_array_equal(z.get(), [3, 3])


def test_mako(ctx, queue):
    pytest.importorskip("mako")
    template = ElementwiseTemplate("float *z", "z[i] = ${' + '.join('1' * count)}", template_processor="mako")
    z = cl_array.zeros(queue, 2, np.float32)
    template.build(ctx, var_values=(("count", 3),))(z)
    np.testing.assert_array_equal(z.get(), [3, 3])
    with pytest.raises(NameError):
        template.build(ctx)


def test_structs_are_declared(ctx, queue):
    pair, _ = match_dtype_to_c_struct(
        ctx.devices[0], "template_pair", np.dtype([("left", np.int8), ("weight", np.float32)])
    )
    pair = get_or_register_dtype("template_pair", pair)
    template = ElementwiseTemplate(
        "float *z", "template_pair both = {1, 2}; alias same = both; z[i] = same.left + same.weight"
    )
    z = cl_array.zeros(queue, 2, np.float32)
    template.build(ctx, type_aliases=(("alias", pair),), declare_types=(pair, np.float32))(z)
    np.testing.assert_array_equal(z.get(), [3, 3])


def test_builds_are_kept(ctx):
    made = []

    class Template(KernelTemplateBase):
        def build_inner(self, context, number, other=3):
            made.append((number, other))
            return object()

    template = Template()
    first = template.build(ctx, 1)
    assert template.build(ctx, 1) is first
    assert template.build(ctx, 1, other=4) is not first
    assert made == [(1, 3), (1, 4)]
    assert template.get_preamble() == ""
    with pytest.raises(TypeError, match="unhashable"):
        template.build(ctx, [1])
    with pytest.raises(TypeError, match="abstract"):
        KernelTemplateBase()
