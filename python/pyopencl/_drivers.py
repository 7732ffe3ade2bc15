"""Where drivers that came with Python packages are: the places that only Python knows of."""

import os
import sys

PACKAGE_FOLDER = os.path.dirname(os.path.abspath(__file__))


def prefix_folders() -> list[str]:
    """The folder with ``.icd`` files of this environment, which counts like the system's."""
    return [os.path.join(sys.prefix, "etc", "OpenCL", "vendors")]


def bundled_folders() -> list[str]:
    """Every ``pyopencl/.libs`` on ``sys.path``, in order, each once.

    Driver packages put their files there, which is not this package's folder if this package is installed
    in editable mode.
    """
    folders = []
    for entry in sys.path:
        libs = os.path.join(os.path.abspath(entry), "pyopencl", ".libs")
        if libs not in folders and os.path.isdir(libs):
            folders.append(libs)
    bundled = os.path.join(PACKAGE_FOLDER, ".libs")
    if bundled not in folders:
        folders.append(bundled)
    return folders
