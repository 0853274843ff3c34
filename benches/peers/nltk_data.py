"""The data that NLTK's users ask for and that NLTK fetches from a host of its own, made from what packages bring.

WordNet 3.0 is in Debian (`wordnet-base`). A tagger is trained by NLTK's own code on a treebank, so that what is measured is
NLTK's tagger, with other weights than the ones it fetches. Stop words are those of spaCy, if it is installed. How far
this moves the speed of a peer was not measured.
"""

import gzip
import importlib
import importlib.util
import os
import shutil
from pathlib import Path

WORDNET = Path("/usr/share/wordnet")
TOPICS = {
    "adj": "all pert", "adv": "all", "noun": "Tops act animal artifact attribute body cognition communication event feeling "
    "food group location motive object person phenomenon plant possession process quantity relation shape state substance "
    "time", "verb": "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather",
}


def lend(folder, treebank):
    """Writes the data into a folder and points NLTK to it, which must not have been imported before."""
    if not WORDNET.exists():
        raise ImportError(f"there is no {WORDNET} (Debian: wordnet-base)")
    # Where NLTK looks for it: Debian's files, and the two that it leaves out.
    corpora = Path(folder) / "corpora"
    shutil.copytree(WORDNET, corpora / "wordnet")
    topics = [f"{kind}.{topic}" for kind, of_kind in TOPICS.items() for topic in of_kind.split()] + ["adj.ppl"]
    (corpora / "wordnet/lexnames").write_text("".join(f"{at:02}\t{topic}\t0\n" for at, topic in enumerate(topics)))
    (corpora / "wordnet/index.sense").touch()
    # WordNet in other languages: there is none.
    (corpora / "omw-1.4").mkdir()
    if importlib.util.find_spec("spacy"):
        words = importlib.import_module("spacy.lang.en.stop_words").STOP_WORDS
        (corpora / "stopwords").mkdir()
        (corpora / "stopwords/english").write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")
    os.environ["NLTK_DATA"] = str(folder)
    nltk = importlib.import_module("nltk")
    nltk.download = lambda *_, **__: True
    tagger = importlib.import_module("nltk.tag.perceptron").PerceptronTagger(load=False)
    tagger.train(list(sentences(treebank)), nr_iter=1)
    nltk.pos_tag = tagger.tag


def sentences(path):
    """The words of a CoNLL-U file with their Penn tags."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            rows = [line.split("\t") for line in block.splitlines() if line[:1].isdigit()]
            if words := [(row[1], row[4]) for row in rows if row[0].isdigit()]:
                yield words
