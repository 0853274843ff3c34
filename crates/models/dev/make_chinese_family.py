"""Makes tests/families/bert-chinese: the weights of the tiny BERT with a vocabulary of Han characters, as Chinese
checkpoints have, and what the `tokenizers` package reads in texts with characters beyond the basic plane, full-width
letters and word pieces.

    pip install tokenizers && python dev/make_chinese_family.py
"""

import json
import pathlib
import shutil

from tokenizers import Tokenizer

FAMILIES = pathlib.Path(__file__).parent.parent / "tests" / "families"
HAN = "这部电影很好看我不喜欢𠮷野家的服务差太了没有人来过吃饭酒店房间"
TEXTS = [
    "这部电影很好看。",
    "𠮷野家的服务太差了！",
    "ＡＢ很好，iPhone6不好",
    "playing电影3.5分",
    "café 的 房间\u3000很好",
    "龘",
    "",
    "没有\n人 来过👍🏽吃饭",
    "\u200b这\ufe0f部",
]


def main():
    source, out = FAMILIES / "bert", FAMILIES / "bert-chinese"
    out.mkdir(exist_ok=True)
    for name in ["config.json", "model.safetensors"]:
        shutil.copy(source / name, out / name)
    tokenizer = json.loads((source / "tokenizer.json").read_text())
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [chr(letter) for letter in range(ord("a"), ord("z") + 1)] + list("0123456789")
    pieces = ["play", "##ing", "##phone", "caf", "##e"] + ["##" + letter for letter in letters if letter != "e"]
    words = marks + list("，。！？.") + letters + ["ａ", "##ｂ"] + pieces + list(dict.fromkeys(HAN))
    assert len(words) == len(set(words)) <= 200
    tokenizer["model"]["vocab"] = {word: at for at, word in enumerate(words)}
    (out / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, indent=1))
    read = Tokenizer.from_file(str(out / "tokenizer.json"))
    with open(out / "expected.jsonl", "w") as lines:
        for text in TEXTS:
            found = read.encode(text)
            covered = [text[start:end] for start, end in found.offsets]
            case = {"text": text, "ids": found.ids, "covered": covered}
            lines.write(json.dumps(case, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
