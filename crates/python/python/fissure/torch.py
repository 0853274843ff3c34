"""White boxes: what gradients say about any torch classifier, on any device.

    box = fissure.torch.white_box(model, tokenizer)
    scores = fissure.score(box, frame)

The inside of a model is reached by a hook on its embedding layer, which replaces the rows of the table and leaves
`input_ids` in place. So positions, padding and the choice of the last token stay right, and modules that know no
`inputs_embeds` work as well.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ._models import listed
from .errors import ModelFailed, NotOffered

#: Tokens of a batch, padding included.
TOKENS = 8192

Text = tuple[str, "str | None"]


def white_box(
    model: Any,
    tokenizer: Any = None,
    *,
    embedding: Any = None,
    inputs: Callable[[list[str]], dict[str, Any]] | None = None,
    labels: Sequence[str] | None = None,
    precision: str | None = None,
    max_length: int | None = None,
    batch_tokens: int = TOKENS,
) -> WhiteBox:
    """A torch classifier whose inside can be seen.

    Args:
        model: A module that gives logits, or an object with `.logits`; it stays on its device.
        tokenizer: A fast tokenizer of `transformers`.
        embedding: The layer with the table of words; `model.get_input_embeddings()` if not given.
        inputs: For a module of your own, instead of a tokenizer: texts to its keyword arguments, among them
            `input_ids` (padded, with 0 behind the end unless there is an `attention_mask`), and, if words are to be named,
            `offset_mapping`.
        labels: The names of the classes; those of `model.config` if not given.
        precision: "float32" or "float64" to work on a copy of that type; else the type of the weights.
        max_length: The most tokens of a text.
        batch_tokens: The most tokens of a batch, padding included.
    """
    return WhiteBox(model, tokenizer, embedding, inputs, labels, precision, max_length, batch_tokens)


class WhiteBox:
    """A torch classifier whose inside can be seen; made by `white_box`."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        embedding: Any,
        inputs: Callable[[list[str]], dict[str, Any]] | None,
        labels: Sequence[str] | None,
        precision: str | None,
        max_length: int | None,
        batch_tokens: int,
    ) -> None:
        import torch

        if tokenizer is None and inputs is None:
            raise NotOffered("a white box needs a tokenizer, or inputs=... that makes the arguments of your module")
        if tokenizer is not None and not getattr(tokenizer, "is_fast", False):
            raise NotOffered("the tokenizer says no places of its tokens: use a fast one (AutoTokenizer, use_fast=True)")
        if precision is not None:
            import copy

            if precision not in ("float32", "float64"):
                raise NotOffered(f'precision is "float32" or "float64", not {precision!r}')
            chosen, model_before = embedding, model
            model = copy.deepcopy(model).to(getattr(torch, precision))
            if chosen is not None:
                # The layer of the copy at the place of the chosen one.
                name = next(name for name, module in model_before.named_modules() if module is chosen)
                embedding = model.get_submodule(name)
        if embedding is None and hasattr(model, "get_input_embeddings"):
            embedding = model.get_input_embeddings()
        if embedding is None or not hasattr(embedding, "weight"):
            raise NotOffered("the embedding layer cannot be found: give embedding=net.table")
        self.model, self.tokenizer, self.embedding, self._inputs = model, tokenizer, embedding, inputs
        self.batch_tokens = batch_tokens
        self.max_length = max_length or _longest(model, tokenizer)
        self.labels = [str(label) for label in listed(labels)] if labels else self._named()
        self._types: dict[tuple[int, ...], list[int]] = {}
        #: Whether a module of one's own takes an `attention_mask`, known as soon as a text was cut.
        self._masked = False

    @property
    def dtype(self) -> str:
        """The type that logits and gradients are computed in."""
        return str(self.embedding.weight.dtype).removeprefix("torch.")

    def __repr__(self) -> str:
        return f"<fissure.torch.WhiteBox of {type(self.model).__name__}, {self.dtype} on {self.embedding.weight.device}>"

    def checksum(self) -> str:
        """SHA-256 of the state: what tells this model from others."""
        from ._identity import of_weights

        return of_weights(self.model)

    def words(self) -> list[str]:
        """The whole words of the vocabulary, in the order of the table."""
        if self.tokenizer is None:
            return []
        vocabulary = sorted((id, token) for token, id in self.tokenizer.get_vocab().items())
        start = next((mark for mark in "Ġ▁" if any(token.startswith(mark) for _, token in vocabulary)), None)
        if start is None:
            return [t for _, t in vocabulary if not (t.startswith("##") or (len(t) > 1 and t.startswith("[")))]
        decoded = (self.tokenizer.decode([id]).strip() for id, token in vocabulary if token.startswith(start))
        return [word for word in decoded if word and "\ufffd" not in word]

    def pad_embedding(self) -> bytes | None:
        """The row of padding, as 32-bit numbers: the baseline of integrated gradients."""
        padding = None if self.tokenizer is None else self.tokenizer.pad_token_id
        return None if padding is None else _bytes(self.embedding.weight[padding])

    def embed(self, texts: list[Text]) -> list[tuple[list[int], list[Any], list[int | None], bytes, bool]]:
        """For each text its tokens, the bytes that each covers, the number of its word, the rows, and whether it was cut."""
        cut = self._cut(texts)
        found = []
        for ids, places, words, truncated in cut:
            rows = _bytes(self.embedding.weight[ids])
            found.append((ids, places, words, rows, truncated))
        return found

    def logits(self, texts: list[Text]) -> list[list[float]]:
        """The logits of texts."""
        found: list[list[float]] = []
        cut = [ids for ids, *_ in self._cut(texts)]
        import torch

        with self._still(), torch.no_grad():
            for batch in self._batches(cut):
                found += self._forward(batch).float().tolist()
        return found

    def logits_at(self, points: list[tuple[list[int], bytes]]) -> list[list[float]]:
        """The logits where the rows of the table are replaced by others."""
        import torch

        found: list[list[float]] = []
        with self._still(), torch.no_grad():
            for batch in self._batches(points, lambda point: len(point[0])):
                rows = self._rows(batch)
                found += self._forward([ids for ids, _ in batch], rows).float().tolist()
        return found

    def passes(self, points: list[tuple[list[int], bytes]]) -> Iterator[Pass]:
        """A forward pass for each batch of points, to be pulled back as often as is wanted."""
        with self._still():
            for batch in self._batches(points, lambda point: len(point[0])):
                rows = self._rows(batch).requires_grad_(True)
                logits = self._forward([ids for ids, _ in batch], rows)
                yield Pass(logits, rows, [len(ids) for ids, _ in batch], self._starts(batch))

    def _named(self) -> list[str]:
        names = getattr(getattr(self.model, "config", None), "id2label", None)
        if names:
            return [str(names[at]) for at in sorted(names)]
        raise NotOffered("the names of the classes cannot be found: give labels=[...]")

    def _cut(self, texts: list[Text]) -> list[tuple[list[int], list[Any], list[int | None], bool]]:
        if not texts:
            # A tokenizer takes no empty list.
            return []
        if self.tokenizer is None:
            return self._cut_by_inputs(texts)
        pairs = [text for text in texts if text[1] is not None]
        firsts = [text for text, _ in texts]
        seconds = [pair or "" for _, pair in texts] if pairs else None
        cut = self.tokenizer(
            firsts, seconds, truncation=True, max_length=self.max_length, return_offsets_mapping=True, padding=False
        )
        found = []
        for at, (text, pair) in enumerate(texts):
            encoding = cut.encodings[at]
            ids = list(encoding.ids)
            if "token_type_ids" in cut:
                self._types[tuple(ids)] = list(cut["token_type_ids"][at])
            places: list[Any] = []
            words: list[int | None] = []
            texts_of = [_to_bytes(text), _to_bytes(pair or "")]
            count = 1 + max((w for w, s in zip(encoding.word_ids, encoding.sequence_ids) if s == 0 and w is not None), default=-1)
            for (start, end), which, word in zip(encoding.offsets, encoding.sequence_ids, encoding.word_ids):
                if which is None or start == end:
                    places.append(None)
                    words.append(None)
                else:
                    offsets = texts_of[which]
                    places.append((which, offsets[start], offsets[end]))
                    words.append(None if word is None else word + count * which)
            found.append((ids, places, words, bool(encoding.overflowing)))
        if len(self._types) > 100_000:
            self._types.clear()
        return found

    def _cut_by_inputs(self, texts: list[Text]) -> list[tuple[list[int], list[Any], list[int | None], bool]]:
        assert self._inputs is not None
        if any(pair is not None for _, pair in texts):
            raise NotOffered("inputs=... makes arguments of texts; pairs of texts need a tokenizer")
        found = []
        for text, _ in texts:
            given = self._inputs([text])
            if "input_ids" not in given:
                raise NotOffered(
                    f"inputs=... gave {', '.join(map(str, given)) or 'nothing'}, and no `input_ids`: the embedding layer is "
                    "found by them; let forward() of your module take its tokens by this name"
                )
            other = [str(name) for name in given if name not in ("input_ids", "attention_mask", "offset_mapping")]
            if other:
                raise NotOffered(
                    f"inputs=... gave `{other[0]}`, too: texts are padded anew for every batch, so a module is given "
                    "`input_ids` and `attention_mask` alone"
                )
            self._masked = "attention_mask" in given
            ids = [int(id) for id in given["input_ids"][0]]
            if "attention_mask" in given:
                kept = [bool(kept) for kept in given["attention_mask"][0]]
                ids = [id for id, kept in zip(ids, kept) if kept]
            offsets, places = _to_bytes(text), [None] * len(ids)
            words: list[int | None] = [None] * len(ids)
            for at, place in enumerate(list(given.get("offset_mapping", [[]])[0])[: len(ids)]):
                start, end = int(place[0]), int(place[1])
                if start < end:
                    places[at] = (0, offsets[start], offsets[end])  # type: ignore[call-overload]
                    words[at] = at
            found.append((ids, places, words, False))
        return found

    def _batches(self, items: list[Any], length: Callable[[Any], int] = len) -> Iterator[list[Any]]:
        """Batches in order, each of at most as many tokens as fit."""
        batch: list[Any] = []
        longest = 0
        for item in items:
            longest = max(longest, length(item))
            if batch and longest * (len(batch) + 1) > self.batch_tokens:
                yield batch
                batch, longest = [], length(item)
            batch.append(item)
        if batch:
            yield batch

    def _left(self) -> bool:
        return self.tokenizer is not None and self.tokenizer.padding_side == "left"

    def _starts(self, batch: list[Any]) -> list[int]:
        """Where each text of a padded batch begins."""
        lengths = [len(ids) for ids, _ in batch]
        return [max(lengths) - length if self._left() else 0 for length in lengths]

    def _arguments(self, batch: list[list[int]]) -> dict[str, Any]:
        """The keyword arguments of the model for padded tokens."""
        import torch

        longest = max(len(ids) for ids in batch)
        padding = (None if self.tokenizer is None else self.tokenizer.pad_token_id) or 0

        def padded(rows: list[list[int]], fill: int) -> Any:
            left = self._left()
            filled = [[fill] * (longest - len(row)) + row if left else row + [fill] * (longest - len(row)) for row in rows]
            return torch.tensor(filled, device=self.embedding.weight.device)

        given: dict[str, Any] = {"input_ids": padded(batch, padding)}
        if self._inputs is not None and self.tokenizer is None:
            if self._masked:
                given["attention_mask"] = padded([[1] * len(ids) for ids in batch], 0)
            return given
        given["attention_mask"] = padded([[1] * len(ids) for ids in batch], 0)
        if "token_type_ids" in self.tokenizer.model_input_names:
            types = [self._types.get(tuple(ids), [0] * len(ids)) for ids in batch]
            given["token_type_ids"] = padded(types, self.tokenizer.pad_token_type_id)
        return given

    def _rows(self, batch: list[tuple[list[int], bytes]]) -> Any:
        """The rows of a padded batch; those of padding are the table's own."""
        import torch

        weight = self.embedding.weight
        arguments = self._arguments([ids for ids, _ in batch])
        rows = weight.detach()[arguments["input_ids"]].clone()
        for at, ((ids, given), start) in enumerate(zip(batch, self._starts(batch))):
            replaced = torch.frombuffer(bytearray(given), dtype=torch.float32).view(len(ids), weight.shape[1])
            rows[at, start : start + len(ids)] = replaced.to(device=weight.device, dtype=weight.dtype)
        return rows

    def _forward(self, batch: list[list[int]], rows: Any = None) -> Any:
        """The logits of a batch, with these rows instead of those of the table."""
        used = []
        given = self._arguments(batch)

        def replace(module: Any, arguments: Any, output: Any) -> Any:
            used.append(True)
            ids = arguments[0] if arguments else given["input_ids"]
            if ids.shape == given["input_ids"].shape and bool((ids == given["input_ids"]).all()):
                return rows
            # XLNet looks its tokens up column by column.
            if ids.shape == given["input_ids"].T.shape and bool((ids == given["input_ids"].T).all()):
                return rows.transpose(0, 1)
            raise NotOffered(
                f"the embedding layer was asked for {tuple(ids.shape)} rows where the batch has "
                f"{tuple(given['input_ids'].shape)} tokens: is it the table of words? give embedding=..."
            )

        hook = None if rows is None else self.embedding.register_forward_hook(replace)
        try:
            answer = self.model(**given)
        finally:
            if hook is not None:
                hook.remove()
        if rows is not None and len(used) != 1:
            raise NotOffered(f"the embedding layer was used {len(used)} times in a pass, not once: give embedding=...")
        logits = answer if hasattr(answer, "shape") else answer["logits"] if "logits" in answer else answer[0]
        if logits.dim() != 2 or logits.shape != (len(batch), len(self.labels)):
            raise ModelFailed(
                f"the model gave logits of shape {tuple(logits.shape)} for {len(batch)} texts and {len(self.labels)} "
                "labels; a white box is a classifier of whole texts"
            )
        return logits

    @contextlib.contextmanager
    def _still(self) -> Iterator[None]:
        """Without dropout, and with frozen weights; afterwards everything is as it was."""
        training = [module for module in self.model.modules() if module.training]
        learning = [weight for weight in self.model.parameters() if weight.requires_grad]
        self.model.eval()
        for weight in learning:
            weight.requires_grad_(False)
        try:
            yield
        finally:
            for module in training:
                module.training = True
            for weight in learning:
                weight.requires_grad_(True)


