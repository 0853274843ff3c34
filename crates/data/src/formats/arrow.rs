//! Between rows and the columns of Arrow.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Fields, Schema};
use serde_json::{Map, Value};

use crate::Row;

/// Whether columns of this type can be read.
pub(super) fn check(field: &Field) -> Result<(), String> {
    fn known(kind: &DataType) -> bool {
        use DataType as D;
        match kind {
            D::Null | D::Boolean | D::Utf8 | D::LargeUtf8 | D::Utf8View | D::Float32 | D::Float64 => true,
            D::List(item) | D::LargeList(item) => known(item.data_type()),
            D::Struct(fields) => fields.iter().all(|field| known(field.data_type())),
            D::Dictionary(_, values) => known(values),
            other => other.is_integer(),
        }
    }
    match known(field.data_type()) {
        true => Ok(()),
        false => Err(format!(
            "column `{}` is of type {}, which is neither text, number, truth value, list nor struct; write the file without it",
            field.name(),
            field.data_type()
        )),
    }
}

/// One value of a column of a type that [`check`] knows.
pub fn value(array: &ArrayRef, at: usize) -> Value {
    use DataType as D;
    if array.is_null(at) {
        return Value::Null;
    }
    match array.data_type() {
        D::Boolean => array.as_boolean().value(at).into(),
        D::Utf8 => array.as_string::<i32>().value(at).into(),
        D::LargeUtf8 => array.as_string::<i64>().value(at).into(),
        D::Utf8View => array.as_string_view().value(at).into(),
        D::Int8 => array.as_primitive::<Int8Type>().value(at).into(),
        D::Int16 => array.as_primitive::<Int16Type>().value(at).into(),
        D::Int32 => array.as_primitive::<Int32Type>().value(at).into(),
        D::Int64 => array.as_primitive::<Int64Type>().value(at).into(),
        D::UInt8 => array.as_primitive::<UInt8Type>().value(at).into(),
        D::UInt16 => array.as_primitive::<UInt16Type>().value(at).into(),
        D::UInt32 => array.as_primitive::<UInt32Type>().value(at).into(),
        D::UInt64 => array.as_primitive::<UInt64Type>().value(at).into(),
        D::Float32 => array.as_primitive::<Float32Type>().value(at).into(),
        D::Float64 => array.as_primitive::<Float64Type>().value(at).into(),
        D::List(_) => list(&array.as_list::<i32>().value(at)),
        D::LargeList(_) => list(&array.as_list::<i64>().value(at)),
        D::Struct(fields) => {
            let columns = array.as_struct().columns();
            let entry = |(field, column): (&Arc<Field>, &ArrayRef)| (field.name().clone(), value(column, at));
            Value::Object(fields.iter().zip(columns).map(entry).collect())
        }
        D::Dictionary(..) => {
            // Of one row: all keys for each of the rows would be a square of them.
            let row = array.slice(at, 1);
            let dictionary = row.as_any_dictionary();
            let key = dictionary.normalized_keys()[0];
            value(dictionary.values(), key)
        }
        _ => Value::Null,
    }
}

/// Whether a value is a number that is none, which becomes null: JSON has nothing to write it with.
pub(super) fn is_no_number(array: &ArrayRef, at: usize) -> bool {
    if array.is_null(at) {
        return false;
    }
    let any = |items: ArrayRef| (0..items.len()).any(|at| is_no_number(&items, at));
    match array.data_type() {
        DataType::Float32 => !array.as_primitive::<Float32Type>().value(at).is_finite(),
        DataType::Float64 => !array.as_primitive::<Float64Type>().value(at).is_finite(),
        DataType::List(_) => any(array.as_list::<i32>().value(at)),
        DataType::LargeList(_) => any(array.as_list::<i64>().value(at)),
        _ => false,
    }
}

/// The same column with texts that share the bytes of their page: a text that a dictionary has once is then in memory
/// once, however many rows have it.
pub(super) fn shared(field: &Field) -> Field {
    let kind = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::List(item) => DataType::List(Arc::new(shared(item))),
        DataType::LargeList(item) => DataType::LargeList(Arc::new(shared(item))),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(|field| shared(field)).collect()),
        other => other.clone(),
    };
    field.clone().with_data_type(kind)
}

fn list(items: &ArrayRef) -> Value {
    (0..items.len()).map(|at| value(items, at)).collect()
}

/// What the values of a column have in common.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Null,
    Bool,
    Int,
    Float,
    Text,
    List(Box<Self>),
    Struct(Vec<(String, Self)>),
    /// Objects with different names: written as JSON.
    Json,
}

