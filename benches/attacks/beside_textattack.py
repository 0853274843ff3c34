"""Attacks of Fissure beside TextAttack 0.3.11: same texts, same model, same stop words, one thread each.

    python beside_textattack.py SHARED FISSURE MODEL ROW... [--limit N] [--ours] [--same-words]

SHARED is the folder with golden/ and data/, FISSURE the program, MODEL one of cnn_ag and fasttext_ag, a ROW one of those in
ROWS. TextAttack is run in this process, Fissure as a child with one thread. CPU is processor time: TextAttack's around its
`attack` call, ours that of the whole program less that of a run over one text (opening the model and the tables).
`--ours` runs Fissure alone, which needs nothing but Python; rows that TextAttack does not have are always ours alone.
`--same-words` holds TextAttack to the words that Fissure changes: no stop word whatever its case (TextAttack lets `The` and `No`
change), nothing in addresses, tags and entities. MODEL may also be minilm_ag: TextAttack then asks transformers, with texts padded
to PAD pieces (64, or 512 as its own wrapper does).
TextAttack needs PyTorch, flair (which does not import beside transformers 5: 4.46 does; no row uses it, so empty classes
`Sentence`, `Tokenizer` and `SequenceTagger` under its module names will do), and NLTK's `wordnet` and `stopwords` in
NLTK_DATA/corpora: WordNet 3.0 from Debian's wordnet-base and wordnet-sense-index with a file `lexnames` written from its manual
page, and as `stopwords/english` the words of lexicons/function_words.txt with their contracted forms, so that both have the same.
"""

import json
import math
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)*|[!?.,;:]")

OURS = "ours alone"

# The rows: TextAttack's recipe, and ours with its flags. `cf`: the near words of data/attacks/counterfitted_neighbors.json.
ROWS = {
    "deepwordbug": ("DeepWordBugGao2018", ["--recipe", "deepwordbug"]),
    "pwws": ("PWWSRen2019", ["--recipe", "pwws"]),
    "input-reduction": ("InputReductionFeng2018", ["--recipe", "input-reduction"]),
    "pruthi": ("Pruthi2019", ["--recipe", "pruthi"]),
    "wir-cf": (None, ["--recipe", "WIR", "--synonyms", "CF"]),
    "textfooler": (OURS, ["--recipe", "textfooler", "--without", "encoder"]),
    "textbugger": (OURS, ["--recipe", "textbugger", "--without", "encoder"]),
    # Without its encoder; both with near words of the same table.
    "textbugger-cf": ("textbugger", ["--recipe", "textbugger", "--without", "encoder", "--synonyms", "CF"]),
    "jump": (OURS, ["--recipe", "jump", "--synonyms", "CF"]),
    "jump-cf": (OURS, ["--recipe", "FREE-jump", "--candidates", "CF-SETS"]),
    "jump-wordnet": (OURS, ["--recipe", "FREE-jump", "--candidates", "WORDNET-SETS"]),
    "exact-cf": (OURS, ["--recipe", "FREE-exact", "--candidates", "CF-SETS"]),
    "exact-wordnet": (OURS, ["--recipe", "FREE-exact", "--candidates", "WORDNET-SETS"]),
    "genetic-20": (OURS, ["--recipe", "FREE-genetic", "--candidates", "CF-SETS"]),
}

OWN = """name = "wir-cf"
summary = "Ranks words by deletion and replaces them with near ones."
shrink = false
[goal]
use = "untargeted"
score = "probability"
[[source]]
use = "neighbours"
count = 8
[[constraint]]
use = "repeat"
[[constraint]]
use = "stop_words"
[search]
use = "importance"
rank = "delete"
"""

# No limit but one change a word; the genetic search has one of a fifth of the words.
FREE = """name = "free-SEARCH"
summary = "The search over given candidates."
shrink = false
[goal]
use = "untargeted"
[[source]]
use = "neighbours"
[[constraint]]
LIMIT
[search]
use = "SEARCH"
"""


