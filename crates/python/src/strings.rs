//! Columns of texts in every kind that Arrow has.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::{LargeStringBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, GenericStringArray, LargeStringArray, OffsetSizeTrait, StringArray, StringViewArray,
};
use arrow_schema::DataType;

/// A column of texts, read as it is. Bytes that are not UTF-8 are no text, whatever the type of the column promises.
pub struct Texts<'a> {
    kind: Kind<'a>,
    /// The rows whose bytes are not UTF-8.
    broken: HashSet<usize>,
}

enum Kind<'a> {
    Short(&'a StringArray),
    Long(&'a LargeStringArray),
    View(&'a StringViewArray),
    /// The number of each row's text among those of the dictionary.
    Dictionary(&'a dyn Array, Vec<usize>, Box<Texts<'a>>),
}

impl<'a> Texts<'a> {
    /// `None` if the column holds something else.
    pub fn of(array: &'a dyn Array) -> Option<Self> {
        let (kind, broken) = match array.data_type() {
            DataType::Utf8 => (Kind::Short(array.as_string()), broken(array.as_string::<i32>())),
            DataType::LargeUtf8 => (Kind::Long(array.as_string()), broken(array.as_string::<i64>())),
            DataType::Utf8View => {
                let views = array.as_string_view().clone().to_binary_view();
                let broken = |at: &usize| views.is_valid(*at) && str::from_utf8(views.value(*at)).is_err();
                (Kind::View(array.as_string_view()), (0..views.len()).filter(broken).collect())
            }
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let (texts, keys) = (Self::of(dictionary.values().as_ref())?, dictionary.normalized_keys());
                let broken = |at: &usize| array.is_valid(*at) && texts.broken.contains(&keys[*at]);
                let broken =
                    if texts.broken.is_empty() { HashSet::new() } else { (0..array.len()).filter(broken).collect() };
                (Kind::Dictionary(array, keys, Box::new(texts)), broken)
            }
            _ => return None,
        };
        Some(Self { kind, broken })
    }

    /// The text of a row; `None` if it is null, or no text.
    pub fn get(&self, at: usize) -> Option<&'a str> {
        if self.is_broken(at) {
            return None;
        }
        match &self.kind {
            Kind::Short(array) => array.is_valid(at).then(|| array.value(at)),
            Kind::Long(array) => array.is_valid(at).then(|| array.value(at)),
            Kind::View(array) => array.is_valid(at).then(|| array.value(at)),
            Kind::Dictionary(array, keys, texts) => array.is_valid(at).then(|| texts.get(keys[at])).flatten(),
        }
    }

    /// Whether the bytes of a row are not UTF-8.
    pub fn is_broken(&self, at: usize) -> bool {
        // Nearly all columns have none, and are asked for every row.
        !self.broken.is_empty() && self.broken.contains(&at)
    }

    pub fn has_broken(&self) -> bool {
        !self.broken.is_empty()
    }

    /// What can be read of a row that is no text.
    pub fn shown(&self, at: usize) -> String {
        let bytes = match &self.kind {
            Kind::Short(array) => bytes(array, at),
            Kind::Long(array) => bytes(array, at),
            Kind::View(array) => {
                return String::from_utf8_lossy((*array).clone().to_binary_view().value(at)).into_owned();
            }
            Kind::Dictionary(_, keys, texts) => return texts.shown(keys[at]),
        };
        String::from_utf8_lossy(bytes).into_owned()
    }
}

fn bytes<O: OffsetSizeTrait>(array: &GenericStringArray<O>, at: usize) -> &[u8] {
    let ends = array.value_offsets();
    &array.value_data()[ends[at].as_usize()..ends[at + 1].as_usize()]
}

/// The rows whose bytes are not UTF-8. All bytes are looked at once, together; one by one only if there is something.
fn broken<O: OffsetSizeTrait>(array: &GenericStringArray<O>) -> HashSet<usize> {
    let ends = array.value_offsets();
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else { return HashSet::new() };
    let first = first.as_usize();
    let all = str::from_utf8(&array.value_data()[first..last.as_usize()]);
    if all.is_ok_and(|all| ends.iter().all(|end| all.is_char_boundary(end.as_usize() - first))) {
        return HashSet::new();
    }
    (0..array.len()).filter(|at| array.is_valid(*at) && str::from_utf8(bytes(array, *at)).is_err()).collect()
}

/// The type of a new column beside one of this type: the same kind of text.
pub fn kind_beside(kind: &DataType) -> DataType {
    match kind {
        DataType::LargeUtf8 => DataType::LargeUtf8,
        DataType::Utf8View => DataType::Utf8View,
        DataType::Dictionary(_, values) => kind_beside(values),
        _ => DataType::Utf8,
    }
}

/// A column of texts of a type that [`kind_beside`] gives, with room for `rows` of them that have `bytes` together.
pub fn column<'a>(
    kind: &DataType,
    (rows, bytes): (usize, usize),
    texts: impl Iterator<Item = Option<&'a str>>,
) -> ArrayRef {
    match kind {
        DataType::LargeUtf8 => {
            let mut column = LargeStringBuilder::with_capacity(rows, bytes);
            texts.for_each(|text| column.append_option(text));
            Arc::new(column.finish())
        }
        DataType::Utf8View => Arc::new(texts.collect::<StringViewArray>()),
        _ => {
            let mut column = StringBuilder::with_capacity(rows, bytes);
            texts.for_each(|text| column.append_option(text));
            Arc::new(column.finish())
        }
    }
}
