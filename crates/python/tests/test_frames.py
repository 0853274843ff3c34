"""Frames and tables: zero copy, every kind of text, output in the type of the input."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

import fissure as fs
from conftest import TEXTS

CHAIN = fs.typos(rate=0.4).seeded(2)
WANTED = list(CHAIN(TEXTS))


def test_pandas() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"n": range(8), "body": TEXTS}, index=[f"r{at}" for at in range(8)])
    made = CHAIN(frame, column="body")
    assert type(made) is pd.DataFrame and list(made.columns) == ["n", "body", "changed", "status", "reason", "edits"]
    assert list(made.changed) == WANTED and list(made.index) == list(frame.index)
    assert list(frame.columns) == ["n", "body"], "the user's frame is as it was"
    for dtype in ("object", "string"):
        assert CHAIN(frame.astype({"body": dtype}), column="body").changed.dtype == dtype
    assert list(CHAIN(frame.body)) == WANTED
    assert list(CHAIN(frame.astype({"body": "category"}), column="body").changed) == WANTED
    empty = CHAIN(frame[:0], column="body")
    assert len(empty) == 0 and "edits" in empty
    doubled = pd.concat([frame, frame])
    assert list(CHAIN(doubled, column="body").changed) == WANTED * 2, "an index with repeats"


def test_pandas_that_cannot_be_used() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"body": TEXTS[:2], "stars": [1, 2]})
    with pytest.raises(fs.UnknownName, match="there is no column `bdy`; the columns are `body`, `stars`") as unknown:
        CHAIN(frame, column="bdy")
    assert unknown.value.nearest == ["body"]
    with pytest.raises(fs.BadRow, match="column `stars` holds values of type int64, not texts") as numbers:
        CHAIN(frame, column="stars")
    assert numbers.value.column == "stars"
    with pytest.raises(fs.BadRow, match="row 1"):
        CHAIN(pd.DataFrame({"text": ["good", None]}))
    with pytest.raises(fs.BadRow, match="row 1"):
        CHAIN(pd.DataFrame({"text": ["good", float("nan")]}))
    with pytest.raises(fs.BadRow, match="row 1"):
        CHAIN(pd.DataFrame({"text": pd.array(["good", pd.NA], dtype="string")}))
    skipped = CHAIN(pd.DataFrame({"text": ["good film", None]}), on_bad_row="skip")
    assert list(skipped.status)[1] == "bad row"
    with pytest.raises(fs.BadRow, match="rename it"):
        CHAIN(pd.DataFrame({"text": ["good"], "status": ["x"]}))
    with pytest.raises(fs.UnknownName, match="column=") as missing:
        CHAIN(pd.DataFrame({"stars": [1]}))
    assert "--columns" not in str(missing.value)


def test_frames_that_an_evaluation_cannot_use(tmp_path: Any) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"body": ["good film", None], "stars": [1, 0]})

    def refused(kind: Any, data: Any = frame, **more: Any) -> str:
        with pytest.raises(kind) as failed:
            fs.evaluate(lambda texts: ["1"] * len(texts), data, out=tmp_path / "run", labels=["0", "1"], **more)
        assert not (tmp_path / "run").exists(), "nothing is left"
        assert "data.jsonl" not in str(failed.value) and "--" not in str(failed.value)
        return str(failed.value)

    assert "row 1: column `body`: nothing (null)" in refused(fs.BadRow, column="body")
    assert "there is no column `bdy` for `text`; the columns found are `body`, `stars`" in refused(fs.UnknownName, column="bdy")
    assert "row 0: column `stars`: a number where a text is needed: `1`" in refused(fs.BadRow, column="stars")
    assert "no argument `sute` of `fissure.evaluate`; did you mean `suite`?" in refused(fs.NotOffered, sute="quick")
    assert "no rows" in refused(fs.NotOffered, frame[:0])
    words = frame[:1].assign(stars=["x"])
    known = refused(fs.Error, words, columns={"text": "body", "label": "stars"}, suite="typos")
    assert "does not know the label `x`" in known and "label_map={" in known


def test_an_array_of_numpy_is_a_list() -> None:
    np = pytest.importorskip("numpy")
    assert list(CHAIN(np.array(TEXTS))) == WANTED


def test_nothing_found_is_an_empty_table(tmp_path: Any) -> None:
    rows = [{"text": "good", "label": "yes"}, {"text": "bad", "label": "no"}]
    run = fs.evaluate(lambda texts: ["yes"] * len(texts), rows, labels=["no", "yes"], suite="typos", out=tmp_path / "run")
    empty = run.cases(flipped=True)
    assert len(empty) == 0 and empty.to_dicts() == []


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"n": range(8), "text": TEXTS})
    made = CHAIN(frame)
    assert type(made) is pl.DataFrame and made["changed"].to_list() == WANTED
    assert made.schema["changed"] == pl.String and made["n"].to_list() == list(range(8))
    assert CHAIN(frame["text"]).to_list() == WANTED
    assert CHAIN(frame.with_columns(pl.col("text").cast(pl.Categorical)))["changed"].to_list() == WANTED


def test_every_kind_of_text_that_arrow_has() -> None:
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.large_string())):
        table = pa.table({"text": pa.array(TEXTS, type=pa.string()).cast(kind) if not pa.types.is_dictionary(kind) else pa.array(TEXTS, type=pa.large_string()).dictionary_encode(), "n": list(range(8))})
        made = CHAIN(table)
        assert isinstance(made, pa.Table) and made["changed"].to_pylist() == WANTED
        wanted = pa.large_string() if pa.types.is_dictionary(kind) else kind
        assert made.schema.field("changed").type == wanted, "the kind of the column it comes from"
        assert made.schema.field("edits").type == wanted


def test_untouched_columns_are_the_same_memory() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"text": TEXTS, "n": list(range(8))}, metadata={"of": "mine"})
    made = CHAIN(table)

    def where(column: Any) -> list[int]:
        return [buffer.address for chunk in column.chunks for buffer in chunk.buffers() if buffer is not None]

    assert where(made["n"]) == where(table["n"]) and where(made["text"]) == where(table["text"])
    assert made.schema.metadata == {b"of": b"mine"}
    batch = table.to_batches()[0]
    assert isinstance(CHAIN(batch), pa.RecordBatch) and CHAIN(batch)["changed"].to_pylist() == WANTED


def test_any_partitioning_gives_the_same_bytes() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"text": [f"{text} {at}" for at in range(40) for text in TEXTS]})

    def digest(pieces: int) -> str:
        size = -(-len(table) // pieces)
        parts = [CHAIN(table.slice(at, size), _piece=True) for at in range(0, len(table), size)]
        rows = pa.concat_tables(parts).to_pylist()
        return hashlib.sha256(repr(rows).encode()).hexdigest()

    assert len({digest(1), digest(7), digest(64)}) == 1


def test_tables_that_cannot_be_used() -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(fs.BadRow, match="holds values of type Int64, not texts"):
        CHAIN(pa.table({"text": [1, 2]}))
    with pytest.raises(fs.BadRow, match="decode it"):
        CHAIN(pa.table({"text": pa.array([b"\xff"], type=pa.binary())}))
    with pytest.raises(fs.BadRow, match="row 3: column `text`: nothing \\(null\\)"):
        CHAIN(pa.concat_tables([pa.table({"text": ["a", "b"]}), pa.table({"text": ["c", None]})]))
    with pytest.raises(fs.UnknownName):
        CHAIN(pa.table({"text": ["a"]}), id="key")


def test_whoever_speaks_arrow_is_read() -> None:
    pa = pytest.importorskip("pyarrow")

    class Foreign:
        def __init__(self, table: Any) -> None:
            self.table = table

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.table.__arrow_c_stream__(requested_schema)

    made = CHAIN(Foreign(pa.table({"text": TEXTS})))
    assert isinstance(made, fs.Table) and made.to_pyarrow()["changed"].to_pylist() == WANTED
    assert made.to_dict()["changed"] == WANTED and len(made.head(3)) == 3


def test_labels_in_frames() -> None:
    rows = {
        "tokens": [["Ann", "left", "Paris"], ["Peter", "Jones", "works"]],
        "tags": [["B-PER", "O", "B-LOC"], ["B-PER", "I-PER", "O"]],
        "n": [1, 2],
    }
    wanted = [dict(row) for row in fs.swap_ent()([dict(zip(rows, row)) for row in zip(*rows.values())], task="ner")]
    assert wanted[0]["tokens"] == ["Peter", "Jones", "left", "Paris"]
    made: dict[str, list[dict[str, Any]]] = {}
    pd = pytest.importorskip("pandas")
    made["pandas"] = fs.swap_ent()(pd.DataFrame(rows), task="ner")[list(rows)].to_dict("records")
    pl = pytest.importorskip("polars")
    frame = fs.swap_ent()(pl.DataFrame(rows), task="ner")
    assert frame.schema["tags"] == pl.List(pl.String)
    made["polars"] = frame.select(list(rows)).to_dicts()
    pa = pytest.importorskip("pyarrow")
    table = fs.swap_ent()(pa.table(rows), task="ner")
    assert table.schema.field("tags").type == pa.list_(pa.string())
    made["pyarrow"] = table.select(list(rows)).to_pylist()
    for library, found in made.items():
        assert found == wanted, library


def test_slices_pick_rows_of_every_frame() -> None:
    pd, pl, pa = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    longest = fs.slice("length", share=0.25)
    columns = {"text": TEXTS, "n": list(range(8))}
    wanted = [at for at, text in enumerate(TEXTS) if text in longest(TEXTS)]
    assert list(longest(pd.DataFrame(columns)).n) == wanted
    assert longest(pl.DataFrame(columns))["n"].to_list() == wanted
    assert longest(pa.table(columns))["n"].to_pylist() == wanted
    made = CHAIN(pd.DataFrame(columns))
    kept = fs.keep("edit_distance>=0.95")(made)
    assert 0 < len(kept) < 8 and fs.keep("edit_distance>=0.95")(made, made.changed).equals(kept)


def test_datasets_map(tmp_path: Any, limit: None) -> None:
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    data = datasets.Dataset.from_dict({"text": TEXTS * 50, "label": [0, 1] * 200})
    plain = data.map(CHAIN, batched=True, batch_size=32)
    assert plain["changed"][:8] == WANTED
    arrow = data.with_format("arrow").map(CHAIN, batched=True, num_proc=2)
    assert arrow.with_format(None)["changed"][:8] == WANTED
    from datasets.fingerprint import Hasher

    assert Hasher.hash(CHAIN) == Hasher.hash(fs.typos(rate=0.4).seeded(2)), "the cache is hit again"
    with pytest.raises(fs.NotOffered, match="map"):
        CHAIN(data)


def test_pandas_in_memory_of_arrow_gives_what_lists_give() -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    ids = {"none": None, "int": list(range(8)), "text": [f"r{at}" for at in range(7)] + [None]}
    kinds = ["str", "string[pyarrow]", *(pd.ArrowDtype(kind) for kind in (pa.string(), pa.large_string()))]
    for name, values in ids.items():
        plain = pd.DataFrame({"body": pd.Series(TEXTS, dtype=object), **({} if values is None else {"id": values})})
        wanted = CHAIN(plain, column="body")
        for kind in kinds:
            made = CHAIN(plain.astype({"body": kind}), column="body")
            assert made.changed.dtype == made.edits.dtype == kind, (name, kind)
            for column in ("changed", "status", "edits"):
                assert made[column].tolist() == wanted[column].tolist(), (name, kind)
            assert made.reason.isna().all()
    with pytest.raises(fs.BadRow, match="row 1: column `body`: nothing"):
        CHAIN(pd.DataFrame({"body": pd.array(["good", None], dtype="str")}), column="body")
    again = pd.DataFrame({"text": pd.array(["good film"] * 2, dtype="str")}, index=[3, 3])
    assert list(CHAIN(again).index) == [3, 3]


def test_categories_do_not_swallow_new_texts() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    texts = pd.Series(TEXTS, dtype="category")
    assert list(CHAIN(texts)) == WANTED
    made = CHAIN(pd.DataFrame({"text": texts, "label": pd.Categorical(["x", "y"] * 4)}), task="classification", id="content")
    assert list(made.text) == WANTED and made.label.dtype == "category"
    kind = pl.Enum(sorted(set(TEXTS)))
    assert CHAIN(pl.Series("t", TEXTS, dtype=kind)).to_list() == WANTED
    rows = pl.DataFrame({"text": pl.Series(TEXTS, dtype=kind)})
    assert CHAIN(rows, task="classification")["text"].to_list() == WANTED


def test_columns_of_one_name_are_refused_where_one_would_be_lost() -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    others = pd.DataFrame([["good film", 1, 2]], columns=["text", "x", "x"])
    assert CHAIN(others).iloc[0, 1:3].tolist() == [1, 2], "nothing is done to these"
    table = pa.Table.from_arrays([["good film"], [1], [2]], names=["text", "x", "x"])
    for data in (others, table):
        with pytest.raises(fs.BadRow, match="several columns are called `x`"):
            CHAIN(data, task="classification")
    for column in (None, "text"):
        for data in (others.set_axis(["text", "text", "x"], axis=1), table.rename_columns(["text", "text", "x"])):
            with pytest.raises(fs.BadRow, match="several columns are called `text`"):
                CHAIN(data, column=column)
    with pytest.raises(fs.BadRow, match="several columns are called `x`"):
        fs.evaluate(lambda texts: ["1"] * len(texts), others, task="classification", labels=["1"])


def test_values_that_json_does_not_have_come_back_as_they_were() -> None:
    import datetime

    odd = {"when": datetime.date(2020, 1, 2), "raw": b"\xff", "pair": (1, 2), "many": 2**80, "none": float("nan")}
    made = fs.keyboard(rate=1)({"text": "a wonderful film", **odd}, task="classification")
    assert made.status == "changed" and made["text"] != "a wonderful film"
    assert all(made[name] is value for name, value in odd.items())
    with pytest.raises(fs.BadRow, match="column `text`.*datetime.date"):
        CHAIN({"text": odd["when"]}, task="classification")
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": TEXTS, "when": pd.Timestamp("2020-01-02"), "n": [1.5, None] * 4})
    made = CHAIN(frame, task="classification")
    assert list(made.text) == WANTED and made.when.equals(frame.when) and made.n.equals(frame.n)
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    rows = {"text": TEXTS, "when": [odd["when"]] * 8}
    assert CHAIN(pa.table(rows), task="classification")["when"].to_pylist() == rows["when"]
    assert CHAIN(pl.DataFrame(rows), task="classification")["when"].to_list() == rows["when"]


def test_ids_that_name_no_row_are_refused() -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    import datetime

    for ids in ([datetime.datetime(2020, 1, 2)], [True]):
        with pytest.raises(fs.BadRow, match="id"):
            CHAIN(pd.DataFrame({"text": ["good film"], "id": ids}))
        with pytest.raises(fs.BadRow, match="column `id` holds values of type .*, which name no rows"):
            CHAIN(pa.table({"text": ["good film"], "id": ids}))
        CHAIN(pa.table({"text": ["good film"], "id": ids}), id="content")
    missing = pd.DataFrame({"text": pd.Series(["good film"], dtype=object), "id": pd.array([None], dtype="Int64")})
    assert list(CHAIN(missing).changed) == list(CHAIN(["good film"])), "a row without an id is named by its text"


def test_an_id_column_with_a_dictionary_is_not_read_a_thousand_times(limit: None) -> None:
    pa = pytest.importorskip("pyarrow")
    ids = [f"r{at}" for at in range(50_000)]
    table = pa.table({"text": ["a"] * len(ids), "id": ids})
    folded = table.set_column(1, "id", table["id"].combine_chunks().dictionary_encode())
    assert CHAIN(folded)["changed"] == CHAIN(table)["changed"]


def test_columns_that_are_numbers_are_named_by_them() -> None:
    pd = pytest.importorskip("pandas")
    assert list(CHAIN(pd.DataFrame({0: TEXTS}), column=0).changed) == WANTED
    levels = pd.DataFrame({("a", "body"): TEXTS})
    with pytest.raises(fs.UnknownName, match="column=") as unknown:
        CHAIN(levels)
    assert "column=('a', 'body')" in str(unknown.value)


def test_lazy_frames_of_polars() -> None:
    pl = pytest.importorskip("polars")
    lazy = CHAIN(pl.LazyFrame({"body": TEXTS, "n": range(8)}), column="body")
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.filter(pl.col("n") > 2).select("changed").collect()["changed"].to_list() == WANTED[3:]
    with pytest.raises(fs.UnknownName, match="there is no column `bdy`"):
        CHAIN(pl.LazyFrame({"body": TEXTS}), column="bdy")
    with pytest.raises(fs.NotOffered, match="collect"):
        CHAIN(pl.LazyFrame({"text": TEXTS}), task="classification")
    rows = pl.LazyFrame({"text": ["good", "bad"], "label": ["1", "0"]})
    found = fs.predict(lambda texts: ["1"] * len(texts), rows, task="sa", labels=["0", "1"])
    assert len(found) == 2


def test_lists_that_pandas_read_from_parquet() -> None:
    pd, np = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    words = [["Ann", "left", "Paris"], ["He", "saw", "Boston"]]
    tags = [["B-PER", "O", "B-LOC"], ["O", "O", "B-LOC"]]
    plain = pd.DataFrame({"tokens": words, "tags": tags})
    arrays = pd.DataFrame({name: [np.array(row, dtype=object) for row in plain[name]] for name in plain})
    chain = fs.keyboard(rate=1, min_length=2)
    wanted, made = chain(plain, task="ner"), chain(arrays, task="ner")
    assert list(wanted.status) == ["changed"] * 2
    for name in ("tokens", "tags"):
        assert [list(row) for row in made[name]] == [list(row) for row in wanted[name]], name


def test_a_task_keeps_the_schema_of_a_table() -> None:
    pa = pytest.importorskip("pyarrow")
    text = pa.field("text", pa.string(), metadata={"of": "texts"})
    schema = pa.schema([text, pa.field("x", pa.float64(), nullable=False)], metadata={"of": "table"})
    table = pa.Table.from_pydict({"text": TEXTS, "x": [float("nan")] * len(TEXTS)}, schema=schema)
    made = CHAIN(table, task="classification")
    assert made["text"].to_pylist() == WANTED
    assert made.schema.metadata == schema.metadata and made.schema.field("text").metadata == text.metadata
    assert made["x"].chunk(0).buffers()[1].address == table["x"].chunk(0).buffers()[1].address


def test_columns_of_any_kind_do_not_keep_a_frame_from_being_evaluated(tmp_path: Any) -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    import decimal
    import json

    odd = {
        "nan": float("nan"),
        "infinite": float("inf"),
        "many": 10**40,
        "exact": decimal.Decimal("1.5"),
        "raw": b"\xff",
        "span": pd.Timedelta(1, "s"),
        "month": pd.Period("2020-01"),
        "nested": {"a": [float("nan"), {(1, 2): {3}}]},
        "none": pd.NA,
    }
    rows = [{"text": text, "label": str(at % 2), **odd} for at, text in enumerate(["good film", "bad film"] * 4)]
    polars = pl.DataFrame([{"text": row["text"], "label": row["label"], "nan": row["nan"], "raw": row["raw"]} for row in rows])
    answer = lambda texts: ["0" if "good" in text else "1" for text in texts]  # noqa: E731
    for name, data in {"rows": rows, "pandas": pd.DataFrame(rows), "polars": polars}.items():
        run = fs.evaluate(answer, data, task="sa", labels=["0", "1"], suite="typos", out=tmp_path / name)
        kept = [json.loads(line, parse_constant=pytest.fail) for line in (run.folder / "data.jsonl").open()]
        assert [row["text"] for row in kept] == [row["text"] for row in rows] and kept[0]["nan"] is None
        assert kept[0]["raw"] == {"builtins.bytes": "b'\\xff'"}
    with pytest.raises(fs.BadRow, match="row 1: column `text` holds half of a character") as bad:
        fs.evaluate(answer, [rows[0], {**rows[1], "text": "a \ud800 b"}], task="sa", labels=["0", "1"], out=tmp_path / "half")
    assert (bad.value.line, bad.value.column) == (1, "text") and not (tmp_path / "half").exists()


def test_a_row_of_a_data_set_is_a_row() -> None:
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    data = datasets.Dataset.from_dict({"text": TEXTS, "label": [0, 1] * 4})
    assert data.map(CHAIN)["changed"][:] == WANTED
    assert data.map(CHAIN, fn_kwargs={"task": "classification", "id": "content"})["text"][:] == WANTED


def test_batches_of_data_sets_that_are_plain_dicts() -> None:
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    data = datasets.Dataset.from_dict({"text": TEXTS, "label": [0, 1] * 4})
    assert CHAIN({"text": TEXTS, "n": [1] * 8})["changed"] == WANTED
    assert data.with_format("numpy").map(CHAIN, batched=True).with_format(None)["changed"][:] == WANTED
    assert [row["changed"] for row in data.to_iterable_dataset().map(CHAIN, batched=True)] == WANTED
    for whole in (datasets.DatasetDict({"train": data}), data.to_iterable_dataset()):
        with pytest.raises(fs.NotOffered, match="map"):
            CHAIN(whole)


def test_a_reason_may_come_in_a_later_batch_of_a_data_set() -> None:
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    data = datasets.Dataset.from_dict({"text": ["It is not good."] * 4 + ["Хорошо"] * 4, "label": [0, 1] * 4})
    for more in ({}, {"fn_kwargs": {"task": "classification"}}):
        made = data.map(fs.contraction(), batched=True, batch_size=4, **more)
        assert made["status"][:] == ["changed"] * 4 + ["skipped"] * 4
        assert made["reason"][0] == "" and "Cyrillic" in made["reason"][4]


def test_columns_that_cannot_be_read_do_not_keep_others_from_it() -> None:
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    odd = {"null": [None] * 8, "many": pl.Series([10**30] * 8, dtype=pl.Int128), "any": pl.Series([object()] * 8, dtype=pl.Object)}
    frame = pl.DataFrame({"n": range(8), "text": TEXTS, **odd})
    made = CHAIN(frame)
    assert made["changed"].to_list() == WANTED and made.columns == [*frame.columns, "changed", "status", "reason", "edits"]
    assert made["many"].equals(frame["many"]) and made["any"].to_list() == frame["any"].to_list()
    with pytest.raises(fs.BadRow, match="row 0: column `text`: nothing"):
        CHAIN(pl.DataFrame({"text": [None], "n": [1]}))
    views = pa.array([[1]] * 8, pa.list_view(pa.int64()))
    table = pa.table({"text": TEXTS, "small": pa.array([1] * 8, pa.decimal32(5)), "views": views}, metadata={"of": "table"})
    for data in (table, table.to_batches()[0]):
        made = CHAIN(data)
        assert type(made) is type(data) and made.column("changed").to_pylist() == WANTED
        assert made.select(table.schema.names).equals(data) and made.schema.metadata == table.schema.metadata
    assert CHAIN(table["text"]).to_pylist() == CHAIN(pa.array(TEXTS)).to_pylist() == WANTED
    assert isinstance(CHAIN(table["text"]), pa.ChunkedArray) and isinstance(CHAIN(pa.array(TEXTS)), pa.StringArray)


def test_tables_pickle() -> None:
    import datetime
    import pickle

    rows = [{"text": "a", "n": 1, "x": 0.5, "of": [1, 2], "none": None}, {"text": "b", "n": 2, "x": 1.0, "of": [], "none": None}]
    table = fs.Table.of_rows(rows)
    assert pickle.loads(pickle.dumps(table)).to_dicts() == table.to_dicts() == rows
    pa = pytest.importorskip("pyarrow")
    dates = pa.table({"when": [datetime.date(2020, 1, 2)]})
    assert pickle.loads(pickle.dumps(fs.Table(dates))).to_pyarrow().equals(dates)


def test_the_number_of_threads_and_the_cut_into_batches_change_no_byte() -> None:
    pa = pytest.importorskip("pyarrow")
    # More rows than a window has, and words that every thread looks up.
    texts = [f"{text} {at}" for at in range(400) for text in TEXTS]
    texts[7] = texts[2048] = None  # type: ignore[call-overload]
    whole = pa.table({"text": texts, "id": [f"r{at}" for at in range(len(texts))]})
    cut = pa.concat_tables([whole.slice(at, length) for at, length in [(0, 0), (0, 1), (1, 1500), (1501, 0), (1501, 1699)]])
    found = {}
    try:
        for threads in (1, 2, 5):
            fs.threads(threads)
            made = [(fs.typos() + fs.swap_syn_wordnet())(data, on_bad_row="skip") for data in (whole, cut)]
            assert [part.num_rows for part in made] == [3200] * 2
            found[threads] = {hashlib.sha256(str(part.to_pydict()).encode()).hexdigest() for part in made}
            assert made[1]["status"][7].as_py() == "bad row" and made[1]["changed"][7].as_py() is None
            with pytest.raises(fs.BadRow, match="row 7: column `text`: nothing"):
                CHAIN(cut)
    finally:
        fs.threads(0)
    assert len(set.union(*found.values())) == 1
