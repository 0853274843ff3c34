"""Columns of Arrow that are not as usual: buffers at odd addresses, and texts whose bytes are no text."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import fissure as fs

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

CHAIN = fs.typos(rate=0.5)
TEXTS = ["hello there", "my friend", "another tale"]


def odd(buffer: Any) -> Any:
    """The same bytes at an odd address."""
    raw = np.zeros(buffer.size + 9, np.uint8)
    start = 1 if raw.ctypes.data % 8 == 0 else 0
    raw[start : start + buffer.size] = np.frombuffer(buffer, np.uint8)
    found = pa.py_buffer(raw).slice(start, buffer.size)
    assert found.address % 8
    return found


def moved(array: Any) -> Any:
    """The same array with every buffer at an odd address."""
    if pa.types.is_dictionary(array.type):
        return pa.DictionaryArray.from_arrays(moved(array.indices), moved(array.dictionary))
    buffers = [buffer and odd(buffer) for buffer in array.buffers()]
    found = pa.Array.from_buffers(array.type, len(array), buffers, offset=array.offset)
    found.validate(full=True)
    return found


LONG = ["a text that is longer than a view holds", None, "and another one, which is not short either"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
@pytest.mark.parametrize("values", [TEXTS, LONG])
def test_buffers_at_odd_addresses(kind: str, values: list[Any]) -> None:
    made = pa.array(values)
    made = made.dictionary_encode() if kind == "dictionary" else made.cast(getattr(pa, kind)())
    for array in (made, made.slice(1)):
        table = pa.table({"text": moved(array), "n": moved(pa.array(range(len(array))))})
        expected = CHAIN(pa.table({"text": made})[-len(array) :], on_bad_row="skip")
        for data in (table, table.to_batches()[0]):
            found = CHAIN(data, on_bad_row="skip")
            assert found.column("changed").to_pylist() == expected.column("changed").to_pylist()
            assert found.column("n").to_pylist() == list(range(len(array)))
    assert len(fs.slice("length", share=0.5)(pa.table({"text": moved(pa.array(TEXTS))}))) >= 1


def test_a_list_of_texts_at_odd_addresses() -> None:
    inner = moved(pa.array(["one", "two", "three"]))
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 1, 3], pa.int32()), inner)
    table = pa.table({"text": TEXTS, "words": lists, "own": pa.StructArray.from_arrays([inner], ["a"])})
    found = fs.Table(table).to_dicts()
    assert [row["words"] for row in found] == [["one"], [], ["two", "three"]]
    assert [row["own"]["a"] for row in found] == ["one", "two", "three"]


def test_a_frame_that_came_in_a_pickle_with_buffers() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": pd.Series(TEXTS * 20, dtype="string[pyarrow]")})
    buffers: list[Any] = []
    made = pickle.dumps(frame, protocol=5, buffer_callback=buffers.append)
    # One behind the other, as they come over a wire.
    whole, at, parts = memoryview(b"x" + b"".join(bytes(one.raw()) for one in buffers)), 1, []
    for one in buffers:
        parts.append(whole[at : at + len(one.raw())])
        at += len(one.raw())
    again = pickle.loads(made, buffers=parts)
    assert list(CHAIN(again).changed) == list(CHAIN(frame).changed)


def broken(kind: str) -> Any:
    """A column whose second text is none."""
    raw = [b"hello there", b"my\xff friend", None, b"another tale"]
    if kind == "dictionary":
        return pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 3]), broken("string"))
    binary = {"string": pa.binary(), "large_string": pa.large_binary(), "string_view": pa.binary_view()}[kind]
    return pa.array(raw, binary).view(getattr(pa, kind)())


KINDS = ["string", "large_string", "string_view", "dictionary"]


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_are_no_text(kind: str) -> None:
    table = pa.table({"words": broken(kind)})
    with pytest.raises(fs.BadRow, match="row 1: column `words`: bytes that are not UTF-8") as failed:
        CHAIN(table, column="words")
    assert failed.value.line == 1 and failed.value.column == "words"
    found = CHAIN(table, column="words", on_bad_row="skip")
    assert found.column("status").to_pylist() == ["changed", "bad row", "bad row", "changed"]
    with pytest.raises(fs.BadRow, match="row 1"):
        fs.slice("length").measure(table, column="words")
    assert fs.slice("length").measure(table, column="words", on_bad_row="skip") == [2, None, None, 2]
    # Half of a character at the end of one text and the other half at the start of the next are no text either.
    split = pa.array([b"caf\xc3", b"\xa9 noir"], pa.binary()).view(pa.string())
    with pytest.raises(fs.BadRow, match="row 0"):
        CHAIN(pa.table({"text": split}))
    # What is not read is carried along.
    beside = CHAIN(pa.table({"text": TEXTS, "other": broken(kind).slice(0, 3)}))
    assert beside.column("status").to_pylist() == ["changed"] * 3
    with pytest.raises(fs.BadRow, match="column `id`|UTF-8"):
        CHAIN(pa.table({"text": TEXTS, "id": broken(kind).slice(0, 3)}))
    with pytest.raises(fs.BadRow, match="column `other` cannot be read"):
        fs.Table(beside.select(["other"])).to_dicts()


def test_bytes_that_are_no_text_with_a_task_and_in_pandas() -> None:
    pd = pytest.importorskip("pandas")
    table = pa.table({"text": TEXTS, "other": broken("string").slice(0, 3)})
    for work in (
        lambda: CHAIN(table, task="sa"),
        lambda: CHAIN(table, where="length > 1"),
        lambda: fs.evaluate("nowhere", table, task="sa"),
        lambda: fs.slice("length").measure(table, task="sa"),
    ):
        with pytest.raises(fs.BadRow, match="row 1: column `other`"):
            work()
    frame = pd.DataFrame({"text": pd.Series(pd.arrays.ArrowExtensionArray(broken("large_string")))})
    for work in (lambda: CHAIN(frame), lambda: fs.slice("length").measure(frame)):
        with pytest.raises(fs.BadRow, match="row 1: column `text`"):
            work()
    assert list(CHAIN(frame, on_bad_row="skip").status) == ["changed", "bad row", "bad row", "changed"]
