"""Lesson 1: a photograph on an OpenCL device, with a kernel of one's own and with arrays.

Sharpens matplotlib's sample photograph with the kernel in `photo.cl`, makes a grey picture of it with array
expressions, and checks every result against NumPy and SciPy. Writes both beside the original to a PNG file:

    python 01-photo.py [output.png]
"""

import sys
import time
from pathlib import Path

import matplotlib.cbook
import numpy as np
import scipy.ndimage
from PIL import Image

import pyopencl as cl
import pyopencl.array as cla

RADIUS = 3
SIGMA = 1.5
AMOUNT = np.float32(1.2)
GAMMA = 0.6


def milliseconds(event: cl.Event) -> float:
    """How long the device worked on a command; needs a queue with profiling."""
    return (event.profile.end - event.profile.start) * 1e-6


def gaussian(radius: int, sigma: float) -> np.ndarray:
    """The weights of a two-dimensional Gaussian blur; their sum is 1."""
    line = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    square = np.outer(line, line)
    return (square / square.sum()).astype(np.float32)


def check(what: str, found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    """Compare with the result of NumPy or SciPy, and stop the program if they differ."""
    worst = np.max(np.abs(found - expected))
    if not worst <= tolerance:
        sys.exit(f"WRONG: {what} differs by {worst}, more than {tolerance}")
    print(f"  {what:<34} right (largest difference {worst:.2g})")


def main() -> None:
    output = Path(sys.argv[1] if len(sys.argv) > 1 else "photo.png").resolve()
    with matplotlib.cbook.get_sample_data("grace_hopper.jpg") as file:
        photo = np.asarray(Image.open(file).convert("RGB"))
    height, width, _ = photo.shape
    planes = [np.ascontiguousarray(photo[:, :, channel], dtype=np.float32) for channel in range(3)]

    # 1. A device, and a queue for it that notes when each command started and ended.
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    device = queue.device
    print(f"platform  {device.platform.name} ({device.platform.version})")
    print(f"device    {device.name}")
    print(f"driver    {device.driver_version}")
    print(f"photo     {width} x {height} pixels")

    # 2. A program, from the file beside this one.
    source = Path(__file__).with_name("photo.cl").read_text()
    started = time.perf_counter()
    program = cl.Program(context, source).build(options=["-D", f"RADIUS={RADIUS}"])
    build_time = (time.perf_counter() - started) * 1e3
    sharpen = program.sharpen

    # 3. Memory on the device, and a copy of the photograph there.
    flags = cl.mem_flags
    weights = gaussian(RADIUS, SIGMA)
    weights_buffer = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=weights)
    plane_buffers = [cl.Buffer(context, flags.READ_ONLY, plane.nbytes) for plane in planes]
    uploads = [
        cl.enqueue_copy(queue, buffer, plane, is_blocking=False)
        for buffer, plane in zip(plane_buffers, planes, strict=True)
    ]

    # 4. The kernel, once for each colour. A work-group shares a tile of the plane in local memory.
    side = 16 if device.max_work_group_size >= 256 else 8
    global_size = (-(-width // side) * side, -(-height // side) * side)
    tile = cl.LocalMemory((side + 2 * RADIUS) ** 2 * weights.itemsize)
    sharpened = [cla.empty(queue, (height, width), np.float32) for _ in planes]
    launches = [
        sharpen(
            queue,
            global_size,
            (side, side),
            buffer,
            result.data,
            weights_buffer,
            tile,
            np.int32(width),
            np.int32(height),
            AMOUNT,
        )
        for buffer, result in zip(plane_buffers, sharpened, strict=True)
    ]

    # 5. Arrays: the grey picture, its statistics, and a lighter one that uses the whole range.
    red, green, blue = sharpened
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    darkest = float(cla.min(grey).get())
    brightest = float(cla.max(grey).get())
    mean = float(cla.sum(grey).get()) / grey.size
    lighter = 255 * ((grey - darkest) / (brightest - darkest)) ** GAMMA
    print(f"grey      {darkest:.1f} to {brightest:.1f}, mean {mean:.2f}")

    # 6. Back to the host.
    results = [np.empty((height, width), np.float32) for _ in planes]
    downloads = [
        cl.enqueue_copy(queue, result, array.data, is_blocking=False)
        for result, array in zip(results, sharpened, strict=True)
    ]
    queue.finish()

    print("times")
    print(f"  build            {build_time:8.3f} ms")
    print(f"  copy to device   {sum(map(milliseconds, uploads)):8.3f} ms")
    print(f"  sharpen          {sum(map(milliseconds, launches)):8.3f} ms, three launches")
    print(f"  copy to host     {sum(map(milliseconds, downloads)):8.3f} ms")

    # 7. Nothing is believed: the same on the host.
    print("checks")
    expected = []
    for name, plane, result in zip(("red", "green", "blue"), planes, results, strict=True):
        blurred = scipy.ndimage.correlate(plane.astype(np.float64), weights, mode="nearest")
        expected.append(np.clip(plane + AMOUNT * (plane - blurred), 0, 255))
        check(f"sharpened {name}", result, expected[-1], 2e-3)
    expected_grey = 0.299 * expected[0] + 0.587 * expected[1] + 0.114 * expected[2]
    low, high = expected_grey.min(), expected_grey.max()
    check("grey", grey.get(), expected_grey, 2e-3)
    check("darkest, brightest", np.array([darkest, brightest]), np.array([low, high]), 2e-3)
    check("mean", np.array(mean), expected_grey.mean(), 2e-2)
    check("lighter grey", lighter.get(), 255 * ((expected_grey - low) / (high - low)) ** GAMMA, 2e-2)

    # 8. Before, after, and grey, side by side.
    after = np.stack(results, axis=-1)
    grey_photo = np.repeat(lighter.get()[:, :, np.newaxis], 3, axis=-1)
    picture = np.concatenate([photo, after, grey_photo], axis=1)
    Image.fromarray(np.clip(np.rint(picture), 0, 255).astype(np.uint8)).save(output)
    print(f"picture   {output}")


if __name__ == "__main__":
    main()
