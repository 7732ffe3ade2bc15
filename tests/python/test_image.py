"""Images, samplers and pipes: creation, copies of every kind, fills, maps, kernels that sample."""

import gc

import numpy as np
import pytest

import pyopencl as cl

mf = cl.mem_flags
RGBA_FLOAT = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)
RGBA_BYTES = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
MADE_OF_ARRAYS = mf.READ_WRITE | mf.COPY_HOST_PTR


@pytest.fixture(autouse=True)
def need_images(device):
    if not device.image_support:
        pytest.skip("the device has no images")


@pytest.fixture
def pixels() -> np.ndarray:
    """Four rows of six pixels of four channels."""
    return np.arange(96, dtype=np.float32).reshape(4, 6, 4)


@pytest.fixture
def image(ctx, pixels) -> cl.Image:
    return cl.create_image(ctx, MADE_OF_ARRAYS, RGBA_FLOAT, shape=(6, 4), hostbuf=pixels)


def read(queue: cl.CommandQueue, image: cl.Image, like: np.ndarray) -> np.ndarray:
    host = np.zeros_like(like)
    cl.enqueue_copy(queue, host, image, origin=(0, 0), region=image.shape)
    return host


# --- formats and descriptors


def test_formats_compare_by_value_and_name_themselves():
    same = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)
    assert same == RGBA_FLOAT
    assert hash(same) == hash(RGBA_FLOAT)
    assert same != RGBA_BYTES
    assert same != 3
    assert repr(RGBA_FLOAT) == "ImageFormat(RGBA, FLOAT)"
    assert (
        repr(cl.ImageFormat(1, 2))
        == "ImageFormat(<unknown channel order 0x1>, <unknown channel data type 0x2>)"
    )
    same.channel_order = cl.channel_order.R
    same.channel_data_type = cl.channel_type.HALF_FLOAT
    assert repr(same) == "ImageFormat(R, HALF_FLOAT)"


@pytest.mark.parametrize(
    ("order", "kind", "channels", "size", "pixel"),
    [
        ("RGBA", "FLOAT", 4, 4, 16),
        ("RG", "UNORM_INT8", 2, 1, 2),
        ("LUMINANCE", "HALF_FLOAT", 1, 2, 2),
        ("sRGBA", "UNORM_INT8", 4, 1, 4),
        ("RGB", "UNORM_SHORT_565", 3, 2, 2),
        ("RGB", "UNORM_INT_101010", 3, 4, 4),
    ],
)
def test_sizes_of_formats(order, kind, channels, size, pixel):
    fmt = cl.ImageFormat(getattr(cl.channel_order, order), getattr(cl.channel_type, kind))
    assert (fmt.channel_count, fmt.dtype_size, fmt.itemsize) == (channels, size, pixel)


def test_unknown_formats_have_no_sizes():
    for name in ("channel_count", "dtype_size", "itemsize"):
        with pytest.raises(cl.LogicError, match="unknown"):
            getattr(cl.ImageFormat(1, 2), name)


def test_supported_formats_are_listed(ctx):
    formats = cl.get_supported_image_formats(ctx, mf.READ_ONLY, cl.mem_object_type.IMAGE2D)
    assert RGBA_BYTES in formats
    assert all(type(fmt) is cl.ImageFormat for fmt in formats)


def test_descriptors_keep_what_was_set(ctx):
    desc = cl.ImageDescriptor()
    assert (desc.image_type, desc.shape, desc.pitches, desc.buffer) == (0, (0, 0, 0), (0, 0), None)
    desc.image_type = cl.mem_object_type.IMAGE2D
    desc.shape = (6, np.int64(4))
    desc.pitches = (96,)
    desc.array_size, desc.num_mip_levels, desc.num_samples = 1, 2, 3
    desc.buffer = buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    assert (desc.image_type, desc.shape, desc.pitches) == (4337, (6, 4, 1), (96, 0))
    assert (desc.array_size, desc.num_mip_levels, desc.num_samples) == (1, 2, 3)
    assert desc.buffer == buffer
    desc.pitches = desc.buffer = None
    assert (desc.pitches, desc.buffer) == ((0, 0), None)
    with pytest.raises(TypeError, match="at most 3"):
        desc.shape = (1, 2, 3, 4)


# --- construction


