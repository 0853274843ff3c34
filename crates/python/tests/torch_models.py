"""Small models with random weights, of every family that users have, made without a download."""

from __future__ import annotations

from typing import Any, Callable

WORDS = "the a film was is good bad dull fine very long story about nothing and not great".split()
LABELS = {0: "negative", 1: "positive", 2: "neutral"}


def tokenizer(side: str = "right") -> Any:
    """A tokenizer of whole words and single letters."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *(x for x in letters if x not in WORDS), *("##" + x for x in letters)]
    made = Tokenizer(models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        padding_side=side,
        model_max_length=48,
    )


def configurations() -> dict[str, Callable[[], Any]]:
    """A maker of a classifier for each family."""
    import transformers as t

    usual = {
        "vocab_size": 128,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 64,
        "pad_token_id": 0,
        "id2label": LABELS,
        "label2id": {name: at for at, name in LABELS.items()},
    }
    decoder = {**usual, "num_key_value_heads": 2}

    def made(config: str, model: str, **settings: Any) -> Callable[[], Any]:
        return lambda: getattr(t, model)(getattr(t, config)(**settings))

    named = {"id2label": LABELS, "label2id": usual["label2id"], "vocab_size": 128, "pad_token_id": 0}
    return {
        "bert": made("BertConfig", "BertForSequenceClassification", **usual),
        "roberta": made("RobertaConfig", "RobertaForSequenceClassification", **usual),
        "deberta-v2": made("DebertaV2Config", "DebertaV2ForSequenceClassification", **usual, type_vocab_size=2),
        "modernbert": made(
            "ModernBertConfig", "ModernBertForSequenceClassification", **usual, attn_implementation="eager"
        ),
        "distilbert": made(
            "DistilBertConfig",
            "DistilBertForSequenceClassification",
            **named,
            dim=32,
            n_layers=2,
            n_heads=4,
            hidden_dim=64,
            max_position_embeddings=64,
        ),
        "electra": made("ElectraConfig", "ElectraForSequenceClassification", **usual, embedding_size=16),
        "xlnet": made(
            "XLNetConfig", "XLNetForSequenceClassification", **named, d_model=32, n_layer=2, n_head=4, d_inner=64
        ),
        "gpt2": made(
            "GPT2Config", "GPT2ForSequenceClassification", **named, n_embd=32, n_layer=2, n_head=4, n_positions=64
        ),
        "llama": made("LlamaConfig", "LlamaForSequenceClassification", **decoder),
        "qwen3": made("Qwen3Config", "Qwen3ForSequenceClassification", **decoder, head_dim=8),
    }
