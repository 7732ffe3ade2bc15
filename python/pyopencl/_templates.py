"""Kernels whose text is made for the types and values of a build."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pyopencl._arguments import Argument, DtypedArgument, ScalarArg, VectorArg
from pyopencl._cl import _split_declarations
from pyopencl.compyte.dtypes import NAME_TO_DTYPE, dtype_to_ctype, parse_c_arg_backend

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import DTypeLike

    import pyopencl as cl


class _TextTemplate(Protocol):
    def render(self, context: Mapping[str, Any]) -> str: ...


class _PlainText:
    """Text that stays as it is."""

    def __init__(self, txt: str) -> None:
        self.txt = txt

    def render(self, context: Mapping[str, Any]) -> str:
        return self.txt


class _PrintfText(_PlainText):
    """Text with ``%(name)s`` where values belong."""

    def render(self, context: Mapping[str, Any]) -> str:
        return self.txt % dict(context)


class _MakoText(_PlainText):
    """Text in the language of Mako, a package that has to be installed."""

    def __init__(self, txt: str) -> None:
        super().__init__(txt)
        try:
            module = import_module("mako.template")
        except ImportError as error:
            raise ImportError("text for Mako needs the package: pip install mako") from error
        self.template = module.Template(txt, strict_undefined=True)

    def render(self, context: Mapping[str, Any]) -> str:
        return str(self.template.render(**context))


_PROCESSORS: dict[str, Callable[[str], _TextTemplate]] = {"printf": _PrintfText, "mako": _MakoText}


class _Renderer:
    """Fills texts in for one build, and knows its types."""

    def __init__(
        self,
        template: KernelTemplateBase,
        type_aliases: Sequence[tuple[str, DTypeLike]],
        var_values: Sequence[tuple[str, Any]],
    ) -> None:
        self.template = template
        self.type_aliases = {name: np.dtype(dtype) for name, dtype in type_aliases}
        self.var_dict = dict(var_values)

    def __call__(self, txt: str | None) -> str:
        """Fill one text in."""
        return "" if txt is None else self.template.get_text_template(txt).render(self.var_dict)

    def parse_type(self, typename: str) -> np.dtype[Any]:
        """Tell the dtype of a name: an alias, or one that is registered. Raises :class:`KeyError`."""
        if typename in self.type_aliases:
            return self.type_aliases[typename]
        return NAME_TO_DTYPE[typename]

    def arguments(
        self, arguments: str | Iterable[str | Argument] | None, with_offset: bool = False
    ) -> list[Argument]:
        """Read declarations of arguments in which aliases may stand for types."""
        if arguments is None:
            return []
        if isinstance(arguments, str):
            texts: list[str | Argument] = [
                text for text in _split_declarations(self(arguments)) if text.strip()
            ]
        else:
            texts = [self(text) if isinstance(text, str) else text for text in arguments]

        def vector(dtype: DTypeLike, name: str) -> DtypedArgument:
            return VectorArg(dtype, name, with_offset)

        def argument(text: str | Argument) -> Argument:
            if isinstance(text, str):
                return parse_c_arg_backend(text, ScalarArg, vector, self.parse_type)
            return text

        return [argument(text) for text in texts]

    def type_declarations(self, device: cl.Device, dtypes: Iterable[DTypeLike]) -> str:
        """Declare the structs among dtypes, and the aliases, in C."""
        from pyopencl.tools import dtype_to_c_struct

        needed = dict.fromkeys([*(np.dtype(dtype) for dtype in dtypes), *self.type_aliases.values()])
        lines = [dtype_to_c_struct(device, dtype) for dtype in needed if dtype.names is not None]
        lines += [f"typedef {dtype_to_ctype(dtype)} {name};" for name, dtype in self.type_aliases.items()]
        return "".join(line + "\n" for line in lines)


class KernelTemplateBase(ABC):
    """A kernel whose text is made when it is built; a build is kept, by context and arguments.

    Subclasses define :meth:`build_inner`. *template_processor* tells how values get into texts: ``"printf"``
    (``%(name)s``), ``"mako"`` (its language; the package has to be installed), or ``None``: not at all. A
    text may say so for itself where it begins, ``//CL:mako//`` or ``//CL:printf//``; ``//CL//`` says nothing.
    """

    template_processor: str | None

    def __init__(self, template_processor: str | None = None) -> None:
        self.template_processor = template_processor
        self.build_cache: dict[Any, Any] = {}

    def get_preamble(self) -> str:
        """Text that other parts of a program need of this one: none, unless a subclass says otherwise."""
        return ""

    def get_text_template(self, txt: str) -> _TextTemplate:
        """Make a template of a text, whose ``render`` takes a dictionary of values.

        Raises :class:`RuntimeError` for an unknown processor, and :class:`ImportError` if Mako is needed and
        not installed.
        """
        found = re.match(r"//CL(?::(\w+))?//", txt)
        processor = self.template_processor
        if found is not None:
            processor, txt = found[1] or processor, txt[found.end() :]
        if processor is None:
            return _PlainText(txt)
        try:
            make = _PROCESSORS[processor]
        except KeyError:
            raise RuntimeError(
                f"unknown template processor '{processor}', expected 'mako' or 'printf'"
            ) from None
        return make(txt)

    def get_renderer(
        self,
        type_aliases: Sequence[tuple[str, DTypeLike]],
        var_values: Sequence[tuple[str, Any]],
        context: cl.Context | None = None,
        options: Any = None,
    ) -> _Renderer:
        """Make what fills texts in with values, and reads declarations with aliases of types."""
        return _Renderer(self, type_aliases, var_values)

    @abstractmethod
    def build_inner(self, context: cl.Context, *args: Any, **kwargs: Any) -> Any:
        """Make the kernel for a context: what :meth:`build` does for arguments that are new."""

    def build(self, context: cl.Context, *args: Any, **kwargs: Any) -> Any:
        """Make the kernel, or find it again.

        For the arguments, which must be hashable, see :meth:`build_inner`.
        """
        key = context, args, tuple(sorted(kwargs.items()))
        try:
            return self.build_cache[key]
        except KeyError:
            built = self.build_cache[key] = self.build_inner(context, *args, **kwargs)
            return built