def test_attributes_of_an_image(ctx, image, pixels):
    assert image.shape == (6, 4)
    assert (image.width, image.height, image.depth, image.array_size) == (6, 4, 0, 0)
    assert (image.element_size, image.buffer) == (16, None)
    # Oclgrind tells the pitch that it was given.
    assert image.row_pitch in (96, 0)
    assert (image.num_mip_levels, image.num_samples) == (0, 0)
    assert image.format == RGBA_FLOAT == image.get_image_info(cl.image_info.FORMAT)
    assert image.type == cl.mem_object_type.IMAGE2D
    assert image.context == ctx
    assert image.hostbuf is None
    image.anything = 1
    with pytest.raises(cl.LogicError, match="12345 is no value of image_info"):
        image.get_image_info(12345)


def test_the_old_name_of_attributes_warns(image):
    with pytest.warns(DeprecationWarning, match=r"use Image\.width"):
        assert image.image.width == 6
    with pytest.raises(AttributeError, match="no attribute 'wide'"):
        _ = image.image.wide


def test_the_constructor_without_descriptor_warns(ctx, queue, pixels):
    with pytest.warns(DeprecationWarning, match="create_image"):
        image = cl.Image(ctx, MADE_OF_ARRAYS, RGBA_FLOAT, (6, 4), None, pixels)
    assert np.array_equal(read(queue, image, pixels), pixels)


def test_an_image_by_descriptor(ctx, queue, pixels):
    desc = cl.ImageDescriptor()
    desc.image_type = cl.mem_object_type.IMAGE2D
    desc.shape = (6, 4)
    image = cl.Image(ctx, MADE_OF_ARRAYS, RGBA_FLOAT, desc=desc, hostbuf=pixels)
    assert np.array_equal(read(queue, image, pixels), pixels)
    assert cl.Image(ctx, mf.READ_WRITE, RGBA_FLOAT, desc=desc).shape == (6, 4)


@pytest.mark.parametrize(
    ("shape", "is_array", "kind"),
    [
        ((6,), False, "IMAGE1D"),
        ((6, 4, 2), False, "IMAGE3D"),
        ((6, 4), True, "IMAGE1D_ARRAY"),
        ((6, 4, 2), True, "IMAGE2D_ARRAY"),
    ],
)
def test_every_kind_of_image(ctx, queue, shape, is_array, kind):
    kind = getattr(cl.mem_object_type, kind)
    if RGBA_BYTES not in cl.get_supported_image_formats(ctx, mf.READ_WRITE, kind):
        pytest.skip(f"no images of type {kind} in this format")
    host = np.arange(4 * np.prod(shape), dtype=np.uint8).reshape(*shape[::-1], 4)
    image = cl.create_image(ctx, MADE_OF_ARRAYS, RGBA_BYTES, shape, hostbuf=host, is_array=is_array)
    assert (image.shape, image.type) == (shape, kind)
    found = np.zeros_like(host)
    cl.enqueue_copy(queue, found, image, origin=(0,), region=shape)
    assert np.array_equal(found, host)


def test_used_host_memory_stays_alive(ctx, queue, pixels):
    host = pixels.copy()
    image = cl.create_image(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, RGBA_FLOAT, (6, 4), hostbuf=host)
    assert image.hostbuf is host
    del host
    gc.collect()
    assert np.array_equal(read(queue, image, pixels), pixels)


def test_rows_of_host_memory_may_have_gaps(ctx, queue, pixels):
    if ctx.devices[0].platform.name == "Oclgrind":
        pytest.skip("this driver does not look at the pitches of images that it makes")
    image = cl.create_image(ctx, MADE_OF_ARRAYS, RGBA_FLOAT, (3, 4), pitches=(96,), hostbuf=pixels)
    assert np.array_equal(read(queue, image, pixels[:, :3].copy()), pixels[:, :3])


def test_an_image_over_a_buffer(ctx, queue, pixels):
    buffer = cl.Buffer(ctx, MADE_OF_ARRAYS, hostbuf=pixels)
    image = cl.create_image(ctx, mf.READ_WRITE, RGBA_FLOAT, (24,), buffer=buffer)
    assert image.buffer == buffer
    assert type(image.buffer) is cl.Buffer
    assert image.type == cl.mem_object_type.IMAGE1D_BUFFER
    found = np.zeros_like(pixels)
    cl.enqueue_copy(queue, found, image, origin=(0,), region=(24,))
    assert np.array_equal(found, pixels)
    with pytest.raises(TypeError, match="one or two dimensions"):
        cl.create_image(ctx, mf.READ_WRITE, RGBA_FLOAT, (2, 2, 2), buffer=buffer)
    with pytest.raises(TypeError):
        cl.create_image(ctx, mf.READ_WRITE, RGBA_FLOAT, (24,), buffer=pixels)


