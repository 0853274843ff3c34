"""A masked language model of our own: an encoder of the BERT family goes on to guess hidden pieces of plain texts, with a head
(dense, GELU, norm) whose scores are products with the word table and a bias. What it writes opens as `--language-model`.

    python3 -m venv VENV && VENV/bin/pip install torch numpy tokenizers safetensors
    VENV/bin/python benches/models/masked_lm.py train SHARED/data SHARED/golden/minilm_ag OUT --steps 3000
    VENV/bin/python benches/models/masked_lm.py measure SHARED/data OUT

It learns from parts for training only (AG News, a third of IMDb, SST-2; Yelp dev), less the texts that stand in a test part, and is measured on
test parts (SST-2: dev) beside two counts of the same texts: single pieces, and trigrams of the neighbours on both sides that back off to
one neighbour and to none. One thread; the same seed, steps and threads give the same weights on one machine.
"""

import argparse
import collections
import copy
import csv
import gzip
import json
import math
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

import numpy
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing
from torch import nn
from torch.nn import functional

LONGEST = 128
HIDDEN = 0.15
# A step scores the most frequent pieces and some of the others.
FREQUENT, SAMPLED = 3000, 1500
# The share of the old mean in the mean of the weights over the last steps, which is what is kept.
OLD = 0.98


# --- Texts ---

