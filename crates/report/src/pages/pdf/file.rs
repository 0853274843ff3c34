//! The pages written as a PDF file: contents, typefaces cut down to what is used, outline, links, parts of the text. No
//! clock and no chance: the same pages are the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{AnnotationType, CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};
use rustybuzz::ttf_parser::{RawFace, Tag};
use sha2::{Digest as _, Sha256};

use super::PdfError;
use super::content::{Used, UsedFace, content};
use super::faces::{Face, Faces};
use super::flow::{PAPER, Pages, Place};
use super::galley::Op;
use super::tags::Tree;

const SYSTEM: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Writes the file.
pub fn write(faces: &Faces<'_>, pages: &Pages, title: &str) -> Result<Vec<u8>, PdfError> {
    let mut pdf = Pdf::new();
    let mut next = Ref::new(1);
    let (catalog, tree, info, resources) = (next.bump(), next.bump(), next.bump(), next.bump());
    let mut used = Used::default();
    let mut parts = Tree::new();
    let sheets: Vec<Ref> = pages.pages.iter().map(|_| next.bump()).collect();
    for (number, (ops, sheet)) in pages.pages.iter().zip(&sheets).enumerate() {
        parts.begin_page();
        let bytes = packed(&content(ops, faces, &mut used, &mut parts));
        let stream = next.bump();
        pdf.stream(stream, &bytes).filter(Filter::FlateDecode);
        let links = links(&mut pdf, ops, &pages.places, &sheets, &mut next);
        let mut page = pdf.page(*sheet);
        page.parent(tree).media_box(Rect::new(0.0, 0.0, PAPER.0, PAPER.1)).contents(stream);
        page.struct_parents(i32::try_from(number).unwrap_or(i32::MAX));
        page.pair(Name(b"Resources"), resources);
        page.annotations(links);
    }
    pdf.pages(tree).kids(sheets.iter().copied()).count(i32::try_from(sheets.len()).unwrap_or(i32::MAX));
    let fonts = fonts(&mut pdf, faces, &used, &mut next)?;
    write_resources(&mut pdf, resources, &fonts, &used.opacities);
    let outline = outline(&mut pdf, &pages.places, &sheets, &mut next);
    let structure = next.bump();
    let (root, lists) = parts.write(&mut pdf, &sheets, structure, &mut next);
    pdf.document_info(info).title(TextStr(title)).creator(TextStr("Fissure")).producer(TextStr("Fissure"));
    let mut whole = pdf.catalog(catalog);
    whole.pages(tree).lang(TextStr("en"));
    whole.viewer_preferences().display_doc_title(true);
    whole.mark_info().marked(true);
    if let Some(outline) = outline {
        whole.outlines(outline);
    }
    whole.pair(Name(b"StructTreeRoot"), structure);
    whole.finish();
    let mut structure = pdf.indirect(structure).dict();
    structure.pair(Name(b"Type"), Name(b"StructTreeRoot")).pair(Name(b"K"), root);
    let mut numbers = structure.insert(Name(b"ParentTree")).dict();
    let mut entries = numbers.insert(Name(b"Nums")).array();
    for (page, list) in lists.into_iter().enumerate() {
        entries.item(i32::try_from(page).unwrap_or(i32::MAX)).item(list);
    }
    entries.finish();
    numbers.finish();
    structure.finish();
    Ok(pdf.finish())
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::new(6));
    packer.write_all(bytes).and_then(|()| packer.finish()).expect("memory takes every byte")
}

fn links(pdf: &mut Pdf, ops: &[Op], places: &[Place], sheets: &[Ref], next: &mut Ref) -> Vec<Ref> {
    let mut links = Vec::new();
    for op in ops {
        let Op::Link([x, y, width, height], id) = op else { continue };
        let Some(place) = places.iter().find(|place| place.id == *id) else { continue };
        let link = next.bump();
        let mut annotation = pdf.annotation(link);
        annotation.subtype(AnnotationType::Link).rect(Rect::new(*x, PAPER.1 - y - height, x + width, PAPER.1 - y));
        annotation.border(0.0, 0.0, 0.0, None).contents(TextStr(&place.title));
        let spot = annotation.insert(Name(b"Dest")).start::<pdf_writer::writers::Destination<'_>>();
        spot.page(sheets[place.page]).xyz(0.0, PAPER.1 - place.y + 8.0, None);
        links.push(link);
    }
    links
}

/// The sections, to jump to.
fn outline(pdf: &mut Pdf, places: &[Place], sheets: &[Ref], next: &mut Ref) -> Option<Ref> {
    let root = next.bump();
    let items: Vec<Ref> = places.iter().map(|_| next.bump()).collect();
    let (first, last) = (*items.first()?, *items.last()?);
    pdf.outline(root).first(first).last(last).count(i32::try_from(items.len()).unwrap_or(i32::MAX));
    for (at, place) in places.iter().enumerate() {
        let mut item = pdf.outline_item(items[at]);
        item.title(TextStr(&place.title)).parent(root);
        if at > 0 {
            item.prev(items[at - 1]);
        }
        if let Some(after) = items.get(at + 1) {
            item.next(*after);
        }
        item.dest().page(sheets[place.page]).xyz(0.0, PAPER.1 - place.y + 8.0, None);
    }
    Some(root)
}

