"""Build options that every program gets, and programs made by something else than source text."""

import os
import warnings
from typing import TYPE_CHECKING

from pyopencl._cl import Context, Program, _Program
from pyopencl._drivers import PACKAGE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyopencl._cl import Device, Platform


def _find_pyopencl_include_path() -> str:
    """The folder with the headers that kernels may include."""
    return os.path.join(PACKAGE_FOLDER, "cl")


# The native `Program` reads them at every build, in this order: other packages extend them.
_DEFAULT_BUILD_OPTIONS: list[str] = []
_DEFAULT_INCLUDE_OPTIONS: list[str] = ["-I", _find_pyopencl_include_path()]
_PLAT_BUILD_OPTIONS: dict[str, list[str]] = {"Oclgrind": ["-D", "PYOPENCL_USING_OCLGRIND"]}


def link_program(
    context: Context,
    programs: "Sequence[Program]",
    options: "str | Sequence[str] | None" = None,
    devices: "Sequence[Device] | None" = None,
) -> Program:
    """Link compiled *programs* to one program that can be run.

    *options* are those of the OpenCL linker, as text or as a list; *devices* default to those of *context*.
    """
    if options is None:
        options = ""
    elif not isinstance(options, str):
        options = " ".join(options)
    inner = [program._get_prg() if isinstance(program, Program) else program for program in programs]
    return Program(_Program.link(context, inner, options, devices))


def create_program_with_built_in_kernels(
    context: Context, devices: "Sequence[Device]", kernel_names: "str | Sequence[str]"
) -> Program:
    """Make a program of kernels that the *devices* bring along.

    *kernel_names* is a list, or text with semicolons between the names.
    """
    if not isinstance(kernel_names, str):
        kernel_names = ";".join(kernel_names)
    return Program(_Program.create_with_built_in_kernels(context, devices, kernel_names))


def enable_debugging(platform_or_context: "Platform | Context") -> None:
    """Build programs for debugging from now on, on platforms where it is known how (AMD's).

    Call it before the first program is built. Warns for any other platform.
    """
    if isinstance(platform_or_context, Context):
        platform = platform_or_context.devices[0].platform
    else:
        platform = platform_or_context
    if "AMD Accelerated" in platform.name:
        options = _PLAT_BUILD_OPTIONS.setdefault(platform.name, [])
        options.extend(option for option in ("-g", "-O0") if option not in options)
        os.environ["CPU_MAX_COMPUTE_UNITS"] = "1"
    else:
        warnings.warn(f"it is not known how to enable debugging on {platform.name!r}", stacklevel=2)
