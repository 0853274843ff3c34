"""Texts, rows, frames and tables: what goes in comes out, changed."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import fissure as fs
from conftest import TEXTS


def test_a_text_gives_a_text() -> None:
    change = (fs.contraction() + fs.typos(rate=0.2)).seeded(7)("I do not like it, because it is bad.")
    assert isinstance(change, str) and change == change.text
    assert change.status == "changed" and change.undo() == "I do not like it, because it is bad."
    back = change.undo().encode()
    for edit in reversed(change.edits):
        assert back[edit.start : edit.end].decode() == edit.old
        back = back[: edit.start] + edit.new.encode() + back[edit.end :]
    assert back.decode() == change
    assert "<ins" in change._repr_html_() and "<script" not in change._repr_html_()
    assert pickle.loads(pickle.dumps(change)).edits == change.edits


def test_text_that_no_edit_touches_stays_the_users_own_object() -> None:
    text = "".join(["x", "yz"])
    made = fs.contraction()([text])
    assert made[0].status == "unchanged" and made[0].undo() is text


def test_a_list_gives_a_list_that_is_a_table(texts: list[str]) -> None:
    made = fs.typos(rate=0.5)(texts)
    assert isinstance(made, list) and len(made) == len(texts)
    rows = made.to_dicts()
    assert [row["changed"] for row in rows] == list(made)
    assert {"changed", "unchanged"} >= {row["status"] for row in rows}
    assert rows[3] == {"text": "", "changed": "", "status": "unchanged", "reason": None, "edits": "[]"}
    assert "<ol" in made._repr_html_()


def test_order_and_neighbours_change_nothing(texts: list[str]) -> None:
    chain = fs.typos(rate=0.5).seeded(3)
    together = dict(zip(texts, chain(texts)))
    assert together == {text: chain(text) for text in reversed(texts)}
    fs.threads(1)
    assert list(chain(texts)) == list(together.values())
    fs.threads(0)


def test_labels_move_with_their_words() -> None:
    row = {"tokens": ["Ann", "Smith", "left", "Paris"], "tags": ["B-PER", "I-PER", "O", "B-LOC"]}
    other = {"tokens": ["Peter", "Paul", "Jones", "saw", "Rome"], "tags": ["B-PER", "I-PER", "I-PER", "O", "B-LOC"]}
    made = fs.swap_ent()([row, other], task="ner")[0]
    assert made.status == "changed" and set(made) == {"tokens", "tags"}
    assert made["tokens"] == ["Peter", "Paul", "Jones", "left", "Rome"]
    assert made["tags"] == ["B-PER", "I-PER", "I-PER", "O", "B-LOC"] and made.undo() == row


def test_a_part_that_does_not_serve_the_task_says_so() -> None:
    with pytest.raises(fs.NotOffered, match="does not serve the task `classification`"):
        fs.swap_ent()("Ann left")
    with pytest.raises(TypeError):
        fs.swap_ent()(["Ann left"])


def test_a_part_without_its_help_says_what_to_give() -> None:
    lacking = [card["name"] for card in fs.catalog("transform") if "language_model" in card["needs"]]
    assert lacking
    with pytest.raises(fs.NotOffered, match="language_model="):
        fs.chain(lacking[0])("The film was good.")


def test_knobs_are_checked_at_the_door() -> None:
    with pytest.raises(fs.BadKnob, match="`rate` of `typos` cannot be `2`") as bad:
        fs.typos(rate=2)
    assert (bad.value.knob, bad.value.value) == ("rate", "2") and isinstance(bad.value, ValueError)
    with pytest.raises(fs.UnknownName, match="did you mean") as unknown:
        fs.chain("typoss")
    assert "typos" in unknown.value.nearest and isinstance(unknown.value, LookupError)
    with pytest.raises(fs.BadKnob) as knob:
        fs.chain("typos", rote=1)
    assert knob.value.nearest[0] == "rate"
    with pytest.raises(fs.BadKnob, match="twice in the chain"):
        fs.typos(rate=0.1) + fs.typos(rate=0.2)


def test_a_chain_is_its_description() -> None:
    chain = (fs.contraction() + fs.typos(rate=0.25)).seeded(7)
    assert chain.name == "contraction+typos"
    again = pickle.loads(pickle.dumps(chain))
    assert again == chain and hash(again) == hash(chain) and again("It is not good.") == chain("It is not good.")
    assert len(pickle.dumps(fs.typos(rate=0.25))) < 120
    assert fs.chain("contraction+typos", seed=7, **{"typos.rate": 0.25}) == chain
    assert fs.typos(rate=0.1).expectation() == "kept"


def test_bad_rows_are_named_or_left_as_they_are() -> None:
    with pytest.raises(fs.BadRow, match="row 1: column `text`: nothing \\(None\\)") as bad:
        fs.typos()(["good", None])  # type: ignore[list-item]
    assert bad.value.line == 1 and bad.value.column == "text"
    with pytest.raises(fs.BadRow, match="a float where a text is needed"):
        fs.typos()([1.5])  # type: ignore[list-item]
    made = fs.typos(rate=1)(["good film", None], on_bad_row="skip")  # type: ignore[list-item]
    assert [change.status for change in made] == ["changed", "bad row"]
    with pytest.raises(fs.BadRow, match="surrogate"):
        fs.typos()(["\ud800"])
    with pytest.raises(fs.NotOffered, match="on_bad_row"):
        fs.typos()(["x"], on_bad_row="ignore")


def test_thresholds_and_conditions() -> None:
    made = fs.typos(rate=1)(TEXTS, keep=["edit_distance>=0.99"])
    assert {change.status for change in made} <= {"filtered", "unchanged"}
    rows: list[dict[str, Any]] = [{"text": "a good film", "label": "pos"}, {"text": "a bad film", "label": "neg"}]
    made_rows = fs.typos(rate=1)(rows, where='label == "pos"')
    assert [row.status for row in made_rows] == ["changed", "left out"]


def test_what_is_no_data_is_refused() -> None:
    for value in (3, object(), {1, 2}):
        with pytest.raises(fs.NotOffered, match="takes a text"):
            fs.typos()(value)


def test_ids_own_the_dice() -> None:
    text = "a rather long text with many words that could be changed"
    alike = fs.typos(rate=0.2)([text, text])
    assert alike[0] == alike[1], "equal texts change alike"
    apart = fs.typos(rate=0.2)([text] * 8, id=list(range(8)))
    assert len(set(apart)) > 1, "ids tell them apart"
    with pytest.raises(fs.NotOffered, match="give as many"):
        fs.typos()([text], id=[1, 2])


def test_slices_and_validators() -> None:
    texts = ["a", "a b", "a b c", "a b c d", "a b c d e"]
    longest = fs.slice("length", share=0.4)
    assert longest.measure(texts) == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert len(longest(texts)) == 2 and pickle.loads(pickle.dumps(longest))(texts) == longest(texts)
    assert fs.keep("edit_distance>=0.9")(["one text", "two"], ["one text", "six"]) == ["one text"]
    with pytest.raises(fs.NotOffered, match="encoder"):
        fs.keep("similarity>=0.8")
    with pytest.raises(fs.UnknownName):
        fs.slice("lenght")


def test_the_catalog_explains_itself() -> None:
    assert "rate" in fs.explain("typos") and "typos (transform)" in fs.explain("typos")
    with pytest.raises(fs.UnknownName) as unknown:
        fs.explain("keybord")
    assert "keyboard" in unknown.value.nearest
    assert fs.typos.__doc__ and "Args:" in fs.typos.__doc__


@pytest.mark.parametrize("seed", [-1, 2**64, "7", 1.5, None])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(fs.BadKnob, match="a seed is a whole number from 0"):
        fs.chain("typos", seed=seed)
    if seed is not None:
        with pytest.raises(fs.BadKnob, match="a seed is a whole number from 0"):
            fs.typos()("a good film", seed=seed)


def test_advice_is_written_in_python() -> None:
    with pytest.raises(fs.UnknownName) as unknown:
        fs.chain("typso")
    assert '`fissure.catalog("transforms")`' in str(unknown.value)
    with pytest.raises(fs.BadKnob) as knob:
        fs.chain("typos", rat=1)
    assert '`fissure.explain("typos")`' in str(knob.value)
    with pytest.raises(fs.Error) as condition:
        fs.typos()("a", where="label ==")
    assert "--where" not in str(condition.value)
    assert fs.catalog("transforms") == fs.catalog("transform"), "the advice can be followed"