def model_of(shared, name):
    import torch
    from safetensors.numpy import load_file

    torch.set_num_threads(1)
    folder = f"{shared}/golden/{name}"
    config = json.load(open(f"{folder}/config.json"))
    weights = {key: torch.tensor(value) for key, value in load_file(f"{folder}/model.safetensors").items()}
    ids = {word: at for at, word in enumerate(config["vocab"])}

    def read(text):
        words = WORD.findall(text.replace("<br />", " ").lower())[: config["max_words"]]
        found = [ids.get(word, 1) for word in words]
        found += [0] * (5 - len(found))
        if config["architecture"] == "fasttext":
            found += [ids[both] for both in map(" ".join, zip(words, words[1:])) if both in ids]
        return found

    def logits(batch):
        out = []
        with torch.no_grad():
            for found in batch:
                rows = weights["emb.weight"][torch.tensor(found)]
                if config["architecture"] == "fasttext":
                    features = rows.mean(0)
                else:
                    x = rows.T.unsqueeze(0)
                    peaks, layer = [], 0
                    while f"convs.{layer}.weight" in weights:
                        y = torch.nn.functional.conv1d(x, weights[f"convs.{layer}.weight"], weights[f"convs.{layer}.bias"])
                        peaks.append(torch.relu(y.max(2).values[0]))
                        layer += 1
                    features = torch.cat(peaks)
                out.append(weights["fc.weight"] @ features + weights["fc.bias"])
        return torch.stack(out)

    return read, logits


