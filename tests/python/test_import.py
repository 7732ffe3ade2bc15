"""What `import pyopencl` brings, and what it costs."""

import re
from pathlib import Path

import numpy as np

import pyopencl as cl
import pyopencl._cl as native

ROOT = Path(__file__).resolve().parents[2]


def test_version_is_that_of_the_crates():
    manifest = (ROOT / "Cargo.toml").read_text()
    assert re.search(r'^version = "(.*)"', manifest, re.MULTILINE)[1] == cl.VERSION_TEXT
    assert cl.VERSION_TEXT == cl.__version__ == ".".join(map(str, cl.VERSION)) + cl.VERSION_STATUS


def test_public_names_exist_and_are_the_native_objects():
    for name in cl.__all__:
        assert getattr(cl, name) is not None
        if hasattr(native, name):
            assert getattr(cl, name) is getattr(native, name)


def test_constant_classes_are_complete():
    assert len(set(cl.CONSTANT_CLASSES)) == 52
    assert set(cl.BITFIELD_CONSTANT_CLASSES) < set(cl.CONSTANT_CLASSES)


def test_channel_types_are_keyed_by_dtype():
    assert cl.DTYPE_TO_CHANNEL_TYPE[np.dtype(np.uint8)] == cl.channel_type.UNSIGNED_INT8
    assert cl.DTYPE_TO_CHANNEL_TYPE_NORM[np.dtype(np.uint16)] == cl.channel_type.UNORM_INT16


def test_import_brings_no_heavy_module(run_python):
    result = run_python(
        "import sys, numpy; before = set(sys.modules); import pyopencl\n"
        "new = set(sys.modules) - before\n"
        "print(sorted(new - set(sys.builtin_module_names) - {n for n in new if n.startswith('pyopencl')}))"
    )
    assert result.stdout == "[]\n", result.stderr


def test_header_folder_is_on_the_include_path():
    folder = Path(cl._find_pyopencl_include_path())
    assert folder.is_dir()
    assert ["-I", str(folder)] == cl._DEFAULT_INCLUDE_OPTIONS


def test_modules_are_imported_when_asked_for(run_python):
    modules = ["cache", "characterize", "invoker", "ipython_ext", "tools", "array", "capture_call"]
    result = run_python(
        "import sys, pyopencl\n"
        f"assert not [name for name in {modules} if f'pyopencl.{{name}}' in sys.modules]\n"
        "print(pyopencl.tools.bitlog2(8))\n"
        "import pyopencl.tools as tools\n"
        "assert tools is pyopencl.tools and 'pyopencl.invoker' not in sys.modules\n"
        "pyopencl.nonsense"
    )
    assert result.stdout == "3\n", result.stderr
    assert "AttributeError: module 'pyopencl' has no attribute 'nonsense'" in result.stderr