impl Kind {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Bool,
            Value::Number(number) if number.is_i64() => Self::Int,
            Value::Number(_) => Self::Float,
            Value::String(_) => Self::Text,
            Value::Array(items) => {
                let item = items.iter().map(Self::of).try_fold(Self::Null, Self::and);
                item.map_or(Self::Json, |item| Self::List(Box::new(item)))
            }
            // Parquet has no struct without fields.
            Value::Object(map) if map.is_empty() => Self::Json,
            Value::Object(map) => {
                Self::Struct(map.iter().map(|(name, value)| (name.clone(), Self::of(value))).collect())
            }
        }
    }

    /// The kind that takes both; `None` if none does.
    fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (one, other) if one == other => Some(one),
            (Self::Null, kind) | (kind, Self::Null) => Some(kind),
            (Self::Int, Self::Float) | (Self::Float, Self::Int) => Some(Self::Float),
            (Self::List(one), Self::List(other)) => {
                Some(one.and(*other).map_or(Self::Json, |item| Self::List(Box::new(item))))
            }
            (Self::Struct(one), Self::Struct(other)) => {
                let same = one.iter().map(|(name, _)| name).eq(other.iter().map(|(name, _)| name));
                let both = one.into_iter().zip(other).map(|((name, one), (_, other))| Some((name, one.and(other)?)));
                Some(both.collect::<Option<_>>().filter(|_| same).map_or(Self::Json, Self::Struct))
            }
            (Self::Json, Self::List(_) | Self::Struct(_)) | (Self::List(_) | Self::Struct(_), Self::Json) => {
                Some(Self::Json)
            }
            _ => None,
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Null | Self::Text | Self::Json => DataType::Utf8,
            Self::Bool => DataType::Boolean,
            Self::Int => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::List(item) => DataType::List(Arc::new(Field::new("element", item.data_type(), true))),
            Self::Struct(fields) => {
                let field = |(name, kind): &(String, Self)| Field::new(name, kind.data_type(), true);
                DataType::Struct(fields.iter().map(field).collect::<Vec<_>>().into())
            }
        }
    }
}

/// The schema of the first rows.
pub fn schema(rows: &[Row]) -> Result<Schema, String> {
    let mut columns: Vec<(Arc<str>, Kind)> = Vec::new();
    for (name, value) in rows.iter().flat_map(|row| &row.0) {
        let kind = Kind::of(value);
        match columns.iter_mut().find(|(known, _)| known == name) {
            None => columns.push((Arc::clone(name), kind)),
            Some((_, known)) => {
                let both = std::mem::replace(known, Kind::Null).and(kind);
                *known = both.ok_or_else(|| format!("column `{name}` has values of different types"))?;
            }
        }
    }
    let field = |(name, kind): &(Arc<str>, Kind)| Field::new(&**name, kind.data_type(), true);
    Ok(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Rows as columns.
pub fn batch(schema: &Arc<Schema>, rows: &[Row]) -> Result<RecordBatch, String> {
    let known = |name: &str| schema.fields().iter().any(|field| field.name() == name);
    if let Some(name) = rows.iter().flat_map(Row::names).find(|name| !known(name)) {
        return Err(format!("column `{name}` is not in the first 1,024 rows"));
    }
    let column = |field: &Arc<Field>| {
        let values: Vec<Option<&Value>> = rows.iter().map(|row| row.get(field.name())).collect();
        array(&values, field.data_type()).map_err(|why| format!("column `{}`: {why}", field.name()))
    };
    let columns: Vec<ArrayRef> = schema.fields().iter().map(column).collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(|why| why.to_string())
}

fn array(values: &[Option<&Value>], kind: &DataType) -> Result<ArrayRef, String> {
    let filled = || values.iter().map(|value| value.filter(|value| !value.is_null()));
    let nulls = || NullBuffer::from(filled().map(|value| value.is_some()).collect::<Vec<_>>());
    /// Every value by way of `read`; an error where one is of another type.
    fn all<T>(
        values: impl Iterator<Item = Option<Value>>,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Vec<Option<T>>, String> {
        let one = |value: Option<Value>| match value {
            None => Ok(None),
            Some(value) => {
                read(&value).map(Some).ok_or_else(|| format!("`{value}` is not of the type the first rows have"))
            }
        };
        values.map(one).collect()
    }
    let owned = || filled().map(|value| value.cloned());
    Ok(match kind {
        DataType::Boolean => Arc::new(BooleanArray::from(all(owned(), Value::as_bool)?)),
        DataType::Int64 => Arc::new(Int64Array::from(all(owned(), Value::as_i64)?)),
        DataType::Float64 => Arc::new(Float64Array::from(all(owned(), Value::as_f64)?)),
        DataType::List(item) => {
            let lists = all(owned(), |value| value.as_array().cloned())?;
            let lengths = lists.iter().map(|list| list.as_ref().map_or(0, Vec::len));
            let offsets = OffsetBuffer::from_lengths(lengths);
            let items: Vec<Option<&Value>> = lists.iter().flatten().flatten().map(Some).collect();
            let items = array(&items, item.data_type())?;
            Arc::new(
                ListArray::try_new(Arc::clone(item), offsets, items, Some(nulls())).map_err(|why| why.to_string())?,
            )
        }
        DataType::Struct(fields) => {
            let maps: Vec<Option<Map<String, Value>>> = all(owned(), |value| value.as_object().cloned())?;
            let fits = |map: &Map<String, Value>| map.keys().all(|name| fields.find(name).is_some());
            if let Some(map) = maps.iter().flatten().find(|map| !fits(map)) {
                return Err(format!("`{}` has names that the first rows do not have", Value::Object(map.clone())));
            }
            let column = |field: &Arc<Field>| {
                let values: Vec<Option<&Value>> = maps.iter().map(|map| map.as_ref()?.get(field.name())).collect();
                array(&values, field.data_type())
            };
            let columns = fields.iter().map(column).collect::<Result<_, _>>()?;
            let fields: Fields = fields.clone();
            Arc::new(StructArray::try_new(fields, columns, Some(nulls())).map_err(|why| why.to_string())?)
        }
        _ => {
            let text = |value: &Value| match value {
                Value::String(text) => Some(text.clone()),
                Value::Array(_) | Value::Object(_) => Some(value.to_string()),
                _ => None,
            };
            Arc::new(StringArray::from(all(owned(), text)?))
        }
    })
}