def encoder_of(shared, name):
    """The model of transformers with its tokenizer, texts padded to PAD pieces."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.set_num_threads(1)
    folder, most = f"{shared}/golden/{name}", int(os.environ.get("PAD", "64"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()

    def logits(batch):
        with torch.no_grad():
            return model(**tokenizer(batch, padding="max_length", truncation=True, max_length=most, return_tensors="pt")).logits

    return (lambda text: text), logits


ENTITIES = {"quot", "amp", "lt", "gt", "nbsp"}
TAG = re.compile(r"<[A-Za-z/!][^<>]{0,398}>|&lt;[A-Za-z/!](?:(?!&lt;|&gt;).){0,398}&gt;")
ADDRESS = re.compile(r"://|^[^A-Za-z0-9]*www\.|@[A-Za-z0-9]|[A-Za-z0-9]\.(?:com|org|net|gov|edu|info)(?![A-Za-z0-9])")


def is_held(text, start, end):
    """Whether a word is part of an address, a tag or an entity, which Fissure leaves alone."""
    if text[end:end + 1] == ";" and (text[start:end] in ENTITIES or text[:start].rstrip("#").endswith("&")):
        return True
    if any(tag.start() <= start and end <= tag.end() for tag in TAG.finditer(text)):
        return True
    first, last = start, end
    while first > 0 and "!" <= text[first - 1] <= "~":
        first -= 1
    while last < len(text) and "!" <= text[last] <= "~":
        last += 1
    return bool(ADDRESS.search(text[first:last]))


def look_alikes():
    """The table of look-alikes that Fissure has built in: a letter to letters."""
    table = {}
    for line in open(os.path.join(os.path.dirname(__file__), "../../lexicons/lookalikes.txt")):
        both = re.fullmatch(r"(\S) ([=>]) (\S+)", line.strip())
        if both:
            table.setdefault(both[1], []).append(both[3])
        turned = re.fullmatch(r"(\S+) = (\S)", line.strip())
        if turned:
            table.setdefault(turned[2], []).append(turned[1])
    return table


def same_words():
    """A constraint of TextAttack: the words that Fissure would not change stay."""
    import nltk
    from textattack.constraints import PreTransformationConstraint
    from textattack.shared import AttackedText

    class SameWords(PreTransformationConstraint):
        def begin(self, text, with_stop_words):
            stop = set(nltk.corpus.stopwords.words("english")) if with_stop_words else set()
            self.free, at = [], 0
            for number, word in enumerate(AttackedText(text).words):
                at = text.index(word, at)
                if word.lower() not in stop and not is_held(text, at, at + len(word)):
                    self.free.append(number)
                at += len(word)

        def _get_modifiable_indices(self, current_text):
            return {int(current_text.attack_attrs["original_index_map"][number]) for number in self.free} - {-1}

    return SameWords()


def theirs(shared, model, recipe, texts, held=False):
    import random

    import numpy
    import textattack
    import torch
    from textattack import transformations
    from textattack.attack_recipes import (DeepWordBugGao2018, InputReductionFeng2018, PWWSRen2019, Pruthi2019)
    from textattack.constraints.pre_transformation import RepeatModification, StopwordModification
    from textattack.models.wrappers import ModelWrapper

    random.seed(0), numpy.random.seed(0)
    read, logits = encoder_of(shared, model) if model == "minilm_ag" else model_of(shared, model)

    class Wrapper(ModelWrapper):
        def __init__(self):
            self.model = torch.nn.Identity()
            self.seen = set()

        def __call__(self, inputs, **_):
            batch = [read(text) for text in inputs]
            self.seen.update(found if isinstance(found, str) else tuple(found) for found in batch)
            return logits(batch)

    wrapper = Wrapper()
    near = json.load(open(f"{shared}/data/attacks/counterfitted_neighbors.json"))

    class Near(transformations.word_swaps.WordSwap):
        def __init__(self, most=8):
            self.most = most

        def _get_replacement_words(self, word):
            cased = (lambda new: new.upper() if word.isupper() and len(word) > 1 else new.capitalize()) if word[:1].isupper() else (lambda new: new)
            return [cased(new) for new in near.get(word.lower(), [])[: self.most]]

    class LookAlike(transformations.word_swaps.WordSwap):
        """Inner letters as ours: TextAttack's own table is missing from its wheel."""

        def _get_replacement_words(self, word):
            table = look_alikes()
            return [word[:at] + like + word[at + 1:] for at in range(1, len(word) - 1) for like in table.get(word[at], [])]

    def slips():
        inner = {"random_one": True, "skip_first_char": True, "skip_last_char": True}
        return [transformations.WordSwapRandomCharacterInsertion(letters_to_insert=" ", **inner),
                transformations.WordSwapRandomCharacterDeletion(**inner),
                transformations.WordSwapNeighboringCharacterSwap(**inner), LookAlike(), Near(5)]

    if recipe is None or recipe == "textbugger":
        attack = textattack.Attack(
            textattack.goal_functions.UntargetedClassification(wrapper),
            [RepeatModification(), StopwordModification()],
            transformations.CompositeTransformation(slips()) if recipe else Near(),
            textattack.search_methods.GreedyWordSwapWIR(wir_method="delete"),
        )
    else:
        attack = locals()[recipe].build(wrapper)
    attack.goal_function.model_cache_size = 2**18
    words = same_words() if held else None
    if words:
        attack.pre_transformation_constraints.append(words)
    rows = []
    for text, label in texts:
        if words:
            words.begin(text, recipe != "InputReductionFeng2018")
        wrapper.seen.clear()
        start = time.process_time()
        result = attack.attack(text, label)
        spent = time.process_time() - start
        rows.append((type(result).__name__, result.num_queries, len(wrapper.seen), spent))
    done = [row for row in rows if row[0] != "SkippedAttackResult"]
    won = sum(row[0] == "SuccessfulAttackResult" for row in done)
    mean = lambda at: statistics.mean(row[at] for row in done)
    broken = [at for at, row in enumerate(rows) if row[0] == "SuccessfulAttackResult"]
    return {"attacked": len(done), "won": won, "asked": mean(1), "inputs": mean(2), "cpu": mean(3), "broken": broken}


