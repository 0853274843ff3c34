//! What sets the families of encoders apart: the names of their tensors and settings, and a few choices.
//!
//! There is one network for all; a family is a row of facts in [`FAMILIES`].

use super::activation::Activation;

/// How one family writes its `config.json` and names its tensors.
#[derive(Debug)]
pub(crate) struct Family {
    /// The values of `model_type` in `config.json`.
    pub model_types: &'static [&'static str],
    pub kind: Kind,
    /// The word table.
    pub word: &'static str,
    /// What stands before the names of the encoder's tensors when there is a head.
    pub prefix: &'static str,
    pub settings: SettingNames,
    /// The activation where `config.json` names none.
    pub activation: Activation,
    pub first_position: FirstPosition,
    /// Marks the two texts of a pair by type embeddings.
    pub types: bool,
    /// The width of word embeddings may differ from that of hidden rows; then this projects them.
    pub projection: Option<&'static str>,
    /// The table of relative position biases.
    pub relative_bias: Option<&'static str>,
    pub layer: LayerNames,
    pub head: HeadNames,
    /// `None` if it has no head for masked words that is read here.
    pub masked: Option<MaskedNames>,
}

/// How the layers of a family are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bert,
    /// Scores by distance, of DeBERTa-v2 and v3.
    Deberta,
    /// Norms first, gates, rotary positions.
    Modern,
    /// Scores by distance and by text, of XLNet.
    Xlnet,
}

/// Keys in `config.json`.
#[derive(Debug)]
pub(crate) struct SettingNames {
    pub width: &'static str,
    pub layers: &'static str,
    pub heads: &'static str,
    pub inner: &'static str,
    pub activation: &'static str,
}

/// Which row of the position table belongs to the first piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstPosition {
    Zero,
    Two,
    /// The row behind that of the padding id.
    AfterPadding,
}

/// The tensors of one layer. `{layer}`, `{group}` and `{inner}` stand for numbers.
#[derive(Debug)]
pub(crate) struct LayerNames {
    pub before: &'static str,
    pub query: &'static str,
    pub key: &'static str,
    pub value: &'static str,
    pub attention_output: &'static str,
    pub attention_norm: &'static str,
    pub up: &'static str,
    pub down: &'static str,
    pub output_norm: &'static str,
}

/// The head for classification: an affine map of the first row, an activation, and the classifier.
#[derive(Debug)]
pub(crate) struct HeadNames {
    /// The affine map; a name that starts with the prefix is part of the encoder.
    pub dense: &'static str,
    pub activation: Activation,
    pub classifier: &'static str,
}

/// The head that guesses masked words; its last map is the word table.
#[derive(Debug)]
pub(crate) struct MaskedNames {
    pub dense: &'static str,
    pub norm: &'static str,
    pub bias: &'static str,
}

const HIDDEN: SettingNames = SettingNames {
    width: "hidden_size",
    layers: "num_hidden_layers",
    heads: "num_attention_heads",
    inner: "intermediate_size",
    activation: "hidden_act",
};

const BERT_LAYER: LayerNames = LayerNames {
    before: "encoder.layer.{layer}.",
    query: "attention.self.query",
    key: "attention.self.key",
    value: "attention.self.value",
    attention_output: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    output_norm: "output.LayerNorm",
};

const OUT_PROJ: HeadNames =
    HeadNames { dense: "classifier.dense", activation: Activation::Tanh, classifier: "classifier.out_proj" };

const LM_HEAD: MaskedNames = MaskedNames { dense: "lm_head.dense", norm: "lm_head.layer_norm", bias: "lm_head.bias" };

const BERT: Family = Family {
    model_types: &["bert"],
    kind: Kind::Bert,
    word: "embeddings.word_embeddings",
    prefix: "bert.",
    settings: HIDDEN,
    activation: Activation::Gelu,
    first_position: FirstPosition::Zero,
    types: true,
    projection: None,
    relative_bias: None,
    layer: BERT_LAYER,
    head: HeadNames { dense: "bert.pooler.dense", activation: Activation::Tanh, classifier: "classifier" },
    masked: Some(MaskedNames {
        dense: "cls.predictions.transform.dense",
        norm: "cls.predictions.transform.LayerNorm",
        bias: "cls.predictions.bias",
    }),
};

const ROBERTA: Family = Family {
    model_types: &["roberta", "xlm-roberta", "camembert"],
    prefix: "roberta.",
    first_position: FirstPosition::AfterPadding,
    head: OUT_PROJ,
    masked: Some(LM_HEAD),
    ..BERT
};

