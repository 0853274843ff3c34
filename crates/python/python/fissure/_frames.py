"""Which library a value comes from, by the name of its class: nothing is imported to look."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from ._native import text_columns
from .errors import Error, NotOffered

NEW = ("changed", "status", "reason", "edits")


def comes_from(value: object, library: str, *names: str) -> bool:
    """Whether a class of the value, or one that it is made from, is called so in this library."""
    return any(
        (kind.__module__ or "").split(".")[0] == library and (not names or kind.__name__ in names)
        for kind in type(value).__mro__
    )


def is_called_by(library: str) -> bool:
    """Whether whoever called our caller is code of this library."""
    caller = sys._getframe(2).f_globals.get("__name__", "")
    return str(caller).split(".")[0] == library


def id_of(data: Any, id: Any) -> Any:
    """The name of a column as text: a frame may name its columns by numbers. Ids of texts stay what they are."""
    if id is None or isinstance(id, (str, list, tuple, dict)) or hasattr(id, "__len__"):
        return id
    return str(id) if comes_from(data, "pandas", "DataFrame") or hasattr(data, "__arrow_c_stream__") else id


class Columns(Protocol):
    """Makes columns of texts: `(texts, ids)` gives changed, status, reason and edits."""

    def __call__(self, texts: list[Any], ids: list[Any] | None) -> tuple[list[Any], list[Any], list[Any], list[Any]]: ...


#: The columns changed, status, reason and edits.
Made = tuple[list[Any], list[Any], list[Any], list[Any]]

#: Makes them of whole rows and the name of the column with the texts.
Where = Callable[[list[dict[str, Any]], str], Made]

Rows = Callable[[list[dict[str, Any]]], list[Any]]

#: Changes a table of pyarrow: `(table, column, id)`.
Tables = Callable[[Any, "str | None", Any], Any]


def find(names: list[str], column: str | None, id: str | None) -> tuple[str, str | None]:
    """The names of the columns with the texts and the ids."""
    text, named = text_columns(names, column, id)
    return names[text], None if named is None else names[named]


def refuse_taken(names: list[str]) -> None:
    """New columns must not replace those of the user."""
    from .errors import BadRow

    taken = [name for name in NEW if name in names]
    if taken:
        raise BadRow(
            f"the frame has a column `{taken[0]}` already, which the result would have; rename it", column=taken[0]
        )


def refuse_doubled(names: list[str]) -> None:
    """A row is a dict: of two columns of a name it could hold one."""
    from .errors import BadRow

    if len(set(names)) < len(names):
        name = next(name for at, name in enumerate(names) if name in names[:at])
        raise BadRow(f"several columns are called `{name}`, and a row can have one; rename them", column=name)


def dtype_for_new(dtype: Any) -> Any:
    """The type of pandas for texts that come of a column of this type: categories are those of the old texts."""
    return dtype.categories.dtype if str(dtype) == "category" else dtype


def pandas_texts(frame: Any, column: str | None, id: str | None, make: Columns, table: Tables | None) -> Any:
    """A pandas frame with new columns; the others and the index stay as they are."""
    names = [str(name) for name in frame.columns]
    refuse_taken(names)
    text, named = find(names, column, id)
    texts = frame.iloc[:, names.index(text)]
    refuse_numbers(texts, text)
    ids = None if named is None else frame.iloc[:, names.index(named)]
    dtype = dtype_for_new(texts.dtype)
    made: Any = None if table is None else _by_arrow(texts, text, ids, named, table)
    if made is None:
        made = make(_plain(texts), None if ids is None else _plain(ids))
        made = [type(texts)(values, index=frame.index, dtype=dtype, name=name) for name, values in zip(NEW, made)]
    if frame.columns.nlevels > 1:
        # A name stands for a whole branch there, which only assignment knows.
        new = frame.copy(deep=False)
        for name, values in zip(NEW, made):
            new[name] = values
        return new
    import pandas

    # All columns at once: one by one they take twice as long.
    added = pandas.DataFrame(dict(zip(NEW, made)), index=frame.index, copy=False)
    new = pandas.concat([frame, added], axis=1)
    new.attrs = dict(frame.attrs)
    return new


def pandas_where(frame: Any, column: str | None, id: str | None, make: Where) -> Any:
    """The same for changes that depend on whole rows."""
    names = [str(name) for name in frame.columns]
    refuse_taken(names)
    text, _ = find(names, column, id)
    refuse_numbers(frame.iloc[:, names.index(text)], text)
    made = make(rows_of_pandas(frame)[1], text)
    return pandas_texts(frame, column, id, lambda texts, ids: made, None)


def polars_where(frame: Any, column: str | None, id: str | None, make: Where) -> Any:
    """The same for a polars frame."""
    import polars

    refuse_taken(frame.columns)
    text, _ = find(frame.columns, column, id)
    made = make(frame.to_dicts(), text)
    return frame.with_columns(polars.Series(name, values, dtype=polars.String) for name, values in zip(NEW, made))


def arrow_where(table: Any, column: str | None, id: str | None, make: Where) -> Any:
    """The same for a table or a batch of pyarrow."""
    import pyarrow

    refuse_taken(table.schema.names)
    refuse_doubled(table.schema.names)
    text, _ = find(table.schema.names, column, id)
    kind = table.schema.field(text).type
    kind = kind.value_type if pyarrow.types.is_dictionary(kind) else kind
    made, schema = make(rows_of_arrow(table), text), table.schema
    for name in NEW:
        schema = schema.append(pyarrow.field(name, kind))
    made_of = pyarrow.RecordBatch if isinstance(table, pyarrow.RecordBatch) else pyarrow.Table
    return made_of.from_arrays([*table.columns, *(pyarrow.array(values, type=kind) for values in made)], schema=schema)


def _by_arrow(texts: Any, text: str, ids: Any, named: str | None, table: Tables) -> list[Any] | None:
    """The new columns of texts that pandas keeps in memory of Arrow, without a `str` for each: that takes half of the
    time. None if pandas keeps them otherwise."""
    if not _is_arrow(texts.dtype) or text == named:
        return None
    if ids is not None and ids.dtype.kind not in "iu" and not _is_arrow(ids.dtype):
        # Other ids may be spelled otherwise by this way.
        return None
    import pyarrow

    columns, names = [texts.array.__arrow_array__()], [text]
    if ids is not None:
        columns, names = [*columns, pyarrow.array(ids)], [text, str(named)]
    made = table(pyarrow.Table.from_arrays(columns, names=names), text, named or "content")
    kind = texts.dtype.construct_array_type()
    return [kind._from_sequence(made.column(name), dtype=texts.dtype) for name in NEW]


def _is_arrow(dtype: Any) -> bool:
    """Whether a type of pandas is of texts in memory of Arrow."""
    if getattr(dtype, "storage", None) == "pyarrow":
        return True
    kind = str(getattr(dtype, "pyarrow_dtype", ""))
    return kind in ("string", "large_string", "string_view")


def refuse_numbers(texts: Any, name: str) -> None:
    """A column of numbers or dates holds no texts, and says so before its first value does."""
    from .errors import BadRow

    if texts.dtype.kind in "biufcmM" and len(texts):
        raise BadRow(
            f"column `{name}` holds values of type {texts.dtype}, not texts; name the column with the texts: column=...",
            column=name,
            value=str(texts.iloc[0]),
        )


def _plain(values: Any) -> list[Any]:
    """The values as a list, with None for what pandas marks as missing."""
    try:
        found: list[Any] = values.tolist()
    except UnicodeDecodeError:
        raise no_utf8(str(values.name), values) from None
    if values.hasnans:
        return [None if missing else value for value, missing in zip(found, values.isna().tolist())]
    return found


def no_utf8(name: str, values: Any) -> Error:
    """A column of Arrow whose bytes are no text, with its first such row."""
    from .errors import BadRow

    for row, value in enumerate(_one_by_one(values)):
        if isinstance(value, UnicodeDecodeError):
            shown = bytes(value.object).decode("utf-8", "replace")[:60]
            return BadRow(
                f"row {row}: column `{name}`: bytes that are not UTF-8, which are no text: `{shown}`",
                line=str(row),
                column=name,
                value=shown,
            )
    return BadRow(f"column `{name}` holds bytes that are not UTF-8, which are no text", column=name)


def _one_by_one(values: Any) -> Iterator[Any]:
    """The values, with what is raised for those that cannot be read."""
    for row in range(len(values)):
        try:
            value = values.iloc[row] if hasattr(values, "iloc") else values[row]
            yield value.as_py() if hasattr(value, "as_py") else value
        except UnicodeDecodeError as why:
            yield why


def rows_of_arrow(table: Any) -> list[dict[str, Any]]:
    """The rows of a table or a batch of pyarrow."""
    try:
        found: list[dict[str, Any]] = table.to_pylist()
    except UnicodeDecodeError:
        for name in table.schema.names:
            values = table.column(name)
            try:
                values.to_pylist()
            except UnicodeDecodeError:
                raise no_utf8(name, values) from None
        raise
    return found


def rows_of_dataset(data: Any, numbers: bool) -> list[dict[str, Any]]:
    """The rows of a data set of Hugging Face, with the names of its classes instead of their numbers, unless these are wanted."""
    rows = [dict(row) for row in data.with_format(None)]
    features = {} if numbers else dict(data.features or {})
    for name, feature in features.items():
        if _has_classes(feature):
            for row in rows:
                row[name] = _named(row[name], feature)
    return rows


def _has_classes(feature: Any) -> bool:
    inner = getattr(feature, "feature", feature[0] if isinstance(feature, list) and feature else None)
    return comes_from(feature, "datasets", "ClassLabel") or (inner is not None and _has_classes(inner))


def _named(value: Any, feature: Any) -> Any:
    if comes_from(feature, "datasets", "ClassLabel"):
        names = feature.names
        # -1 stands for no label in the usual data sets.
        return names[value] if isinstance(value, int) and 0 <= value < len(names) else value
    inner = feature[0] if isinstance(feature, list) else feature.feature
    return [_named(one, inner) for one in value] if isinstance(value, (list, tuple)) else value


def pandas_rows(frame: Any, make: Rows, whole: bool = True) -> Any:
    """A pandas frame of a task: its columns hold the changed values, and there are status, reason and edits."""
    names = [str(name) for name in frame.columns]
    refuse_taken(names)
    columns, rows = rows_of_pandas(frame)
    made = make(rows)
    new = frame.copy(deep=False)
    for at, name in enumerate(names):
        values = [row.get(name) for row in made]
        if any(differ(a, b) for a, b in zip(values, columns[at])):
            series = type(frame.iloc[:, at])
            new[frame.columns[at]] = series(values, index=frame.index, dtype=dtype_for_new(frame.iloc[:, at].dtype))
    for name in NEW[1:]:
        series = type(frame.iloc[:, 0])
        new[name] = series([_of(row, name) for row in made], index=frame.index, dtype=object)
    return new


def rows_of_pandas(frame: Any) -> tuple[list[list[Any]], list[dict[str, Any]]]:
    """The columns of a frame as lists, and its rows."""
    names = [str(name) for name in frame.columns]
    refuse_doubled(names)
    columns = [_plain(frame.iloc[:, at]) for at in range(len(names))]
    return columns, [dict(zip(names, values)) for values in zip(*columns)]


def arrow_beside(table: Any, column: str | None, id: Any, change: Tables, why: TypeError) -> Any:
    """A table of pyarrow with columns that cannot be read here (decimals of 32 bits, views of lists): only those with texts and
    ids are, and the others stay where they are."""
    import pyarrow

    names = table.schema.names
    refuse_taken(names)
    text, named = find(names, column, id)
    wanted = [text] if named in (None, text) else [text, str(named)]
    if isinstance(why, Error) or len(wanted) == len(names):
        raise why
    made = pyarrow.table(change(table.select(wanted), text, named or "content"))
    new = [made.column(name) for name in NEW]
    schema = table.schema
    for name, values in zip(NEW, new):
        schema = schema.append(pyarrow.field(name, values.type))
    if isinstance(table, pyarrow.RecordBatch):
        return pyarrow.RecordBatch.from_arrays([*table.columns, *(one.combine_chunks() for one in new)], schema=schema)
    return pyarrow.Table.from_arrays([*table.columns, *new], schema=schema)


def polars_texts(frame: Any, column: str | None, id: Any, change: Tables) -> Any:
    """A polars frame with new columns. Only those with texts and ids are read: the others may hold what Arrow has no type for."""
    import polars

    refuse_taken(frame.columns)
    text, named = find(frame.columns, column, id)
    part = frame.select([text] if named in (None, text) else [text, named])
    if part.schema[text] == polars.Null:
        part = part.with_columns(polars.col(text).cast(polars.String))
    made = polars.DataFrame(change(part, text, named or "content"))
    return frame.with_columns(made.get_column(name) for name in NEW)


def polars_lazy(frame: Any, column: str | None, id: str | None, by_task: bool, change: Callable[[Any], Any]) -> Any:
    """A lazy frame of polars, changed when it is collected."""
    import polars

    if by_task:
        # Polars wants to know the types of all columns now, and those of changed ones are known afterwards.
        raise NotOffered("with a task a lazy frame is collected first: chain(frame.collect(), task=...)")
    schema = dict(frame.collect_schema())
    refuse_taken(list(schema))
    find(list(schema), column, id)
    return frame.map_batches(change, schema={**schema, **{name: polars.String for name in NEW}})


def polars_kind(dtype: Any) -> Any:
    """The type of polars for texts that come of a column of this type: an Enum has the old texts only."""
    import polars

    return polars.String if isinstance(dtype, polars.Enum) else dtype


def polars_rows(frame: Any, make: Rows) -> Any:
    """A polars frame of a task."""
    import polars

    refuse_taken(frame.columns)
    rows = frame.to_dicts()
    made = make(rows)
    new = [
        polars.Series(name, [row.get(name) for row in made], dtype=polars_kind(dtype))
        for name, dtype in frame.schema.items()
        if any(differ(row.get(name), old.get(name)) for row, old in zip(made, rows))
    ]
    new += [polars.Series(name, [_of(row, name) for row in made], dtype=polars.String) for name in NEW[1:]]
    return frame.with_columns(new)


def arrow_rows(table: Any, make: Rows) -> Any:
    """A table or a batch of pyarrow of a task."""
    import pyarrow

    refuse_taken(table.schema.names)
    refuse_doubled(table.schema.names)
    rows = rows_of_arrow(table)
    made = make(rows)
    columns = []
    for at, field in enumerate(table.schema):
        values = [row.get(field.name) for row in made]
        same = not any(differ(new, old.get(field.name)) for new, old in zip(values, rows))
        columns.append(table.column(at) if same else pyarrow.array(values, type=field.type))
    columns += [pyarrow.array([_of(row, name) for row in made], type=pyarrow.string()) for name in NEW[1:]]
    schema = table.schema
    for name in NEW[1:]:
        schema = schema.append(pyarrow.field(name, pyarrow.string()))
    made_of = pyarrow.RecordBatch if isinstance(table, pyarrow.RecordBatch) else pyarrow.Table
    return made_of.from_arrays(columns, schema=schema)


def differ(new: Any, old: Any) -> bool:
    """Whether a value was changed. One that was not is the user's own object, and need not be equal to itself."""
    if new is old:
        return False
    try:
        return bool(new != old)
    except ValueError:
        # Arrays of NumPy, which pandas has for lists that it read from Parquet, are compared item by item.
        return True