def test_impossible_images_are_refused(ctx, pixels):
    create = cl.create_image
    with pytest.raises(cl.Error, match="'shape' must be given"):
        create(ctx, mf.READ_WRITE, RGBA_FLOAT)
    with pytest.raises(cl.Error, match="'pitches' may only be given"):
        create(ctx, mf.READ_WRITE, RGBA_FLOAT, (6, 4), pitches=(96,))
    with pytest.raises(ValueError, match="at most three dimensions"):
        create(ctx, mf.READ_WRITE, RGBA_FLOAT, (1, 2, 3, 4))
    with pytest.raises(TypeError, match="their number"):
        create(ctx, mf.READ_WRITE, RGBA_FLOAT, (6,), is_array=True)
    with pytest.raises(cl.LogicError, match="takes 448 bytes, and the host memory has 384"):
        create(ctx, MADE_OF_ARRAYS, RGBA_FLOAT, (7, 4), hostbuf=pixels)
    with pytest.raises(ValueError, match="not contiguous"):
        create(ctx, MADE_OF_ARRAYS, RGBA_FLOAT, (3, 4), hostbuf=pixels[:, ::2])
    with pytest.warns(UserWarning, match="no memory flags"), pytest.raises(cl.LogicError) as caught:
        create(ctx, mf.READ_WRITE, RGBA_FLOAT, (6, 4), hostbuf=pixels)
    assert caught.value.code == cl.status_code.INVALID_HOST_PTR
    with pytest.raises(cl.LogicError, match="too many"):
        create(ctx, mf.READ_WRITE, RGBA_FLOAT, (2**40, 2**40))


def test_objects_by_handle_have_their_class(ctx, image):
    again = cl.MemoryObject.from_int_ptr(image.int_ptr)
    assert type(again) is cl.Image
    assert again == image
    assert hash(again) == hash(image)
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 256)
    assert type(buffer[128:].associated_memobject) is cl.Buffer


def test_a_subclass_is_an_image(ctx, queue, pixels):
    class Mine(cl.Image):
        pass

    desc = cl.ImageDescriptor()
    desc.image_type, desc.shape = cl.mem_object_type.IMAGE2D, (6, 4)
    image = Mine(ctx, MADE_OF_ARRAYS, RGBA_FLOAT, desc=desc, hostbuf=pixels)
    assert isinstance(image, Mine)
    assert np.array_equal(read(queue, image, pixels), pixels)


# --- from arrays


@pytest.mark.parametrize("kind", ["f4", "i1", "i2", "i4", "u1", "u2", "u4"])
def test_four_channels_of_every_type(ctx, queue, kind):
    host = np.arange(4 * 15, dtype=kind).reshape(3, 5, 4)
    image = cl.image_from_array(ctx, host, 4)
    assert image.shape == (5, 3)
    assert image.format.channel_data_type == cl.DTYPE_TO_CHANNEL_TYPE[np.dtype(kind)]
    assert image.format.channel_order == cl.channel_order.RGBA
    assert np.array_equal(read(queue, image, host), host)


def test_axes_are_reversed(ctx, queue):
    host = np.arange(30, dtype=np.float32).reshape(2, 3, 5)
    image = cl.image_from_array(ctx, host)
    assert image.shape == (5, 3, 2)
    assert image.format == cl.ImageFormat(cl.channel_order.R, cl.channel_type.FLOAT)
    assert np.array_equal(read(queue, image, host), host)


