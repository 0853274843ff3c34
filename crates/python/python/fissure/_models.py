"""Models of every kind, behind one function: questions of the protocol to answers of the protocol.

They are recognised by the names of their classes; nothing is imported to look.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, overload

from . import _identity
from ._frames import comes_from
from .errors import ModelFailed, NotOffered

Questions = list[dict[str, Any]]
Answers = list[dict[str, Any]]


#: What an answer of the protocol holds, one of them at least.
ANSWERS = ("scores", "label", "tags", "heads", "answer", "clusters", "error")


class Model:
    """A model that answers questions; made by `fissure.model` or by every function that takes a model."""

    def __init__(
        self,
        answer: Callable[[Questions], Any],
        *,
        name: str,
        labels: Sequence[str] | None = None,
        checksum: str | Callable[[], str | None] | None = None,
        task: str | None = None,
        inside: Any = None,
    ) -> None:
        self._answer, self.name, self.task, self.inside = answer, name, task, inside
        self._checksum = checksum
        #: The function that it was made of, if it was made by `fissure.model`, and the version that it was given.
        self.__wrapped__: Any = None
        self._version: str | None = None
        #: Whether every row is asked alone: slower, and then no answer depends on its neighbours.
        self.exact = False
        self.labels = None if labels is None else [str(label) for label in listed(labels)]

    @property
    def checksum(self) -> str | None:
        """What tells it from other models; None if nothing does. Made when it is asked for: weights may be many."""
        return self._checksum() if callable(self._checksum) else self._checksum

    def __repr__(self) -> str:
        return f"<fissure.Model {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        function = self.__wrapped__
        if function is None:
            raise NotOffered(f"{self!r} does not pickle; one that fissure.model made of a function does")
        # The name of a function that was decorated is that of the model now, and its own is one below.
        place: Any = sys.modules.get(getattr(function, "__module__", None) or "")
        path = getattr(function, "__qualname__", "")
        for name in path.split("."):
            place = getattr(place, name, None)
        if place is self:
            function.__qualname__ = f"{path}.__wrapped__"
        return _remade, (function, self.task, self.labels, self._version, self.name)

    def __call__(self, rows: Any) -> Any:
        return self._answer(rows)

    def called(self, name: str) -> Model:
        """The same model under another name."""
        if name == self.name:
            return self
        return Model(
            self._answer, name=name, labels=self.labels, checksum=self._checksum, task=self.task, inside=self.inside
        )

    def ask(self, questions: Questions) -> Answers:
        """An answer to each question; a wrong number of them, or a number that is none, is an error."""
        answers: list[Any] = []
        for batch in [[question] for question in questions] if self.exact else [questions]:
            given = self._answer(batch)
            if given is None or isinstance(given, (str, bytes)):
                raise ModelFailed(f"the model {self.name} gave {given!r}; it must give a list with an answer to each row")
            answers += list(given)
        if len(answers) != len(questions):
            raise ModelFailed(
                f"the model {self.name} gave {len(answers)} answers to {len(questions)} rows; it must give one for each"
            )
        return [self._read(answer) for answer in answers]

    def _read(self, answer: Any) -> dict[str, Any]:
        """An answer as the protocol has it: scores, a label, or a dict that is one already."""
        if isinstance(answer, dict):
            return self._known(answer)
        if isinstance(answer, (str, bool, int)):
            return self._known({"label": str(answer)})
        values = _list(answer)
        if not isinstance(values, list):
            if isinstance(values, float) and values == int(values) and not math.isnan(values):
                return self._known({"label": str(int(values))})
            if isinstance(values, (str, bool, int)):
                return self._known({"label": str(values)})
            raise ModelFailed(f"the model {self.name} answered {answer!r}, which is neither scores, a label nor a dict")
        if self.labels is None:
            raise NotOffered(
                f"the model {self.name} gives {len(values)} numbers for a row and does not name its classes: give "
                "labels=[...], in the order of the numbers"
            )
        if len(values) != len(self.labels):
            raise ModelFailed(
                f"the model {self.name} gave {len(values)} numbers for a row and has {len(self.labels)} labels "
                f"({', '.join(self.labels[:10])}); give labels=[...], in the order of the numbers"
            )
        self._check(values, values)
        return {"scores": dict(zip(self.labels, map(float, values)))}

    def _check(self, values: Iterable[Any], shown: Any) -> None:
        """Refuses scores that are no probabilities."""
        for value in values:
            if not isinstance(value, (int, float)) or math.isnan(value):
                raise ModelFailed(f"the model {self.name} gave {shown} for a row: every score must be a number, and not NaN")
            # A sum of rounded numbers may be a little above 1.
            if not -1e-6 <= value <= 1.001:
                raise ModelFailed(
                    f"the model {self.name} gave {shown} for a row: scores are probabilities, from 0 to 1; of logits or their "
                    "logarithms make some first (softmax, exp)"
                )

    def _known(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer, unless it is none, or its label is none of those that the model is said to have."""
        if not any(name in answer for name in ANSWERS):
            raise ModelFailed(
                f"the model {self.name} answered {answer!r}, which has none of {', '.join(ANSWERS)}: scores by label are "
                '{"scores": {...}}'
            )
        if isinstance(answer.get("scores"), dict):
            self._check(map(_list, answer["scores"].values()), answer["scores"])
        label = answer.get("label")
        if label is not None and self.labels is not None and str(label) not in self.labels:
            raise ModelFailed(
                f"the model {self.name} answered `{label}`, which is none of its labels ({', '.join(self.labels[:10])}); "
                "give labels=[...] that name all of them"
            )
        return answer


