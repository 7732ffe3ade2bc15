"""Choosing devices: by answers, by environment variables, by asking, or the first one there is."""

import os
import sys
from typing import TYPE_CHECKING

from pyopencl._cl import Context, RuntimeError, get_platforms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from pyopencl._cl import Device, Platform

    _Item = TypeVar("_Item", Platform, Device)


def create_some_context(interactive: bool | None = None, answers: "Sequence[str] | None" = None) -> Context:
    """Make a context on the devices that :func:`choose_devices` gives for the same arguments."""
    return Context(choose_devices(interactive, answers))


def choose_devices(interactive: bool | None = None, answers: "Sequence[str] | None" = None) -> "list[Device]":
    """Choose devices of one platform.

    The answers to "which platform?" and "which devices?" are taken from, in this order: *answers*; the
    environment variable ``PYOPENCL_TEST`` (``platform:device,device;…``, of which the first device is taken);
    the environment variable ``PYOPENCL_CTX`` (``platform:device,device``). What is not answered there is
    asked, if *interactive* (by default: if the standard input is a terminal), else the first one is taken.

    An answer is a number or a part of a name, in any case; an empty one stands for the first. An answer that
    matches nothing raises :class:`pyopencl.RuntimeError`, which names the answer and what there is.
    """
    source = "answers"
    if answers is None:
        test = os.environ.get("PYOPENCL_TEST")
        if test:
            return [_first_test_device(test)]
        setting = os.environ.get("PYOPENCL_CTX")
        answers = [] if setting is None else setting.split(":")
        source = "answers" if setting is None else f"PYOPENCL_CTX={setting!r}"
    given = [str(answer) for answer in answers]
    left = list(given)
    stdin = sys.stdin
    terminal = stdin is not None and not stdin.closed and stdin.isatty()
    ask = terminal if interactive is None else interactive
    asked = False

    platforms = get_platforms()
    if left:
        platform = _match(left.pop(0), platforms, "platform", source)
    elif ask:
        answer = _prompt("Choose platform:", "Choice", platforms)
        asked, source = True, "the answer"
        given.append(answer)
        platform = _match(answer, platforms, "platform", source)
    else:
        platform = next((p for p in platforms if p.get_devices()), platforms[0])

    devices = platform.get_devices()
    if not devices:
        raise RuntimeError(f"platform {platform.name!r} has no devices")
    if left:
        chosen = _match_list(left.pop(0), devices, source)
    elif len(devices) == 1 or not ask:
        chosen = devices[:1]
        if ask:
            print(f"Choosing only available device: {chosen[0]!r}")
    else:
        answer = _prompt("Choose device(s):", "Choice, comma-separated", devices)
        asked = True
        given.append(answer)
        chosen = _match_list(answer, devices, "the answer")

    if left:
        raise RuntimeError(
            f"{source}: there are more answers than questions, left over: {', '.join(map(repr, left))}"
        )
    if asked:
        print(f"Set the environment variable PYOPENCL_CTX='{':'.join(given)}' to avoid being asked again.")
    return chosen


def _first_test_device(setting: str) -> "Device":
    """The first device that the value of ``PYOPENCL_TEST`` names."""
    source = f"PYOPENCL_TEST={setting!r}"
    platform_part, _, device_part = setting.split(";")[0].partition(":")
    platform = _match(platform_part, get_platforms(), "platform", source)
    devices = platform.get_devices()
    if not devices:
        raise RuntimeError(f"{source}: platform {platform.name!r} has no devices")
    return _match_list(device_part, devices, source)[0]


def _match_list(answer: str, devices: "list[Device]", source: str) -> "list[Device]":
    return [_match(part, devices, "device", source) for part in answer.split(",")]


def _match(answer: str, items: "list[_Item]", kind: str, source: str) -> "_Item":
    """The one of *items* that *answer* stands for; *kind* and *source* are for the message."""
    answer = answer.strip()
    if not answer:
        return items[0]
    try:
        index = int(answer)
    except ValueError:
        for item in items:
            if answer.lower() in item.name.lower():
                return item
    else:
        if 0 <= index < len(items):
            return items[index]
    there_is = ", ".join(f"[{index}] {item.name!r}" for index, item in enumerate(items))
    raise RuntimeError(f"{source}: {answer!r} did not match any {kind}; there is {there_is}")


def _prompt(title: str, question: str, items: "Sequence[object]") -> str:
    print(title)
    for index, item in enumerate(items):
        print(f"[{index}] {item!r}")
    return input(f"{question} [0]:")
