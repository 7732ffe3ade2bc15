"""Kernels in IPython and Jupyter: ``%load_ext pyopencl.ipython_ext`` brings magic commands.

``%%cl_kernel`` builds the program that the rest of the cell holds, ``%cl_kernel_from_file NAME`` one from a
file, and the kernels become variables of the session; ``%cl_load_edit_kernel NAME`` puts a file into a new
cell of the first kind. Each takes build options as ``-o "OPTIONS"``. The context is the variable ``cl_ctx``
or ``ctx`` of the session.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, cell_magic, line_magic, magics_class

import pyopencl as cl

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ("PyOpenCLMagics", "load_ipython_extension")


@magics_class
class PyOpenCLMagics(Magics):
    """The magic commands."""

    @property
    def _session(self) -> Any:
        return self.shell

    def _run_kernel(self, kernel: str, options: list[str]) -> None:
        """Build a program and put its kernels into the session."""
        names = self._session.user_ns
        found = (names.get(name) for name in ("cl_ctx", "ctx"))
        context = next((context for context in found if isinstance(context, cl.Context)), None)
        if context is None:
            raise RuntimeError("a cell with kernels needs a context: assign one to 'cl_ctx' or 'ctx'")
        program = cl.Program(context, kernel).build(options)
        self._session.push({kernel.function_name: kernel for kernel in program.all_kernels()})

    def _load_kernel_and_options(self, line: str) -> tuple[str, list[str]]:
        """The text that a line names (a file, a variable, a part of the history), and build options."""
        options, rest = self.parse_options(line, "o:f:", list_all=True)
        name: str = options["f"][-1] if options.get("f") else rest
        text: str = self._session.find_user_code(name.strip())
        return text, _build_options(options.get("o", []))

    @cell_magic
    def cl_kernel(self, line: str, cell: str) -> None:
        """Build the program in this cell; its kernels become variables: ``%%cl_kernel [-o "OPTIONS"]``."""
        options, _ = self.parse_options(line, "o:", list_all=True)
        self._run_kernel(cell, _build_options(options.get("o", [])))

    @line_magic
    def cl_kernel_from_file(self, line: str) -> None:
        """Build the program in a file: ``%cl_kernel_from_file [-o "OPTIONS"] [-f] NAME``."""
        self._run_kernel(*self._load_kernel_and_options(line))

    @line_magic
    def cl_load_edit_kernel(self, line: str) -> None:
        """Put a file into a new cell: ``%cl_load_edit_kernel [-o "OPTIONS"] [-f] NAME``."""
        kernel, options = self._load_kernel_and_options(line)
        head = f'%%cl_kernel -o "{shlex.join(options)}"' if options else "%%cl_kernel"
        self._session.set_next_input(f"{head}\n\n{kernel}")


def _build_options(given: list[str]) -> list[str]:
    return [option for text in given for option in shlex.split(text)]


def load_ipython_extension(ip: InteractiveShell) -> None:
    """Register the magic commands: what ``%load_ext`` calls."""
    ip.register_magics(PyOpenCLMagics)