def listed(labels: Sequence[str]) -> Sequence[str]:
    """The names of classes, unless they are one text, which would be taken letter by letter."""
    if isinstance(labels, (str, bytes)):
        raise NotOffered(f'labels= is a list, such as ["neg", "pos"], not {labels!r}')
    return labels


Answering = Callable[[list[dict[str, Any]]], Any]


@overload
def model(
    function: Answering,
    *,
    task: str | None = None,
    labels: Sequence[str] | None = None,
    version: str | None = None,
    name: str | None = None,
) -> Model: ...
@overload
def model(
    function: None = None,
    *,
    task: str | None = None,
    labels: Sequence[str] | None = None,
    version: str | None = None,
    name: str | None = None,
) -> Callable[[Answering], Model]: ...


def model(
    function: Answering | None = None,
    *,
    task: str | None = None,
    labels: Sequence[str] | None = None,
    version: str | None = None,
    name: str | None = None,
) -> Model | Callable[[Answering], Model]:
    """Makes a model of a function that takes rows (dicts with the fields of the task, tokens, ...) and answers each.

    Use it as a decorator: `@fissure.model(task="nli", labels=["e", "n", "c"])`. `version` names the model, so that a run
    can be resumed.
    """

    def made(function: Answering) -> Model:
        called = str(name or getattr(function, "__qualname__", type(function).__name__))
        made = Model(
            lambda questions: function([row(question) for question in questions]),
            name=called,
            labels=labels,
            checksum=version or (lambda: _identity.checksum(function)),
            task=task,
        )
        made.__wrapped__, made._version = function, version
        return made

    return made if function is None else made(function)


def _remade(
    function: Answering, task: str | None, labels: Sequence[str] | None, version: str | None, name: str
) -> Model:
    return model(function, task=task, labels=labels, version=version, name=name)


def adapt(model: Any, labels: Sequence[str] | None = None, version: str | None = None) -> Model | str:
    """Any model that a user may have; an address or a directory stays what it is."""
    if isinstance(model, Model):
        return model if labels is None else Model(
            model._answer, name=model.name, labels=labels, checksum=model._checksum, task=model.task, inside=model.inside
        )
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    if comes_from(model, "fissure", "WhiteBox"):
        return _white_box(model)
    if comes_from(model, "transformers", "Pipeline"):
        return _pipeline(model, labels, version)
    if comes_from(model, "spacy", "Language"):
        return _spacy(model)
    if isinstance(model, type):
        raise NotOffered(f"{model.__qualname__} is a class, not a model: make one of it first")
    if (hasattr(model, "predict") and comes_from(model, "sklearn")) or (
        hasattr(model, "classes_") and (hasattr(model, "predict") or hasattr(model, "predict_proba"))
    ):
        return _sklearn(model, labels, version)
    if callable(model):
        return _callable(model, labels, version)
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    raise NotOffered(
        f"a {kind} is no model: give a function of a list of texts, a pipeline of scikit-learn or transformers, a spaCy "
        "pipeline, a directory, or an address (process:, http:, hf:)"
    )


def row(question: dict[str, Any]) -> dict[str, Any]:
    """A question as a plain row: the fields by name, and what else the task has."""
    more = {name: value for name, value in question.items() if name not in ("task", "fields")}
    return {**question["fields"], **more}


def text(question: dict[str, Any]) -> Any:
    """The only text of a question, or its whole row where there is more."""
    fields = question["fields"]
    return next(iter(fields.values())) if len(fields) == 1 and len(question) == 2 else row(question)


def _list(value: Any) -> Any:
    plain = value
    for name in ("detach", "cpu"):
        if hasattr(plain, name):
            plain = getattr(plain, name)()
    if hasattr(plain, "to_numpy") and hasattr(plain, "columns"):
        # A frame is a list of its columns to whoever goes through it.
        plain = plain.to_numpy()
    if hasattr(plain, "tolist"):
        plain = plain.tolist()
    return list(plain) if isinstance(plain, tuple) else plain


