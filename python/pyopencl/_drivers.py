"""Where drivers that came with Python packages are: the places that only Python knows of."""

import os
import sys

PACKAGE_FOLDER = os.path.dirname(os.path.abspath(__file__))


def driver_folders() -> list[str]:
    """Folders with ``.icd`` files, in order of search, each once.

    First ``etc/OpenCL/vendors`` of the environment, then every ``pyopencl/.libs`` on ``sys.path``: driver
    packages put their files there, which is not this package's folder if this package is installed in
    editable mode.
    """
    folders = [os.path.join(sys.prefix, "etc", "OpenCL", "vendors")]
    for entry in sys.path:
        libs = os.path.join(os.path.abspath(entry), "pyopencl", ".libs")
        if libs not in folders and os.path.isdir(libs):
            folders.append(libs)
    bundled = os.path.join(PACKAGE_FOLDER, ".libs")
    if bundled not in folders:
        folders.append(bundled)
    return folders
