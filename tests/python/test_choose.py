"""Choosing devices by answers and by environment variables."""

import builtins
import sys

import pytest

import pyopencl as cl


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    monkeypatch.delenv("PYOPENCL_TEST", raising=False)


@pytest.fixture
def platforms() -> list[cl.Platform]:
    return cl.get_platforms()


@pytest.fixture
def typed(monkeypatch):
    """A terminal at which these lines are typed; gives the questions."""
    questions: list[str] = []

    def prepare(*lines: str) -> list[str]:
        left = list(lines)

        def read(question: str = "") -> str:
            questions.append(question)
            return left.pop(0)

        monkeypatch.setattr(builtins, "input", read)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
        return questions

    return prepare


def test_without_answers_the_first_device_is_taken(platforms):
    assert cl.choose_devices(interactive=False) == platforms[0].get_devices()[:1]


def test_the_default_function_has_a_short_name():
    assert cl._csc is cl.create_some_context


@pytest.mark.parametrize("spell", [str.lower, str.upper, lambda name: name[2:9]])
def test_every_platform_is_found_by_number_and_by_name(monkeypatch, platforms, spell):
    for index, platform in enumerate(platforms):
        first = platform.get_devices()[:1]
        monkeypatch.setenv("PYOPENCL_CTX", str(index))
        assert cl.choose_devices() == first
        monkeypatch.setenv("PYOPENCL_CTX", f"{index}:0")
        assert cl.choose_devices() == first
        monkeypatch.setenv("PYOPENCL_CTX", spell(platform.name))
        assert cl.choose_devices()[0].platform.name == platform.name


def test_several_devices_make_one_list(monkeypatch, platforms):
    devices = platforms[0].get_devices()
    monkeypatch.setenv("PYOPENCL_CTX", "0:" + ",".join(str(index) for index in range(len(devices))))
    assert cl.choose_devices() == devices
    monkeypatch.setenv("PYOPENCL_CTX", f"0:{devices[0].name[:4]}, 0")
    assert cl.choose_devices() == [devices[0], devices[0]]


def test_several_devices_of_pocl(run_python):
    result = run_python(
        "import pyopencl as cl\n"
        "ctx = cl.create_some_context()\n"
        "print(len(set(device.name for device in ctx.devices)))\n"
        "for device in ctx.devices: cl.CommandQueue(ctx, device).finish()\n",
        PYOPENCL_CTX="portable:0,1",
        PYOPENCL_TEST=None,
        POCL_DEVICES="pthread basic",
    )
    if "did not match any platform" in result.stderr:
        pytest.skip("PoCL is not installed")
    assert result.stdout == "2\n", result.stderr


@pytest.mark.parametrize(
    ("setting", "unmatched"),
    [
        ("no_such_platform", "no_such_platform"),
        ("0:no_such_device", "no_such_device"),
        ("77", "77"),
        ("-1", "-1"),
        ("0:0,77", "77"),
    ],
)
def test_an_answer_that_matches_nothing_is_named(monkeypatch, platforms, setting, unmatched):
    monkeypatch.setenv("PYOPENCL_CTX", setting)
    with pytest.raises(cl.RuntimeError) as caught:
        cl.create_some_context()
    message = str(caught.value)
    assert "PYOPENCL_CTX" in message
    assert repr(unmatched) in message
    there_is = platforms[0].get_devices() if setting.startswith("0") else platforms
    assert all(item.name in message for item in there_is)


def test_answers_left_over_are_an_error(monkeypatch):
    monkeypatch.setenv("PYOPENCL_CTX", "0:0:5")
    with pytest.raises(cl.RuntimeError, match="left over: '5'"):
        cl.choose_devices()
    with pytest.raises(cl.RuntimeError, match="left over: '6'"):
        cl.choose_devices(answers=["0", "0", "6"])


def test_arguments_win_over_variables_and_tests_over_choice(monkeypatch, platforms):
    first = platforms[0].get_devices()[0]
    monkeypatch.setenv("PYOPENCL_CTX", "no_such_platform")
    assert cl.choose_devices(answers=["0"]) == [first]
    monkeypatch.setenv("PYOPENCL_TEST", "0:0,0;1:0")
    assert cl.choose_devices() == [first]
    monkeypatch.setenv("PYOPENCL_TEST", "no_such_either")
    assert cl.choose_devices(answers=["0"]) == [first]
    with pytest.raises(cl.RuntimeError, match="no_such_either"):
        cl.choose_devices()


def test_empty_answers_stand_for_the_first(monkeypatch, platforms):
    first = platforms[0].get_devices()[:1]
    for setting in ("", ":", "0:", ":0"):
        monkeypatch.setenv("PYOPENCL_CTX", setting)
        assert cl.choose_devices() == first


def test_asks_at_a_terminal_and_says_how_to_avoid_it(typed, platforms, capsys):
    several = len(platforms[0].get_devices()) > 1
    questions = typed("0", "0") if several else typed("0")
    assert cl.choose_devices() == platforms[0].get_devices()[:1]
    shown = capsys.readouterr().out
    assert questions[0] == "Choice [0]:"
    assert f"[0] {platforms[0]!r}" in shown
    assert f"PYOPENCL_CTX='{'0:0' if several else '0'}'" in shown


def test_does_not_ask_if_told_not_to(typed, platforms):
    questions = typed()
    assert cl.choose_devices(interactive=False) == platforms[0].get_devices()[:1]
    assert questions == []


def test_a_wrong_answer_at_a_terminal_is_named(typed):
    typed("no_such_platform")
    with pytest.raises(cl.RuntimeError, match="'no_such_platform' did not match any platform"):
        cl.choose_devices()
