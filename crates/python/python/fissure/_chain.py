"""Chains of transformations: what `fissure.typos(rate=0.2)` gives."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, overload

from . import _frames as frames
from ._change import Change, ChangedRow, Changes
from ._native import NativeChain
from .errors import BadKnob, NotOffered

Parts = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
T = TypeVar("T")

GATHERS = "a part takes words or meanings from the data as a whole, which a piece of them does not hold"


def written(value: object) -> str:
    """The value of a knob as the command line writes it."""
    if value is None:
        return "unlimited"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    is_number = hasattr(value, "__float__") or hasattr(value, "__index__")
    if not isinstance(value, str) and (not is_number or value != value):
        raise BadKnob(f"a knob takes a text, a number, True, False or None, not {value!r}", value=repr(value))
    return str(value)


def checked_seed(seed: Any) -> int:
    """A whole number that has 64 bits."""
    if not hasattr(seed, "__index__") or not 0 <= seed.__index__() < 2**64:
        raise BadKnob(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}", knob="seed", value=repr(seed))
    return int(seed)


def lent_as(given: dict[str, Any], known: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The resources, as a description: names checked, files as a tuple."""
    from ._native import lendable

    wrong = [name for name in given if name not in lendable()]
    if wrong:
        raise NotOffered(f"there is no resource {wrong[0]!r}; there are {', '.join(lendable())}")
    lists = ("train", "donors")
    plain = {name: tuple(value) if name in lists and not isinstance(value, str) else (value,) if name in lists else str(value) for name, value in given.items()}
    return tuple(sorted((known | plain).items()))


