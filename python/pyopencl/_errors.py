"""The exception classes of `pyopencl._cl`; the native module runs this file while it is being imported."""


class _ErrorRecord:
    """What is known of an error: the function, its status, and a text."""

    __slots__ = ("_code", "_msg", "_routine")

    def __init__(self, routine, code, msg):
        self._routine = routine
        self._code = code
        self._msg = msg

    def routine(self):
        """The C function, or the operation, that failed."""
        return self._routine

    def code(self):
        """The status, one of :class:`status_code`."""
        return self._code

    def what(self):
        """What is known beyond function and status; empty if nothing."""
        return self._msg

    def is_out_of_memory(self):
        """Whether freeing memory and trying again may help."""
        return self._code in (-4, -5, -6)

    def __reduce__(self):
        return _ErrorRecord, (self._routine, self._code, self._msg)


class Error(Exception):
    """Base class of the errors of OpenCL."""

    @property
    def what(self):
        """The record of the error."""
        return self.args[0]

    @property
    def code(self):
        """The status, one of :class:`status_code`."""
        return self.args[0].code()

    @property
    def routine(self):
        """The C function, or the operation, that failed."""
        return self.args[0].routine()

    def __str__(self):
        record = self.args[0] if self.args else ""
        if not isinstance(record, _ErrorRecord):
            return str(record)
        name = _status_names.get(record.code(), f"<unknown error {record.code()}>")
        text = f"{record.routine()} failed: {name}"
        return f"{text} - {record.what()}" if record.what() else text


class MemoryError(Error):
    """The device has no memory left (``MEM_OBJECT_ALLOCATION_FAILURE``)."""


class LogicError(Error):
    """The program asked for something that is not allowed (``INVALID_VALUE`` and below)."""


class RuntimeError(Error):
    """Something failed while running: a build, a command, a resource."""
