"""White boxes: hooks are exact, gradients agree with differences, padding has none, and scores are those of Rust."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import fissure as fs  # noqa: E402
import fissure.torch as ft  # noqa: E402
from torch_models import LABELS, configurations, tokenizer  # noqa: E402

TEXTS: list[tuple[str, str | None]] = [
    ("the film was good", None),
    ("bad", None),
    ("a very very long and dull story about nothing", None),
]
#: Norms that are computed in 32 bits whatever the weights are.
ROUGH = {"llama", "qwen3", "modernbert"}


@pytest.mark.parametrize("name", sorted(configurations()))
def test_every_family(name: str) -> None:
    torch.manual_seed(0)
    model = configurations()[name]().double()
    model.train()
    box = ft.white_box(model, tokenizer("left" if name == "xlnet" else "right"))
    cut = box.embed(TEXTS)
    batch = [(ids, rows) for ids, _, _, rows, _ in cut]
    plain, hooked = torch.tensor(box.logits(TEXTS)), torch.tensor(box.logits_at(batch))
    alone = torch.tensor([box.logits([text])[0] for text in TEXTS])
    assert torch.allclose(plain, hooked, atol=1e-6), "the hook changes nothing"
    assert torch.allclose(plain, alone, atol=1e-6), "padding changes nothing"

    rows = box._rows(batch).requires_grad_(True)
    lengths, starts = [len(ids) for ids, _ in batch], box._starts(batch)
    inside = torch.zeros(rows.shape[:2], dtype=torch.bool)
    for at, (start, length) in enumerate(zip(starts, lengths)):
        inside[at, start : start + length] = True
    direction = torch.randn_like(rows) * inside[..., None]
    with box._still():
        logits = box._forward([ids for ids, _ in batch], rows)
        weights = torch.randn_like(logits)
        (found,) = torch.autograd.grad(logits, rows, weights)
        assert float(found.detach()[~inside].abs().max()) == 0.0, "padding has no gradient"
        step = 1e-5
        with torch.no_grad():
            up = box._forward([ids for ids, _ in batch], rows + step * direction)
            down = box._forward([ids for ids, _ in batch], rows - step * direction)
    difference = float(((up - down) * weights).sum() / (2 * step))
    size = float(found.norm() * direction.norm())
    assert abs(difference - float((found * direction).sum())) <= (1e-4 if name in ROUGH else 1e-8) * size
    assert model.training and all(weight.requires_grad for weight in model.parameters()), "everything is as it was"


def test_one_pass_forward_and_as_many_backward_as_are_asked_for() -> None:
    torch.manual_seed(0)
    box = ft.white_box(configurations()["bert"](), tokenizer())
    points = [(ids, rows) for ids, _, _, rows, _ in box.embed(TEXTS)]
    (one,) = list(box.passes(points))
    both = one.pull([[1.0, 0.0, 0.0]] * 3)
    assert [len(rows) for rows in both] == [len(ids) * 32 * 4 for ids, _ in points]
    small = ft.white_box(configurations()["bert"](), tokenizer(), batch_tokens=8)
    assert len(list(small.passes(points))) == 3, "batches by tokens"


def test_places_are_bytes_and_words_are_counted() -> None:
    box = ft.white_box(configurations()["bert"](), tokenizer())
    ((ids, places, words, _, cut),) = box.embed([("Käse is good", None)])
    text = "Käse is good".encode()
    shown = [text[place[1] : place[2]].decode() for place in places if place]
    assert shown[-2:] == ["is", "good"] and not cut
    assert len({word for word in words if word is not None}) == 3 and len(ids) == len(words)
    assert "good" in box.words() and not any(word.startswith(("##", "[")) for word in box.words() if len(word) > 1)


def rows(count: int = 24) -> list[dict[str, Any]]:
    texts = ["the film was good", "a bad film", "not a very good story", "nothing was dull", "a long and fine film"]
    return [{"text": f"{texts[at % 5]} and {texts[(at // 5) % 5]}", "label": LABELS[at % 3]} for at in range(count)]


def test_scores_forecasts_words_and_runs(tmp_path: Path) -> None:
    torch.manual_seed(1)
    box = ft.white_box(configurations()["bert"](), tokenizer())
    scores = fs.score(box, rows(), task="sa", tokens=True).to_dicts()
    assert all(row["lambda_max"] > 0 for row in scores) and "flip_forecast" in scores[0]
    assert fs.words(box, rows(), task="sa", least=1).to_dicts()
    run = fs.evaluate(box, rows(), task="sa", suite="typos", out=tmp_path / "run")
    about = run.findings.raw["about"]["model"]
    assert about["gradients"] and about["checksum"] == box.checksum()
    assert run.findings.raw["fragility"]["samples"] == 24


def test_half_precision_keeps_the_order() -> None:
    torch.manual_seed(1)
    model = configurations()["bert"]()
    full = fs.score(ft.white_box(model, tokenizer()), rows(), task="sa").to_dicts()
    half = ft.white_box(configurations()["bert"](), tokenizer())
    half.model.load_state_dict(model.state_dict())
    half.model.to(torch.bfloat16)
    assert half.dtype == "bfloat16"
    rough = fs.score(half, rows(), task="sa").to_dicts()
    for a, b in zip(full, rough):
        assert abs(a["lambda_max"] - b["lambda_max"]) <= 0.25 * a["lambda_max"]
    again = ft.white_box(half.model, tokenizer(), precision="float32")
    assert again.dtype == "float32" and half.dtype == "bfloat16"


def test_a_module_of_ones_own() -> None:
    class Net(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.table = torch.nn.Embedding(64, 8)
            self.out = torch.nn.Linear(8, 2)

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            rows = self.table(input_ids) * attention_mask[..., None]
            return self.out(rows.sum(1) / attention_mask.sum(1, keepdim=True))

    def inputs(texts: list[str]) -> dict[str, Any]:
        words = [text.split() or ["x"] for text in texts]
        longest = max(map(len, words))
        ids = [[sum(map(ord, word)) % 63 + 1 for word in row] + [0] * (longest - len(row)) for row in words]
        return {"input_ids": ids, "attention_mask": [[int(id > 0) for id in row] for row in ids]}

    torch.manual_seed(0)
    net = Net()
    box = ft.white_box(net, embedding=net.table, inputs=inputs, labels=["a", "b"])
    found = fs.predict(box, [{"text": "one two"}, {"text": "three"}], task="sa").to_dicts()
    assert {row["predicted"] for row in found} <= {"a", "b"}
    with pytest.raises(fs.NotOffered, match="embedding="):
        ft.white_box(net, inputs=inputs, labels=["a", "b"])
    with pytest.raises(fs.NotOffered, match="labels="):
        ft.white_box(net, embedding=net.table, inputs=inputs)
    for given, said in (({"ids": [[1]]}, "and no `input_ids`"), ({"input_ids": [[1]], "lengths": [1]}, "gave `lengths`, too")):
        wrong = ft.white_box(net, embedding=net.table, inputs=lambda _, given=given: given, labels=["a", "b"])
        with pytest.raises(fs.NotOffered, match=said):
            fs.score(wrong, [{"text": "one two"}], task="sa")


def test_a_pipeline_is_a_model() -> None:
    from transformers import pipeline

    model = configurations()["distilbert"]().eval()
    pipe = pipeline("text-classification", model=model, tokenizer=tokenizer(), device=-1)
    found = fs.predict(pipe, rows(6), task="sa").to_dicts()
    box = fs.predict(ft.white_box(model, tokenizer()), rows(6), task="sa").to_dicts()
    assert [row["predicted"] for row in found] == [row["predicted"] for row in box]


def test_torch_and_rust_agree_on_the_golden_model() -> None:
    import json

    from conftest import SHARED
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = SHARED / "golden" / "minilm_ag"
    if not folder.exists():
        pytest.skip(f"NOT TESTED: there is no {folder}")
    golden = [json.loads(line) for line in (SHARED / "golden" / "minilm_ag.jsonl").read_text().splitlines()][:12]
    data = [{"id": str(at), "text": row["text"]} for at, row in enumerate(golden)]
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    box = ft.white_box(model, AutoTokenizer.from_pretrained(folder))
    by_torch, by_rust = (
        # Integrated gradients take many passes: they are asked for one text.
        [
            *fs.score(model, data[:1], task="sa", forecast="uncalibrated", tokens=True).to_dicts(),
            *fs.score(model, data[1:], task="sa", forecast="uncalibrated").to_dicts(),
        ]
        for model in (box, str(folder))
    )

    def near(one: float, other: float, least: float = 1.0) -> bool:
        return abs(one - other) <= 1e-4 * max(least, abs(other))

    for one, other in zip(by_torch, by_rust, strict=True):
        assert one["predicted"] == other["predicted"]
        assert near(one["lambda_max"], other["lambda_max"], 0.0), (one["lambda_max"], other["lambda_max"])
        assert all(near(a, b) for a, b in zip(one["log_probs"], other["log_probs"], strict=True))
        for a, b in zip(one.get("tokens", []), other.get("tokens", []), strict=True):
            assert (a["text"], a["start"], a["end"]) == (b["text"], b["start"], b["end"])
            assert near(a["e_max"], b["e_max"]) and near(a["ig_prob"], b["ig_prob"])


def box_of(name: str = "bert") -> Any:
    torch.manual_seed(1)
    return ft.white_box(configurations()[name](), tokenizer("left" if name == "xlnet" else "right"))


def test_forecasts_substitutions_triggers_and_attacks(tmp_path: Path) -> None:
    box = box_of()
    found = fs.forecast(box, rows(), task="sa", parts=["typos", "keyboard"])
    parts = found.parts.to_dicts()
    assert [part["name"] for part in parts] == ["typos", "keyboard"] and all(0 <= part["flips"] <= 1 for part in parts)
    assert {"id", "part", "flips", "threats"} <= set(found.texts.columns)
    assert "<svg" in found._repr_html_() and "<script" not in found._repr_html_()
    scored = fs.score(box, rows(6), task="sa", tokens=True, ig_logit=True, eta=True, decode=2, part=["typos"]).to_dicts()
    assert len(scored[0]["substitutions"]) == 2 and set(scored[0]["parts"]) == {"typos"}
    assert all("ig_prob" in token for token in scored[0]["tokens"])
    words = fs.trigger(box, rows(), task="sa", words=2, tried=5).to_dicts()
    assert words and all(len(row["words"].split()) == 2 for row in words)
    broken = fs.attack(box, rows(6), recipe="deepwordbug", task="sa", budget=30).to_dicts()
    assert len(broken) == 6
    assert fs.compare([box, box_of("distilbert")], rows(), task="sa")["examples"] == 24


def test_a_page_asks_a_white_box(tmp_path: Path, limit: None) -> None:
    from test_show import read

    box = box_of()
    run = fs.evaluate(box, rows(), task="sa", suite="typos", out=tmp_path / "run")
    with run.explore(box) as page:
        assert "Fissure" in read(page.url)
    with fs.explore(box, rows(), task="sa") as page:
        assert "Fissure" in read(page.url)


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    runs = [fs.evaluate(box_of(), rows(40), task="sa", suite="typos", out=tmp_path / name) for name in ("one", "two")]
    # The header names the folders; everything else is equal but for the seals, which hash the header.
    one, two = ((run.folder / "run.jsonl").read_text().splitlines()[1:] for run in runs)
    assert [line for line in one if '"seal"' not in line] == [line for line in two if '"seal"' not in line]


def test_exact_answers_do_not_depend_on_their_neighbours() -> None:
    box = box_of()
    together = fs.predict(box, rows(), task="sa", exact=True).to_dicts()
    alone = [fs.predict(box, [row], task="sa").to_dicts()[0] for row in rows()]
    assert [row["log_probs"] for row in together] == [row["log_probs"] for row in alone]
    assert box.batch_tokens == ft.TOKENS, "the box is as it was"


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_half_precision_is_the_type_of_the_weights(name: str) -> None:
    full = box_of()
    half = box_of()
    half.model.to(getattr(torch, name))
    assert half.dtype == name
    for a, b in zip(fs.score(full, rows(6), task="sa").to_dicts(), fs.score(half, rows(6), task="sa").to_dicts()):
        assert abs(a["lambda_max"] - b["lambda_max"]) <= 0.25 * a["lambda_max"] and b["lambda_max"] > 0


def test_pairs_of_texts() -> None:
    pairs = [{"premise": row["text"], "hypothesis": "a good film", "label": row["label"]} for row in rows(6)]
    scored = fs.score(box_of(), pairs, task="nli", tokens=True, forecast="uncalibrated", label_map=SENSES).to_dicts()
    assert len(scored) == 6 and scored[0]["lambda_max"] > 0


SENSES = {name: name for name in LABELS.values()}


def test_a_slow_tokenizer_is_refused() -> None:
    class Slow:
        is_fast = False

    with pytest.raises(fs.NotOffered, match="fast"):
        ft.white_box(configurations()["bert"](), Slow())


def test_a_pipeline_whose_weights_changed_is_another(tmp_path: Path) -> None:
    from transformers import pipeline

    torch.manual_seed(0)
    model = configurations()["bert"]()
    pipe = pipeline("text-classification", model=model, tokenizer=tokenizer(), device=-1)
    rows = [{"text": text, "label": "positive"} for text, _ in TEXTS]
    run = fs.evaluate(pipe, rows, task="sa", chains="typos", out=tmp_path / "run", progress=False)
    fs.resume(pipe, run, progress=False)
    plan = fs.plan(rows, pieces=2, task="sa", chains="typos")
    first = plan.piece(1, lambda: pipe)
    with torch.no_grad():
        model.classifier.weight.mul_(-1)
    with pytest.raises(fs.Error, match="its model was another"):
        fs.resume(pipe, run, progress=False)
    with pytest.raises(fs.Error, match="different models"):
        fs.merge([first, plan.piece(2, lambda: pipe)], tmp_path / "merged")
    with torch.no_grad():
        model.classifier.weight.mul_(-1)
    fs.resume(pipe, run, progress=False)


def test_an_empty_text_has_scores() -> None:
    torch.manual_seed(0)
    box = ft.white_box(configurations()["bert"](), tokenizer())
    rows = [{"text": text, "label": "positive"} for text in ("", "a good film", " ")]
    assert len(fs.predict(box, rows, task="sa", progress=False)) == 3
    assert len(fs.score(box, rows, task="sa", progress=False)) == 3