class Chain:
    """Transformations in a row. Call it with texts, rows or a frame; put two together with `+`.

    It pickles as its description: the parts, their knobs and the seed.
    """

    __slots__ = ("_lent", "_native", "_parts", "_seed")

    def __init__(self, parts: Parts, seed: int = 0, lent: tuple[tuple[str, Any], ...] = ()) -> None:
        self._native = NativeChain([(name, list(knobs)) for name, knobs in parts], dict(lent) or None)
        self._lent = lent
        # Without the knobs that are at their defaults.
        self._parts: Parts = tuple((name, tuple(knobs)) for name, knobs in self._native.parts)
        self._seed = checked_seed(seed)

    @property
    def name(self) -> str:
        """The names of the parts, joined by `+`."""
        return self._native.name

    @property
    def seed(self) -> int:
        return self._seed

    def seeded(self, seed: int) -> Chain:
        """The same chain with another seed."""
        return Chain(self._parts, seed, self._lent)

    def lend(self, **resources: Any) -> Chain:
        """The same chain with what its parts need: `language_model=DIR`, `translator="apertium"`, `encoder=DIR`,
        `vectors=FILE`, `phrases=FILE`, `train=[FILE]`, `donors=[FILE]`, `model=DIR` (which words carry its answer)."""
        return Chain(self._parts, self._seed, lent_as(resources, dict(self._lent)))

    def expectation(self, task: str = "classification") -> str:
        """What it does to the right answer: kept, flipped, relabelled, unsure or destroyed."""
        return self._native.expectation(task)

    def __add__(self, other: Chain) -> Chain:
        if not isinstance(other, Chain):
            return NotImplemented
        if self._seed and other._seed and self._seed != other._seed:
            raise NotOffered(f"a chain has one seed, and these two have {self._seed} and {other._seed}; use .seeded(N)")
        return Chain(self._parts + other._parts, self._seed or other._seed, lent_as(dict(other._lent), dict(self._lent)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Chain, (self._parts, self._seed, self._lent)[: 3 if self._lent else 2]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chain) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self._parts, self._seed))

    def __repr__(self) -> str:
        shown = "+".join(name + _knobs(knobs) for name, knobs in self._parts)
        return f"<fissure.Chain {shown}, seed {self._seed}>"

    @overload
    def __call__(self, data: str, **how: Any) -> Change: ...
    @overload
    def __call__(self, data: dict[str, Any], **how: Any) -> ChangedRow: ...
    @overload
    def __call__(self, data: list[str], **how: Any) -> Changes: ...
    @overload
    def __call__(self, data: list[dict[str, Any]], **how: Any) -> list[ChangedRow]: ...
    @overload
    def __call__(self, data: T, **how: Any) -> T: ...

    def __call__(self, data: Any, **how: Any) -> Any:
        """Changes texts, rows, a frame or a table; the arguments are those of `change`."""
        if isinstance(data, dict) and "_mapped" not in how and frames.is_called_by("datasets"):
            # Its map hands over a plain row or batch where the format is NumPy's, or the data come as a stream.
            how["_mapped"] = True
        return self.change(data, **how)

    def change(
        self,
        data: Any,
        *,
        column: str | None = None,
        id: Any = None,
        task: str | None = None,
        columns: Mapping[str, str] | None = None,
        fields: Sequence[str] | None = None,
        keep: Sequence[str] = (),
        where: str | None = None,
        senses: Mapping[str, str] | None = None,
        seed: int | None = None,
        on_bad_row: str = "stop",
        _piece: bool = False,
        _mapped: bool = False,
    ) -> Any:
        """Changes texts, rows, a frame or a table, and gives back what it was given.

        Args:
            data: A text, a list of texts, a row (dict), a list of rows, a frame of pandas or polars, a table of pyarrow,
                or anything else that speaks the C interface of Arrow.
            column: The column with the texts; one with a usual name (`text`, `sentence`, ...) if not given. The frame
                comes back with the columns `changed`, `status`, `reason` and `edits`.
            id: The column that names a row, or "content" for its texts; a column called `id` if there is one, else the
                texts. For a list of texts: a list of ids. Chance belongs to seed, part and id: equal ids change alike.
            task: For labelled data: the columns themselves are changed, and labels move with their words.
            columns: Which column is what to the task, where the names are not the usual ones.
            fields: Which fields of the task may be edited.
            keep: Thresholds that a change must meet: `"edit_distance>=0.7"`.
            where: A condition on samples: `'label == "pos" and length > 20'`; others stay as they are.
            senses: What labels mean: `{"0": "entails"}`.
            seed: Another seed than that of the chain.
            on_bad_row: "stop", or "skip" to leave rows that cannot be used as they are.
        """
        if on_bad_row not in ("stop", "skip"):
            raise NotOffered(f'on_bad_row is "stop" or "skip", not {on_bad_row!r}')
        for name, value in (("columns", columns), ("senses", senses)):
            if not (value is None or isinstance(value, Mapping)):
                raise NotOffered(f"{name}= is a dict, not {value!r}")
        if isinstance(fields, str):
            fields = [fields]
        if not isinstance(keep, (str, list, tuple)):
            raise NotOffered(f'keep= is a list of thresholds, such as ["edit_distance>=0.7"], not {keep!r}')
        how = {
            "seed": self._seed if seed is None else checked_seed(seed),
            "keep": [keep] if isinstance(keep, str) else list(keep),
            "where": where,
            "senses": [f"{label}={sense}" for label, sense in (senses or {}).items()],
            "whole": not _piece,
            "alone": _piece,
            "skip_bad": on_bad_row == "skip",
        }
        # A frame may name its columns by numbers.
        column = None if column is None else str(column)
        id = frames.id_of(data, id)
        reading = {
            "task": task or "classification",
            "columns": list((columns or {}).items()) + ([("text", column)] if column else []),
            "id": id if isinstance(id, str) else None,
            "fields": None if fields is None else list(fields),
            "labelled": False,
        }
        by_task = task is not None or columns is not None
        return _run(self._native, data, column, id, by_task, reading, how, _mapped or _piece)

    def step(self, **how: Any) -> Any:
        """This chain as a step of Ray Data, Spark or Dask: see `fissure.Step`. It takes the arguments of `change`."""
        from ._step import Step

        return Step(self, how)


def _knobs(knobs: tuple[tuple[str, str], ...]) -> str:
    return f"({', '.join(f'{name}={value}' for name, value in knobs)})" if knobs else ""


