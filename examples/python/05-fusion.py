"""Lesson 5: whole expressions in one kernel: what is put together, what computes, what writes mean.

python 05-fusion.py
"""

from time import perf_counter

import numpy as np

import pyopencl as cl
import pyopencl.array as cla
from pyopencl.array import fuse


def step(x: cla.Array, v: cla.Array, dt: float) -> cla.Array:
    """Where points are after a time, on springs: eight operations on arrays."""
    force = -x + 0.1 * x * x
    return x + dt * v + 0.5 * dt * dt * force


# The same function, one kernel. The name `force` goes when the function returns, so that nothing computes it.
fused_step = fuse(step)


def seconds(function, *args) -> float:
    """The least time of several calls."""
    times = []
    for _ in range(5):
        start = perf_counter()
        function(*args).finish()
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    ctx = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(ctx)
    host = np.linspace(-1, 1, 1 << 20, dtype=np.float32)
    x, v = cla.to_device(queue, host), cla.to_device(queue, np.cos(host))

    # Not a bit is different: intermediate results are rounded as arrays would round them.
    assert (fused_step(x, v, 0.01).get() == step(x, v, 0.01).get()).all()
    print(f"one by one: {seconds(step, x, v, 0.01) * 1e3:.2f} ms")
    print(f"one kernel: {seconds(fused_step, x, v, 0.01) * 1e3:.2f} ms")

    # A block does the same for a few lines. Reductions take expressions into their kernel, assignments too.
    with fuse():
        energy = cla.sum(x * x + v * v)
        v[...] = 0.99 * v
    print("energy:", energy.get())
    assert np.isclose(energy.get(), (host.astype(np.float64) ** 2 + np.cos(host) ** 2).sum(), rtol=1e-4)

    # Shapes and dtypes are known at once, and so are errors.
    with fuse():
        table = x[:1000].reshape(1000, 1) * v[:7]
        print("a table of", table.shape, table.dtype)
        try:
            table + x[:3]
        except ValueError as error:
            print("refused where it is written:", error)

        # An expression means its operands as they are here, whatever is written to them afterwards.
        before = x[:4] * 10
        x[:4] = 0
        assert (before.get() == host[:4] * 10).all()


if __name__ == "__main__":
    main()