def _of(row: Any, name: str) -> Any:
    return row._trail if name == "edits" else getattr(row, name)


def holds_columns(data: Mapping[str, Any], column: str | None) -> bool:
    """Whether a dict holds a list of texts where a row has one."""
    try:
        text, _ = find([str(name) for name in data], column, "content")
    except Error:
        return False
    return isinstance(data.get(text), (list, tuple)) or comes_from(data.get(text), "numpy", "ndarray")


def is_batch(data: Mapping[str, Any], column: str | None, reading: Mapping[str, Any]) -> bool:
    """Whether a dict of a task holds rows, column by column, and not a row: a row may hold lists, too, of tokens and tags."""
    values = [list(value) if isinstance(value, (list, tuple)) or comes_from(value, "numpy", "ndarray") else None for value in data.values()]
    if not values or any(value is None for value in values) or len({len(value or []) for value in values}) > 1:
        return False
    tokens = dict(reading["columns"]).get("tokens", "tokens")
    return not any(isinstance(token, str) for token in data.get(tokens, ()))


def never_none(texts: list[Any]) -> list[str]:
    """Texts with empty ones for None: `datasets` takes the type of a column from its first batch, and where all are None there, the
    first reason in a later one would end the map."""
    return [text or "" for text in texts]


def batch_rows(batch: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a dict of columns."""
    names = list(batch)
    return [dict(zip(names, values)) for values in zip(*(batch[name] for name in names))]


def unknown(value: object, what: str) -> NotOffered:
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    return NotOffered(
        f"{what} takes a text, a list of texts, a row (dict), rows, a frame of pandas or polars, a table of pyarrow or "
        f"anything else with __arrow_c_stream__; this is a {kind}"
    )