def _run(
    native: NativeChain, data: Any, column: str | None, id: Any, by_task: bool, reading: Any, how: Any, mapped: bool
) -> Any:
    """`mapped` says that an engine hands over a row or a batch, and wants columns back."""

    def texts(values: list[Any], ids: list[Any] | None) -> frames.Made:
        return native.texts(values, ids, how)

    def rows(values: list[dict[str, Any]]) -> list[ChangedRow]:
        made = native.rows(values, reading, how)
        return [
            ChangedRow(row, old, status, reason, trail, labels)
            for (row, status, reason, trail, labels), old in zip(made, values)
        ]

    def changes(values: list[str], ids: list[Any] | None) -> Changes:
        return Changes(Change(*made) for made in zip_changes(values, texts(values, ids)))

    if frames.comes_from(data, "numpy", "ndarray") and data.ndim == 1:
        data = data.tolist()
    if isinstance(data, str):
        return changes([data], None if id is None or id == "content" else [id])[0]
    if frames.comes_from(data, "datasets", "Dataset", "DatasetDict", "IterableDataset", "IterableDatasetDict"):
        raise NotOffered('a data set is changed by its own map: ds.with_format("arrow").map(chain, batched=True)')
    if isinstance(data, dict):
        if frames.is_batch(data, column, reading) if by_task and mapped else not by_task and frames.holds_columns(data, column):
            # What `map(batched=True)` hands over where the format is NumPy's or torch's, or the data come as a stream.
            how["whole"] = False
            return _columns(data, column, id, by_task, texts, rows, native.gathers(bool(how["senses"])))
        if mapped:
            how["whole"] = False
            return _one(data, column, id, by_task, texts, rows, native.gathers(bool(how["senses"])))
        return rows([data])[0]
    if isinstance(data, (list, tuple)):
        if data and all(isinstance(row, dict) for row in data):
            return rows(list(data))
        if isinstance(id, str) and id != "content":
            raise NotOffered("a list of texts has no columns: give id=[...], an id for each text")
        if id is not None and id != "content" and len(id) != len(data):
            raise NotOffered(f"there are {len(data)} texts and {len(id)} ids: give as many")
        return changes(list(data), None if id is None or id == "content" else list(id))
    return _table(native, data, column, id, by_task, reading, how, texts, rows)


def zip_changes(values: list[str], made: tuple[list[Any], list[Any], list[Any], list[Any]]) -> Any:
    changed, status, reason, edits = made
    return zip(changed, values, status, reason, edits)


