"""Warning categories, and the one warning that Python code sends: the compiler's output."""

import os
import warnings

_TRUE = frozenset(("y", "yes", "t", "true", "on", "1"))
_FALSE = frozenset(("n", "no", "f", "false", "off", "0"))


class CompilerWarning(UserWarning):
    """A build succeeded, and its log is not empty."""

    __module__ = "pyopencl"


class CommandQueueUsedAfterExit(UserWarning):
    """A command queue was used after the ``with`` block that it was opened for."""

    __module__ = "pyopencl"


class RepeatedKernelRetrieval(UserWarning):
    """The same kernel was taken from a program by attribute twice.

    Each look-up gives a kernel object of its own: keep the first one.
    """

    __module__ = "pyopencl"


def truth_variable(name: str) -> bool:
    """Read the environment variable *name* as a truth word; unset means false.

    Raises :class:`ValueError` for any other word.
    """
    word = os.environ.get(name, "0")
    if word.lower() in _TRUE:
        return True
    if word.lower() in _FALSE:
        return False
    raise ValueError(
        f"{name}={word!r} is not a truth value: expected one of {sorted(_TRUE)} or of {sorted(_FALSE)}"
    )


def compiler_output(text: str) -> None:
    """Warn about the log *text* of a build that succeeded.

    The warning holds the log itself if the environment variable ``PYOPENCL_COMPILER_OUTPUT`` is true.
    """
    if truth_variable("PYOPENCL_COMPILER_OUTPUT"):
        warnings.warn(text, CompilerWarning, stacklevel=2)
    else:
        warnings.warn(
            "Non-empty compiler output: set PYOPENCL_COMPILER_OUTPUT=1 to see it "
            "(and PYOPENCL_NO_CACHE=1, since a program that is found in the cache is not compiled)",
            CompilerWarning,
            stacklevel=2,
        )