fn write_resources(pdf: &mut Pdf, resources: Ref, fonts: &[(Face, Ref)], opacities: &BTreeSet<u8>) {
    let mut resources = pdf.indirect(resources).start::<pdf_writer::writers::Resources<'_>>();
    let mut dict = resources.fonts();
    for (face, font) in fonts {
        dict.pair(Name(font_name(*face).as_bytes()), *font);
    }
    dict.finish();
    let mut states = resources.ext_g_states();
    for opacity in opacities {
        let mut state =
            states.insert(Name(opacity_name(*opacity).as_bytes())).start::<pdf_writer::writers::ExtGraphicsState<'_>>();
        state.non_stroking_alpha(f32::from(*opacity) / 100.0);
    }
}

pub fn font_name(face: Face) -> String {
    format!("F{}", face as usize)
}

pub fn opacity_name(opacity: u8) -> String {
    format!("O{opacity}")
}

/// The typefaces that were used, with no more than the glyphs that were used.
fn fonts(pdf: &mut Pdf, faces: &Faces<'_>, used: &Used, next: &mut Ref) -> Result<Vec<(Face, Ref)>, PdfError> {
    let mut fonts = Vec::new();
    for (face, UsedFace { numbers, letters: texts }) in &used.faces {
        let open = faces.opened(*face);
        let damaged = || PdfError::Face(open.name.to_owned());
        let file = subsetter::subset(open.bytes, open.index, numbers).map_err(|_| damaged())?;
        let compact = compact_outlines(&file);
        let (font, descendant, descriptor) = (next.bump(), next.bump(), next.bump());
        let (data, letters) = (next.bump(), next.bump());
        let name = format!("{}+{}", letters_of(&Sha256::digest(&file)), open.name);
        let name = Name(name.as_bytes());
        pdf.type0_font(font)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(letters);
        let mut cid = pdf.cid_font(descendant);
        cid.subtype(if compact.is_some() { CidFontType::Type0 } else { CidFontType::Type2 });
        cid.base_font(name).system_info(SYSTEM).font_descriptor(descriptor).default_width(0.0);
        if compact.is_none() {
            cid.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        cid.widths().consecutive(0, numbers.remapped_gids().map(|glyph| faces.width(*face, glyph)));
        cid.finish();
        let shape = faces.face(*face);
        let scale = 1000.0 / shape.units_per_em() as f32;
        let bounds = shape.global_bounding_box();
        let to = |value: i16| f32::from(value) * scale;
        let fixed = if *face == Face::Mono { FontFlags::FIXED_PITCH } else { FontFlags::empty() };
        let mut about = pdf.font_descriptor(descriptor);
        about
            .name(name)
            .flags(FontFlags::SYMBOLIC | fixed)
            .bbox(Rect::new(to(bounds.x_min), to(bounds.y_min), to(bounds.x_max), to(bounds.y_max)))
            .italic_angle(0.0)
            .ascent(to(shape.ascender()))
            .descent(to(shape.descender()))
            .cap_height(to(shape.capital_height().unwrap_or(shape.ascender())))
            .stem_v(if *face == Face::Strong { 120.0 } else { 80.0 });
        if compact.is_some() {
            about.font_file3(data)
        } else {
            about.font_file2(data)
        };
        about.finish();
        let bytes = packed(compact.unwrap_or(&file));
        let mut stream = pdf.stream(data, &bytes);
        stream.filter(Filter::FlateDecode);
        match compact {
            Some(_) => stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C")),
            None => stream.pair(Name(b"Length1"), i32::try_from(file.len()).unwrap_or(i32::MAX)),
        };
        stream.finish();
        pdf.cmap(letters, &packed(&unicode(texts))).filter(Filter::FlateDecode);
        fonts.push((*face, font));
    }
    Ok(fonts)
}

/// The outlines of a font that keeps them in the compact format (CFF), which a PDF holds by themselves.
fn compact_outlines(font: &[u8]) -> Option<&[u8]> {
    RawFace::parse(font, 0).ok()?.table(Tag::from_bytes(b"CFF "))
}

/// From glyphs back to letters, for those who search or copy.
fn unicode(glyphs: &BTreeMap<u16, String>) -> Vec<u8> {
    let mut map = UnicodeCmap::new(Name(b"Letters"), SYSTEM);
    for (glyph, letters) in glyphs {
        if !letters.is_empty() {
            map.pair_with_multiple(*glyph, letters.chars());
        }
    }
    map.finish().to_vec()
}

/// Six capital letters that mark a cut typeface.
fn letters_of(hash: &[u8]) -> String {
    hash.iter().take(6).map(|byte| char::from(b'A' + byte % 26)).collect()
}