def test_vector_dtypes_are_channels(ctx, queue):
    names = ["s0", "s1", "s2", "s3"]
    float4 = np.dtype({"names": names, "formats": ["f4"] * 4, "titles": ["x", "y", "z", "w"]})
    host = np.zeros((3, 5), float4)
    host["s1"] = np.arange(15).reshape(3, 5)
    image = cl.image_from_array(ctx, host)
    assert (image.shape, image.format) == ((5, 3), RGBA_FLOAT)
    assert np.array_equal(read(queue, image, host), host)
    with pytest.raises(cl.RuntimeError, match="last dimension"):
        cl.image_from_array(ctx, host, 4)
    padded = np.dtype({"names": ["s0", "s1", "s2", "padding0"], "formats": ["u1"] * 4})
    with pytest.raises(TypeError, match="3 channels in 4 bytes"):
        cl.image_from_array(ctx, np.zeros((3, 5), padded))
    with pytest.raises(TypeError, match="no vector"):
        cl.image_from_array(ctx, np.zeros(3, "f4,i4"))


def test_modes_and_normalised_integers(ctx):
    host = np.zeros((4, 4), np.uint8)
    assert cl.image_from_array(ctx, host, mode="r").flags & mf.READ_ONLY
    assert cl.image_from_array(ctx, host, mode="w").flags & mf.WRITE_ONLY
    with pytest.raises(ValueError, match="'r' or 'w', not 'rw'"):
        cl.image_from_array(ctx, host, mode="rw")
    normalised = cl.image_from_array(ctx, host, norm_int=True)
    assert normalised.format.channel_data_type == cl.channel_type.UNORM_INT8
    with pytest.raises(TypeError, match="normalised channels may be of the types int8"):
        cl.image_from_array(ctx, np.zeros((4, 4), np.float32), norm_int=True)


def test_arrays_that_make_no_image(ctx):
    with pytest.raises(ValueError, match="C-contiguous"):
        cl.image_from_array(ctx, np.zeros((4, 10), np.float32)[:, ::2])
    with pytest.raises(ValueError, match="C-contiguous"):
        cl.image_from_array(ctx, np.zeros((4, 5), np.float32, order="F"))
    with pytest.raises(TypeError, match="not float64"):
        cl.image_from_array(ctx, np.zeros((4, 4)))
    with pytest.raises(cl.RuntimeError, match=r"last dimension must be equal .* 3: .*\(6, 4\)"):
        cl.image_from_array(ctx, np.zeros((6, 4), np.float32), 3)
    with pytest.raises(ValueError, match="1 to 4 channels, not 5"):
        cl.image_from_array(ctx, np.zeros((6, 5), np.float32), 5)


def test_three_channels_are_refused_by_name(ctx):
    rgb = cl.ImageFormat(cl.channel_order.RGB, cl.channel_type.UNSIGNED_INT8)
    formats = cl.get_supported_image_formats(ctx, mf.READ_ONLY, cl.mem_object_type.IMAGE2D)
    if rgb in formats or ctx.devices[0].platform.name in ("Oclgrind", "NVIDIA CUDA"):
        pytest.skip("the driver takes three channels, whatever it says")
    with pytest.raises(cl.Error, match=r"RGB, UNSIGNED_INT8 are not supported.*RGBA.*add a fourth channel"):
        cl.image_from_array(ctx, np.zeros((8, 8, 3), np.uint8), 3)


# --- copies


def test_copies_with_host_memory_respect_origin_and_pitches(queue, image, pixels):
    wide = np.zeros((4, 10, 4), np.float32)
    event = cl.enqueue_copy(queue, wide, image, origin=(1, 1), region=(4, 3), pitches=(160,))
    assert type(event) is cl.NannyEvent
    assert np.array_equal(wide[:3, :4], pixels[1:4, 1:5])
    assert not wide[:, 4:].any()
    assert not wide[3].any()
    cl.enqueue_copy(queue, image, -wide, origin=(0, 0), region=(2, 2), pitches=160, is_blocking=False).wait()
    expected = pixels.copy()
    expected[:2, :2] = -pixels[1:3, 1:3]
    assert np.array_equal(read(queue, image, pixels), expected)


def test_copies_between_images_and_buffers(ctx, queue, image, pixels):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64 + pixels.nbytes)
    cl.enqueue_copy(queue, buffer, image, offset=64, origin=(0, 0), region=(6, 4))
    found = np.zeros_like(pixels)
    cl.enqueue_copy(queue, found, buffer, src_offset=64)
    assert np.array_equal(found, pixels)
    other = cl.create_image(ctx, mf.READ_WRITE, RGBA_FLOAT, (6, 4))
    cl.enqueue_copy(queue, other, buffer, offset=np.uint32(64), origin=(0, 0), region=(6, 4))
    event = cl.enqueue_copy(
        queue, other, image, src_origin=(0, 0), dest_origin=(3, 1), region=np.array([2, 2])
    )
    cl.wait_for_events([event])
    expected = pixels.copy()
    expected[1:3, 3:5] = pixels[0:2, 0:2]
    assert np.array_equal(read(queue, other, pixels), expected)


