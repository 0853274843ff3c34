"""Makes the fixtures that prove the reading of every encoder family.

Tiny random checkpoints (two layers, hidden size 16) of every family and head, each with the logits and the input
gradients that PyTorch finds, and each with a small tokenizer of the family's own kind. Run it when a family is added:

    python3 -m venv VENV && VENV/bin/pip install torch transformers tokenizers safetensors
    VENV/bin/python crates/models/dev/make_families.py crates/models/tests/families

What it writes is committed; the test `encoder_families` reads it without Python.
"""

import json
import pathlib
import sys

import torch
import transformers as t
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

# Sentences of ours that the tokenizers are trained on: Latin, accents, Chinese, Arabic, emoji.
CORPUS = [
    "the cat sat on the mat and looked at the other cat",
    "a film that is good, long, and not at all boring!",
    "café crème, naïve façade: déjà vu",
    "我喜欢这部电影 因为它很好看",
    "هذا فيلم جيد",
    "👍🏽 great 👨‍👩‍👧 family film 🎬",
]
# Single texts and pairs: ordinary, empty, emoji, decomposed accents, Chinese, too long for the model.
TEXTS = [
    ["the cat sat on the mat", None],
    ["", None],
    ["Caf\u0065\u0301 CR\u00c8ME, na\u00efve!", None],
    ["good 👍🏽 film 👨‍👩‍👧", None],
    ["我喜欢这部电影", None],
    ["a film that is good", "not at all boring"],
    ["the cat", ""],
    ["the mat and the cat " * 12, None],
    ["the cat " * 20, "on the mat " * 20],
]
POSITIONS = 24
# The combination of logits whose gradient is compared.
WEIGHTS = [1.0, -0.5, 0.25]
SIZES = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24)


