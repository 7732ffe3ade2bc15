"""The list of the events that operations of an array wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyopencl._cl import Event

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from typing_extensions import Self

    from pyopencl._cl import Array


class Events(list[Event]):
    """Events of an array when it was asked for them. Those that are put in are waited for from then on.

    What is taken out is waited for all the same: nobody but the command itself can say that it is done.
    """

    __slots__ = ("_array",)

    def __init__(self, array: Array, events: Iterable[Event]) -> None:
        super().__init__(events)
        self._array = array

    def append(self, event: Event, /) -> None:
        self._array.add_event(event)
        super().append(event)

    def insert(self, index: SupportsIndex, event: Event, /) -> None:
        self._array.add_event(event)
        super().insert(index, event)

    def extend(self, events: Iterable[Event], /) -> None:
        for event in events:
            self.append(event)

    def __iadd__(self, events: Iterable[Event], /) -> Self:  # type: ignore[override, misc]
        self.extend(events)
        return self

    def __setitem__(self, index: Any, events: Any, /) -> None:
        added = list(events) if isinstance(index, slice) else [events]
        for event in added:
            self._array.add_event(event)
        super().__setitem__(index, added if isinstance(index, slice) else events)

    def __reduce__(self) -> Any:
        return list, (list(self),)
