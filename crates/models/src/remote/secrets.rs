//! Keys that a reply may repeat, and striking them out of it before anything else reads it.
//!
//! An endpoint that refuses a request often repeats what it refused: `401: bad key Bearer abc...`. That text goes into
//! run files, reports and onto the terminal, so the keys are replaced here, where the reply comes in.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{RemoteOptions, is_remote};

/// What stands in place of a key.
const STRUCK: &str = "***";
/// A shorter token is a placeholder (`x`, `abc`), and striking it out would damage answers.
const SHORTEST_TOKEN: usize = 4;
/// The same for a value in the address, which is often no key at all (`?v=2`).
const SHORTEST_VALUE: usize = 6;

/// A shorter piece of a key may be a word of an answer.
const SHORTEST_PIECE: usize = 12;

/// The keys that are sent to a model, longest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// The token, and what [`public`](super::public) leaves out of the address: the query, and name and password.
    pub fn new(address: &str, options: &RemoteOptions) -> Self {
        let token = options.token.iter().filter(|key| key.len() >= SHORTEST_TOKEN);
        let coded = |key: &String| base64(key.as_bytes()).trim_end_matches('=').to_owned();
        let mut found: Vec<String> = token
            .flat_map(|key| [key.clone(), coded(key)].into_iter().chain(escaped(key)).chain(most_of(key)))
            .collect();
        let rest = address.split_once("://").filter(|_| is_remote(address) && !super::is_program(address));
        if let Some((_, rest)) = rest {
            let rest = rest.split('#').next().unwrap_or(rest);
            let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
            let host = place.split('/').next().unwrap_or(place);
            let user = host.rsplit_once('@').map_or("", |(user, _)| user);
            let values = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
            let parts = [user, query].into_iter().chain(user.split(':')).chain(values);
            for part in parts {
                found.extend([part.to_owned(), unescaped(part)]);
            }
            // This is how the name and the password are sent.
            found.push(base64(unescaped(user).as_bytes()));
            found.retain(|key| key.len() >= SHORTEST_VALUE || options.token.as_ref() == Some(key));
        }
        // A word that is the name of a label is in the run file anyway.
        let labels = || options.labels.iter().chain(&options.data_labels);
        found.retain(|key| !labels().any(|label| label.contains(&**key)));
        found.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        found.dedup();
        Self(found)
    }

    /// The text without the keys.
    pub fn strike<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut struck = Cow::Borrowed(text);
        for key in &self.0 {
            if let Some(without) = replaced(&struck, key) {
                struck = Cow::Owned(without);
            }
        }
        struck
    }

    /// The same for a reply, which may be JSON with a key that is written with escapes.
    pub fn strike_reply(&self, text: &str) -> String {
        let struck = self.strike(text);
        if self.0.is_empty() || !struck.contains('\\') {
            return struck.into_owned();
        }
        match serde_json::from_str(&struck) {
            Ok(mut value) => {
                self.strike_value(&mut value);
                value.to_string()
            }
            Err(_) => struck.into_owned(),
        }
    }

    /// The same for every text and every name in a value.
    fn strike_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(struck) = self.strike(text) {
                    *text = struck;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.strike_value(item)),
            Value::Object(map) => {
                let entries = std::mem::take(map).into_iter();
                *map = entries
                    .map(|(name, mut value)| {
                        self.strike_value(&mut value);
                        (self.strike(&name).into_owned(), value)
                    })
                    .collect::<Map<_, _>>();
            }
            Value::Number(number) => {
                // A key of digits may come back as a number.
                if self.0.contains(&number.to_string()) {
                    *value = STRUCK.into();
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// The length of the longest key, in bytes.
    pub fn longest(&self) -> usize {
        self.0.first().map_or(0, String::len)
    }
}

/// The text without a key, in whatever case its letters are; `None` if it is not there.
fn replaced(text: &str, key: &str) -> Option<String> {
    let (letters, key) = (text.as_bytes(), key.as_bytes());
    let (mut kept, mut from, mut at) = (String::new(), 0, 0);
    while at + key.len() <= letters.len() {
        let end = at + key.len();
        let whole = text.is_char_boundary(at) && text.is_char_boundary(end);
        if whole && letters[at..end].eq_ignore_ascii_case(key) {
            kept += &text[from..at];
            kept += STRUCK;
            (from, at) = (end, end);
        } else {
            at += 1;
        }
    }
    (from > 0).then(|| kept + &text[from..])
}

/// A key as an address or a JSON text writes it.
fn escaped(key: &str) -> [String; 2] {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let in_address =
        key.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    [in_address.collect(), key.replace('/', "\\/")]
}

/// The first and the last three quarters of a key, which a reply may have cut.
fn most_of(key: &str) -> Vec<String> {
    let most = key.len() * 3 / 4;
    let pieces = [key.get(..most), key.get(key.len() - most..)];
    pieces.into_iter().flatten().filter(|piece| piece.len() >= SHORTEST_PIECE).map(str::to_owned).collect()
}

/// A part of an address with `%41` and `+` as the letters they stand for.
fn unescaped(part: &str) -> String {
    let hex = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let (mut bytes, mut rest) = (Vec::new(), part.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| first == b'%').and_then(hex);
        bytes.push(escaped.unwrap_or(if first == b'+' { b' ' } else { first }));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let bits = (0..3).fold(0u32, |bits, at| bits << 8 | u32::from(group.get(at).copied().unwrap_or(0)));
        let letter = |at: usize| match at <= group.len() {
            true => char::from(LETTERS[(bits >> (18 - 6 * at) & 63) as usize]),
            false => '=',
        };
        (0..4).map(letter).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_key_is_struck_out_of_texts_and_names() {
        let options = RemoteOptions { token: Some("tok-123".into()), ..RemoteOptions::default() };
        let secrets = Secrets::new("https://me:pass%21word@host/ask?key=abcdef%2F1&v=2", &options);
        let strike = |text: &str| secrets.strike(text).into_owned();
        assert_eq!(strike("bad key Bearer tok-123!"), "bad key Bearer ***!");
        assert_eq!(strike("bad key TOK-123!"), "bad key ***!");
        let long = RemoteOptions { token: Some("sk-Abc/def+Ghi=12345xyz".into()), ..RemoteOptions::default() };
        let long = Secrets::new("https://host/ask", &long);
        for said in ["sk-Abc%2Fdef%2BGhi%3D12345xyz", "sk-Abc\\/def+Ghi=12345xyz", "SK-ABC/DEF+GHI=12345XYZ"] {
            assert_eq!(long.strike(said), "***", "{said}");
        }
        assert_eq!(long.strike("sk-Abc/def+Ghi=12345xy"), "***345xy", "all but the last letter");
        assert_eq!(strike("no pass!word, no pass%21word"), "no ***, no ***");
        assert_eq!(strike("key=abcdef%2F1&v=2 or abcdef/1"), "*** or ***");
        assert_eq!(strike("Basic bWU6cGFzcyF3b3Jk"), "Basic ***");
        assert_eq!(strike("token dG9rLTEyMw=="), "token ***==");
        assert_eq!(strike("me at version 2"), "me at version 2", "short parts are no keys");
        let mut value = json!({"a tok-123": ["tok-123", {"error": "tok-123"}], "n": 3});
        secrets.strike_value(&mut value);
        assert_eq!(value, json!({"a ***": ["***", {"error": "***"}], "n": 3}));
    }

    #[test]
    fn labels_and_placeholders_are_left_alone() {
        let options =
            RemoteOptions { token: Some("positive".into()), labels: vec!["positive".into()], ..Default::default() };
        assert_eq!(Secrets::new("http://host/", &options).strike("positive"), "positive");
        let options = RemoteOptions { token: Some("x".into()), ..Default::default() };
        assert_eq!(Secrets::new("process:ask http://a:bcdefghi@c/", &options).strike("x bcdefghi"), "x bcdefghi");
    }

    #[test]
    fn base64_as_the_standard_has_it() {
        let all: Vec<String> = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())).into();
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
