"""Magic commands, in an IPython shell."""

import warnings

import numpy as np
import pytest

import pyopencl as cl

interactiveshell = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")

SOURCE = "kernel void scale(global float *x) { x[get_global_id(0)] *= FACTOR; }\nkernel void nothing() {}\n"


@pytest.fixture
def shell(ctx, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    with warnings.catch_warnings():
        # What IPython finds at the terminal of a test is not to the point.
        warnings.simplefilter("ignore")
        shell = interactiveshell.InteractiveShell.instance()
        shell.run_line_magic("load_ext", "pyopencl.ipython_ext")
    shell.user_ns["ctx"] = ctx
    yield shell
    shell.run_line_magic("unload_ext", "pyopencl.ipython_ext")
    shell.history_manager.end_session()
    type(shell).clear_instance()


def scaled(shell, queue):
    """What the kernel of the session makes of 3."""
    buffer = cl.Buffer(queue.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.float32([3]))
    shell.user_ns["scale"](queue, (1,), None, buffer)
    result = np.empty(1, np.float32)
    cl.enqueue_copy(queue, result, buffer)
    return result[0]


def test_kernels_of_a_cell_become_variables(shell, queue):
    shell.run_cell_magic("cl_kernel", "-o '-DFACTOR=2'", SOURCE)
    assert scaled(shell, queue) == 6
    assert shell.user_ns["nothing"].function_name == "nothing"
    for line, expected in {
        "-o -DFACTOR=3": 9,
        '-o "-DNONE -DFACTOR=4"': 12,
        "-o -DNONE -o -DFACTOR=5": 15,
    }.items():
        shell.run_cell_magic("cl_kernel", line, SOURCE)
        assert scaled(shell, queue) == expected
    result = shell.run_cell("%%cl_kernel -o -DFACTOR=6\n" + SOURCE)
    assert result.success
    assert scaled(shell, queue) == 18


def test_context_is_a_variable(shell, queue):
    shell.user_ns["cl_ctx"] = shell.user_ns.pop("ctx")
    shell.run_cell_magic("cl_kernel", "-o -DFACTOR=2", SOURCE)
    assert scaled(shell, queue) == 6
    for name, value in (("ctx", 3), ("queue", queue)):
        shell.user_ns.pop("cl_ctx", None)
        shell.user_ns[name] = value
        with pytest.raises(RuntimeError, match="'cl_ctx' or 'ctx'"):
            shell.run_cell_magic("cl_kernel", "-o -DFACTOR=2", SOURCE)


def test_kernels_of_a_file_become_variables(shell, queue, tmp_path):
    file = tmp_path / "kernel.cl"
    file.write_text("#define FACTOR 2\n" + SOURCE)
    for line in (f"{file}", f"-f {file}"):
        shell.user_ns.pop("scale", None)
        shell.run_line_magic("cl_kernel_from_file", line)
        assert scaled(shell, queue) == 6
    file.write_text(SOURCE)
    for line in (f"-o '-DFACTOR=3' {file}", f"-o -DFACTOR=3 -f {file}", f"-f {file} -o -DFACTOR=3"):
        shell.user_ns.pop("scale", None)
        shell.run_line_magic("cl_kernel_from_file", line)
        assert scaled(shell, queue) == 9
    shell.user_ns["text"] = SOURCE
    shell.run_line_magic("cl_kernel_from_file", "-o -DFACTOR=4 text")
    assert scaled(shell, queue) == 12
    with pytest.raises(ValueError, match="was not found"):
        shell.run_line_magic("cl_kernel_from_file", "gone.cl")


def test_files_are_loaded_for_editing(shell, queue, tmp_path, monkeypatch):
    cells = []
    monkeypatch.setattr(shell, "set_next_input", lambda text, replace=False: cells.append(text))
    (tmp_path / "kernel.cl").write_text(SOURCE)
    shell.run_line_magic("cl_load_edit_kernel", f"{tmp_path / 'kernel.cl'}")
    shell.run_line_magic("cl_load_edit_kernel", f"-o '-DNONE -DFACTOR=7' {tmp_path / 'kernel.cl'}")
    assert cells[0].splitlines()[0] == "%%cl_kernel"
    assert cells[0].split("\n", 1)[1].strip() == SOURCE.strip()
    assert shell.run_cell(cells[1]).success
    assert scaled(shell, queue) == 21


def test_wrong_kernels_are_refused(shell):
    with pytest.raises(cl.RuntimeError, match="nonsense"):
        shell.run_cell_magic("cl_kernel", "", "kernel void f() { nonsense }")
    with pytest.raises(Exception, match="option -x not recognized"):
        shell.run_cell_magic("cl_kernel", "-x", SOURCE)