def word_piece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=160, special_tokens=marks, show_progress=False))
    ids = {mark: tokenizer.token_to_id(mark) for mark in marks}
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])],
    )
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def byte_level():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=marks, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace("  ", " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.UnigramTrainer(vocab_size=150, special_tokens=marks, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


def families():
    bert = dict(vocab_size=200, max_position_embeddings=POSITIONS, **SIZES)
    offset = dict(vocab_size=320, max_position_embeddings=POSITIONS + 2, pad_token_id=1, layer_norm_eps=1e-5, **SIZES)
    distil = dict(vocab_size=200, max_position_embeddings=POSITIONS, dim=16, n_layers=2, n_heads=2, hidden_dim=24)
    labels = dict(id2label={0: "bad", 1: "so so", 2: "good"}, label2id={"bad": 0, "so so": 1, "good": 2})
    albert = dict(bert, embedding_size=8, num_hidden_groups=1, num_hidden_layers=3)
    yield "bert", t.BertForSequenceClassification(t.BertConfig(**bert, **labels)), word_piece
    yield "roberta", t.RobertaForSequenceClassification(t.RobertaConfig(**offset, type_vocab_size=1, **labels)), byte_level
    yield "xlm-roberta", t.XLMRobertaForSequenceClassification(
        t.XLMRobertaConfig(**dict(offset, vocab_size=160), type_vocab_size=1, **labels)), unigram
    yield "distilbert", t.DistilBertForSequenceClassification(t.DistilBertConfig(**distil, **labels)), word_piece
    yield "electra", t.ElectraForSequenceClassification(t.ElectraConfig(**dict(bert, embedding_size=8), **labels)), word_piece
    yield "electra-wide", t.ElectraForSequenceClassification(t.ElectraConfig(**dict(bert, embedding_size=16), **labels)), word_piece
    yield "albert", t.AlbertForSequenceClassification(t.AlbertConfig(**albert, **labels)), word_piece
    yield "albert-groups", t.AlbertForSequenceClassification(
        t.AlbertConfig(**dict(albert, num_hidden_layers=4, num_hidden_groups=2, inner_group_num=2), **labels)), word_piece
    yield "mpnet", t.MPNetForSequenceClassification(t.MPNetConfig(**dict(offset, vocab_size=320), **labels)), byte_level
    yield "bert-tanh-gelu", t.BertForSequenceClassification(t.BertConfig(**bert, hidden_act="gelu_new", **labels)), word_piece
    yield "bert-tags", t.BertForTokenClassification(t.BertConfig(**bert, **labels)), word_piece
    yield "roberta-tags", t.RobertaForTokenClassification(t.RobertaConfig(**offset, type_vocab_size=1, **labels)), byte_level
    yield "bert-spans", t.BertForQuestionAnswering(t.BertConfig(**bert)), word_piece
    yield "distilbert-spans", t.DistilBertForQuestionAnswering(t.DistilBertConfig(**distil)), word_piece
    yield "bert-masked", t.BertForMaskedLM(t.BertConfig(**bert)), word_piece
    yield "roberta-masked", t.RobertaForMaskedLM(t.RobertaConfig(**offset, type_vocab_size=1)), byte_level
    yield "distilbert-masked", t.DistilBertForMaskedLM(t.DistilBertConfig(**distil)), word_piece
    yield "electra-masked", t.ElectraForMaskedLM(t.ElectraConfig(**dict(bert, embedding_size=8))), word_piece
    yield "albert-masked", t.AlbertForMaskedLM(t.AlbertConfig(**albert)), word_piece
    yield "mpnet-masked", t.MPNetForMaskedLM(t.MPNetConfig(**dict(offset, vocab_size=320))), byte_level
    yield "bert-alone", t.BertModel(t.BertConfig(**bert)), word_piece


def cases(name, model, tokenizer):
    """What PyTorch says about every text: ids, types, outputs, and the input gradient of a combination of the logits."""
    uses_types = model.config.model_type in ("bert", "electra", "albert")
    table = model.get_input_embeddings()
    tokenizer.enable_truncation(POSITIONS)
    for text, pair in TEXTS:
        encoding = tokenizer.encode(text, pair) if pair is not None else tokenizer.encode(text)
        ids, types = torch.tensor([encoding.ids]), torch.tensor([encoding.type_ids])
        rows = table(ids).detach().requires_grad_(True)
        positions = torch.arange(len(encoding.ids))[None]
        if model.config.model_type in ("roberta", "xlm-roberta", "mpnet"):
            positions = positions + 2
        arguments = dict(inputs_embeds=rows, attention_mask=torch.ones_like(ids))
        if model.config.model_type != "distilbert":
            arguments["position_ids"] = positions
        if uses_types:
            arguments["token_type_ids"] = types
        out = model(**arguments)
        case = dict(text=text, pair=pair, ids=encoding.ids, truncated=bool(encoding.overflowing))
        if name.endswith("-spans"):
            case["start"] = out.start_logits[0].tolist()
            case["end"] = out.end_logits[0].tolist()
        elif name.endswith("-alone"):
            mean = out.last_hidden_state[0].mean(0)
            case["mean"] = (mean / mean.norm()).tolist()
        elif name.endswith("-masked"):
            if text.startswith("the cat sat"):
                # The word "the" is one piece in every vocabulary here.
                rows = rows.detach().clone()
                rows[0, 1] = table.weight[tokenizer.token_to_id("[MASK]") or tokenizer.token_to_id("<mask>")]
                out = model(**dict(arguments, inputs_embeds=rows))
                case["masked"] = out.logits[0, 1].log_softmax(-1)[: tokenizer.get_vocab_size()].tolist()
        else:
            case["logits"] = out.logits[0].tolist()
            if out.logits.dim() == 2:
                combined = (out.logits[0] * torch.tensor(WEIGHTS)).sum()
                if pair:
                    case["weight_gradients"] = weight_gradients(model, combined)
                case["gradient"] = torch.autograd.grad(combined, rows)[0].flatten().tolist()
        yield case


def weight_gradients(model, combined):
    """Two numbers for the gradient of each tensor: its sum, and its product with cos(0), cos(1), ..."""
    found = {}
    parameters = [(name, p) for name, p in model.named_parameters() if "word_embeddings" not in name]
    gradients = torch.autograd.grad(combined, [p for _, p in parameters], retain_graph=True, allow_unused=True)
    for (name, _), gradient in zip(parameters, gradients):
        if gradient is not None:
            flat = gradient.flatten().double()
            found[name] = [flat.sum().item(), (flat * torch.arange(len(flat)).double().cos()).sum().item()]
    return found


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def main(out):
    for number, (name, model, make_tokenizer) in enumerate(families()):
        torch.manual_seed(number)
        # Random enough that every part matters: the default start is too close to zero to tell families apart.
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, std=0.3)
        for part, parameter in model.named_parameters():
            if part.endswith("weight") and "norm" in part.lower():
                torch.nn.init.normal_(parameter, mean=1.0, std=0.2)
        model.eval()
        model.tie_weights()
        tokenizer = make_tokenizer()
        directory = out / name
        directory.mkdir(parents=True, exist_ok=True)
        model.save_pretrained(directory)
        (directory / "generation_config.json").unlink(missing_ok=True)
        tokenizer.save(str(directory / "tokenizer.json"), pretty=False)
        if name == "xlm-roberta":
            (directory / "model.safetensors").unlink()
            model.save_pretrained(directory, max_shard_size="8KB")
        for file in directory.iterdir():
            file.chmod(0o644)
        lines = [json.dumps(rounded(case), ensure_ascii=False) for case in cases(name, model, tokenizer)]
        (directory / "expected.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
