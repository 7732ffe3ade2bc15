"""Lesson 2: memory. Buffers, parts of them, copies between host and device, rectangles, maps.

python 02-buffers.py
"""

import numpy as np

import pyopencl as cl


def main() -> None:
    ctx = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(ctx)
    flags = cl.mem_flags

    # A buffer takes its first content from the host ...
    numbers = np.arange(16, dtype=np.float32)
    buffer = cl.Buffer(ctx, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=numbers)
    # ... or is made empty, and filled: the pattern is repeated over the bytes.
    other = cl.Buffer(ctx, flags.READ_WRITE, numbers.nbytes)
    cl.enqueue_fill_buffer(queue, other, np.float32(7), 0, other.size)

    # enqueue_copy(queue, target, source) takes host memory and device memory in both places. It waits for
    # copies to and from the host, unless is_blocking=False: then the host's memory must stay until the event
    # is done.
    result = np.empty_like(numbers)
    cl.enqueue_copy(queue, result, buffer)
    assert (result == numbers).all()
    event = cl.enqueue_copy(queue, result, other, is_blocking=False)
    event.wait()
    assert (result == 7).all()

    # A part, in bytes, without slicing: eight bytes from offset 16 on.
    two = np.empty(2, np.float32)
    cl.enqueue_copy(queue, two, buffer, src_offset=16)
    print("elements 4 and 5:", two)
    assert (two == [4, 5]).all()

    # A slice of a buffer is a buffer that shares its memory. Devices ask for aligned starts.
    align = queue.device.mem_base_addr_align // 8
    large = cl.Buffer(ctx, flags.READ_WRITE, 2 * align)
    cl.enqueue_fill_buffer(queue, large, np.uint8(1), 0, large.size)
    part = large[align:]
    cl.enqueue_fill_buffer(queue, part, np.uint8(2), 0, part.size)
    bytes_of_large = np.empty(large.size, np.uint8)
    cl.enqueue_copy(queue, bytes_of_large, large)
    print("bytes of the whole:", dict(zip(*np.unique(bytes_of_large, return_counts=True), strict=True)))
    assert (bytes_of_large[:align] == 1).all()
    assert (bytes_of_large[align:] == 2).all()

    # A rectangle: rows 1 and 2, columns 1 to 3 of the sixteen numbers seen as four rows of four. The first of
    # each triple counts bytes.
    window = np.zeros((2, 3), np.float32)
    cl.enqueue_copy(
        queue,
        window,
        buffer,
        buffer_origin=(4, 1, 0),
        host_origin=(0, 0, 0),
        region=(12, 2, 1),
        buffer_pitches=(16,),
        host_pitches=(12,),
    )
    print(f"a window:\n{window}")
    assert (window == numbers.reshape(4, 4)[1:3, 1:4]).all()

    # Mapped, the memory is an array of NumPy's; what is written is the device's after the block.
    mapped, _event = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.WRITE, 0, (16,), np.float32)
    with mapped.base:
        mapped[:] = numbers[::-1]
    cl.enqueue_copy(queue, result, buffer)
    print("written through a map:", result)
    assert (result == numbers[::-1]).all()


if __name__ == "__main__":
    main()
