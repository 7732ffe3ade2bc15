"""Platforms and devices: what they answer, and how they compare."""

import weakref

import pytest

import pyopencl as cl


def test_platforms_have_names_and_devices():
    for platform in cl.get_platforms():
        assert platform.name
        assert platform.version.startswith("OpenCL ")
        for device in platform.get_devices():
            assert device.platform == platform


def test_device_attributes_have_their_types(device):
    assert isinstance(device.name, str)
    assert device.name == device.name.strip("\0")
    assert device.available == True  # noqa: E712 (a bool or the integer 1)
    assert isinstance(device.max_work_group_size, int)
    assert device.max_compute_units >= 1
    assert device.global_mem_size >= device.max_mem_alloc_size > 0
    sizes = device.max_work_item_sizes
    assert len(sizes) == device.max_work_item_dimensions >= 3
    assert all(isinstance(size, int) for size in sizes)
    assert isinstance(device.extensions, str)
    assert device.type & (cl.device_type.CPU | cl.device_type.GPU | cl.device_type.ACCELERATOR)


@pytest.mark.parametrize("name", ["NAME", "VENDOR", "VERSION", "MAX_WORK_ITEM_SIZES", "PLATFORM", "TYPE"])
def test_attributes_equal_get_info(device, name):
    assert device.get_info(getattr(cl.device_info, name)) == getattr(device, name.lower())


def test_devices_can_be_asked_for_by_type():
    for platform in cl.get_platforms():
        everything = platform.get_devices(cl.device_type.ALL)
        assert platform.get_devices() == everything
        for kind in (cl.device_type.CPU, cl.device_type.GPU):
            assert platform.get_devices(device_type=kind) == [d for d in everything if d.type & kind]


def test_objects_compare_and_hash_by_handle(device):
    again = next(d for d in device.platform.get_devices() if d.int_ptr == device.int_ptr)
    assert again == device
    assert (again != device) is False
    assert hash(again) == hash(device)
    assert device != device.platform
    assert (device == None) is False  # noqa: E711 (the comparison is what is tested)
    assert device.from_int_ptr(device.int_ptr) == device


def test_objects_can_be_weakly_referenced_and_carry_attributes(ctx, device):
    assert weakref.ref(ctx)() is ctx
    device.note = "kept"
    assert device.note == "kept"


def test_representation_names_the_object(ctx, device):
    assert (
        repr(device)
        == f"<pyopencl.Device '{device.name}' on '{device.platform.name}' at {device.int_ptr:#x}>"
    )
    assert repr(device.platform).startswith(f"<pyopencl.Platform '{device.platform.name}' at 0x")
    assert repr(device) in repr(ctx)


def test_unknown_info_is_refused(device):
    with pytest.raises(cl.LogicError) as caught:
        device.get_info(0x7FFFFFF0)
    assert caught.value.code == cl.status_code.INVALID_VALUE


def test_versions_are_known(device):
    assert device._get_cl_version() >= (1, 1)
    assert device.platform._get_cl_version() >= (1, 1)
    assert cl.get_cl_header_version() >= (3, 0)
    assert cl.have_gl() in (True, False)


def test_context_and_queue_answer(ctx, device):
    assert ctx.devices[0] == device
    assert ctx.num_devices == len(ctx.devices)
    queue = cl.CommandQueue(ctx, device)
    assert queue.context == ctx
    assert queue.device == device
    assert queue.properties == 0
    assert ctx.reference_count >= 1
    with pytest.raises(AttributeError):
        queue.device = device


def test_context_from_type_and_from_properties(device):
    platform = device.platform
    properties = [(cl.context_properties.PLATFORM, platform)]
    for made in (cl.Context(dev_type=device.type, properties=properties), cl.Context([device], properties)):
        assert device in made.devices
