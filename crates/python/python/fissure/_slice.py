"""Slices pick rows by a measure; validators say how good a change is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _frames as frames
from ._chain import lent_as, written
from ._native import NativeKeep, NativeSlice
from .errors import NotOffered


class Slice:
    """Picks the samples with a low, high or certain measure. It pickles as its description."""

    __slots__ = ("_knobs", "_name", "_native")

    def __init__(self, name: str, knobs: tuple[tuple[str, str], ...] = ()) -> None:
        self._name, self._knobs = name, knobs
        self._native = NativeSlice(name, list(knobs))

    def __reduce__(self) -> tuple[Any, ...]:
        return Slice, (self._name, self._knobs)

    def __repr__(self) -> str:
        return f"<fissure.Slice {self._name}{dict(self._knobs) or ''}>"

    def measure(
        self,
        data: Any,
        *,
        column: str | None = None,
        task: str | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> list[float | None]:
        """The measure of every row; None if there is none."""
        if isinstance(data, (list, tuple)) and not (data and isinstance(data[0], dict)):
            return self._native.texts(list(data))
        if task is not None or isinstance(data, (list, tuple)):
            reading = {
                "task": task or "classification",
                "columns": list((columns or {}).items()),
                "id": None,
                "fields": None,
                "labelled": False,
            }
            return self._native.rows(_rows(data), reading)
        if frames.comes_from(data, "pandas", "DataFrame"):
            names = [str(name) for name in data.columns]
            text, _ = frames.find(names, column, "content")
            return self._native.texts(frames._plain(data.iloc[:, names.index(text)]))
        if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
            return self._native.table(data, column)
        raise frames.unknown(data, "a slice")

    def __call__(self, data: Any, **how: Any) -> Any:
        """The rows that are in, in the type they came in."""
        inside = self._native.select(self.measure(data, **how))
        return _pick(data, inside)


class Keep:
    """Thresholds that a change must meet, such as `"edit_distance>=0.7"`."""

    __slots__ = ("_lent", "_native", "_thresholds")

    def __init__(self, thresholds: tuple[str, ...], lent: tuple[tuple[str, Any], ...] = ()) -> None:
        self._thresholds, self._lent = thresholds, lent
        self._native = NativeKeep(list(thresholds), dict(lent) or None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Keep, (self._thresholds, self._lent)

    def __repr__(self) -> str:
        return f"<fissure.Keep {', '.join(self._thresholds)}>"

    def failures(self, before: Any, after: Any) -> list[str | None]:
        """For each pair of texts why it is not good enough; None if it is."""
        return self._native.failures(_texts(before), _texts(after))

    def __call__(self, data: Any, after: Any = None, *, column: str | None = None) -> Any:
        """The rows whose change is good enough. `after` are the changed texts; the column `changed` if not given."""
        if frames.comes_from(data, "pandas", "DataFrame"):
            names = [str(name) for name in data.columns]
        elif frames.comes_from(data, "polars", "DataFrame"):
            names = data.columns
        elif frames.comes_from(data, "pyarrow", "Table", "RecordBatch"):
            names = data.schema.names
        else:
            failures = self.failures(data, after)
            return [new for new, failure in zip(_texts(after), failures) if failure is None]
        text, _ = frames.find(names, column, "content")
        failures = self.failures(data[text], data["changed"] if after is None else after)
        return _pick(data, [failure is None for failure in failures])


def slice(name: str, **knobs: object) -> Slice:
    """The slice called `name`: `slice("length", take="longest")`."""
    return Slice(name, tuple((knob, written(value)) for knob, value in knobs.items()))


def keep(*thresholds: str, **resources: Any) -> Keep:
    """Keeps changes that meet all thresholds: `keep("similarity>=0.8", encoder=DIR)(before, after)`."""
    return Keep(thresholds, lent_as(resources, {}))


def _texts(values: Any) -> list[Any]:
    for name in ("to_pylist", "tolist", "to_list"):
        if hasattr(values, name):
            return list(getattr(values, name)())
    return list(values)


def _rows(data: Any) -> list[dict[str, Any]]:
    if frames.comes_from(data, "pandas", "DataFrame"):
        return frames.rows_of_pandas(data)[1]
    if frames.comes_from(data, "polars", "LazyFrame"):
        return _rows(data.collect())
    if frames.comes_from(data, "pyarrow", "Table", "RecordBatch"):
        frames.refuse_doubled(data.schema.names)
    for name in ("to_dicts", "to_pylist"):
        if hasattr(data, name):
            return list(getattr(data, name)())
    try:
        return list(data)
    except TypeError:
        kind = f"{type(data).__module__}.{type(data).__qualname__}"
        raise NotOffered(f"data are a file, a frame, or a list of rows (dicts) or texts, not a {kind}") from None


def _pick(data: Any, inside: list[bool]) -> Any:
    if frames.comes_from(data, "pyarrow"):
        import pyarrow

        return data.filter(pyarrow.array(inside, type=pyarrow.bool_()))
    if frames.comes_from(data, "pandas"):
        return data[inside]
    if frames.comes_from(data, "polars"):
        import polars

        return data.filter(polars.Series(inside, dtype=polars.Boolean))
    if isinstance(data, (list, tuple)):
        return type(data)(item for item, wanted in zip(data, inside) if wanted)
    from ._native import Table

    return _pick(Table(data).to_pyarrow(), inside)
