"""What became of a text or a row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ._native import Table


class Edit(NamedTuple):
    """One edit of the original text; `start` and `end` count bytes of its UTF-8."""

    field: str
    start: int
    end: int
    old: str
    new: str


def _edits(as_json: str) -> list[Edit]:
    return [Edit(**edit) for edit in json.loads(as_json)]


class Change(str):
    """A changed text: a `str`, and how it came about."""

    #: changed, unchanged, skipped, filtered, left out or bad row.
    status: str
    #: Why it was skipped or filtered.
    reason: str | None
    _original: str
    _trail: str

    __slots__ = ("_original", "_trail", "reason", "status")

    def __new__(cls, text: str, original: str, status: str, reason: str | None, trail: str) -> Change:
        made = super().__new__(cls, text)
        made._original, made.status, made.reason, made._trail = original, status, reason, trail
        return made

    @property
    def text(self) -> str:
        """The text as a plain `str`."""
        return str.__str__(self)

    @property
    def edits(self) -> list[Edit]:
        """Every edit of the original, however many parts took part."""
        return _edits(self._trail)

    def undo(self) -> str:
        """The original text."""
        return self._original

    def __reduce__(self) -> tuple[Any, ...]:
        return Change, (self.text, self._original, self.status, self.reason, self._trail)

    def _repr_html_(self) -> str:
        return marked(self._original, self.edits) + note(self.status, self.reason)


class ChangedRow(dict[str, Any]):
    """A changed row: a `dict` in the shape it came in, and how it came about."""

    def __init__(self, row: dict[str, Any], original: dict[str, Any], status: str, reason: str | None, trail: str, labels: str) -> None:
        super().__init__(row)
        self._original, self._trail, self._labels = original, trail, labels
        self.status, self.reason = status, reason

    @property
    def edits(self) -> list[Edit]:
        """Every edit of the original texts."""
        return _edits(self._trail)

    @property
    def labels(self) -> list[dict[str, Any]]:
        """The labels that parts set; one that only moved with its words is not among them."""
        found: list[dict[str, Any]] = json.loads(self._labels)
        return found

    def undo(self) -> dict[str, Any]:
        """The original row."""
        return self._original

    def __reduce__(self) -> tuple[Any, ...]:
        return ChangedRow, (dict(self), self._original, self.status, self.reason, self._trail, self._labels)

    def _repr_html_(self) -> str:
        edits = self.edits
        shown = [
            f"<tr><th>{_escaped(name)}</th><td>"
            + marked(value, [edit for edit in edits if edit.field == name])
            + "</td></tr>"
            for name, value in self._original.items()
            if isinstance(value, str)
        ]
        return f"<table>{''.join(shown)}</table>{note(self.status, self.reason)}"


class Changes(list[Change]):
    """Changed texts: a `list`, and a table that pandas, polars, pyarrow and others read."""

    def table(self) -> Table:
        """The texts with what became of them: text, changed, status, reason, edits."""
        return Table.of_rows(
            [
                {
                    "text": change.undo(),
                    "changed": change.text,
                    "status": change.status,
                    "reason": change.reason,
                    "edits": change._trail,
                }
                for change in self
            ]
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        return self.table().to_pandas()

    def to_polars(self) -> Any:
        return self.table().to_polars()

    def to_pyarrow(self) -> Any:
        return self.table().to_pyarrow()

    def to_dicts(self) -> list[dict[str, Any]]:
        return self.table().to_dicts()

    def _repr_html_(self) -> str:
        shown = "".join(f"<li>{change._repr_html_()}</li>" for change in self[:20])
        more = f"<p>and {len(self) - 20} more</p>" if len(self) > 20 else ""
        return f"<ol style='margin:0'>{shown}</ol>{more}"


def _escaped(text: str) -> str:
    import html

    return html.escape(text)


OLD = "text-decoration:line-through;opacity:.6;background:#f6c7c3;color:#000"
NEW = "text-decoration:none;background:#c6e6c3;color:#000"


def marked(original: str, edits: Iterable[Edit]) -> str:
    """The original with what was taken struck and what was put in marked, as HTML without scripts."""
    return "".join(_pieces(original.encode("utf-8", "surrogatepass"), edits))


def _pieces(original: bytes, edits: Iterable[Edit]) -> Iterator[str]:
    def text(piece: bytes) -> str:
        return _escaped(piece.decode("utf-8", "replace"))

    at = 0
    for edit in edits:
        yield text(original[at : edit.start])
        if edit.old:
            yield f"<del style='{OLD}'>{_escaped(edit.old)}</del>"
        if edit.new:
            yield f"<ins style='{NEW}'>{_escaped(edit.new)}</ins>"
        at = edit.end
    yield text(original[at:])


def note(status: str, reason: str | None) -> str:
    """What became of it, in small letters, unless it was changed."""
    if status == "changed":
        return ""
    why = f": {_escaped(reason)}" if reason else ""
    return f" <small style='opacity:.7'>({_escaped(status)}{why})</small>"