def clean(text):
    for old, new in [("<br />", " "), (" #39;", "'"), ("#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), (" quot;", '"'), ("\\", " ")]:
        text = text.replace(old, new)
    return " ".join(text.split())


def rows(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    with opened as file:
        if ".jsonl" in path.name:
            yield from (json.loads(line)["text"] for line in file)
        elif path.suffix == ".tsv":
            next(file)
            yield from (line.rsplit("\t", 1)[0] for line in file)
        elif path.parent.name == "ag_news":
            yield from (f"{title} {text}" for _, title, text in csv.reader(file))
        else:
            yield from (row["text"] for row in csv.DictReader(file))


def training_files(data):
    return [data / name for name in ["ag_news/train_part.jsonl.gz", "imdb/train.jsonl.gz", "sst2/train.tsv", "yelp/dev.csv"]]


def test_files(data):
    return [data / name for name in ["ag_news/test.csv", "imdb/test.jsonl.gz", "sst2/dev.tsv", "yelp/test.csv"]]


def key(text):
    return "".join(filter(str.isalnum, text.lower()))[:80]


def pieces(tokenizer, texts):
    """Texts as ids without marks, long ones cut into parts that fit."""
    most = LONGEST - 2
    parts = []
    for start in range(0, len(texts), 1000):
        for found in tokenizer.encode_batch(texts[start:start + 1000], add_special_tokens=False):
            ids = found.ids
            count = math.ceil(len(ids) / most)
            size = math.ceil(len(ids) / count) if count else 1
            parts += [numpy.array(ids[at:at + size], dtype=numpy.int32) for at in range(0, len(ids), size)]
    return [part for part in parts if len(part) > 2]


def training_pieces(data, tokenizer):
    tested = {key(clean(text)) for file in test_files(data) for text in rows(file)}
    parts = []
    for file in training_files(data):
        texts = [clean(text) for text in rows(file)][::3 if file.parent.name == "imdb" else 1]
        kept = [text for text in texts if key(text) not in tested]
        found = pieces(tokenizer, kept)
        print(f"{file.parent.name}: {len(kept)} of {len(texts)} texts, {sum(map(len, found))} pieces", flush=True)
        parts += found
    return parts


# --- The network: BERT, as its checkpoints name it ---

class Layer(nn.Module):
    def __init__(self, width, inner, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm, self.norm_out = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)

    def forward(self, rows, closed):
        count, length, width = rows.shape
        split = lambda x: x.view(count, length, self.heads, -1).transpose(1, 2)
        # Written out: for texts this short the fused attention of torch takes ten times as long backward.
        scores = split(self.query(rows)) @ split(self.key(rows)).transpose(2, 3) / math.sqrt(width // self.heads)
        found = functional.softmax(scores + closed, -1) @ split(self.value(rows))
        rows = self.norm(rows + self.out(found.transpose(1, 2).reshape(count, length, width)))
        return self.norm_out(rows + self.down(functional.gelu(self.up(rows))))


NAMES = {"query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
         "out": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense", "norm": "attention.output.LayerNorm",
         "norm_out": "output.LayerNorm"}


class MaskedLm(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        self.word = nn.Embedding(config["vocab_size"], width)
        self.position = nn.Embedding(config["max_position_embeddings"], width)
        self.kind = nn.Embedding(config["type_vocab_size"], width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        sizes = (width, config["intermediate_size"], config["num_attention_heads"])
        self.layers = nn.ModuleList(Layer(*sizes) for _ in range(config["num_hidden_layers"]))
        self.dense, self.head_norm = nn.Linear(width, width), nn.LayerNorm(width, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(config["vocab_size"]))

    def forward(self, ids, real, at, words=None):
        """The scores of all words, or of these, at the places `at` of the flat batch. No dropout: no text is seen often."""
        places, frozen = torch.arange(ids.shape[1]), len(self.layers) // 3
        closed = torch.zeros(real.shape).masked_fill_(~real, -1e4)[:, None, None, :].to(torch.get_autocast_dtype("cpu"))
        # The lowest third of the layers, and the word table as far as it is read, stay as they are.
        with torch.no_grad():
            rows = self.norm(self.word(ids) + self.position(places) + self.kind.weight[0])
            for layer in self.layers[:frozen]:
                rows = layer(rows, closed)
        for layer in self.layers[frozen:]:
            rows = layer(rows, closed)
        rows = rows.reshape(-1, rows.shape[-1])[at]
        rows = self.head_norm(functional.gelu(self.dense(rows)))
        if words is None:
            return functional.linear(rows, self.word.weight, self.bias)
        return functional.linear(rows, self.word.weight[words], self.bias[words])

    def names(self):
        """Our name of every tensor and that of the checkpoint."""
        bert = "bert.embeddings."
        pairs = {"word.weight": f"{bert}word_embeddings.weight", "position.weight": f"{bert}position_embeddings.weight",
                 "kind.weight": f"{bert}token_type_embeddings.weight", "norm": f"{bert}LayerNorm",
                 "dense": "cls.predictions.transform.dense", "head_norm": "cls.predictions.transform.LayerNorm",
                 "bias": "cls.predictions.bias"}
        for number in range(len(self.layers)):
            pairs |= {f"layers.{number}.{ours}": f"bert.encoder.layer.{number}.{theirs}" for ours, theirs in NAMES.items()}
        found = {}
        for name in self.state_dict():
            stem, _, last = name.rpartition(".")
            found[name] = pairs[name] if name in pairs else f"{pairs[stem]}.{last}"
        return found


def opened(directory):
    config = json.loads((directory / "config.json").read_text())
    if config["model_type"] != "bert":
        raise SystemExit(f"{directory}: the encoder must be a BERT, this is {config['model_type']}")
    model, weights = MaskedLm(config), load_file(directory / "model.safetensors")
    if not any(name.startswith("bert.") for name in weights):
        weights = {f"bert.{name}": tensor for name, tensor in weights.items()}
    known = {ours: weights[theirs] for ours, theirs in model.names().items() if theirs in weights}
    fresh = sorted(set(model.names()) - set(known))
    print(f"{directory}: starts at random: {', '.join(fresh) or 'nothing'}", flush=True)
    nn.init.normal_(model.dense.weight, std=0.02)
    model.load_state_dict(known, strict=False)
    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return config, model, tokenizer


def save(model, config, source, directory):
    directory.mkdir(parents=True, exist_ok=True)
    left = {"id2label", "label2id", "max_test_length", "classifier_dropout"}
    config = {name: value for name, value in config.items() if name not in left}
    config["architectures"] = ["BertForMaskedLM"]
    (directory / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    state = model.state_dict()
    save_file({theirs: state[ours].contiguous() for ours, theirs in model.names().items()}, directory / "model.safetensors",
              metadata={"format": "pt"})
    for name in ["tokenizer.json", "tokenizer_config.json"]:
        shutil.copyfile(source / name, directory / name)


# --- Batches ---

class Marks:
    def __init__(self, tokenizer):
        self.cls, self.sep, self.mask, self.pad = (tokenizer.token_to_id(f"[{name}]") for name in ["CLS", "SEP", "MASK", "PAD"])


def laid_out(parts, marks):
    length = max(map(len, parts)) + 2
    ids = numpy.full((len(parts), length), marks.pad, dtype=numpy.int64)
    for row, part in zip(ids, parts):
        row[0], row[1:len(part) + 1], row[len(part) + 1] = marks.cls, part, marks.sep
    return ids


def batches(parts, size, dice):
    """Texts of like length together, about `size` pieces a batch, for ever."""
    while True:
        order = list(range(len(parts)))
        dice.shuffle(order)
        for start in range(0, len(order), 4096):
            window = sorted(order[start:start + 4096], key=lambda at: len(parts[at]))
            made, batch = [], []
            for at in window:
                batch.append(parts[at])
                if len(batch) * (len(parts[at]) + 2) >= size:
                    made.append(batch)
                    batch = []
            if batch:
                made.append(batch)
            dice.shuffle(made)
            yield from made


# --- Training ---

def scored(wanted, frequent, rare, chance):
    """The pieces that a step scores, in order: the frequent, the wanted, and some of the others, each of which counts for all that
    were left out; and the logarithm of how often each counts."""
    certain = numpy.union1d(frequent, wanted)
    others = numpy.setdiff1d(rare, certain, assume_unique=True)
    drawn = chance.choice(others, min(SAMPLED, len(others)), replace=False)
    words = numpy.sort(numpy.concatenate([certain, drawn]))
    extra = numpy.where(numpy.isin(words, drawn), math.log(max(len(others), 1) / max(len(drawn), 1)), 0.0)
    return words, torch.from_numpy(extra).float()


def train(arguments):
    torch.manual_seed(arguments.seed)
    dice, chance = random.Random(arguments.seed), numpy.random.default_rng(arguments.seed)
    config, model, tokenizer = opened(arguments.encoder)
    marks, parts = Marks(tokenizer), training_pieces(arguments.data, tokenizer)
    counts = numpy.bincount(numpy.concatenate(parts), minlength=config["vocab_size"])
    with torch.no_grad():
        model.bias.copy_(torch.log(torch.tensor((counts + 0.1) / (counts + 0.1).sum())).float())
    order = numpy.argsort(-counts, kind="stable")
    frequent, rare = numpy.sort(order[:FREQUENT]), numpy.sort(order[FREQUENT:])
    seen_pieces = numpy.flatnonzero(counts)
    plain = [weights for weights in model.parameters() if weights.ndim == 1]
    matrices = [weights for weights in model.parameters() if weights.ndim > 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=arguments.rate, betas=(0.9, 0.98), fused=True)
    mean_model, rising = copy.deepcopy(model), 40
    clock, cpu, seen, mean = time.perf_counter(), time.process_time(), 0, None
    for step, batch in zip(range(1, arguments.steps + 1), batches(parts, arguments.batch, dice)):
        whole = laid_out(batch, marks)
        real = whole != marks.pad
        hidden = real & (whole != marks.cls) & (whole != marks.sep) & (chance.random(whole.shape) < HIDDEN)
        if not hidden.any():
            continue
        ids, fate = whole.copy(), chance.random(whole.shape)
        # As BERT does: most are hidden, a tenth is another piece, a tenth stays.
        ids[hidden & (fate < 0.8)] = marks.mask
        other = hidden & (fate >= 0.9)
        ids[other] = chance.choice(seen_pieces, other.sum())
        at = torch.from_numpy(numpy.flatnonzero(hidden))
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * min(1.0, step / rising)
        wanted = whole[hidden]
        words, extra = scored(wanted, frequent, rare, chance)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = model(torch.from_numpy(ids), torch.from_numpy(real), at, torch.from_numpy(words))
        loss = functional.cross_entropy(scores.float() + extra, torch.from_numpy(numpy.searchsorted(words, wanted)))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            new = 1.0 - min(OLD, step / (step + 10))
            torch._foreach_lerp_(list(mean_model.parameters()), list(model.parameters()), new)
        seen += int(real.sum())
        mean = loss.item() if mean is None else 0.95 * mean + 0.05 * loss.item()
        if step % 10 == 0:
            print(f"step {step}: loss {mean:.3f}, {seen} pieces, {time.perf_counter() - clock:.0f} s, "
                  f"processor {time.process_time() - cpu:.0f} s", flush=True)
        if step % 50 == 0:
            save(mean_model, config, arguments.encoder, arguments.out)
    save(mean_model, config, arguments.encoder, arguments.out)


# --- Measuring ---

class Counts:
    """What stands between two neighbours, in the training texts."""

    def __init__(self, parts):
        self.one = collections.Counter()
        self.left, self.right, self.both = (collections.defaultdict(collections.Counter) for _ in range(3))
        for part in parts:
            part = [-1, *part.tolist(), -2]
            for before, piece, after in zip(part, part[1:], part[2:]):
                self.one[piece] += 1
                self.left[before][piece] += 1
                self.right[after][piece] += 1
                self.both[before, after][piece] += 1
        self.frequent = [piece for piece, _ in self.one.most_common(50)]
        self.sides = {}

    def best(self, before, after, count):
        """By both neighbours, then by the product of what each of them says, then the frequent."""
        found = [piece for piece, _ in self.both.get((before, after), collections.Counter()).most_common(count)]
        if len(found) < count:
            left, right = self.left.get(before, {}), self.right.get(after, {})
            few = left if len(left) < len(right) else right
            score = {piece: left.get(piece, 0.01) * right.get(piece, 0.01) / self.one[piece] for piece in few}
            found += sorted(score, key=lambda piece: -score[piece])[:count]
        return list(dict.fromkeys(found + self.frequent))[:count]


def measure(arguments):
    torch.manual_seed(0)
    config, model, tokenizer = opened(arguments.model)
    model.eval()
    marks = Marks(tokenizer)
    counts = Counts(training_pieces(arguments.data, tokenizer))
    words = {id: word for word, id in tokenizer.get_vocab().items()}
    best = (1, 8, 50)
    print("share of hidden pieces among the best 1, 8 and 50 guesses, %")
    for file in test_files(arguments.data):
        chance = numpy.random.default_rng(1)
        texts = [clean(text) for text in rows(file)]
        texts = [texts[at] for at in chance.permutation(len(texts))[:arguments.texts]]
        right, whole_words, asked, of_words = collections.Counter(), collections.Counter(), 0, 0
        for part in pieces(tokenizer, texts):
            # Only the first part of a long text; a tenth of its pieces, each hidden alone.
            places = [at for at in range(len(part)) if chance.random() < 0.1][:6]
            if not places:
                continue
            batch = numpy.repeat(laid_out([part], marks), len(places), 0)
            for row, at in zip(batch, places):
                row[at + 1] = marks.mask
            flat = torch.tensor([row * batch.shape[1] + at + 1 for row, at in enumerate(places)])
            with torch.no_grad():
                scores = model(torch.from_numpy(batch), torch.from_numpy(batch != marks.pad), flat)
            for score, at in zip(scores, places):
                wanted = int(part[at])
                rank = int((score > score[wanted]).sum())
                before, after = (int(part[at - 1]) if at else -1), (int(part[at + 1]) if at + 1 < len(part) else -2)
                counted = counts.best(before, after, 50)
                # A word of letters that is no piece of one, outside the hundred most frequent: what a part asks for.
                is_word = words[wanted].isalpha() and len(words[wanted]) > 2 and wanted not in counts.frequent
                asked, of_words = asked + 1, of_words + is_word
                for most in best:
                    hits = {"model": rank < most, "neighbours": wanted in counted[:most], "frequent": wanted in counts.frequent[:most]}
                    for name, hit in hits.items():
                        right[name, most] += hit
                        whole_words[name, most] += hit and is_word
        print(f"{file.parent.name}: {asked} pieces, {of_words} of them rarer words")
        for name in ["model", "neighbours", "frequent"]:
            cells = [f"{100 * right[name, most] / asked:5.1f}" for most in best]
            rare = [f"{100 * whole_words[name, most] / max(of_words, 1):5.1f}" for most in best]
            print(f"  {name:<11} all {' '.join(cells)}   rarer words {' '.join(rare)}", flush=True)


# --- A check that takes seconds ---

def check(arguments):
    """Trains a tiny model on sentences made here, whose every hidden word follows from the others, and asks Fissure to use it."""
    torch.manual_seed(1)
    colours = {"snow": "white", "grass": "green", "coal": "black", "blood": "red", "sky": "blue", "sun": "yellow"}
    texts = [f"the {thing} is {colour}." for thing, colour in colours.items()]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "is", ".", *colours, *colours.values()]
    tokenizer = Tokenizer(WordPiece({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.add_special_tokens(words[:5])
    config = {"model_type": "bert", "architectures": ["BertModel"], "vocab_size": len(words), "hidden_size": 32, "num_hidden_layers": 2,
              "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 32, "type_vocab_size": 2,
              "hidden_act": "gelu", "layer_norm_eps": 1e-12, "pad_token_id": 0}
    with tempfile.TemporaryDirectory() as place:
        words_of, start, data, out = (pathlib.Path(place, name) for name in ["words", "start", "data", "out"])
        words_of.mkdir()
        tokenizer.save(str(words_of / "tokenizer.json"))
        (words_of / "tokenizer_config.json").write_text("{}")
        save(MaskedLm(config), config, words_of, start)
        for file in training_files(data) + test_files(data):
            file.parent.mkdir(parents=True, exist_ok=True)
            opened_file = gzip.open(file, "wt") if file.suffix == ".gz" else file.open("w")
            with opened_file as made:
                # Only the file of SST-2 has texts.
                if file.name == "train.tsv":
                    made.write("".join(f"{line}\n" for line in ["sentence\tlabel", *(f"{text}\t1" for text in 50 * texts)]))
                elif file.suffix in (".tsv", ".csv") and file.parent.name != "ag_news":
                    made.write("sentence\tlabel\n" if file.suffix == ".tsv" else "text,label1,label2\n")
        train(argparse.Namespace(data=data, encoder=start, out=out, steps=120, batch=512, rate=3e-3, seed=1))
        _, model, _ = opened(out)
        marks, right = Marks(tokenizer), 0
        for text in texts:
            ids = laid_out([numpy.array(tokenizer.encode(text, add_special_tokens=False).ids)], marks)
            wanted, ids[0, 4] = int(ids[0, 4]), marks.mask
            with torch.no_grad():
                scores = model(torch.from_numpy(ids), torch.from_numpy(ids != marks.pad), torch.tensor([4]))
            right += int(scores.argmax()) == wanted
        print(f"{right} of {len(texts)} colours found again")
        asked = pathlib.Path(place, "asked.jsonl")
        asked.write_text(json.dumps({"text": "The snow is black.", "label": 0}) + "\n")
        command = [arguments.fissure, "transform", "mlm_suggestion", "--set", "rate=1", "--data", asked, "--task", "classification",
                   "--language-model", out]
        made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        print(made.strip())
        if right < len(texts) or "white" not in made:
            raise SystemExit("the tiny model did not learn what it was shown, or Fissure does not read it as it was written")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learn = commands.add_parser("train")
    learn.set_defaults(run=train)
    learn.add_argument("data", type=pathlib.Path, help="the folder with ag_news, imdb, sst2 and yelp")
    learn.add_argument("encoder", type=pathlib.Path, help="a checkpoint of a BERT, with any head or none")
    learn.add_argument("out", type=pathlib.Path)
    learn.add_argument("--steps", type=int, default=1300)
    learn.add_argument("--batch", type=int, default=2048, help="pieces of a batch")
    learn.add_argument("--rate", type=float, default=5e-4)
    learn.add_argument("--seed", type=int, default=1)
    tell = commands.add_parser("measure")
    tell.set_defaults(run=measure)
    tell.add_argument("data", type=pathlib.Path)
    tell.add_argument("model", type=pathlib.Path)
    tell.add_argument("--texts", type=int, default=400, help="of each file")
    try_it = commands.add_parser("check")
    try_it.set_defaults(run=check)
    try_it.add_argument("fissure", type=pathlib.Path, help="the program, built")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
