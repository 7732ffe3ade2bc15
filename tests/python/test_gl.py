"""Objects shared with OpenGL: what drivers without it answer. `crates/runtime/tests/gl.rs` has the rest."""

import numpy as np
import pytest

import pyopencl as cl


@pytest.fixture
def unshared(ctx):
    if any("cl_khr_gl_sharing" in device.extensions.split() for device in ctx.devices):
        pytest.skip("the device shares objects with OpenGL")
    return ctx


def test_drivers_without_sharing_are_named(unshared):
    flags = cl.mem_flags.READ_WRITE
    for make in (
        lambda: cl.GLBuffer(unshared, flags, 1),
        lambda: cl.GLRenderBuffer(unshared, flags, bufobj=1),
        lambda: cl.GLTexture(unshared, flags, texture_target=0x0DE1, miplevel=0, texture=1, dims=2),
    ):
        with pytest.raises(cl.LogicError, match="cl_khr_gl_sharing") as caught:
            make()
        assert caught.value.code == cl.status_code.INVALID_OPERATION


def test_dimensions_of_textures(ctx):
    with pytest.raises(cl.LogicError, match="one to three dimensions, not 4"):
        cl.GLTexture(ctx, cl.mem_flags.READ_WRITE, 0x0DE1, 0, 1, 4)


def test_have_gl_tells_whether_a_device_shares():
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    assert cl.have_gl() == any("cl_khr_gl_sharing" in device.extensions.split() for device in devices)


def test_memory_that_is_not_shared_is_refused(queue):
    own = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 16)
    for enqueue in (cl.enqueue_acquire_gl_objects, cl.enqueue_release_gl_objects):
        with pytest.raises(cl.Error):
            enqueue(queue, [own])
        with pytest.raises(TypeError):
            enqueue(queue, [np.zeros(4)])


def test_constants():
    assert cl.gl_object_type.to_string(cl.gl_object_type.RENDERBUFFER) == "RENDERBUFFER"
    assert cl.gl_texture_info.MIPMAP_LEVEL == 0x2005
    assert cl.context_properties.GL_CONTEXT_KHR == 0x2008
