"""Finding drivers: where they are looked for, and what is said if there is none."""

import os
import sys

import pyopencl as cl
from pyopencl._drivers import bundled_folders, prefix_folders

SHOW = """
import pyopencl as cl
try:
    print([platform.name for platform in cl.get_platforms()])
except cl.LogicError as error:
    print(error.code, error.routine)
    print(error)
"""


def test_folders_of_this_environment_are_searched(monkeypatch, tmp_path):
    (tmp_path / "pyopencl" / ".libs").mkdir(parents=True)
    (tmp_path / "without").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "without"), str(tmp_path), str(tmp_path), *sys.path])
    assert prefix_folders() == [f"{sys.prefix}/etc/OpenCL/vendors"]
    folders = bundled_folders()
    assert folders[0] == str(tmp_path / "pyopencl" / ".libs")
    assert len(folders) == len(set(folders))


def test_no_platform_is_explained(run_python, tmp_path):
    result = run_python(SHOW, OCL_ICD_VENDORS=str(tmp_path / "missing"), OCL_ICD_FILENAMES=None)
    assert result.returncode == 0, result.stderr
    code, *message = result.stdout.splitlines()
    assert code == f"{cl.status_code.PLATFORM_NOT_FOUND_KHR} clGetPlatformIDs"
    text = "\n".join(message)
    assert text.startswith("clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR")
    assert str(tmp_path / "missing") in text
    assert "pocl-binary-distribution" in text


def test_a_driver_that_fails_is_named_with_the_reason(run_python, tmp_path):
    (tmp_path / "broken.so").write_text("not a library")
    (tmp_path / "broken.icd").write_text(str(tmp_path / "broken.so"))

    result = run_python(SHOW, OCL_ICD_VENDORS=str(tmp_path / "broken.icd"), OCL_ICD_FILENAMES=None)
    assert "broken.so" in result.stdout, result.stderr
    assert "invalid ELF header" in result.stdout or "file too short" in result.stdout


def test_a_broken_driver_does_not_hide_the_others(run_python, tmp_path):
    (tmp_path / "broken.so").write_text("not a library")
    names = [platform.name for platform in cl.get_platforms()]
    filenames = [str(tmp_path / "broken.so"), *filter(None, [os.environ.get("OCL_ICD_FILENAMES")])]
    told = "import warnings\nwarnings.simplefilter('always')\n" + SHOW
    result = run_python(told, OCL_ICD_FILENAMES=os.pathsep.join(filenames))
    assert result.stdout.splitlines() == [str(names)], result.stderr
    assert "UserWarning" in result.stderr
    assert "broken.so (named by OCL_ICD_FILENAMES)" in result.stderr


def test_import_loads_no_driver(run_python):
    result = run_python(
        "import pyopencl, pyopencl.array\n"
        "with open('/proc/self/maps') as file:\n"
        "    maps = file.read().lower()\n"
        "names = 'libpocl', 'liboclgrind', 'libopencl', 'libintelocl', 'libnvidia-opencl'\n"
        "print([name for name in names if name in maps])"
    )
    assert result.stdout == "[]\n", result.stderr


def test_import_tells_other_packages_where_drivers_are(run_python):
    code = "import os, pyopencl; print(os.environ['PYOPENCL_HOME'] == os.path.dirname(pyopencl.__file__))"
    assert run_python(code, PYOPENCL_HOME=None).stdout == "True\n"
    code = "import os, pyopencl; print(os.environ['PYOPENCL_HOME'])"
    assert run_python(code, PYOPENCL_HOME="elsewhere").stdout == "elsewhere\n"