def _table(
    native: NativeChain, data: Any, column: str | None, id: Any, by_task: bool, reading: Any, how: Any, texts: Any, rows: Any
) -> Any:
    def table(data: Any, column: str | None, id: Any) -> Any:
        import pyarrow

        try:
            made = native.table(data, column, id, how)
        except TypeError as why:
            return frames.arrow_beside(data, column, id, change, why)
        return pyarrow.record_batch(made) if isinstance(data, pyarrow.RecordBatch) else pyarrow.table(made)

    def change(data: Any, column: str | None, id: Any) -> Any:
        return native.table(data, column, id, how)

    if how["where"] is not None and not by_task:
        # Rows are read as the texts alone would be: by the same column, and named by the same one.
        reading["id"] = id or reading["id"]
    if how["where"] is not None and not by_task and frames.comes_from(data, "pandas", "DataFrame"):
        # A condition may be about labels, which only rows have.
        return frames.pandas_where(data, column, id, where(rows))
    if how["where"] is not None and not by_task and frames.comes_from(data, "polars", "DataFrame"):
        return frames.polars_where(data, column, id, where(rows))
    if how["where"] is not None and not by_task and frames.comes_from(data, "pyarrow", "Table", "RecordBatch"):
        return frames.arrow_where(data, column, id, where(rows))
    if frames.comes_from(data, "pandas", "DataFrame"):
        return frames.pandas_rows(data, rows) if by_task else frames.pandas_texts(data, column, id, texts, table)
    if frames.comes_from(data, "pandas", "Series"):
        frames.refuse_numbers(data, str(data.name))
        dtype = frames.dtype_for_new(data.dtype)
        return type(data)(texts(frames._plain(data), None)[0], index=data.index, dtype=dtype, name=data.name)
    if frames.comes_from(data, "polars", "DataFrame"):
        if by_task:
            return frames.polars_rows(data, rows)
        return frames.polars_texts(data, column, id, change)
    if frames.comes_from(data, "polars", "Series"):
        return type(data)(data.name, texts(data.to_list(), None)[0], dtype=frames.polars_kind(data.dtype))
    if frames.comes_from(data, "polars", "LazyFrame"):
        changed = lambda frame: frames.polars_texts(frame, column, id, change)  # noqa: E731
        return frames.polars_lazy(data, column, id, by_task, changed)
    if frames.comes_from(data, "pyarrow", "Array", "ChunkedArray"):
        import pyarrow

        made = table(pyarrow.table({"text": data}), "text", "content").column("changed")
        return made if isinstance(data, pyarrow.ChunkedArray) else made.combine_chunks()
    if frames.comes_from(data, "pyarrow", "Table", "RecordBatch"):
        return frames.arrow_rows(data, rows) if by_task else table(data, column, id)
    if frames.comes_from(data, "datasets", "LazyRow"):
        how["whole"] = False
        return _one(data, column, id, by_task, texts, rows, native.gathers(bool(how["senses"])))
    if frames.comes_from(data, "datasets", "LazyBatch", "LazyDict"):
        # A batch is a piece of the data set.
        how["whole"] = False
        return _columns(data, column, id, by_task, texts, rows, native.gathers(bool(how["senses"])))
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        if by_task or how["where"] is not None:
            raise frames.unknown(data, "a chain with a task or a condition")
        return native.table(data, column, id, how)
    raise frames.unknown(data, "a chain")


def where(rows: Any) -> Any:
    """Makes new columns of whole rows: `(rows, name of the column with the texts)`."""

    def made(values: list[dict[str, Any]], text: str) -> frames.Made:
        changed = rows(values)
        return (
            [row[text] for row in changed],
            [row.status for row in changed],
            [row.reason for row in changed],
            [row._trail for row in changed],
        )

    return made


def _one(row: Any, column: str | None, id: Any, by_task: bool, texts: Any, rows: Any, gathers: bool) -> dict[str, Any]:
    """A row of `datasets.map`, as a batch of one."""
    made = _columns({name: [row[name]] for name in row.keys()}, column, id, by_task, texts, rows, gathers)
    return {name: list(values)[0] for name, values in made.items()}


def _columns(
    batch: Any, column: str | None, id: Any, by_task: bool, texts: Any, rows: Any, gathers: bool
) -> dict[str, Any]:
    """A batch of `datasets.map(batched=True)`: new columns, and those that were changed."""
    if gathers:
        raise NotOffered(f"{GATHERS}; call it with the whole table")
    frames.refuse_taken([str(name) for name in batch.keys()])
    if by_task:
        made = rows(frames.batch_rows(batch))
        found = {name: [row.get(name) for row in made] for name in batch}
        found |= {name: [frames._of(row, name) for row in made] for name in frames.NEW[1:]}
        return found | {"reason": frames.never_none(found["reason"])}
    text, named = frames.find(list(batch.keys()), column, id)
    ids = None if named is None else list(batch[named])
    new: dict[str, Any] = dict(zip(frames.NEW, texts(list(batch[text]), ids)))
    return new | {"reason": frames.never_none(new["reason"])}


def part(name: str, **knobs: object) -> Chain:
    """The chain of one part. An argument whose name is a word of Python has a `_` behind it."""
    return Chain(((name, tuple((knob.rstrip("_"), written(value)) for knob, value in knobs.items())),))


def chain(names: str, *, seed: int = 0, **knobs: object) -> Chain:
    """A chain by names: `chain("contraction+typos", seed=7, rate=0.2)`.

    A knob goes to every part that has one of this name; `**{"typos.rate": 0.2}` goes to one.
    """
    from ._native import split_settings

    parts = split_settings(names, [(knob, written(value)) for knob, value in knobs.items()])
    return Chain(tuple((name, tuple(own)) for name, own in parts), seed)
