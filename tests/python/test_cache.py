"""The module `pyopencl.cache`, and where programs are kept."""

import hashlib
import itertools
import os
import threading

import numpy as np
import pytest

import pyopencl as cl
from pyopencl import cache

SOURCE = b'#include "outer.h"\nkernel void set(global int *a) { a[0] = VALUE; }'


@pytest.fixture
def headers(tmp_path):
    folder = tmp_path / "headers"
    folder.mkdir()
    (folder / "outer.h").write_text('#include "inner.h"\n')
    (folder / "inner.h").write_text("#define VALUE 5\n")
    return folder


def value(queue, program):
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 4)
    cl.Kernel(program, "set")(queue, (1,), None, buffer)
    result = np.empty(1, np.int32)
    cl.enqueue_copy(queue, result, buffer)
    return result[0]


# --- building


def test_programs_are_built_once(ctx, queue, tmp_path, headers):
    folder, options = str(tmp_path / "cache"), f"-I {headers}".encode()
    build = cache.create_built_program_from_source_cached
    program, found = build(ctx, SOURCE, options, cache_dir=folder)
    assert not found
    assert type(program) is cl._Program
    assert program.kind() == cl.program_kind.SOURCE
    assert value(queue, program) == 5
    for arguments in ((ctx.devices, folder), (None, folder, [headers]), (None, tmp_path / "cache")):
        program, found = build(ctx, SOURCE, options, *arguments)
        assert found
        assert value(queue, program) == 5
    # Another context does not have it in memory.
    other = cl.Context(ctx.devices)
    assert build(other, SOURCE.decode(), options.decode(), cache_dir=folder)[1]
    assert len(os.listdir(folder)) == 1

    (headers / "inner.h").write_text("#define VALUE 6\n")
    program, found = build(ctx, SOURCE, options, cache_dir=folder)
    assert not found
    assert value(queue, program) == 6
    assert not build(ctx, SOURCE, options, cache_dir=False)[1]
    with pytest.raises(cl.RuntimeError, match="nonsense"):
        build(ctx, b"kernel void f() { nonsense }", b"", cache_dir=folder)


def test_cached_programs_are_those_of_build(ctx, tmp_path):
    source = "kernel void f() {}"
    cl.Program(ctx, source).build(cache_dir=tmp_path)
    platform = ctx.devices[0].platform.name
    lists = (cl._DEFAULT_BUILD_OPTIONS, cl._DEFAULT_INCLUDE_OPTIONS, cl._PLAT_BUILD_OPTIONS.get(platform, []))
    options = " ".join([*itertools.chain(*lists), *os.environ.get("PYOPENCL_BUILD_OPTIONS", "").split()])
    assert cache.create_built_program_from_source_cached(ctx, source, options, cache_dir=tmp_path)[1]


def test_an_entry_holds_the_binary(ctx, device, tmp_path):
    source, options = b"kernel void f() {}", b"-DX=1"
    key = cache.get_cache_key(device, options, source)
    assert cache.retrieve_from_cache(tmp_path, key) is None
    cache.create_built_program_from_source_cached(ctx, source, options, [device], tmp_path)
    binary, log = cache.retrieve_from_cache(str(tmp_path), key)
    assert log == ""
    program = cl.Program(ctx, [device], [binary]).build()
    assert program.kernel_names == "f"
    assert cache.retrieve_from_cache(tmp_path, "no such entry") is None
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert cache.retrieve_from_cache(tmp_path, key) is None


def test_keys_tell_programs_apart(device, headers):
    options = f"-I {headers}"
    key = cache.get_cache_key(device, options, SOURCE)
    assert key == cache.get_cache_key(device, options.encode(), SOURCE.decode())
    others = {
        cache.get_cache_key(device, options + " -DX", SOURCE),
        cache.get_cache_key(device, options, SOURCE + b"\n"),
    }
    (headers / "inner.h").write_text("#define VALUE 6\n")
    others.add(cache.get_cache_key(device, options, SOURCE))
    unkept = {cache.get_cache_key(device, options, f"#include {name}") for name in ("A", "B")}
    assert len({key, *others, *unkept}) == 6


def test_device_is_identified(device):
    identity = cache.get_device_cache_id(device)
    assert hash(identity) == hash(cache.get_device_cache_id(device))
    platform = device.platform
    for part in (cl.VERSION, platform.name, platform.version, device.name, device.driver_version):
        assert part in identity


def test_folder_of_a_context_is_used(ctx, tmp_path):
    context = cl.Context(ctx.devices)
    assert context.cache_dir is None
    context.cache_dir = tmp_path / "own"
    assert context.cache_dir == str(tmp_path / "own")
    cl.Program(context, "kernel void f() {}").build()
    assert len(os.listdir(tmp_path / "own")) == 1
    cl.Program(context, "kernel void g() {}").build(cache_dir=str(tmp_path / "other"))
    cl.Program(context, "kernel void h() {}").build(cache_dir=False)
    assert [len(os.listdir(tmp_path / name)) for name in ("own", "other")] == [1, 1]
    context.cache_dir = None
    assert context.cache_dir is None
    for wrong in (True, 3):
        with pytest.raises(TypeError):
            cl.Program(context, "kernel void f() {}").build(cache_dir=wrong)


BUILD = """
import pyopencl as cl
context = cl.create_some_context(interactive=False)
cl.Program(context, "kernel void f() {{}}").build(cache_dir={folder!r})
print("built")
"""


