"""Slices pick rows by a measure; validators say how good a change is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _frames as frames
from ._chain import lent_as, written
from ._native import NativeKeep, NativeSlice, Table
from .errors import BadKnob, BadRow, NotOffered, UnknownName


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
        on_bad_row: str = "stop",
    ) -> list[float | None]:
        """The measure of every row; None if there is none, and, with `on_bad_row="skip"`, if a row cannot be used."""
        skip = skips(on_bad_row)
        column = None if column is None else str(column)
        if is_texts(data):
            return self._native.texts(_texts(data), skip)
        if isinstance(data, (list, tuple)) and not (data and isinstance(data[0], dict)):
            return self._native.texts(list(data), skip)
        if task is not None or isinstance(data, (list, tuple)):
            reading = {
                "task": task or "classification",
                "columns": list((columns or {}).items()) + ([("text", column)] if column else []),
                "id": None,
                "fields": None,
                "labelled": False,
            }
            return self._native.rows(_rows(data), reading, skip)
        if frames.comes_from(data, "pandas", "DataFrame"):
            names = [str(name) for name in data.columns]
            text, _ = frames.find(names, column, "content")
            return self._native.texts(frames._plain(data.iloc[:, names.index(text)]), skip)
        if frames.comes_from(data, "polars", "LazyFrame"):
            raise NotOffered("which rows a slice takes depends on all of them: collect the lazy frame first")
        if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
            return self._native.table(data, column, skip)
        raise frames.unknown(data, "a slice")

    def __call__(self, data: Any, **how: Any) -> Any:
        """The rows that are in, in the type they came in."""
        if frames.comes_from(data, "pyarrow", "RecordBatchReader"):
            # It can be read once.
            data = data.read_all()
        inside = self._native.select(self.measure(data, **how))
        return _pick(data, inside)


class Keep:
    """Thresholds that a change must meet, such as `"edit_distance>=0.7"`."""

    __slots__ = ("_lent", "_native", "_thresholds")

    def __init__(self, thresholds: tuple[str, ...], lent: tuple[tuple[str, Any], ...] = ()) -> None:
        for threshold in thresholds:
            if not isinstance(threshold, str):
                raise BadKnob(f'a threshold is a text such as "edit_distance>=0.7", not {threshold!r}', value=repr(threshold))
        self._thresholds, self._lent = thresholds, lent
        self._native = NativeKeep(list(thresholds), dict(lent) or None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Keep, (self._thresholds, self._lent)

    def __repr__(self) -> str:
        return f"<fissure.Keep {', '.join(self._thresholds)}>"

    def failures(self, before: Any, after: Any, *, on_bad_row: str = "stop") -> list[str | None]:
        """For each pair of texts why it is not good enough; None if it is. With `on_bad_row="skip"` a pair that cannot be used is
        not good enough, and says why."""
        return self._native.failures(_texts(before), _texts(after), skips(on_bad_row))

    def __call__(self, data: Any, after: Any = None, *, column: str | None = None, on_bad_row: str = "stop") -> Any:
        """The rows whose change is good enough. `after` are the changed texts; the column `changed` if not given, and nothing for
        what a chain made of a list."""
        column = None if column is None else str(column)
        if isinstance(data, (list, tuple)) and after is None:
            before, after = _changes(data, column)
            failures = self.failures(before, after, on_bad_row=on_bad_row)
            return type(data)(item for item, failure in zip(data, failures) if failure is None)
        if frames.comes_from(data, "pandas", "DataFrame"):
            names = [str(name) for name in data.columns]
        elif frames.comes_from(data, "polars", "DataFrame"):
            names = data.columns
        elif frames.comes_from(data, "pyarrow", "Table", "RecordBatch"):
            names = data.schema.names
        else:
            if after is None:
                raise frames.unknown(data, "keep") if not is_texts(data) else NotOffered("give the changed texts, too: keep(before, after)")
            failures = self.failures(data, after, on_bad_row=on_bad_row)
            return [new for new, failure in zip(_texts(after), failures) if failure is None]
        text, _ = frames.find(names, column, "content")
        if after is None and "changed" not in names:
            raise UnknownName("there is no column `changed`: change the frame first, or give the changed texts", name="changed")
        of = (lambda name: data.iloc[:, names.index(name)]) if frames.comes_from(data, "pandas") else data.__getitem__
        failures = self.failures(of(text), of("changed") if after is None else after, on_bad_row=on_bad_row)
        return _pick(data, [failure is None for failure in failures])


def slice(name: str, **knobs: object) -> Slice:
    """The slice called `name`: `slice("length", take="longest")`."""
    return Slice(name, tuple((knob, written(value)) for knob, value in knobs.items()))


def keep(*thresholds: str, **resources: Any) -> Keep:
    """Keeps changes that meet all thresholds: `keep("similarity>=0.8", encoder=DIR)(before, after)`."""
    return Keep(thresholds, lent_as(resources, {}))


def skips(on_bad_row: str) -> bool:
    """Whether rows that cannot be used are left out."""
    if on_bad_row not in ("stop", "skip"):
        raise NotOffered(f'on_bad_row is "stop" or "skip", not {on_bad_row!r}')
    return on_bad_row == "skip"


def is_texts(data: Any) -> bool:
    """Whether these are texts in a row, and not a list: a series, an array."""
    return (
        frames.comes_from(data, "pandas", "Series")
        or frames.comes_from(data, "polars", "Series")
        or frames.comes_from(data, "pyarrow", "Array", "ChunkedArray")
        or (frames.comes_from(data, "numpy", "ndarray") and data.ndim == 1)
    )


def _changes(data: Any, column: str | None) -> tuple[list[Any], list[Any]]:
    """The texts before and after of what a chain made of a list."""
    from ._change import Change, ChangedRow

    if all(isinstance(one, Change) for one in data):
        return [one.undo() for one in data], [one.text for one in data]
    if all(isinstance(one, ChangedRow) for one in data):
        text, _ = frames.find([str(name) for name in data[0].undo()], column, "content")
        return [one.undo()[text] for one in data], [one[text] for one in data]
    raise NotOffered("give the changed texts, too: keep(before, after); or what a chain made of a list: keep(chain(texts))")


def _texts(values: Any) -> list[Any]:
    if frames.comes_from(values, "pandas", "Series"):
        return frames._plain(values)
    if isinstance(values, str):
        return [values]
    for name in ("to_pylist", "tolist", "to_list"):
        if hasattr(values, name):
            return list(getattr(values, name)())
    return list(values)


def _rows(data: Any, numbers: bool = False) -> list[dict[str, Any]]:
    """The rows of data. Classes of `datasets` go by their names, unless `numbers` are wanted."""
    if frames.comes_from(data, "pandas", "DataFrame"):
        return frames.rows_of_pandas(data)[1]
    if is_texts(data):
        return [{"text": one} for one in _texts(data)]
    if frames.comes_from(data, "polars", "LazyFrame"):
        return _rows(data.collect())
    if frames.comes_from(data, "pyarrow", "RecordBatchReader"):
        return _rows(data.read_all())
    if frames.comes_from(data, "pyarrow", "Table", "RecordBatch"):
        frames.refuse_doubled(data.schema.names)
        return frames.rows_of_arrow(data)
    if frames.comes_from(data, "datasets", "Dataset", "IterableDataset"):
        return frames.rows_of_dataset(data, numbers)
    if frames.comes_from(data, "datasets", "DatasetDict", "IterableDatasetDict"):
        raise NotOffered(f"these are several data sets: choose one of {', '.join(map(repr, data))}")
    if isinstance(data, dict):
        raise NotOffered("data are rows, and this is a dict: put one row into a list, or columns into a frame")
    for name in ("to_dicts", "to_pylist"):
        if hasattr(data, name):
            return list(getattr(data, name)())
    try:
        return list(data)
    except UnicodeDecodeError:
        raise BadRow("the data hold bytes that are not UTF-8, which are no text") from None
    except TypeError:
        if hasattr(data, "__arrow_c_stream__"):
            return Table(data).to_dicts()
        kind = f"{type(data).__module__}.{type(data).__qualname__}"
        raise NotOffered(f"data are a file, a frame, or a list of rows (dicts) or texts, not a {kind}") from None


def _pick(data: Any, inside: list[bool]) -> Any:
    if frames.comes_from(data, "pyarrow"):
        import pyarrow

        return data.filter(pyarrow.array(inside, type=pyarrow.bool_()))
    if frames.comes_from(data, "numpy"):
        return data[[at for at, wanted in enumerate(inside) if wanted]]
    if frames.comes_from(data, "pandas"):
        return data[inside]
    if frames.comes_from(data, "polars"):
        import polars

        return data.filter(polars.Series(inside, dtype=polars.Boolean))
    if isinstance(data, (list, tuple)):
        return type(data)(item for item, wanted in zip(data, inside) if wanted)
    return _pick(Table(data).to_pyarrow(), inside)