def ours(shared, model, flags, texts, fissure):
    with tempfile.TemporaryDirectory() as folder:
        lines = [json.dumps({"id": at, "text": text, "label": label}) for at, (text, label) in enumerate(texts)]
        open(f"{folder}/WIR.toml", "w").write(OWN)
        attacks = f"{shared}/data/attacks"
        named = {"WIR": f"{folder}/WIR.toml", "CF": f"{attacks}/counterfitted_neighbors.json",
                 "CF-SETS": f"{attacks}/ag200_cf.jsonl", "WORDNET-SETS": f"{attacks}/ag200_wordnet.jsonl"}
        for search in ("jump", "exact", "genetic"):
            limit = 'use = "share_of_words"\nshare = 0.2' if search == "genetic" else 'use = "repeat"'
            named[f"FREE-{search}"] = f"{folder}/{search}.toml"
            open(named[f"FREE-{search}"], "w").write(FREE.replace("SEARCH", search).replace("LIMIT", limit))
        spent = {}
        for count in (1, len(texts)):
            open(f"{folder}/texts.jsonl", "w").write("\n".join(lines[:count]) + "\n")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [fissure, "attack", "--model", f"{shared}/golden/{model}", "--data", f"{folder}/texts.jsonl", "--task",
                       "classification", "--out", f"{folder}/out{count}", "--no-shrink", "--label-map", "0=World,1=Sports,2=Business,3=Sci/Tech"]
            command += [named.get(flag, flag) for flag in flags]
            if model == "minilm_ag":
                command += ["--max-length", os.environ.get("PAD", "64")]
            subprocess.run(command, check=True, capture_output=True, env={**os.environ, "RAYON_NUM_THREADS": "1"})
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent[count] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        rows = [json.loads(line) for line in open(f"{folder}/out{len(texts)}/attacks.jsonl")]
    done = [row for row in rows if row["outcome"] != "skipped"]
    mean = lambda key: statistics.mean(row[key] for row in done)
    cpu = (spent[len(texts)] - spent[1]) / max(len(texts) - 1, 1)
    return {"attacked": len(done), "won": sum(row["outcome"] == "succeeded" for row in done), "asked": mean("asked"),
            "questions": mean("questions"), "inputs": mean("inputs"), "certified": sum(row.get("reason") == "certified" for row in done), "cpu": cpu * len(texts) / len(done),
            "broken": [at for at, row in enumerate(rows) if row["outcome"] == "succeeded"]}


def paired(first, second, count):
    """Texts that only the first broke, only the second, the two-sided exact p of that (McNemar), and the 95 % interval of the
    difference of the two shares (Bonett and Price 2012: one pair more of each kind that differs)."""
    only = len(set(first) - set(second)), len(set(second) - set(first))
    differing, least = sum(only), min(only)
    tail = sum(math.comb(differing, at) for at in range(least + 1)) / 2**differing
    one, other = ((number + 1) / (count + 2) for number in only)
    half = 1.96 * math.sqrt((one + other - (one - other) ** 2) / (count + 2))
    return {"ours only": only[0], "theirs only": only[1], "p": min(1.0, 2 * tail),
            "difference": (only[0] - only[1]) / count, "interval": [one - other - half, one - other + half]}


def main():
    shared, fissure, model, *rest = sys.argv[1:]
    limit = 200
    alone = "--ours" in rest
    held = "--same-words" in rest
    rest = [word for word in rest if word not in ("--ours", "--same-words")]
    if "--limit" in rest:
        at = rest.index("--limit")
        limit = int(rest[at + 1])
        del rest[at:at + 2]
    texts = []
    for line in open(f"{shared}/data/attacks/ag200_cf.jsonl"):
        row = json.loads(line)
        texts.append((row["text"], row["label"]))
    texts = texts[:limit]
    for name in rest or ROWS:
        recipe, flags = ROWS[name]
        us = ours(shared, model, flags, texts, fissure)
        print(model, name, "fissure", json.dumps(us), flush=True)
        if alone or recipe == OURS:
            continue
        them = theirs(shared, model, recipe, texts, held)
        print(model, name, "textattack, same words" if held else "textattack", json.dumps(them), "times", round(them["cpu"] / max(us["cpu"], 1e-9)), flush=True)
        print(model, name, "paired", json.dumps(paired(us["broken"], them["broken"], us["attacked"])), flush=True)


if __name__ == "__main__":
    main()
