"""What can go wrong. Each exception names the thing, the value and the next step."""

from __future__ import annotations


class Error(Exception):
    """Above all exceptions of this package."""


class UnknownName(Error, LookupError):
    """Nothing has this name: no part, no task, no column."""

    def __init__(self, message: str, *, name: str | None = None, nearest: str | None = None) -> None:
        super().__init__(message)
        self.name = name
        #: Names that are like it, most alike first.
        self.nearest = nearest.split("\n") if nearest else []

    def __str__(self) -> str:
        # A LookupError that is a KeyError would show its message in quotes; this one is not.
        return str(self.args[0])


class BadKnob(Error, ValueError):
    """A setting that a part does not have, or a value that it does not take."""

    def __init__(
        self, message: str, *, knob: str | None = None, value: str | None = None, nearest: str | None = None
    ) -> None:
        super().__init__(message)
        self.knob, self.value = knob, value
        self.nearest = nearest.split("\n") if nearest else []


class BadRow(Error, ValueError):
    """A row that cannot be used."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: str | None = None,
        column: str | None = None,
        value: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file, self.column, self.value = file, column, value
        #: The line of a file, counted from 1; the row of a frame, counted from 0.
        self.line = int(line) if line else None


class NotOffered(Error, TypeError):
    """Something that this part, model or task cannot do."""


class ModelFailed(Error, RuntimeError):
    """A model gave no usable answer; `__cause__` is its own exception, if it raised one."""


class GateFailed(Error, AssertionError):
    """A rule of a gate does not hold; the message is the table."""
