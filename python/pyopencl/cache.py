"""The cache of built programs: building through it, the names and contents of its entries, locks on folders.

There is one cache, in the native module; :meth:`pyopencl.Program.build` uses it too. A folder of it holds a
file for each source, with its included files, options, devices and drivers; any number of processes may share
one, without locks. The classes for locks and clean-up serve programs that keep something of their own in a
folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal, Protocol

import pyopencl._cl as _cl
from pyopencl.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyopencl._cl import Context, Device, _Program

__all__ = (
    "C_INCLUDE_RE",
    "CacheLockManager",
    "CleanupBase",
    "CleanupManager",
    "ModuleCacheDirManager",
    "check_dependencies",
    "create_built_program_from_source_cached",
    "get_cache_key",
    "get_dependencies",
    "get_device_cache_id",
    "get_file_md5sum",
    "retrieve_from_cache",
    "update_checksum",
)

# A line that includes a file by its literal name, which is the group. The cache itself reads sources as a
# preprocessor does: see `get_dependencies`.
C_INCLUDE_RE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)

_Path = str | os.PathLike[str]
_Dependency = tuple[str, float, str]


class _Checksum(Protocol):
    def update(self, data: bytes, /) -> None: ...


def _text(text: str | bytes) -> str:
    return text.decode() if isinstance(text, bytes) else text


# --- building, and what is kept


def create_built_program_from_source_cached(
    ctx: Context,
    src: str | bytes,
    options_bytes: str | bytes,
    devices: Sequence[Device] | None = None,
    cache_dir: _Path | Literal[False] | None = None,
    include_path: Sequence[_Path] | None = None,
) -> tuple[_Program, bool]:
    """Build a program of source text for *devices* (all of *ctx* by default), or find it in the cache.

    Returns the program and whether it was found. *options_bytes* go to the compiler as they are. *cache_dir*
    is the folder of the cache, ``False`` for none; by default that of the context, else of the user. Included
    files belong to what identifies a program; they are looked for in the folders that the options name, as
    the compiler does, so that *include_path* has nothing to add.

    Raises :class:`pyopencl.RuntimeError` with the log if the program does not build, and, where the
    environment variable ``PYOPENCL_CACHE_FAILURE_FATAL`` holds something, if the cache cannot be written.
    """
    return _cl._build_cached(ctx, _text(src), _text(options_bytes), devices, cache_dir)


def get_cache_key(device: Device, options_bytes: str | bytes, src: str | bytes) -> str:
    """Name the entry of a source with its options for a device: 64 hexadecimal digits.

    Included files are read, so that the name changes with them. Programs that are never kept (their includes
    only the compiler can follow) have a name too, of 32 digits, under which nothing will be found.
    """
    key = _cl._cache_key([device], _text(options_bytes), _text(src))
    if key is not None:
        return key
    checksum = hashlib.md5(usedforsecurity=False)
    for part in (repr(get_device_cache_id(device)), options_bytes, src):
        update_checksum(checksum, part)
    return checksum.hexdigest()


def retrieve_from_cache(cache_dir: _Path, cache_key: str) -> tuple[bytes, str] | None:
    """Read what the folder *cache_dir* holds under a name of :func:`get_cache_key`.

    Returns the binary for :class:`pyopencl.Program`, and the log of its build, of which none is kept: empty
    text. ``None`` if there is no such entry or it is damaged.
    """
    binaries = _cl._cached_binaries(cache_dir, cache_key)
    return (binaries[0], "") if binaries else None


def get_device_cache_id(device: Device) -> tuple[object, ...]:
    """What must be the same for a binary to be used again: our version, names of platform and device."""
    platform = device.platform
    return (
        VERSION,
        platform.vendor,
        platform.name,
        platform.version,
        device.vendor,
        device.name,
        device.version,
        device.driver_version,
    )


# --- dependencies


def get_dependencies(src: str | bytes, include_path: Sequence[_Path]) -> list[_Dependency]:
    """List the files that a source includes, directly or through others: path, modification time, MD5 digest.

    Files are looked for beside the including one, then in the folders of *include_path*; names that are in
    neither are left out, as the compiler's own. Conditions are not evaluated. Raises :class:`ValueError`
    where only the compiler can tell what is included, by a macro for instance.
    """
    files = _cl._included_files(_text(src), list(include_path))
    if files is None:
        raise ValueError("the source includes files in a way that only the compiler can follow")
    paths = sorted({os.path.abspath(name) for name in files})
    return [(path, os.stat(path).st_mtime, get_file_md5sum(path)) for path in paths]


def check_dependencies(deps: Iterable[_Dependency]) -> bool:
    """Tell whether the files of a list that :func:`get_dependencies` gave are what they were."""
    for path, modified, digest in deps:
        try:
            if os.stat(path).st_mtime != modified and get_file_md5sum(path) != digest:
                return False
        except OSError:
            return False
    return True


def get_file_md5sum(fname: _Path) -> str:
    """The MD5 digest of a file's content, in hexadecimal."""
    checksum = hashlib.md5(usedforsecurity=False)
    with open(fname, "rb") as file:
        while block := file.read(1 << 20):
            checksum.update(block)
    return checksum.hexdigest()


