"""The exception classes of the native module, which takes them from here while it is being imported."""

# By status; the native module fills it in.
STATUS_NAMES: dict[int, str] = {}


class _ErrorRecord:
    """What is known of an error: the function, its status, and a text."""

    __module__ = "pyopencl._cl"
    __slots__ = ("_code", "_msg", "_routine")

    def __init__(self, routine: str, code: int, msg: str) -> None:
        self._routine = routine
        self._code = code
        self._msg = msg

    def routine(self) -> str:
        """The C function, or the operation, that failed."""
        return self._routine

    def code(self) -> int:
        """The status, one of :class:`status_code`."""
        return self._code

    def what(self) -> str:
        """What is known beyond function and status; empty if nothing."""
        return self._msg

    def is_out_of_memory(self) -> bool:
        """Whether freeing memory and trying again may help."""
        return self._code in (-4, -5, -6)

    def __reduce__(self) -> "tuple[type[_ErrorRecord], tuple[str, int, str]]":
        return _ErrorRecord, (self._routine, self._code, self._msg)


class Error(Exception):
    """Base class of the errors of OpenCL."""

    __module__ = "pyopencl._cl"

    @property
    def what(self) -> _ErrorRecord:
        """The record of the error."""
        record: _ErrorRecord = self.args[0]
        return record

    @property
    def code(self) -> int:
        """The status, one of :class:`status_code`."""
        return self.what.code()

    @property
    def routine(self) -> str:
        """The C function, or the operation, that failed."""
        return self.what.routine()

    def __str__(self) -> str:
        record = self.args[0] if self.args else ""
        if not isinstance(record, _ErrorRecord):
            return str(record)
        name = STATUS_NAMES.get(record.code(), f"<unknown error {record.code()}>")
        text = f"{record.routine()} failed: {name}"
        return f"{text} - {record.what()}" if record.what() else text


class MemoryError(Error):
    """The device has no memory left (``MEM_OBJECT_ALLOCATION_FAILURE``)."""

    __module__ = "pyopencl._cl"


class LogicError(Error):
    """The program asked for something that is not allowed (``INVALID_VALUE`` and below)."""

    __module__ = "pyopencl._cl"


class RuntimeError(Error):
    """Something failed while running: a build, a command, a resource."""

    __module__ = "pyopencl._cl"