def test_empty_blocks_give_events(ctx, queue, image, pixels):
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    empty = {"origin": (0, 0), "region": (0, 4)}
    cl.enqueue_copy(queue, np.zeros(0, np.float32), image, **empty).wait()
    cl.enqueue_copy(queue, image, np.zeros(0, np.float32), **empty).wait()
    cl.enqueue_copy(queue, buffer, image, **empty).wait()
    cl.enqueue_copy(queue, image, image, src_origin=(0, 0), dest_origin=(0, 0), region=(1, 0)).wait()
    cl.enqueue_fill_image(queue, image, np.zeros(4, np.float32), (0, 0), (0, 1)).wait()
    assert np.array_equal(read(queue, image, pixels), pixels)


def test_wrong_copies_are_refused(ctx, queue, image, pixels):
    whole = {"origin": (0, 0), "region": (6, 4)}
    with pytest.raises(cl.LogicError, match="takes 384 bytes, and the host memory has 288"):
        cl.enqueue_copy(queue, pixels[:3].copy(), image, **whole)
    with pytest.raises(cl.LogicError, match=r"at \[1, 0, 0\] is not inside of \[6, 4, 1\]"):
        cl.enqueue_copy(queue, pixels, image, origin=(1, 0), region=(6, 4))
    pixels.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        cl.enqueue_copy(queue, pixels, image, **whole)
    with pytest.raises(cl.LogicError, match="not inside"):
        cl.enqueue_copy(queue, cl.Buffer(ctx, mf.READ_WRITE, 16), image, **whole)
    with pytest.raises(TypeError, match="needs region="):
        cl.enqueue_copy(queue, pixels, image, origin=(0, 0))
    with pytest.raises(TypeError, match="needs src_origin="):
        cl.enqueue_copy(queue, image, image, **whole)
    with pytest.raises(TypeError, match="do not fit this kind of copy: offset"):
        cl.enqueue_copy(queue, image, pixels, offset=0, **whole)
    with pytest.raises(TypeError, match="at most 3"):
        cl.enqueue_copy(queue, image, pixels, origin=(0, 0, 0, 0), region=(6, 4))


def test_the_native_copies(ctx, queue, image, pixels):
    found = np.zeros((2, 2, 4), np.float32)
    cl._enqueue_read_image(queue, image, (1, 1), (2, 2), found)
    assert np.array_equal(found, pixels[1:3, 1:3])
    cl._enqueue_write_image(queue, image, (0, 0), (2, 2), found, row_pitch=32)
    buffer = cl.Buffer(ctx, mf.READ_WRITE, 64)
    cl._enqueue_copy_image_to_buffer(queue, image, buffer, (0, 0), (2, 2), 0)
    cl._enqueue_copy_buffer_to_image(queue, buffer, image, 0, (4, 2), (2, 2))
    cl._enqueue_copy_image(queue, image, image, (4, 2), (2, 2), (2, 2))
    expected = pixels.copy()
    for rows, columns in ((slice(0, 2), slice(0, 2)), (slice(2, 4), slice(4, 6)), (slice(2, 4), slice(2, 4))):
        expected[rows, columns] = pixels[1:3, 1:3]
    assert np.array_equal(read(queue, image, pixels), expected)


# --- fills and maps


def test_a_fill_sets_one_colour(queue, image, pixels):
    colour = np.array([1, 2, 3, 4], np.float32)
    cl.enqueue_fill_image(queue, image, colour, origin=(1, 1), region=(2, 2), wait_for=None)
    expected = pixels.copy()
    expected[1:3, 1:3] = colour
    assert np.array_equal(read(queue, image, pixels), expected)
    cl.enqueue_fill_image(queue, image, np.float32(5), (0, 0), (1, 1))
    expected[0, 0] = [5, 0, 0, 0]
    assert np.array_equal(read(queue, image, pixels), expected)
    with pytest.raises(cl.LogicError, match="16 bytes, not 32"):
        cl.enqueue_fill_image(queue, image, np.zeros(4), (0, 0), (1, 1))


