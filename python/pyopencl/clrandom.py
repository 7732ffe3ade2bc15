"""Random numbers on the device: a seed gives the same ones on every device, for arrays of any layout.

:class:`PhiloxGenerator` and :class:`ThreefryGenerator` are streams of one's own; :func:`rand` and
:func:`fill_rand` draw from one that each context has, whose seed the operating system gives.
"""

from __future__ import annotations

import random
import warnings
from typing import TYPE_CHECKING, Any

import pyopencl as cl
from pyopencl._cl import Array, _Generator
from pyopencl.tools import first_arg_dependent_memoize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike

__all__ = (
    "PhiloxGenerator",
    "Random123GeneratorBase",
    "ThreefryGenerator",
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


class Random123GeneratorBase:
    """What :class:`PhiloxGenerator` and :class:`ThreefryGenerator` have in common: a key and a counter.

    A stream follows from its *key*, of up to :attr:`key_length` words of 32 bits, and goes on from *counter*,
    of up to four; the lowest word is first, and missing ones are zero. What is not given is drawn from
    *seed*, of the types that :class:`random.Random` takes. Generators of different keys are independent. A
    stream is the same on every device, for every queue and layout; threads may share a generator.

    Raises :class:`TypeError` if *seed* is given and not needed, :class:`ValueError` for too many words.
    """

    def __init__(
        self,
        context: cl.Context,
        key: Sequence[int] | None = None,
        counter: Sequence[int] | None = None,
        seed: Any = None,
    ) -> None:
        make: Callable[[list[int], list[int]], _Generator]
        make = getattr(_Generator, self.generator_name.removesuffix("4x32"))
        if seed is not None and key is not None and counter is not None:
            raise TypeError("key and counter are given, so that seed has no use: leave one of the three out")
        if seed is not None and hasattr(seed, "__index__"):
            seed = seed.__index__()
        source = random.Random(seed)
        self.context = context
        self.key = _words(key, self.key_length, source, "key")
        self._generator = make(self.key, _words(counter, 4, source, "counter"))

    @property
    def generator_name(self) -> str:
        """The name of the algorithm."""
        raise NotImplementedError("this class is a base: its subclasses have algorithms")

    @property
    def header_name(self) -> str:
        """The name that the algorithm's header has in other versions."""
        raise NotImplementedError("this class is a base: its subclasses have algorithms")

    @property
    def key_length(self) -> int:
        """The number of words of a key."""
        raise NotImplementedError("this class is a base: its subclasses have algorithms")

    @property
    def counter(self) -> list[int]:
        """The four words of the counter from which the next numbers are made."""
        return self._generator.counter

    def get_gen_kernel(self, dtype: DTypeLike, distribution: str) -> tuple[cl.Kernel, int, int]:
        """Give the kernel that fills memory with numbers, and how far it counts.

        *distribution* is ``"uniform"`` or ``"normal"``. The arguments of the kernel are the number of
        elements (``uint64``), the memory, the offset in it in bytes (``uint64``), the key and the counter,
        each as two ``uint64``, and two parameters: of uniform numbers the least and, floating-point, the
        length of the range or, of integers, their count as ``uint64``; of normal numbers mean and deviation.
        The second of the results is by how much four elements advance the counter, the third is 1. Raises
        :class:`TypeError` for a dtype that the distribution does not have.
        """
        kernel, count = self._generator.kernel(self.context, dtype, distribution)
        return kernel, 4 // count, 1

    def fill_uniform(
        self, ary: Array, a: Any = 0, b: Any = 1, queue: cl.CommandQueue | None = None
    ) -> cl.Event:
        """Fill an array with uniformly distributed numbers from *a* on and below *b*.

        Floating-point numbers may round to *b*. Gives an event that completes when the array is filled.
        Vectors are filled component by component. Raises :class:`TypeError` for dtypes that are neither
        floating-point nor integer, and :class:`ValueError` if there is no such number.
        """
        self._generator.fill_uniform(ary, a, b, queue)
        return _filled(ary, queue)

    def uniform(self, *args: Any, **kwargs: Any) -> Array:
        """Make an array of uniformly distributed numbers from *a* (0) on and below *b* (1).

        Other arguments are those of :class:`pyopencl.array.Array`: a queue, a shape, a dtype, …; see
        :meth:`fill_uniform` for dtypes and errors.
        """
        a, b = kwargs.pop("a", 0), kwargs.pop("b", 1)
        result = Array(*args, **kwargs)
        self._generator.fill_uniform(result, a, b)
        return result

    def fill_normal(
        self, ary: Array, mu: Any = 0, sigma: Any = 1, queue: cl.CommandQueue | None = None
    ) -> cl.Event:
        """Fill an array with normally distributed numbers of mean *mu* and standard deviation *sigma*.

        They are made by inversion of the distribution function (M. J. Wichura, "Algorithm AS 241", 1988).
        Gives an event that completes when the array is filled. Raises :class:`TypeError` for dtypes that are
        not floating-point.
        """
        self._generator.fill_normal(ary, mu, sigma, queue)
        return _filled(ary, queue)

    def normal(self, *args: Any, **kwargs: Any) -> Array:
        """Make an array of normally distributed numbers of mean *mu* (0) and standard deviation *sigma* (1).

        Other arguments are those of :class:`pyopencl.array.Array`; see :meth:`fill_normal` for dtypes and
        errors.
        """
        mu, sigma = kwargs.pop("mu", 0), kwargs.pop("sigma", 1)
        result = Array(*args, **kwargs)
        self._generator.fill_normal(result, mu, sigma)
        return result


def _filled(ary: Array, queue: cl.CommandQueue | None) -> cl.Event:
    used = queue or ary.queue
    assert used is not None, "arrays without a queue were refused"
    return cl.enqueue_marker(used)


class PhiloxGenerator(Random123GeneratorBase):
    """A stream of random numbers, made by Philox4x32-10.

    The algorithm is that of J. K. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
    For the arguments see :class:`Random123GeneratorBase`.
    """

    # Values take the places of the properties: those say what subclasses have to bring.
    generator_name = "philox4x32"  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]
    header_name = "pyopencl-random123/philox.cl"  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]
    key_length = 2  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]


