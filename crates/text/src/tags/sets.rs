//! The two sets of part-of-speech tags, and the relations of the dependency parse.

use crate::tag_enum::tag_enum;

tag_enum! {
    /// The universal part-of-speech tags.
    Upos {
        Adj = "ADJ", Adp = "ADP", Adv = "ADV", Aux = "AUX", Cconj = "CCONJ", Det = "DET", Intj = "INTJ", Noun = "NOUN",
        Num = "NUM", Part = "PART", Pron = "PRON", Propn = "PROPN", Punct = "PUNCT", Sconj = "SCONJ", Sym = "SYM",
        Verb = "VERB", X = "X",
    }
}

tag_enum! {
    /// The Penn part-of-speech tags, as UD English EWT uses them.
    Penn {
        Dollar = "$", CloseQuote = "''", Comma = ",", LeftBracket = "-LRB-", RightBracket = "-RRB-", FullStop = ".",
        Colon = ":", Add = "ADD", Afx = "AFX", Cc = "CC", Cd = "CD", Dt = "DT", Ex = "EX", Fw = "FW", Gw = "GW",
        Hyph = "HYPH", In = "IN", Jj = "JJ", Jjr = "JJR", Jjs = "JJS", Ls = "LS", Md = "MD", Nfp = "NFP", Nn = "NN",
        Nnp = "NNP", Nnps = "NNPS", Nns = "NNS", Pdt = "PDT", Pos = "POS", Prp = "PRP", PrpPoss = "PRP$", Rb = "RB",
        Rbr = "RBR", Rbs = "RBS", Rp = "RP", Sym = "SYM", To = "TO", Uh = "UH", Vb = "VB", Vbd = "VBD", Vbg = "VBG",
        Vbn = "VBN", Vbp = "VBP", Vbz = "VBZ", Wdt = "WDT", Wp = "WP", WpPoss = "WP$", Wrb = "WRB", OpenQuote = "``",
    }
}

tag_enum! {
    /// The universal dependency relations, with the subtypes of UD English EWT.
    Relation {
        Acl = "acl", AclRelcl = "acl:relcl", Advcl = "advcl", AdvclRelcl = "advcl:relcl", Advmod = "advmod", Amod = "amod",
        Appos = "appos", Aux = "aux", AuxPass = "aux:pass", Case = "case", Cc = "cc", CcPreconj = "cc:preconj",
        Ccomp = "ccomp", Compound = "compound", CompoundPrt = "compound:prt", Conj = "conj", Cop = "cop", Csubj = "csubj",
        CsubjOuter = "csubj:outer", CsubjPass = "csubj:pass", Dep = "dep", Det = "det", DetPredet = "det:predet",
        Discourse = "discourse", Dislocated = "dislocated", Expl = "expl", Fixed = "fixed", Flat = "flat",
        Goeswith = "goeswith", Iobj = "iobj", List = "list", Mark = "mark", Nmod = "nmod", NmodDesc = "nmod:desc",
        NmodPoss = "nmod:poss", NmodUnmarked = "nmod:unmarked", Nsubj = "nsubj", NsubjOuter = "nsubj:outer",
        NsubjPass = "nsubj:pass", Nummod = "nummod", Obj = "obj", Obl = "obl", OblAgent = "obl:agent",
        OblUnmarked = "obl:unmarked", Orphan = "orphan", Parataxis = "parataxis", Punct = "punct",
        Reparandum = "reparandum", Root = "root", Vocative = "vocative", Xcomp = "xcomp",
    }
}

impl Relation {
    /// The relation without its subtype: `nsubj` for `nsubj:pass`.
    pub fn universal(self) -> &'static str {
        let name = self.as_str();
        name.split_once(':').map_or(name, |(universal, _)| universal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        assert!(Upos::ALL.iter().all(|tag| Upos::from_name(tag.as_str()) == Some(*tag)));
        assert!(
            Penn::ALL
                .iter()
                .enumerate()
                .all(|(at, tag)| tag.index() == at && Penn::from_name(tag.as_str()) == Some(*tag))
        );
        assert_eq!(Relation::NsubjPass.universal(), "nsubj");
        assert_eq!(Relation::from_name("no such"), None);
    }
}
