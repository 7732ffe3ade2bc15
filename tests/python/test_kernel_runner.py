"""Kernels of packages that run over the elements of arrays, and the hook that is called in their place."""

import numpy as np
import pytest

import pyopencl as cl
import pyopencl.array as cla


@pytest.fixture
def queue(ctx):
    return cl.CommandQueue(ctx)


class Scale:
    """A kernel that takes arrays, as generated ones do, and tells how it was called."""

    def __init__(self, ctx):
        text = """kernel void scale(global float *out, global const float *x, float factor, uint n)
        { for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = factor * x[i]; }"""
        self.kernel = cl.Program(ctx, text).build().scale
        self.sizes = []

    def get_work_group_info(self, key, device):
        return self.kernel.get_work_group_info(key, device)

    def __call__(self, queue, global_size, local_size, out, x, factor, n, wait_for=None):
        self.sizes.append((global_size, local_size, n))
        arguments = (out.data, x.data, np.float32(factor), np.uint32(n))
        return self.kernel(queue, global_size, local_size, *arguments, wait_for=wait_for)


def test_the_kernel_runs_over_all_elements(ctx, queue):
    kernel, asked = Scale(ctx), []

    @cla.elwise_kernel_runner
    def scale(out, x, factor, *, mode=None):
        """Multiply."""
        asked.append((out, x, factor, mode))
        return kernel

    x = cla.to_device(queue, np.arange(3000, dtype=np.float32))
    out = cla.empty_like(x)
    event = scale(out, x, 3)
    assert isinstance(event, cl.Event)
    np.testing.assert_array_equal(out.get(), 3 * x.get())
    before = cl.enqueue_marker(queue)
    scale(out.with_queue(None), x, 2, queue=queue, wait_for=[before], mode="fast")
    np.testing.assert_array_equal(out.get(), 2 * x.get())
    assert [call[2:] for call in asked] == [(3, None), (2, "fast")]
    assert kernel.sizes[0] == (*cla._splay(ctx.devices[0], 3000), 3000)
    assert scale.__doc__ == "Multiply."
    with pytest.raises(ValueError, match="no queue"):
        scale(out.with_queue(None), x, 2)


def test_a_hook_is_called_in_place_of_the_kernel(ctx, queue, monkeypatch):
    kernel, seen = Scale(ctx), []
    scale = cla.elwise_kernel_runner(lambda out, x, factor: kernel)
    x = cla.to_device(queue, np.arange(40, dtype=np.float32))
    out = cla.empty_like(x)

    def hook(called, queue, global_size, local_size, *args, wait_for=None):
        seen.append((called, args[2:], wait_for))
        return called(queue, global_size, local_size, *args, wait_for=wait_for)

    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", hook)
    scale(out, x, 3).wait()
    assert seen == [(kernel, (3, 40), None)]
    np.testing.assert_array_equal(out.get(), 3 * x.get())
    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", None)
    scale(out, x, 4)
    assert len(seen) == 1


OPERATIONS = {
    "add": lambda a: a + a,
    "number": lambda a: 2 * a,
    "transposed": lambda a: a.T + 1,
    "copy": lambda a: a[:, ::2].copy(),
    "fill": lambda a: a.copy().fill(3),
    "reduction": lambda a: cla.sum(a),
    "cast": lambda a: a.astype(np.float64),
    "read": lambda a: a[::2, ::3],
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
@pytest.mark.parametrize("in_order", [True, False])
def test_the_hook_is_called_for_operations_too(ctx, monkeypatch, operation, in_order):
    flag = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not in_order and not ctx.devices[0].queue_properties & flag:
        pytest.skip("the device has no out-of-order queues")
    queue = cl.CommandQueue(ctx, properties=0 if in_order else flag)
    seen = []

    def hook(kernel, queue, global_size, local_size, *args, wait_for=None):
        seen.append((kernel.function_name, queue, len(args)))
        return kernel(queue, global_size, local_size, *args, wait_for=wait_for)

    array = cla.to_device(queue, np.arange(200, dtype=np.float32).reshape(20, 10))
    expected = operation(array).get()
    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", hook)
    np.testing.assert_array_equal(operation(array).get(), expected)
    assert seen
    assert all(name and queue == on and count > 1 for name, on, count in seen)
    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", None)
    count = len(seen)
    np.testing.assert_array_equal(operation(array).get(), expected)
    assert len(seen) == count


def test_what_a_hook_does_wrong_is_an_error(queue, monkeypatch):
    array = cla.to_device(queue, np.arange(4))
    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", lambda *args, wait_for: None)
    with pytest.raises(TypeError, match="Event"):
        array + 1

    def fails(*args, wait_for):
        raise KeyError("mine")

    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", fails)
    with pytest.raises(KeyError, match="mine"):
        array + 1
    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", None)
    np.testing.assert_array_equal((array + 1).get(), np.arange(4) + 1)


@pytest.mark.parametrize("most", [None, 1, 8, 48, 64, 1000])
def test_sizes_fit_the_device(ctx, most):
    (device,) = ctx.devices
    limit = min(128, device.max_work_group_size, most or 128)
    for n in (0, 1, 31, 32, 33, 2047, 2049, 8193, 10**6, 10**10):
        (total,), (group,) = cla._splay(device, n, most)
        assert 1 <= group <= limit
        assert total % group == 0
        assert total // group <= 32 * device.max_compute_units
        full = total // group == 32 * device.max_compute_units and group == limit
        assert total >= n or full, n
        assert total <= max(n, 1) + 32 * (total // group), n


@pytest.mark.needs("waiting commands")
def test_a_launch_of_a_hook_that_raises_then_is_waited_for(ctx, monkeypatch):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    queue = cl.CommandQueue(ctx, properties=properties)
    array = cla.zeros(queue, 1000, np.int32)
    array.finish()
    gate = cl.UserEvent(ctx)

    def hook(kernel, queue, global_size, local_size, *args, wait_for=None):
        kernel(queue, global_size, local_size, *args, wait_for=[*(wait_for or []), gate])
        raise RuntimeError("too late")

    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", hook)
    with pytest.raises(RuntimeError, match="too late"):
        array.fill(6)
    monkeypatch.setattr(cla, "ARRAY_KERNEL_EXEC_HOOK", None)
    array.fill(5)
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert (array.get() == 5).all()