class ThreefryGenerator(Random123GeneratorBase):
    """A stream of random numbers, made by Threefry4x32-20.

    The algorithm is that of J. K. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
    For the arguments see :class:`Random123GeneratorBase`.
    """

    # Values take the places of the properties: those say what subclasses have to bring.
    generator_name = "threefry4x32"  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]
    header_name = "pyopencl-random123/threefry.cl"  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]
    key_length = 4  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]


# The generator of a context.
_get_generator = first_arg_dependent_memoize(PhiloxGenerator)


def _context(given: Array | cl.CommandQueue, expected: type, function: str) -> cl.Context:
    """Give the context of an object of a class; raise :class:`TypeError` for anything else."""
    if not isinstance(given, expected):
        name = f"{expected.__module__.removesuffix('._cl')}.{expected.__name__}"
        raise TypeError(f"{function}: expected a {name}, found an object of {type(given)}")
    return given.context


def fill_rand(result: Array, queue: cl.CommandQueue | None = None, a: Any = 0, b: Any = 1) -> None:
    """Fill an array with uniformly distributed numbers from *a* on and below *b*.

    For dtypes and errors see :meth:`Random123GeneratorBase.fill_uniform`.
    """
    _get_generator(_context(result, Array, "fill_rand"))._generator.fill_uniform(result, a, b, queue)


def rand(
    queue: cl.CommandQueue, shape: Any, dtype: DTypeLike, luxury: Any = None, a: Any = 0, b: Any = 1
) -> Array:
    """Make an array of uniformly distributed numbers from *a* on and below *b*.

    For dtypes and errors see :meth:`Random123GeneratorBase.fill_uniform`. *luxury* means nothing any more.
    """
    if luxury is not None:
        warnings.warn("the argument 'luxury' of rand() has no effect and will be removed", stacklevel=2)
    return _get_generator(_context(queue, cl.CommandQueue, "rand")).uniform(queue, shape, dtype, a=a, b=b)
