"""What tells a model of this process from others: its weights, what it pickles as, or its code and all that the code reaches for."""

from __future__ import annotations

import functools
import hashlib
import pickle
import types
from typing import Any

from ._frames import comes_from

#: Values that are what they are written as.
PLAIN = (str, bytes, int, float, complex, bool, type(None), type(Ellipsis))


#: Where the stop words of a vectorizer of scikit-learn lay in memory when they were last checked.
LEFT_BY_USE = ("_stop_words_id",)


class Unknowable(Exception):
    """Nothing tells this value from others."""


def checksum(value: Any) -> str | None:
    """SHA-256 of what a model is made of; None if that cannot be known."""
    try:
        return _Digest().of(value)
    except Exception:
        # Whatever a class of the user's does when it is pickled: then nothing is known, which is said where it matters.
        return None


def of_weights(module: Any) -> str:
    """SHA-256 of the state of a torch module."""
    import torch

    found = hashlib.sha256()
    for name, value in module.state_dict().items():
        plain = value.detach().cpu().contiguous()
        found.update(f"{name} {plain.dtype} {tuple(plain.shape)}".encode())
        found.update(plain.flatten().view(torch.uint8).numpy().tobytes())
    return found.hexdigest()


class _Digest:
    """Follows functions to the values that they name."""

    def __init__(self) -> None:
        #: Functions and classes that name each other are followed once.
        self._seen: set[int] = set()

    def of(self, value: Any) -> str:
        return hashlib.sha256("\x1f".join(self._parts(value)).encode("utf-8", "surrogatepass")).hexdigest()

    def _parts(self, value: Any) -> list[str]:
        if type(value) in PLAIN:
            return [type(value).__name__, repr(value)]
        if isinstance(value, types.CodeType):
            return self._code(value)
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, types.MethodType):
            return ["method", self.of(value.__func__), self.of(value.__self__)]
        if isinstance(value, functools.partial):
            return ["partial", self.of(value.func), self.of(value.args), self.of(value.keywords)]
        if isinstance(value, types.ModuleType):
            return ["module", value.__name__, str(getattr(value, "__version__", ""))]
        if isinstance(value, type):
            return self._class(value)
        if comes_from(value, "torch", "Module"):
            return ["torch", f"{type(value).__module__}.{type(value).__qualname__}", of_weights(value)]
        if comes_from(value, "transformers", "Pipeline"):
            return ["pipeline", str(value.task), self.of(value.model)]
        if comes_from(value, "fissure", "Model"):
            known = value.checksum
            if known is None:
                raise Unknowable
            return ["model", known]
        if type(value) in (tuple, list):
            return [type(value).__name__, *(self.of(one) for one in value)]
        if type(value) in (set, frozenset):
            return [type(value).__name__, *sorted(self.of(one) for one in value)]
        if type(value) is dict:
            return ["dict", *(part for name, one in value.items() for part in (self.of(name), self.of(one)))]
        if comes_from(value, "sklearn") and hasattr(value, "get_params"):
            # Attribute by attribute: some are left by use, and the order of others and what they share is not theirs to say.
            own = [(name, one) for name, one in sorted(vars(value).items()) if name not in LEFT_BY_USE]
            return ["sklearn", *self._class(type(value)), *(part for name, one in own for part in (name, self.of(one)))]
        # Methods are looked up by name when it is unpickled, so their code is not in what it pickles as.
        return ["object", *self._class(type(value)), hashlib.sha256(pickle.dumps(value, protocol=4)).hexdigest()]

    def _class(self, kind: type) -> list[str]:
        named = ["class", kind.__module__, kind.__qualname__]
        if kind.__module__ != "__main__" or id(kind) in self._seen:
            return named
        # A class of a script or a notebook is what it is there, now.
        self._seen.add(id(kind))
        methods = [(name, one) for name, one in sorted(vars(kind).items()) if isinstance(one, types.FunctionType)]
        return [*named, *(part for name, one in methods for part in (name, self.of(one)))]

    def _function(self, function: types.FunctionType) -> list[str]:
        if id(function) in self._seen:
            return ["again", function.__name__]
        self._seen.add(id(function))
        held = [cell.cell_contents for cell in function.__closure__ or ()]
        known = function.__globals__
        reached = [name for name in sorted(_names(function.__code__)) if name in known]
        return [
            "function",
            *self._code(function.__code__),
            self.of(function.__defaults__),
            self.of(function.__kwdefaults__),
            *(self.of(one) for one in held),
            *(part for name in reached for part in (name, self.of(known[name]))),
        ]

    def _code(self, code: types.CodeType) -> list[str]:
        # Neither names of files nor numbers of lines: a function that was moved is the same.
        constants = [self.of(one) for one in code.co_consts]
        return ["code", code.co_code.hex(), *code.co_names, *code.co_varnames, *code.co_freevars, *constants]


def _names(code: types.CodeType) -> set[str]:
    """The names that code and the functions in it look for outside."""
    inside = [_names(one) for one in code.co_consts if isinstance(one, types.CodeType)]
    return set(code.co_names).union(*inside)