def update_checksum(checksum: _Checksum, obj: str | bytes) -> None:
    """Feed text, as UTF-8, or bytes to an object of :mod:`hashlib`."""
    checksum.update(obj.encode() if isinstance(obj, str) else obj)


# --- clean-up and locks


class CleanupBase(ABC):
    """Something that has to be undone, whether what follows succeeds or fails."""

    @abstractmethod
    def clean_up(self) -> None:
        """Undo it after success."""

    @abstractmethod
    def error_clean_up(self) -> None:
        """Undo it after a failure."""


class CleanupManager(CleanupBase):
    """A list of things to be undone, the last registered one first."""

    cleanups: list[CleanupBase]

    def __init__(self) -> None:
        self.cleanups = []

    def register(self, c: CleanupBase) -> None:
        """Add something to be undone before all others."""
        self.cleanups.insert(0, c)

    def clean_up(self) -> None:
        """Undo everything after success."""
        for cleanup in self.cleanups:
            cleanup.clean_up()

    def error_clean_up(self) -> None:
        """Undo everything after a failure."""
        for cleanup in self.cleanups:
            cleanup.error_clean_up()


# Seconds between attempts to get a lock, until the user is told, and until it is given up.
_POLL, _WARN_AFTER, _GIVE_UP_AFTER = 0.02, 5.0, 60.0


class CacheLockManager(CleanupBase):
    """A lock on a folder, held from construction to clean-up: a file ``lock`` that only one process can make.

    The folder is made if needed; ``None`` for it locks nothing. After some seconds of waiting, a warning
    names the file, since a process that was killed leaves it behind; after a minute :class:`RuntimeError` is
    raised.
    """

    lock_file: str | None
    fd: int | None

    def __init__(self, cleanup_m: CleanupManager, cache_dir: _Path | None) -> None:
        self.lock_file = self.fd = None
        if cache_dir is None:
            return
        os.makedirs(cache_dir, exist_ok=True)
        self.lock_file = os.path.join(cache_dir, "lock")
        self.fd = _acquire(self.lock_file)
        cleanup_m.register(self)

    def clean_up(self) -> None:
        """Release the lock."""
        if self.fd is not None and self.lock_file is not None:
            os.close(self.fd)
            self.fd = None
            os.unlink(self.lock_file)

    def error_clean_up(self) -> None:
        """Release the lock."""
        self.clean_up()


def _acquire(lock_file: str) -> int:
    start, warned = time.monotonic(), False
    while True:
        try:
            return os.open(lock_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError:
            waited = time.monotonic() - start
        if waited > _GIVE_UP_AFTER:
            raise RuntimeError(f"waited {waited:.0f} seconds for the lock {lock_file!r}")
        if waited > _WARN_AFTER and not warned:
            text = f"waiting for the lock {lock_file!r}: delete the file if no process holds it"
            warnings.warn(text, stacklevel=3)
            warned = True
        time.sleep(_POLL)


class ModuleCacheDirManager(CleanupBase):
    """A folder that is made, and removed again after a failure.

    *existed* tells whether it was there before.
    """

    path: str
    existed: bool

    def __init__(self, cleanup_m: CleanupManager, path: _Path) -> None:
        self.path = os.fspath(path)
        self.existed = os.path.isdir(self.path)
        os.makedirs(self.path, exist_ok=True)
        cleanup_m.register(self)

    def sub(self, n: str) -> str:
        """The path of a file in the folder."""
        return os.path.join(self.path, n)

    def reset(self) -> None:
        """Remove what is in the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.makedirs(self.path, exist_ok=True)

    def clean_up(self) -> None:
        """Keep the folder."""

    def error_clean_up(self) -> None:
        """Remove the folder with what is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
