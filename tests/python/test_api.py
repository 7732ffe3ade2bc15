"""The public interface as a whole: every name is documented, and the stub tells the truth."""

import ast
import contextlib
import enum
import inspect
import types
from pathlib import Path

import numpy as np
import pytest

import pyopencl as cl
import pyopencl._cl as native
import pyopencl.array as cl_array
import pyopencl.cache as cl_cache
import pyopencl.characterize as cl_characterize
import pyopencl.characterize.performance as cl_performance
import pyopencl.clrandom as cl_random
import pyopencl.invoker as cl_invoker
import pyopencl.tools as cl_tools

MODULES = (
    *(cl, cl_array, cl_cache, cl_characterize, cl_invoker),
    *(cl_performance, cl_random, cl_tools),
)
STUB = Path(cl.__file__).with_name("_cl.pyi")
# Methods that the interpreter calls and that are not what every class has.
DOCUMENTED_SPECIAL = {"__call__", "__enter__", "__exit__", "__div__", "__rdiv__"}


def public_names():
    for module in MODULES:
        yield from ((f"{module.__name__}.{name}", getattr(module, name)) for name in module.__all__)
    for name, thing in vars(native).items():
        if not name.startswith("_"):
            yield f"{native.__name__}.{name}", thing


ROUTINES = (types.FunctionType, types.BuiltinFunctionType)
CLASSES = {name: thing for name, thing in public_names() if isinstance(thing, type)}
FUNCTIONS = {name: thing for name, thing in public_names() if isinstance(thing, ROUTINES)}


@pytest.mark.parametrize("name", [*CLASSES, *FUNCTIONS])
def test_public_name_is_documented(name):
    assert inspect.getdoc({**CLASSES, **FUNCTIONS}[name])


@pytest.mark.parametrize("name", CLASSES)
def test_members_are_documented(name):
    missing = [
        member
        for member, thing in vars(CLASSES[name]).items()
        if (not member.startswith("_") or member in DOCUMENTED_SPECIAL)
        and not isinstance(thing, (int, enum.Enum))
        and not getattr(thing, "__doc__", None)
    ]
    assert not missing


def stub_classes():
    return {node.name: node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}


def stub_properties(name):
    """Properties of a class in the stub, with their types as text."""
    for node in stub_classes()[name].body:
        if isinstance(node, ast.FunctionDef) and "property" in map(ast.unparse, node.decorator_list):
            yield node.name, ast.unparse(node.returns)


def fits(value, annotation):
    """Whether a value has the type that an annotation of the stub names."""
    names = {
        **vars(native),
        "bool": bool,
        "int": int,
        "str": str,
        "bytes": bytes,
        "Any": object,
        "ProfilingInfoGetter": object,
        "ImageInfoGetter": object,
        "float": float,
        "NDArray": np.ndarray,
        "SVMInnerT": np.ndarray,
    }
    if " | " in annotation:
        return any(fits(value, part) for part in annotation.split(" | "))
    if annotation == "None":
        return value is None
    outer, _, inner = annotation.removesuffix("]").partition("[")
    if outer == "list":
        return isinstance(value, list) and all(fits(item, inner) for item in value)
    if outer == "tuple":
        return type(value) is tuple
    if outer == "np.dtype":
        return isinstance(value, np.dtype)
    if outer == "Allocator":
        return callable(value)
    return isinstance(value, names[outer])


@pytest.fixture
def samples(ctx, profiling_queue):
    """An object of each class that has properties."""
    program = cl.Program(ctx, "kernel void f(global int *a) { a[0] = 1; }").build()
    buffer = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 64)
    event = cl.enqueue_copy(profiling_queue, buffer, bytearray(64))
    array = cl_array.zeros(profiling_queue, (2, 3), np.float32)
    image_format = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
    image = cl.create_image(ctx, cl.mem_flags.READ_WRITE, image_format, (4, 4))
    sampler = cl.Sampler(ctx, True, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST)
    optional = {}
    with contextlib.suppress(cl.LogicError):
        optional["Pipe"] = cl.Pipe(ctx, cl.mem_flags.READ_WRITE, 4, 16)
    if not ctx.devices[0].version.startswith("OpenCL 1."):
        svm_pool = cl_tools.SVMPool(cl_tools.SVMAllocator(ctx))
        optional |= {
            "SVMPool": svm_pool,
            "PooledSVM": svm_pool(16),
            "SVMAllocation": cl.SVMAllocation(ctx, 16, 0, cl.svm_mem_flags.READ_WRITE, profiling_queue),
            "SVMPointer": svm_pool(16),
            "SVM": cl.SVM(cl.csvm_empty(ctx, 4, np.float32)),
        }
    profiling_queue.finish()
    return {
        **optional,
        "Platform": ctx.devices[0].platform,
        "Device": ctx.devices[0],
        "Context": ctx,
        "CommandQueue": profiling_queue,
        "Event": event,
        "ProfilingInfoGetter": event.profile,
        "MemoryObjectHolder": buffer,
        "MemoryObject": buffer,
        "Image": image,
        "ImageFormat": image.format,
        "ImageDescriptor": cl.ImageDescriptor(),
        "Sampler": sampler,
        "_Program": program,
        "Program": program,
        "Kernel": program.f,
        "LocalMemory": cl.LocalMemory(16),
        "MemoryPool": cl_tools.MemoryPool(cl_tools.ImmediateAllocator(profiling_queue)),
        "_TestMemoryPool": native._TestMemoryPool(),
        "Array": array,
        "ArrayFlags": array.flags,
        "_Generator": native._Generator.philox([1, 2], [0, 0, 0, 0]),
        "Error": cl.LogicError(native._ErrorRecord("clSomething", -30, "text")),
    }


# What the driver of the device need not know.
OPTIONAL = (cl.LogicError, cl.RuntimeError)


@pytest.mark.filterwarnings("ignore:Device.persistent_unique_id:DeprecationWarning")
def test_attributes_have_the_types_of_the_stub(samples):
    # Not every device has pipes, shared virtual memory, objects shared with OpenGL.
    optional = {"GLBuffer", "GLTexture", "Pipe", "SVMPool", "PooledSVM", "SVMAllocation", "SVMPointer", "SVM"}
    assert {name for name in stub_classes() if list(stub_properties(name))} == set(samples) | optional
    wrong, answered = [], 0
    for name, sample in samples.items():
        for attribute, annotation in stub_properties(name):
            try:
                value = getattr(sample, attribute)
            except OPTIONAL:
                continue
            answered += 1
            if not fits(value, annotation):
                wrong.append(f"{name}.{attribute}: {value!r} is no {annotation}")
    assert not wrong
    assert answered > 150


def test_every_question_is_an_attribute_of_the_stub():
    tables = {
        "Platform": cl.platform_info,
        "Device": cl.device_info,
        "Context": cl.context_info,
        "CommandQueue": cl.command_queue_info,
        "Event": cl.event_info,
        "MemoryObjectHolder": cl.mem_info,
        "Image": cl.image_info,
        "Pipe": cl.pipe_info,
        "Sampler": cl.sampler_info,
        "Program": cl.program_info,
        "Kernel": cl.kernel_info,
    }
    for name, table in tables.items():
        questions = {question.lower() for question in vars(table) if question.isupper()}
        assert questions <= dict(stub_properties(name)).keys(), name