def _callable(function: Any, labels: Sequence[str] | None, version: str | None) -> Model:
    called = getattr(function, "__qualname__", type(function).__name__)

    def answer(questions: Questions) -> Any:
        given = function([text(question) for question in questions])
        return _list(given)

    return Model(answer, name=called, labels=labels, checksum=version or (lambda: _identity.checksum(function)))


def _sklearn(model: Any, labels: Sequence[str] | None, version: str | None) -> Model:
    scores = hasattr(model, "predict_proba")
    named = labels if labels is not None else [str(name) for name in _list(getattr(model, "classes_", []))] or None

    def answer(questions: Questions) -> Any:
        texts = [text(question) for question in questions]
        return _list(model.predict_proba(texts) if scores else [str(label) for label in _list(model.predict(texts))])

    return Model(answer, name=type(model).__name__, labels=named, checksum=version or (lambda: _identity.checksum(model)))


def _white_box(box: Any) -> Model:
    def answer(questions: Questions) -> Any:
        texts = [tuple((*question["fields"].values(), None))[:2] for question in questions]
        return [_softmax(logits) for logits in box.logits(texts)]

    return Model(
        answer, name=type(box.model).__name__, labels=box.labels, checksum=box.checksum, inside=box
    )


def _softmax(logits: list[float]) -> list[float]:
    highest = max(logits)
    powers = [math.exp(logit - highest) for logit in logits]
    return [power / sum(powers) for power in powers]


def _pipeline(pipe: Any, labels: Sequence[str] | None, version: str | None) -> Model:
    config = getattr(pipe.model, "config", None)
    names = getattr(config, "id2label", None)
    named = list(labels) if labels else [str(names[at]) for at in sorted(names)] if names else None
    kind = pipe.task

    def classes(questions: Questions) -> Any:
        given = []
        for question in questions:
            texts = list(question["fields"].values())
            given.append(texts[0] if len(texts) == 1 else {"text": texts[0], "text_pair": texts[1]})
        answers = pipe(given, top_k=None, truncation=True)
        return [{"scores": {one["label"]: one["score"] for one in answer}} for answer in answers]

    def tags(questions: Questions) -> Any:
        return [{"tags": _tags(pipe, question["tokens"])} for question in questions]

    def pieces(questions: Questions) -> Any:
        found = []
        for question in questions:
            fields = question["fields"]
            answer = pipe(question=fields["question"], context=fields["context"])
            found.append({"answer": answer["answer"] or None})
        return found

    ways = {
        "text-classification": classes,
        "sentiment-analysis": classes,
        "token-classification": tags,
        "ner": tags,
        "question-answering": pieces,
    }
    if kind not in ways:
        raise NotOffered(f"a pipeline for {kind!r} gives no answers that can be measured; those for {', '.join(ways)} do")
    return Model(
        ways[kind],
        name=getattr(config, "_name_or_path", "") or type(pipe.model).__name__,
        labels=named,
        checksum=version or (lambda: _identity.checksum(pipe)),
    )


def _tags(pipe: Any, tokens: list[str]) -> list[str]:
    """The tag of each token is that of its first piece."""
    found = pipe(" ".join(tokens), ignore_labels=[])
    tags, at = [], 0
    for token in tokens:
        end = at + len(token)
        first = next((one for one in found if one["start"] < end and one["end"] > at), None)
        tags.append(first.get("entity", first.get("entity_group", "O")) if first else "O")
        at = end + 1
    return tags


def _spacy(nlp: Any) -> Model:
    def doc(question: dict[str, Any]) -> Any:
        if "tokens" not in question:
            return nlp(next(iter(question["fields"].values())))
        from spacy.tokens import Doc

        made = Doc(nlp.vocab, words=question["tokens"])
        for _, pipe in nlp.pipeline:
            made = pipe(made)
        return made

    def one(question: dict[str, Any]) -> dict[str, Any]:
        made, task = doc(question), question["task"]
        if task == "ner":
            return {"tags": [f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else "O" for t in made]}
        if task == "pos":
            return {"tags": [token.tag_ or token.pos_ for token in made]}
        if task == "dp":
            heads = [0 if token.head.i == token.i else token.head.i + 1 for token in made]
            return {"heads": heads, "deprels": [token.dep_ for token in made]}
        if not made.cats:
            raise NotOffered(f"this spaCy pipeline ({', '.join(nlp.pipe_names)}) gives no answer to the task {task!r}")
        return {"scores": dict(made.cats)}

    labels = list(nlp.get_pipe("textcat").labels) if "textcat" in nlp.pipe_names else None
    meta = nlp.meta
    return Model(
        lambda questions: [one(question) for question in questions],
        name=f"{meta.get('lang', '')}_{meta.get('name', 'pipeline')}",
        labels=labels,
        checksum=lambda: hashlib.sha256(nlp.to_bytes()).hexdigest(),
    )
