"""Lesson 4: arrays. What NumPy's arrays do, on the device; each operation is one launch.

python 04-arrays.py
"""

import numpy as np

import pyopencl as cl
import pyopencl.array as cla


def main() -> None:
    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    rng = np.random.default_rng(1)
    host = rng.standard_normal((300, 200)).astype(np.float32)

    # Arrays come from the host, or are made on the device; get() brings one back.
    a = cla.to_device(queue, host)
    zeros = cla.zeros(queue, (300, 200), np.float32)
    steps = cla.arange(queue, 0, 200, dtype=np.float32)
    assert (a.get() == host).all()
    assert not zeros.get().any()

    # Operators broadcast, and Python's numbers take the dtype of the array.
    scaled = 2 * a + steps
    assert scaled.dtype == np.float32
    assert (scaled.get() == 2 * host + np.arange(200, dtype=np.float32)).all()

    # Slices, transposes and reshapes are views of the same memory, also to be written to.
    corner = a[:2, ::-1]
    assert (corner.get() == host[:2, ::-1]).all()
    zeros[10:20, 5] = 1
    assert zeros.get().sum() == 10
    columns = a.T + zeros.T
    print("of a transpose:", columns.shape)
    assert (columns.get() == (host + zeros.get()).T).all()

    # Comparisons give int8; sums, maxima and minima are arrays of one element.
    positive = a > 0
    print("dtype of a comparison:", positive.dtype)
    total, largest = cla.sum(a), cla.max(a)
    print("sum and maximum:", total.get(), largest.get())
    assert np.isclose(total.get(), host.sum(dtype=np.float64), rtol=1e-4, atol=1e-2)
    assert largest.get() == host.max()
    chosen = cla.if_positive(a, a, zeros)
    assert (chosen.get() == np.where(host > 0, host, zeros.get())).all()

    # Kernels of one's own take the memory of an array, and its offset where it has one.
    program = cl.Program(
        queue.context, "kernel void f(global float *x) { x[get_global_id(0)] += 1; }"
    ).build()
    program.f(queue, (a.size,), None, a.data)
    assert (a.get() == host + 1).all()

    # An integer array keeps its integers: what does not fit is an error as it is in NumPy.
    counts = cla.zeros(queue, 4, np.uint8)
    try:
        counts + 300
    except OverflowError as error:
        print("refused:", error)
    else:
        raise AssertionError("300 is no uint8")


if __name__ == "__main__":
    main()
