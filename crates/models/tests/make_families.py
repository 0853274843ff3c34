"""Writes the tiny random checkpoints of DeBERTa-v2, ModernBERT and XLNet under `families/`, with the logits and input
gradients that `transformers` computes for them in float64.

    python make_families.py [FOLDER]        # needs torch and transformers

The tokenizers are those of the fixtures `bert` and `xlm-roberta`; texts are cut as `encoder/tokens.rs` cuts them.
"""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import (
    DebertaV2Config, DebertaV2ForSequenceClassification, DebertaV2ForTokenClassification,
    ModernBertConfig, ModernBertForSequenceClassification,
    XLNetConfig, XLNetForSequenceClassification,
)

HERE = Path(__file__).parent / "families"
OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
LIMIT = 24
WEIGHTS = [1.0, -0.5, 0.25]
LABELS = {"id2label": {0: "bad", 1: "so so", 2: "good"}, "label2id": {"bad": 0, "so so": 1, "good": 2}}
TEXTS = [
    ("the cat sat on the mat", None),
    ("", None),
    ("Café CRÈME, naïve!", None),
    ("good 👍🏽 film 👨‍👩‍👧", None),
    ("我喜欢这部电影", None),
    ("a film that is good", "not at all boring"),
    ("the cat", ""),
    ("the mat and the cat " * 20, None),
    ("the cat " * 20, "on the mat " * 20),
]


def share_room(first, second, room):
    """How many pieces of two texts are kept; the longer one loses pieces first."""
    if first + second <= room:
        return first, second
    short = min(first, second)
    short, long = (room // 2, room - room // 2) if 2 * short > room else (short, room - short)
    return (short, long) if first <= second else (long, short)


def cut(tokenizer, text, pair, limit):
    encoding = tokenizer.encode(text, pair) if pair is not None else tokenizer.encode(text)
    counts = [sum(s == side for s in encoding.sequence_ids) for side in (0, 1)]
    room = limit - (len(encoding.ids) - sum(counts))
    keep, used, ids, types = share_room(*counts, room), [0, 0], [], []
    for token, side, kind in zip(encoding.ids, encoding.sequence_ids, encoding.type_ids):
        if side is not None:
            used[side] += 1
            if used[side] > keep[side]:
                continue
        ids.append(token)
        types.append(kind)
    return ids, types, sum(counts) > room


def numbers(tensor):
    return [float(f"{x:.9g}") for x in tensor.detach().reshape(-1).tolist()]


def write(name, model, tokenizer, typed, embeddings, tags=False, limit=LIMIT):
    model = model.eval()
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(len(name))
    with torch.no_grad():
        for parameter in model.parameters():  # wide enough that every part of the network shows
            parameter.add_(torch.randn_like(parameter) * 0.3)
    model.save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)
    tokenizer.save(str(folder / "tokenizer.json"))
    double = model.double()
    with open(folder / "expected.jsonl", "w") as out:
        for text, pair in TEXTS if limit == LIMIT else [(text[:50], pair and pair[:50]) for text, pair in TEXTS]:
            ids, types, truncated = cut(tokenizer, text, pair, limit)
            rows = embeddings(double)(torch.tensor([ids])).detach().requires_grad_()
            kinds = {"token_type_ids": torch.tensor([types])} if typed else {}
            logits = double(inputs_embeds=rows, attention_mask=torch.ones(1, len(ids)), **kinds).logits[0]
            case = {"text": text, "pair": pair, "ids": ids, "truncated": truncated}
            if tags:
                case["logits"] = [numbers(row) for row in logits]
            else:
                (logits @ torch.tensor(WEIGHTS, dtype=torch.float64)).backward()
                case |= {"logits": numbers(logits), "gradient": numbers(rows.grad)}
            out.write(json.dumps(case, ensure_ascii=False) + "\n")


def main():
    torch.manual_seed(1)
    pieces = Tokenizer.from_file(str(HERE / "bert" / "tokenizer.json"))
    deberta = dict(
        vocab_size=200, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
        max_position_embeddings=LIMIT, relative_attention=True, pos_att_type=["p2c", "c2p"], layer_norm_eps=1e-7,
        pad_token_id=0, attn_implementation="eager", **LABELS,
    )
    words = lambda model: model.get_input_embeddings()
    # As the published checkpoints of v2 and v3 have it: shared keys, buckets of distances, no positions in the input.
    published = dict(
        share_att_key=True, position_buckets=6, norm_rel_ebd="layer_norm", position_biased_input=False,
        type_vocab_size=0,
    )
    write("deberta-v2", DebertaV2ForSequenceClassification(DebertaV2Config(**deberta, **published)), pieces, False, words)
    tagger = DebertaV2ForTokenClassification(DebertaV2Config(**deberta, **published))
    write("deberta-v2-tags", tagger, pieces, False, words, tags=True)
    other = dict(share_att_key=False, position_biased_input=True, type_vocab_size=2, max_relative_positions=9)
    write("deberta-v2-plain", DebertaV2ForSequenceClassification(DebertaV2Config(**deberta, **other)), pieces, True, words)

    modern = dict(
        vocab_size=200, hidden_size=16, num_hidden_layers=4, num_attention_heads=2, intermediate_size=24,
        max_position_embeddings=LIMIT, local_attention=6, global_attn_every_n_layers=3, pad_token_id=0, bos_token_id=2,
        eos_token_id=3, cls_token_id=2, sep_token_id=3, attn_implementation="eager", **LABELS,
    )
    write(
        "modernbert", ModernBertForSequenceClassification(ModernBertConfig(**modern, classifier_pooling="cls")), pieces,
        False, words,
    )
    biased = dict(classifier_pooling="mean", attention_bias=True, mlp_bias=True, norm_bias=True, classifier_bias=True)
    write("modernbert-mean", ModernBertForSequenceClassification(ModernBertConfig(**modern, **biased)), pieces, False, words)

    # XLNet ends a text with `<sep> <cls>`, and `<cls>` has a type of its own.
    unigrams = json.loads((HERE / "xlm-roberta" / "tokenizer.json").read_text())
    special = lambda token, kind: {"SpecialToken": {"id": token, "type_id": kind}}
    text = lambda name, kind: {"Sequence": {"id": name, "type_id": kind}}
    unigrams["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [text("A", 0), special("</s>", 0), special("<s>", 2)],
        "pair": [text("A", 0), special("</s>", 0), text("B", 1), special("</s>", 1), special("<s>", 2)],
        "special_tokens": {
            "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}, "<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
        },
    }
    unigrams = Tokenizer.from_str(json.dumps(unigrams))
    xlnet = XLNetConfig(
        vocab_size=unigrams.get_vocab_size(), d_model=16, n_layer=2, n_head=2, d_inner=24, **LABELS,
    )
    write("xlnet", XLNetForSequenceClassification(xlnet), unigrams, True, words, limit=512)


main()