class Pass:
    """A forward pass whose graph is kept."""

    def __init__(self, logits: Any, rows: Any, lengths: list[int], starts: list[int]) -> None:
        self._logits, self._rows, self._lengths, self._starts = logits, rows, lengths, starts

    @property
    def logits(self) -> list[list[float]]:
        found: list[list[float]] = self._logits.detach().float().tolist()
        return found

    def pull(self, weights: list[list[float]]) -> list[bytes]:
        """The gradient of `sum(weights * logits)` for each text of the batch, row by row, as 32-bit numbers."""
        import torch

        given = torch.tensor(weights, dtype=self._logits.dtype, device=self._logits.device)
        # Examples do not see each other, so one pass backward serves all of them.
        (found,) = torch.autograd.grad(self._logits, self._rows, given, retain_graph=True)
        places = zip(found, self._starts, self._lengths)
        return [_bytes(rows[start : start + length]) for rows, start, length in places]


def _longest(model: Any, tokenizer: Any) -> int:
    """The most tokens that tokenizer and model can take."""
    known = [getattr(tokenizer, "model_max_length", 0) or 0]
    config = getattr(model, "config", None)
    positions = getattr(config, "max_position_embeddings", 0) or 0
    # RoBERTa and its kin count positions from behind the padding.
    if positions and getattr(config, "model_type", "") in ("roberta", "xlm-roberta", "camembert", "mpnet", "longformer"):
        positions -= 2
    known.append(positions)
    fitting = [length for length in known if 0 < length < 1_000_000]
    return min(fitting, default=512)


def _to_bytes(text: str) -> list[int]:
    """For every character, and for the end, the byte where it starts."""
    starts, at = [0], 0
    for character in text:
        at += len(character.encode("utf-8", "surrogatepass"))
        starts.append(at)
    return starts


def _bytes(rows: Any) -> bytes:
    found: bytes = rows.detach().float().cpu().contiguous().numpy().tobytes()
    return found
