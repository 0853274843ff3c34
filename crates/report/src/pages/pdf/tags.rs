//! Which part of the text a drawing belongs to: what screen readers and those who copy the text go by.

use pdf_writer::types::StructRole;
use pdf_writer::{Finish as _, Pdf, Ref, TextStr};

/// The way from the document down to one of its parts. Drawings with the same way are the same part, also across pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    pub way: Vec<(StructRole, usize)>,
    /// Words for those who cannot see it.
    pub alt: Option<String>,
}

impl Tag {
    pub fn new(role: StructRole, number: usize) -> Self {
        Self { way: vec![(role, number)], alt: None }
    }

    pub fn then(&self, role: StructRole, number: usize) -> Self {
        let mut way = self.way.clone();
        way.push((role, number));
        Self { way, alt: None }
    }

    pub fn alt(mut self, words: String) -> Self {
        self.alt = Some(words);
        self
    }

    pub fn role(&self) -> StructRole {
        self.way.last().map_or(StructRole::P, |(role, _)| *role)
    }
}

enum Child {
    Part(usize),
    /// (page, number of the marked content on it)
    Content(usize, i32),
}

struct Part {
    role: StructRole,
    number: usize,
    parent: usize,
    alt: Option<String>,
    children: Vec<Child>,
}

/// The tree of parts, as they come.
pub struct Tree {
    parts: Vec<Part>,
    /// For each page, the part of each marked content.
    pages: Vec<Vec<usize>>,
}

impl Tree {
    pub fn new() -> Self {
        let root = Part { role: StructRole::Document, number: 0, parent: 0, alt: None, children: Vec::new() };
        Self { parts: vec![root], pages: Vec::new() }
    }

    pub fn begin_page(&mut self) {
        self.pages.push(Vec::new());
    }

    /// The number of new marked content on the page at hand.
    pub fn mark(&mut self, tag: &Tag) -> i32 {
        let mut at = 0;
        for &(role, number) in &tag.way {
            let known = self.parts[at].children.iter().rev().find_map(|child| match child {
                Child::Part(part) if self.parts[*part].role == role && self.parts[*part].number == number => {
                    Some(*part)
                }
                _ => None,
            });
            at = known.unwrap_or_else(|| {
                let part = self.parts.len();
                self.parts.push(Part { role, number, parent: at, alt: None, children: Vec::new() });
                self.parts[at].children.push(Child::Part(part));
                part
            });
        }
        if self.parts[at].alt.is_none() {
            self.parts[at].alt.clone_from(&tag.alt);
        }
        let page = self.pages.len() - 1;
        let number = i32::try_from(self.pages[page].len()).unwrap_or(i32::MAX);
        self.pages[page].push(at);
        self.parts[at].children.push(Child::Content(page, number));
        number
    }

    /// Writes the tree; the answer is the reference of its root and of the list from contents to parts.
    pub fn write(&self, pdf: &mut Pdf, pages: &[Ref], root: Ref, next: &mut Ref) -> (Ref, Vec<Ref>) {
        let parts: Vec<Ref> = self.parts.iter().map(|_| next.bump()).collect();
        for (part, reference) in self.parts.iter().zip(&parts) {
            let mut element = pdf.struct_element(*reference);
            element.kind(part.role);
            element.parent(if *reference == parts[0] { root } else { parts[part.parent] });
            if let Some(alt) = &part.alt {
                element.alt(TextStr(alt));
            }
            if part.role == StructRole::TH {
                element.attributes().push().table().scope(pdf_writer::types::TableHeaderScope::Column);
            }
            let mut children = element.children();
            for child in &part.children {
                match child {
                    Child::Part(part) => {
                        children.struct_element(parts[*part]);
                    }
                    Child::Content(page, number) => {
                        children.marked_content_ref().page(pages[*page]).marked_content_id(*number);
                    }
                }
            }
        }
        let lists = self.pages.iter().map(|contents| {
            let list = next.bump();
            pdf.indirect(list).array().typed::<Ref>().items(contents.iter().map(|part| parts[*part])).finish();
            list
        });
        (parts[0], lists.collect())
    }
}
