"""Constant classes and their names."""

import enum

import pytest

import pyopencl as cl


def names(constants) -> dict[str, int]:
    return {
        name: value for name, value in vars(constants).items() if name.isupper() and isinstance(value, int)
    }


@pytest.mark.parametrize("constants", cl.CONSTANT_CLASSES, ids=lambda c: c.__name__)
def test_every_constant_has_its_name(constants):
    if constants is cl.program_kind:
        assert issubclass(constants, enum.Enum)
        return
    assert names(constants)
    for name, value in names(constants).items():
        if constants in cl.BITFIELD_CONSTANT_CLASSES:
            if value:
                assert name in constants.to_string(value).split(" | ")
        else:
            assert names(constants)[constants.to_string(value)] == value


def test_values_are_those_of_the_headers():
    assert cl.device_type.GPU == 4
    assert cl.mem_flags.READ_WRITE == 1
    assert cl.status_code.INVALID_VALUE == -30
    assert cl.device_info.NAME == 0x102B
    assert cl.command_execution_status.COMPLETE == 0


def test_unknown_values_are_refused_or_formatted():
    with pytest.raises(ValueError, match="1515870810"):
        cl.status_code.to_string(1515870810)
    assert cl.status_code.to_string(1515870810, "<%d>") == "<1515870810>"
    with pytest.raises(ValueError, match="0"):
        cl.mem_flags.to_string(0)
    assert cl.mem_flags.to_string(0, "none (%d)") == "none (0)"
    assert cl.mem_flags.to_string(cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR) == (
        "COPY_HOST_PTR | READ_ONLY"
    )