const DISTILBERT: Family = Family {
    model_types: &["distilbert"],
    prefix: "distilbert.",
    settings: SettingNames {
        width: "dim",
        layers: "n_layers",
        heads: "n_heads",
        inner: "hidden_dim",
        activation: "activation",
    },
    types: false,
    layer: LayerNames {
        before: "transformer.layer.{layer}.",
        query: "attention.q_lin",
        key: "attention.k_lin",
        value: "attention.v_lin",
        attention_output: "attention.out_lin",
        attention_norm: "sa_layer_norm",
        up: "ffn.lin1",
        down: "ffn.lin2",
        output_norm: "output_layer_norm",
    },
    head: HeadNames { dense: "pre_classifier", activation: Activation::Relu, classifier: "classifier" },
    masked: Some(MaskedNames { dense: "vocab_transform", norm: "vocab_layer_norm", bias: "vocab_projector.bias" }),
    ..BERT
};

const ELECTRA: Family = Family {
    model_types: &["electra"],
    prefix: "electra.",
    projection: Some("embeddings_project"),
    head: HeadNames { activation: Activation::Gelu, ..OUT_PROJ },
    masked: Some(MaskedNames {
        dense: "generator_predictions.dense",
        norm: "generator_predictions.LayerNorm",
        bias: "generator_lm_head.bias",
    }),
    ..BERT
};

const ALBERT: Family = Family {
    model_types: &["albert"],
    prefix: "albert.",
    activation: Activation::GeluTanh,
    projection: Some("encoder.embedding_hidden_mapping_in"),
    layer: LayerNames {
        before: "encoder.albert_layer_groups.{group}.albert_layers.{inner}.",
        query: "attention.query",
        key: "attention.key",
        value: "attention.value",
        attention_output: "attention.dense",
        attention_norm: "attention.LayerNorm",
        up: "ffn",
        down: "ffn_output",
        output_norm: "full_layer_layer_norm",
    },
    head: HeadNames { dense: "albert.pooler", activation: Activation::Tanh, classifier: "classifier" },
    masked: Some(MaskedNames { dense: "predictions.dense", norm: "predictions.LayerNorm", bias: "predictions.bias" }),
    ..BERT
};

const MPNET: Family = Family {
    model_types: &["mpnet"],
    prefix: "mpnet.",
    first_position: FirstPosition::Two,
    types: false,
    relative_bias: Some("encoder.relative_attention_bias"),
    layer: LayerNames {
        query: "attention.attn.q",
        key: "attention.attn.k",
        value: "attention.attn.v",
        attention_output: "attention.attn.o",
        attention_norm: "attention.LayerNorm",
        ..BERT_LAYER
    },
    head: OUT_PROJ,
    masked: Some(LM_HEAD),
    ..BERT
};

const DEBERTA: Family = Family {
    model_types: &["deberta-v2"],
    kind: Kind::Deberta,
    prefix: "deberta.",
    layer: LayerNames {
        query: "attention.self.query_proj",
        key: "attention.self.key_proj",
        value: "attention.self.value_proj",
        ..BERT_LAYER
    },
    head: HeadNames { dense: "pooler.dense", activation: Activation::Gelu, classifier: "classifier" },
    masked: None,
    ..BERT
};

const MODERNBERT: Family = Family {
    model_types: &["modernbert"],
    kind: Kind::Modern,
    word: "embeddings.tok_embeddings",
    prefix: "model.",
    settings: SettingNames { activation: "hidden_activation", ..HIDDEN },
    types: false,
    layer: LayerNames {
        before: "layers.{layer}.",
        query: "attn.Wqkv",
        key: "attn.Wqkv",
        value: "attn.Wqkv",
        attention_output: "attn.Wo",
        attention_norm: "attn_norm",
        up: "mlp.Wi",
        down: "mlp.Wo",
        output_norm: "mlp_norm",
    },
    head: HeadNames { dense: "head.dense", activation: Activation::Gelu, classifier: "classifier" },
    masked: None,
    ..BERT
};

const XLNET: Family = Family {
    model_types: &["xlnet"],
    kind: Kind::Xlnet,
    word: "word_embedding",
    prefix: "transformer.",
    settings: SettingNames {
        width: "d_model",
        layers: "n_layer",
        heads: "n_head",
        inner: "d_inner",
        activation: "ff_activation",
    },
    layer: LayerNames {
        before: "layer.{layer}.",
        query: "rel_attn.q",
        key: "rel_attn.k",
        value: "rel_attn.v",
        attention_output: "rel_attn.o",
        attention_norm: "rel_attn.layer_norm",
        up: "ff.layer_1",
        down: "ff.layer_2",
        output_norm: "ff.layer_norm",
    },
    head: HeadNames { dense: "sequence_summary.summary", activation: Activation::Tanh, classifier: "logits_proj" },
    masked: None,
    ..BERT
};

/// Every family that can be read.
pub(crate) const FAMILIES: &[Family] = &[BERT, ROBERTA, DISTILBERT, ELECTRA, ALBERT, MPNET, DEBERTA, MODERNBERT, XLNET];

impl Family {
    /// The family of that `model_type`.
    pub fn of(model_type: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.model_types.contains(&model_type))
    }

    /// The values of `model_type` that can be read, for an error message.
    pub fn known() -> String {
        let types: Vec<&str> = FAMILIES.iter().flat_map(|family| family.model_types).copied().collect();
        types.join(", ")
    }
}
