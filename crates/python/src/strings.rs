//! Columns of texts in every kind that Arrow has.

use std::sync::Arc;

use arrow_array::builder::{LargeStringBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_schema::DataType;

/// A column of texts, read as it is.
pub enum Texts<'a> {
    Short(&'a StringArray),
    Long(&'a LargeStringArray),
    View(&'a StringViewArray),
    /// The number of each row's text among those of the dictionary.
    Dictionary(&'a dyn Array, Vec<usize>, Box<Self>),
}

impl<'a> Texts<'a> {
    /// `None` if the column holds something else.
    pub fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Self::Short(array.as_string()),
            DataType::LargeUtf8 => Self::Long(array.as_string()),
            DataType::Utf8View => Self::View(array.as_string_view()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let texts = Self::of(dictionary.values().as_ref())?;
                Self::Dictionary(array, dictionary.normalized_keys(), Box::new(texts))
            }
            _ => return None,
        })
    }

    /// The text of a row; `None` if it is null.
    pub fn get(&self, at: usize) -> Option<&'a str> {
        match self {
            Self::Short(array) => array.is_valid(at).then(|| array.value(at)),
            Self::Long(array) => array.is_valid(at).then(|| array.value(at)),
            Self::View(array) => array.is_valid(at).then(|| array.value(at)),
            Self::Dictionary(array, keys, texts) => array.is_valid(at).then(|| texts.get(keys[at])).flatten(),
        }
    }
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
