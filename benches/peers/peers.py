"""Fissure and its peers in one run: texts and changed words per second of processor time on the first 1,000 items of AG News.

Runs `cargo bench -p fissure-probes --bench parts` first, then every peer that is installed, and prints one JSON object
per operation: who, what, texts and changed words per CPU second on one thread, how many texts and words of the 1,000
texts were changed, and how many texts were damaged: ours where anything but the edits changed, theirs where the spaces are
not what they were, although only letters were to change. A tool that changes less does less work, so changed words are
what is compared. A peer that is not installed is named and left out.

nlpaug's synonyms want data that NLTK fetches from a host of its own; `nltk_data.py` makes them.
"""

import csv
import difflib
import functools
import importlib
import importlib.util
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

import nltk_data

NEIGHBOURS = {
    "q": "wa", "w": "qes", "e": "wrd", "r": "etf", "t": "ryg", "y": "tuh", "u": "yij", "i": "uok", "o": "ipl", "p": "ol",
    "a": "qsz", "s": "adwx", "d": "sfec", "f": "dgrv", "g": "fhtb", "h": "gjyn", "j": "hkum", "k": "jli", "l": "ko",
    "z": "xa", "x": "zcs", "c": "xvd", "v": "cbf", "b": "vng", "n": "bmh", "m": "nj",
}


def ag_news(path, count):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for _, row in zip(range(count), csv.reader(file))]
    return [f"{title} {text}" for _, title, text in rows]


def measure(change, texts, seconds=2.0):
    """Texts per CPU second, the best of three goes: other work on the machine can only slow one down."""
    best = 0.0
    for text in texts[:200]:  # what is loaded at first sight is not counted
        change(text)
    for _ in range(3):
        done, start = 0, time.process_time()
        while time.process_time() - start < seconds / 3:
            for text in texts[done % len(texts):][:50]:
                change(text)
            done += 50
        best = max(best, done / (time.process_time() - start))
    return best


def yielded(change, texts):
    """How many of the texts change, and how many words in them: spaces do not count."""
    changed = words = 0
    for text in texts:
        before, after = (re.findall(r"\w+|[^\w\s]", text) for text in (text, change(text)))
        blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        count = sum(max(b - a, d - c) for kind, a, b, c, d in blocks if kind != "equal")
        changed += count > 0
        words += count
    return changed, words


def damaged(change, texts):
    """Texts whose spaces are not what they were, although only letters were to change."""
    spaces = lambda text: re.findall(r"\s+", text)
    return sum(spaces(change(text)) != spaces(text) for text in texts)


def loop_of_tokens(change_word):
    """The usual loop: split a text into tokens, change some, join them again."""
    def change(text):
        tokens = re.findall(r"\w+|[^\w\s]", text)
        eligible = [at for at, token in enumerate(tokens) if len(token) >= 4 and token.isalpha()]
        wanted = min(max(1, round(len(eligible) * 0.1)), 10)
        for at in random.sample(eligible, min(wanted, len(eligible))):
            tokens[at] = change_word(tokens[at])
        return re.sub(r"\s+([.,!?;:)])", r"\1", " ".join(tokens))
    return change


def hit_neighbour(word):
    at = random.randrange(len(word))
    near = NEIGHBOURS.get(word[at].lower())
    return word if near is None else word[:at] + random.choice(near) + word[at + 1:]


def swap_letters(word):
    at = random.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2:] if at + 2 <= len(word) else word


def token_loop():
    yield "keyboard", loop_of_tokens(hit_neighbour)
    yield "typos", loop_of_tokens(swap_letters)


def nlpaug():
    char = importlib.import_module("nlpaug.augmenter.char")
    word = importlib.import_module("nlpaug.augmenter.word")
    one = lambda augmenter: lambda text: augmenter.augment(text)[0]
    some = {"aug_char_max": 1, "aug_word_p": 0.1}
    yield "keyboard", one(char.KeyboardAug(include_special_char=False, include_numeric=False, **some))
    yield "typos", one(char.RandomCharAug(action="swap", **some))
    yield "ocr", one(char.OcrAug(**some))
    yield "spelling_error", one(word.SpellingAug(aug_p=0.1))


def nlpaug_wordnet(treebank):
    with tempfile.TemporaryDirectory() as folder:
        nltk_data.lend(folder, treebank)
        word = importlib.import_module("nlpaug.augmenter.word")
        for operation, augmenter in [("swap_syn_wordnet", word.SynonymAug), ("swap_ant_wordnet", word.AntonymAug)]:
            yield operation, (lambda augmenter: lambda text: augmenter.augment(text)[0])(augmenter(aug_p=0.1))


def checklist():
    # The module of `add_typos` imports a language model and a database client that `add_typos` does not use.
    for name, attribute in [("pattern", None), ("pattern.en", "tenses")]:
        module = types.ModuleType(name)
        if attribute:
            setattr(module, attribute, None)
        sys.modules.setdefault(name, module)
    found = importlib.util.find_spec("checklist")
    if found is None:
        raise ImportError("checklist is not installed")
    package = types.ModuleType("checklist")
    package.__path__ = found.submodule_search_locations
    editor = types.ModuleType("checklist.editor")
    editor.recursive_apply = editor.MunchWithAdd = None
    sys.modules.update({"checklist": package, "checklist.editor": editor})
    perturb = importlib.import_module("checklist.perturb").Perturb
    yield "typos (one a text)", perturb.add_typos
    yield "contraction", lambda text: "".join(perturb.contractions(text) or [text])


def fissure():
    bench = ["cargo", "bench", "--quiet", "-p", "fissure-probes", "--bench", "parts"]
    root = Path(__file__).resolve().parents[2]
    for line in subprocess.run(bench, cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            who = {"peer": "fissure", "operation": row.pop("part")}
            print(json.dumps({**who, **row}), flush=True)


def main():
    default = Path(__file__).resolve().parents[3] / "shared/data/ag_news/test.csv"
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    if not path.exists():
        sys.exit(f"SKIPPED: there is no {path}; give the AG News test file as the argument")
    fissure()
    texts = ag_news(path, 1_000)
    treebank = next((path.parents[1] / "ud_ewt").glob("*train*"), None)
    with_wordnet = [functools.partial(nlpaug_wordnet, treebank)] if treebank else []
    # NLTK learns where its data is when it is first imported, so the peer that says so comes before the other.
    for peer in [token_loop, *with_wordnet, nlpaug, checklist]:
        name = getattr(peer, "func", peer).__name__
        try:
            for operation, change in peer():
                speed = measure(change, texts)
                changed, words = yielded(change, texts)
                row = {
                    "peer": name, "operation": operation, "texts_per_cpu_second": round(speed), "changed_of_1000": changed,
                    "edits_of_1000": words, "edits_per_cpu_second": round(speed * words / len(texts)),
                }
                if operation in ("keyboard", "typos", "ocr", "spelling_error"):
                    row["damaged_of_1000"] = damaged(change, texts)
                print(json.dumps(row), flush=True)
        except ImportError as error:
            print(f"SKIPPED {name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