def test_a_map_shows_the_block(queue, image, pixels):
    flags = cl.map_flags.READ | cl.map_flags.WRITE
    block, event, row_pitch, slice_pitch = cl.enqueue_map_image(
        queue, image, flags, (1, 1), (2, 3), (3, 2, 4), np.float32
    )
    assert type(event) is cl.Event
    assert type(block.base) is cl.MemoryMap
    assert block.strides == (row_pitch, 16, 4)
    assert isinstance(slice_pitch, int)
    assert np.array_equal(block, pixels[1:4, 1:3])
    block[:] = 7
    block.base.release(queue).wait()
    pixels[1:4, 1:3] = 7
    assert np.array_equal(read(queue, image, pixels), pixels)


def test_maps_of_three_dimensions_and_other_orders(ctx, queue):
    host = np.arange(2 * 3 * 5 * 4, dtype=np.float32).reshape(2, 3, 5, 4)
    image = cl.image_from_array(ctx, host, 4)
    read_only = cl.map_flags.READ
    block, *_ = cl.enqueue_map_image(queue, image, read_only, (1, 1, 0), (3, 2, 2), (2, 2, 3, 4), np.float32)
    assert np.array_equal(block, host[:, 1:, 1:4])
    assert not block.flags.writeable
    block.base.release().wait()
    turned, *_ = cl.enqueue_map_image(
        queue, image, read_only, (1, 1, 0), (3, 2, 2), (4, 3, 2, 2), np.float32, order="F"
    )
    assert np.array_equal(turned.T, host[:, 1:, 1:4])
    turned.base.release().wait()


def test_maps_that_reach_too_far_are_refused(queue, image):
    with pytest.raises(cl.LogicError, match="not inside"):
        cl.enqueue_map_image(queue, image, cl.map_flags.READ, (0, 0), (6, 4), (400, 600, 4), np.float32)
    with pytest.raises(cl.LogicError, match="not inside"):
        cl.enqueue_map_image(queue, image, cl.map_flags.READ, (3, 0), (6, 4), (4, 6, 4), np.float32)
    queue.finish()
    assert image.map_count == 0


# --- kernels


def test_kernels_read_and_write_images(ctx, queue, image, pixels):
    source = """
    kernel void twice(read_only image2d_t from, write_only image2d_t to, sampler_t how)
    {
        int2 at = (int2)(get_global_id(0), get_global_id(1));
        write_imagef(to, at, 2 * read_imagef(from, how, at));
    }
    """
    target = cl.create_image(ctx, mf.READ_WRITE, RGBA_FLOAT, (6, 4))
    sampler = cl.Sampler(ctx, False, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.NEAREST)
    twice = cl.Program(ctx, source).build().twice
    twice(queue, image.shape, None, image, target, sampler)
    assert np.array_equal(read(queue, target, pixels), 2 * pixels)
    twice.set_args(target, image, sampler)
    del sampler
    gc.collect()
    cl.enqueue_nd_range_kernel(queue, twice, (6, 4), None)
    assert np.array_equal(read(queue, image, pixels), 4 * pixels)


def test_a_sampler_where_memory_is_needed_is_refused(ctx, queue):
    sampler = cl.Sampler(ctx, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST)
    kernel = cl.Program(ctx, "kernel void k(global int *a) { a[0] = 1; }").build().k
    with pytest.raises(cl.LogicError, match=r"expected a memory object .* a sampler"):
        kernel(queue, (1,), None, sampler)


PARAMETERS = {
    "global int *p": "p[0] = 1",
    "constant int *p": "sink = p[0]",
    "local int *p": "p[0] = 1",
    "int p": "sink = p",
    "long p": "sink = (int)p",
    "read_only image2d_t p": "sink = get_image_width(p)",
    "read_only image3d_t p": "sink = get_image_width(p)",
    "sampler_t p": "sink = 1",
}
FITTING = {
    "buffer": {"global int *p", "constant int *p"},
    "image2d": {"read_only image2d_t p"},
    "image3d": {"read_only image3d_t p"},
    "sampler": {"sampler_t p"},
    "local memory": {"local int *p"},
    "int32": {"int p"},
    "int64": {"long p"},
    "null": {"global int *p", "constant int *p"},
    "queue": set(),
}


