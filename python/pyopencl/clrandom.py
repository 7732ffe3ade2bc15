"""Random numbers on the device: a seed gives the same ones on every device, for arrays of any layout.

:class:`PhiloxGenerator` is a stream of one's own; :func:`rand` and :func:`fill_rand` draw from one that each
context has, whose seed the operating system gives.
"""

from __future__ import annotations

import random
import warnings
from typing import TYPE_CHECKING, Any

import pyopencl as cl
from pyopencl._cl import Array, _Philox
from pyopencl.tools import first_arg_dependent_memoize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike

__all__ = (
    "PhiloxGenerator",
    "fill_rand",
    "rand",
)

_WORD = 0xFFFFFFFF


def _words(given: Sequence[int] | None, count: int, source: random.Random, name: str) -> list[int]:
    """Take words of 32 bits as given, filled up with zeros, or draw them."""
    if given is None:
        return [source.getrandbits(32) for _ in range(count)]
    if len(given) > count:
        raise ValueError(f"{name} has {len(given)} words of 32 bits, expected at most {count}")
    return [int(word) & _WORD for word in given] + [0] * (count - len(given))


class PhiloxGenerator:
    """A stream of random numbers, made by Philox4x32-10.

    The algorithm is that of J. K. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
    *key* is up to two and *counter* up to four words of 32 bits, the lowest first; what is not given is drawn
    from *seed*, of the types that :class:`random.Random` takes. Threads may share a generator.
    """

    def __init__(
        self,
        context: cl.Context,
        key: Sequence[int] | None = None,
        counter: Sequence[int] | None = None,
        seed: Any = None,
    ) -> None:
        self.context = context
        if hasattr(seed, "__index__"):
            seed = seed.__index__()
        source = random.Random(seed)
        self._philox = _Philox(_words(key, 2, source, "key"), _words(counter, 4, source, "counter"))

    def fill_uniform(
        self, ary: Array, a: Any = 0, b: Any = 1, queue: cl.CommandQueue | None = None
    ) -> cl.Event:
        """Fill an array with uniformly distributed numbers from *a* on and below *b*.

        Floating-point numbers may round to *b*. Gives an event that completes when the array is filled.
        Raises :class:`TypeError` for other dtypes than ``float32``, ``float64``, ``int32`` and ``int64``, and
        :class:`ValueError` if there is no such number.
        """
        self._philox.fill_uniform(ary, a, b, queue)
        used = queue or ary.queue
        assert used is not None, "arrays without a queue were refused"
        return cl.enqueue_marker(used)

    def uniform(self, *args: Any, **kwargs: Any) -> Array:
        """Make an array of uniformly distributed numbers from *a* (0) on and below *b* (1).

        Other arguments are those of :class:`pyopencl.array.Array`: a queue, a shape, a dtype, …; see
        :meth:`fill_uniform` for dtypes and errors.
        """
        a, b = kwargs.pop("a", 0), kwargs.pop("b", 1)
        result = Array(*args, **kwargs)
        self._philox.fill_uniform(result, a, b)
        return result


# The generator of a context.
_generator = first_arg_dependent_memoize(PhiloxGenerator)


def fill_rand(result: Array, queue: cl.CommandQueue | None = None, a: Any = 0, b: Any = 1) -> None:
    """Fill an array with uniformly distributed numbers from *a* on and below *b*.

    For dtypes and errors see :meth:`PhiloxGenerator.fill_uniform`.
    """
    _generator(result.context)._philox.fill_uniform(result, a, b, queue)


def rand(
    queue: cl.CommandQueue, shape: Any, dtype: DTypeLike, luxury: Any = None, a: Any = 0, b: Any = 1
) -> Array:
    """Make an array of uniformly distributed numbers from *a* on and below *b*.

    For dtypes and errors see :meth:`PhiloxGenerator.fill_uniform`. *luxury* means nothing any more.
    """
    if luxury is not None:
        warnings.warn("the argument 'luxury' of rand() has no effect and will be removed", stacklevel=2)
    return _generator(queue.context).uniform(queue, shape, dtype, a=a, b=b)
