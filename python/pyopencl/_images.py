"""Images from shapes and from arrays."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyopencl._cl import (
    Buffer,
    Context,
    Image,
    ImageFormat,
    RuntimeError,
    channel_order,
    mem_flags,
)
from pyopencl._constants import DTYPE_TO_CHANNEL_TYPE, DTYPE_TO_CHANNEL_TYPE_NORM

if TYPE_CHECKING:
    import numpy as np

    from pyopencl.typing import HostMemory

_ORDER_BY_CHANNELS = {1: channel_order.R, 2: channel_order.RG, 3: channel_order.RGB, 4: channel_order.RGBA}


def create_image(
    context: Context,
    flags: int,
    format: ImageFormat,  # noqa: A002  (the name of the API)
    shape: "Sequence[int] | None" = None,
    pitches: "Sequence[int] | None" = None,
    hostbuf: "HostMemory | None" = None,
    is_array: bool = False,
    buffer: "Buffer | None" = None,
) -> Image:
    """An image of *shape*: width, height and depth, as many as it has.

    With *is_array* it is an array of images, whose number is the last entry of *shape*. *flags* is a mask
    of :class:`mem_flags`: with ``COPY_HOST_PTR`` the image begins with the content of *hostbuf*, with
    ``USE_HOST_PTR`` it uses the memory of *hostbuf*. *pitches* are the bytes from row to row and from slice
    to slice there. With *buffer*, the image uses the memory of that buffer. Without *shape*, that of
    *hostbuf* is taken.
    """
    return Image(
        context, flags, format, shape, pitches, hostbuf, is_array, buffer, _through_create_image=True
    )


def _channels(dtype: "np.dtype[Any]") -> "tuple[np.dtype[Any], int]":
    """The type and number of the components of a vector dtype; of others, the dtype itself and 1."""
    if dtype.fields is None:
        return dtype, 1
    # Names only: `fields` lists titles (x, y, z, w) beside them.
    names = [name for name in dtype.names or () if not name.startswith("padding")]
    components = [dtype.fields[name][0] for name in names]
    count = len(components)
    if len(set(components)) != 1 or components[0].fields is not None:
        raise TypeError(f"image_from_array: {dtype} is no vector of numbers of one type")
    if count not in (1, 2, 4) or count * components[0].itemsize != dtype.itemsize:
        raise TypeError(
            f"image_from_array: {dtype} has {count} channels in {dtype.itemsize} bytes, "
            "and an image has 1, 2 or 4 without gaps"
        )
    return components[0], count


def image_from_array(
    ctx: Context,
    ary: "np.ndarray[Any, Any]",
    num_channels: "int | None" = None,
    mode: str = "r",
    norm_int: bool = False,
) -> Image:
    """An image with the content of *ary*, a C-contiguous array whose last axis becomes the image's first.

    With *num_channels* above 1, the last axis of *ary* holds the channels of a pixel: 4 is what devices
    support for all types. Otherwise the channels are the components of a vector dtype, or there is one.
    *mode* is ``"r"`` or ``"w"``: whether kernels read or write the image. With *norm_int*, kernels see
    integers as floating-point numbers from 0 (or -1) to 1.
    """
    if not ary.flags.c_contiguous:
        raise ValueError("image_from_array: the array must be C-contiguous (numpy.ascontiguousarray)")
    component, channels = _channels(ary.dtype)
    shape = ary.shape
    if num_channels is not None and (num_channels > 1 or channels > 1):
        if channels > 1 or shape[-1:] != (num_channels,):
            raise RuntimeError(
                f"image_from_array: the last dimension must be equal to the number of channels, "
                f"{num_channels}: the array has the shape {shape} and the dtype {ary.dtype}"
            )
        channels, shape = num_channels, shape[:-1]
    if channels not in _ORDER_BY_CHANNELS:
        raise ValueError(f"image_from_array: an image has 1 to 4 channels, not {channels}")
    types = DTYPE_TO_CHANNEL_TYPE_NORM if norm_int else DTYPE_TO_CHANNEL_TYPE
    if component not in types:
        known = ", ".join(str(dtype) for dtype in types)
        kind = "normalised " if norm_int else ""
        raise TypeError(f"image_from_array: {kind}channels may be of the types {known}, not {component}")
    modes = {"r": mem_flags.READ_ONLY, "w": mem_flags.WRITE_ONLY}
    if mode not in modes:
        raise ValueError(f"image_from_array: mode must be 'r' or 'w', not {mode!r}")
    return create_image(
        ctx,
        modes[mode] | mem_flags.COPY_HOST_PTR,
        ImageFormat(_ORDER_BY_CHANNELS[channels], types[component]),
        shape=shape[::-1],
        hostbuf=ary,
    )