@pytest.mark.parametrize("given", FITTING)
def test_objects_are_refused_where_the_parameter_is_of_another_kind(ctx, queue, given):
    objects = {
        "buffer": cl.Buffer(ctx, mf.READ_WRITE, 64),
        "image2d": cl.create_image(ctx, mf.READ_WRITE, RGBA_FLOAT, (6, 4)),
        "image3d": cl.create_image(ctx, mf.READ_ONLY, RGBA_FLOAT, (6, 4, 2)),
        "sampler": cl.Sampler(ctx, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST),
        "local memory": cl.LocalMemory(64),
        "int32": np.int32(1),
        "int64": np.int64(1),
        "null": None,
        "queue": queue,
    }
    for parameter, use in PARAMETERS.items():
        source = f"kernel void k(global int *out, {parameter}) {{ int sink = 0; {use}; out[0] = sink; }}"
        for options in ([], ["-cl-kernel-arg-info"]):
            kernel = cl.Program(ctx, source).build(options).k
            if parameter in FITTING[given]:
                kernel.set_arg(1, objects[given])
            else:
                with pytest.raises(cl.LogicError, match=r"argument #2 .*of kernel `k`: expected"):
                    kernel.set_arg(1, objects[given])


# --- samplers and pipes


def test_attributes_of_samplers(ctx):
    sampler = cl.Sampler(ctx, True, cl.addressing_mode.REPEAT, cl.filter_mode.LINEAR)
    assert sampler.normalized_coords == 1
    assert sampler.addressing_mode == cl.addressing_mode.REPEAT
    assert sampler.filter_mode == cl.filter_mode.LINEAR == sampler.get_info(cl.sampler_info.FILTER_MODE)
    assert sampler.context == ctx
    assert sampler.reference_count >= 1
    sampler.anything = 1
    again = cl.Sampler.from_int_ptr(sampler.int_ptr)
    assert again == sampler
    assert hash(again) == hash(sampler)
    assert sampler != cl.Sampler(ctx, True, cl.addressing_mode.REPEAT, cl.filter_mode.LINEAR)
    with pytest.raises(cl.LogicError, match="3 is no value of sampler_info"):
        sampler.get_info(3)


def test_samplers_by_properties(ctx):
    keys = cl.sampler_properties
    if ctx.devices[0].platform._get_cl_version() < (2, 0):
        with pytest.raises(cl.LogicError, match="clCreateSamplerWithProperties"):
            cl.Sampler(ctx, [])
        return
    for end in ([], [0]):
        sampler = cl.Sampler(ctx, [keys.NORMALIZED_COORDS, 0, keys.FILTER_MODE, cl.filter_mode.NEAREST, *end])
        assert (sampler.normalized_coords, sampler.filter_mode) == (0, cl.filter_mode.NEAREST)
    with pytest.raises(cl.LogicError, match="keys, each with a value"):
        cl.Sampler(ctx, [keys.NORMALIZED_COORDS])


def test_samplers_of_wrong_arguments(ctx):
    for arguments in [(3,), (True, 1), (True, 1, None), ("text",)]:
        with pytest.raises(TypeError):
            cl.Sampler(ctx, *arguments)


def has_pipes(device: cl.Device) -> bool:
    version = device.platform._get_cl_version()
    return bool(device.pipe_support) if version >= (3, 0) else version >= (2, 0)


def test_pipes(ctx, device):
    with pytest.raises(cl.LogicError) as caught:
        cl.Pipe(ctx, mf.READ_WRITE, 4, 16, (1, 2))
    assert caught.value.code == cl.status_code.INVALID_VALUE
    if not has_pipes(device):
        with pytest.raises(cl.LogicError) as caught:
            cl.Pipe(ctx, mf.READ_WRITE, 4, 16)
        assert (caught.value.code, caught.value.routine) == (-59, "clCreatePipe")
        return
    pipe = cl.Pipe(ctx, mf.READ_WRITE, 4, 16)
    assert (pipe.packet_size, pipe.max_packets) == (4, 16)
    assert pipe.get_pipe_info(cl.pipe_info.PACKET_SIZE) == 4
    assert type(cl.MemoryObject.from_int_ptr(pipe.int_ptr)) is cl.Pipe
