"""Writing one kernel call down as a Python program of its own, with the data in it."""

from __future__ import annotations

import os
import zlib
from base64 import b64encode
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

import pyopencl as cl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from pyopencl.typing import KernelArg, WaitList

_HEAD = """\
# A kernel call, written down by pyopencl.capture_call. Run it to repeat the call.
from base64 import b64decode
from zlib import decompress

import numpy as np

import pyopencl as cl
"""

_LINE = 100


def capture_kernel_call(
    kernel: cl.Kernel,
    output_file: str | os.PathLike[str] | TextIO,
    queue: cl.CommandQueue,
    g_size: Sequence[int],
    l_size: Sequence[int] | None,
    *args: KernelArg,
    wait_for: WaitList = None,
    g_times_l: bool = False,
    allow_empty_ndrange: bool = False,
    global_offset: Sequence[int] | None = None,
) -> None:
    """Write a program that calls *kernel* as these arguments would to *output_file*, a path or an open file.

    The program holds the source, the build options and the contents that memory arguments have now, read
    after the events of *wait_for*. Nothing is launched. An argument of a kind that cannot be written down
    raises :class:`RuntimeError`.
    """
    if wait_for:
        cl.wait_for_events(list(wait_for))
    source = kernel.program.get_info(cl.program_info.SOURCE)
    if not source:
        raise RuntimeError("cannot capture: the program was not made from source text")
    options = kernel.program.get_build_info(queue.device, cl.program_build_info.OPTIONS)

    setup, names, data = StringIO(), [], StringIO()
    for index, arg in enumerate(args):
        names.append(_write_argument(index, arg, queue, setup, data))

    text = StringIO()
    text.write(_HEAD)
    text.write(f"\nSOURCE = {_quote_source(source)}\n\nOPTIONS = {options!r}\n")
    text.write("\n\ndef main():\n    ctx = cl.create_some_context()\n    queue = cl.CommandQueue(ctx)\n")
    text.write(setup.getvalue())
    text.write(f"    knl = cl.Kernel(cl.Program(ctx, SOURCE).build(OPTIONS), {kernel.function_name!r})\n")
    text.write(f"    knl(\n        queue,\n        {_sizes(g_size)},\n        {_sizes(l_size)},\n")
    text.writelines(f"        {name},\n" for name in names)
    if global_offset is not None:
        text.write(f"        global_offset={_sizes(global_offset)},\n")
    for flag, value in (("g_times_l", g_times_l), ("allow_empty_ndrange", allow_empty_ndrange)):
        if value:
            text.write(f"        {flag}=True,\n")
    text.write("    )\n    queue.finish()\n")
    text.write(data.getvalue())
    text.write('\nif __name__ == "__main__":\n    main()\n')

    if isinstance(output_file, (str, os.PathLike)):
        with open(output_file, "w", encoding="utf-8") as file:
            file.write(text.getvalue())
    else:
        output_file.write(text.getvalue())


def _write_argument(
    index: int, arg: KernelArg, queue: cl.CommandQueue, setup: StringIO, data: StringIO
) -> str:
    """The expression for one argument; what it needs beforehand goes to *setup* and *data*."""
    if arg is None:
        return "None"
    if isinstance(arg, cl.LocalMemory):
        return f"cl.LocalMemory({arg.size})"
    if isinstance(arg, cl.MemoryObjectHolder):
        contents = np.empty(arg.size, np.uint8)
        cl.enqueue_copy(queue, contents, arg)
        _write_data(index, contents.tobytes(), data)
        setup.write(
            f"    arg{index} = cl.Buffer(\n"
            f"        ctx,\n"
            f"        cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR,\n"
            f"        hostbuf=decompress(b64decode(DATA_{index})),\n"
            f"    )\n"
        )
        return f"arg{index}"
    if isinstance(arg, cl.SVMPointer):
        contents = np.empty(arg.size, np.uint8)
        cl.enqueue_copy(queue, contents, arg)
        _write_data(index, contents.tobytes(), data)
        setup.write(
            f"    arg{index} = cl.SVMAllocation(ctx, {arg.size}, 0, cl.svm_mem_flags.READ_WRITE)\n"
            f"    cl.enqueue_copy(queue, arg{index}, decompress(b64decode(DATA_{index})))\n"
        )
        return f"arg{index}"
    if isinstance(arg, (bool, int, float)):
        return repr(arg)
    if isinstance(arg, np.number):
        return f"np.{arg.dtype.name}({arg.item()!r})" if np.all(np.isfinite(arg)) else _bytes_scalar(arg)
    try:
        contents_of_arg = memoryview(arg).tobytes()  # type: ignore[arg-type]  # the error is caught
    except TypeError as error:
        raise RuntimeError(
            f"cannot capture: argument #{index + 1} of {type(arg)!r} is neither memory nor a value"
        ) from error
    _write_data(index, contents_of_arg, data)
    return f"decompress(b64decode(DATA_{index}))"


def _bytes_scalar(value: np.number) -> str:
    """A scalar that has no literal (infinity, not-a-number), by its bytes."""
    return f"np.frombuffer({value.tobytes()!r}, np.{value.dtype.name})[0]"


def _write_data(index: int, contents: bytes, data: StringIO) -> None:
    encoded = b64encode(zlib.compress(contents)).decode()
    data.write(f"\n\nDATA_{index} = (\n")
    for start in range(0, len(encoded), _LINE):
        data.write(f'    "{encoded[start : start + _LINE]}"\n')
    data.write(")\n")


def _quote_source(source: str) -> str:
    """The source as a raw string over several lines, where that is possible."""
    if '"""' in source or source.endswith(("\\", '"')):
        return repr(source)
    return f'r"""{source}"""'


def _sizes(sizes: Sequence[int] | None) -> str:
    return "None" if sizes is None else repr(tuple(int(size) for size in sizes))