def test_failure_of_the_cache_is_fatal_on_demand(run_python, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    code = BUILD.format(folder=str(file / "below"))
    assert run_python(code, PYOPENCL_CACHE_FAILURE_FATAL=None).stdout == "built\n"
    assert run_python(code, PYOPENCL_CACHE_FAILURE_FATAL="").stdout == "built\n"
    result = run_python(code, PYOPENCL_CACHE_FAILURE_FATAL="1")
    assert result.stdout == ""
    assert f"the cache in {file / 'below'} is not written" in result.stderr


def test_cache_is_off_on_demand(run_python, tmp_path):
    folder = tmp_path / "cache"
    assert run_python(BUILD.format(folder=str(folder)), PYOPENCL_NO_CACHE="1").stdout == "built\n"
    assert not folder.exists()


# --- dependencies


def test_dependencies_are_found(headers):
    outer, inner = (str(headers / name) for name in ("outer.h", "inner.h"))
    texts = {inner: b"#define VALUE 5\n", outer: b'#include "inner.h"\n'}
    expected = [(path, os.stat(path).st_mtime, hashlib.md5(text).hexdigest()) for path, text in texts.items()]
    for source in (SOURCE, SOURCE.decode(), b"  #  include <outer.h>\n", b'#include "inner.h"\n' + SOURCE):
        assert cache.get_dependencies(source, [str(headers)]) == expected
    assert cache.get_dependencies(SOURCE, (headers,)) == expected
    for source in (b"int x;", b'#include "gone.h"\n', b'// #include "inner.h"\n'):
        assert cache.get_dependencies(source, [headers]) == []
    assert cache.get_dependencies(SOURCE, []) == []
    with pytest.raises(ValueError, match="only the compiler"):
        cache.get_dependencies(b"#include NAME\n", [headers])


def test_changed_dependencies_are_seen(headers):
    dependencies = cache.get_dependencies(SOURCE, [headers])
    assert cache.check_dependencies(dependencies)
    assert cache.check_dependencies([])
    # A file that was only touched has not changed.
    os.utime(headers / "inner.h", (1, 1))
    assert cache.check_dependencies(dependencies)
    (headers / "inner.h").write_text("#define VALUE 7\n")
    assert not cache.check_dependencies(dependencies)
    (headers / "inner.h").unlink()
    assert not cache.check_dependencies(dependencies)


def test_include_lines_match():
    found = cache.C_INCLUDE_RE.findall(b'#include "a.h"\n # include <b/c.h> // d\nint e; // #include "f"\n')
    assert found == [b"a.h", b"b/c.h"]


def test_digests(tmp_path):
    checksum = hashlib.md5()
    cache.update_checksum(checksum, "ä")
    cache.update_checksum(checksum, b"b")
    assert checksum.hexdigest() == hashlib.md5("äb".encode()).hexdigest()
    (tmp_path / "file").write_text("äb", "utf-8")
    assert cache.get_file_md5sum(tmp_path / "file") == checksum.hexdigest()
    with pytest.raises(FileNotFoundError):
        cache.get_file_md5sum(str(tmp_path / "gone"))


# --- clean-up and locks


def test_clean_up_goes_backwards():
    done = []

    class Cleanup(cache.CleanupBase):
        def __init__(self, name):
            self.name = name

        def clean_up(self):
            done.append(self.name)

        def error_clean_up(self):
            done.append(-self.name)

    manager = cache.CleanupManager()
    for name in (1, 2, 3):
        manager.register(Cleanup(name))
    assert [cleanup.name for cleanup in manager.cleanups] == [3, 2, 1]
    manager.clean_up()
    manager.error_clean_up()
    assert done == [3, 2, 1, -3, -2, -1]
    with pytest.raises(TypeError):
        cache.CleanupBase()


def test_folders_are_removed_after_failures(tmp_path):
    manager = cache.CleanupManager()
    folder = tmp_path / "deep" / "er"
    first = cache.ModuleCacheDirManager(manager, folder)
    assert (first.path, first.existed) == (str(folder), False)
    assert first.sub("file") == str(folder / "file")
    (folder / "file").write_text("")
    assert cache.ModuleCacheDirManager(manager, str(folder)).existed
    manager.clean_up()
    assert (folder / "file").exists()
    first.reset()
    assert os.listdir(folder) == []
    manager.error_clean_up()
    assert not folder.exists()


@pytest.mark.parametrize("release", ["clean_up", "error_clean_up"])
def test_one_holds_the_lock(tmp_path, release):
    managers = [cache.CleanupManager() for _ in range(4)]
    inside, seen = [], []

    def work(manager):
        lock = cache.CacheLockManager(manager, tmp_path / "new")
        inside.append(lock)
        seen.append((len(inside), os.path.exists(lock.lock_file)))
        inside.pop()
        getattr(manager, release)()

    threads = [threading.Thread(target=work, args=(manager,)) for manager in managers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [(1, True)] * 4
    assert os.listdir(tmp_path / "new") == []


def test_waiting_for_a_lock_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_WARN_AFTER", 0.05)
    monkeypatch.setattr(cache, "_GIVE_UP_AFTER", 0.2)
    manager = cache.CleanupManager()
    lock = cache.CacheLockManager(manager, tmp_path)
    with pytest.warns(UserWarning, match="delete the file if no process holds it"):
        with pytest.raises(RuntimeError, match="for the lock"):
            cache.CacheLockManager(cache.CleanupManager(), tmp_path)
    lock.clean_up()
    lock.clean_up()
    cache.CacheLockManager(manager, str(tmp_path)).clean_up()


def test_no_folder_is_not_locked():
    manager = cache.CleanupManager()
    cache.CacheLockManager(manager, None).clean_up()
    assert manager.cleanups == []
