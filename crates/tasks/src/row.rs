//! A row: named values in order, as every format gives and takes them.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// The most values of one row, and of one file that has to be read whole: each takes some 80 bytes, be it a single digit.
pub const MOST_VALUES: usize = 4_000_000;

/// The columns of one row, in the order of the file. Names may repeat; nothing is lost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row(pub Vec<(Arc<str>, Value)>);

impl Row {
    /// The value of the first column called `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(column, _)| &**column == name).map(|(_, value)| value)
    }

    /// Adds a column at the end.
    pub fn push(&mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) {
        self.0.push((name.into(), value.into()));
    }

    /// The first name that an earlier column has already.
    pub fn doubled(&self) -> Option<&str> {
        let mut seen = HashSet::with_capacity(self.0.len());
        self.names().map(|name| &**name).find(|name| !seen.insert(*name))
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.iter().map(|(name, _)| name)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(&**name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Columns;

        impl<'de> Visitor<'de> for Columns {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with the columns of a row")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut row = Row::default();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    row.push(name, value);
                }
                Ok(row)
            }
        }

        from.deserialize_map(Columns)
    }
}

/// Whether JSON could hold more values than this.
pub fn may_have_more_values(json: &[u8], most: usize) -> bool {
    json.len() > most && memchr::memchr3_iter(b',', b'[', b'{', json).count() > most
}
