//! `--label-map`: what the user says the labels of the data mean.

use super::LabelError;

/// `1=World,2=Sports`: a label of the data and the model's label that it means, or nothing if samples with this label
/// are left out of every score. A backslash before a comma, an equals sign or a backslash makes it part of a label.
pub fn parse(written: &[String]) -> Result<Vec<(String, String)>, LabelError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for text in written {
        for pair in parts(text, ',') {
            let sides: Vec<String> = parts(&pair, '=').iter().map(|side| plain(side.trim())).collect();
            let [data, model] = sides.as_slice() else { return Err(LabelError::Map { pair }) };
            if pairs.iter().any(|(known, _)| known == data) {
                return Err(LabelError::MapTwice { label: data.clone() });
            }
            pairs.push((data.clone(), model.clone()));
        }
    }
    Ok(pairs)
}

/// Pairs as the flag takes them.
pub fn written<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let side = |label: &str| label.replace('\\', "\\\\").replace(',', "\\,").replace('=', "\\=");
    pairs.map(|(data, model)| format!("{}={}", side(data), side(model))).collect::<Vec<_>>().join(",")
}

/// Cuts at a mark that no backslash stands before; backslashes stay.
fn parts(text: &str, mark: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut escaped = false;
    for letter in text.chars() {
        let cuts = letter == mark && !escaped;
        escaped = letter == '\\' && !escaped;
        match parts.last_mut() {
            Some(part) if !cuts => part.push(letter),
            _ => parts.push(String::new()),
        }
    }
    parts
}

/// Without the backslashes.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_says_the_same_when_it_is_written_again() {
        let given = ["1=World, 2=Sports".to_owned(), r"a\,b\=c=Cause(e1\,e2)".to_owned(), "x=".to_owned()];
        let pairs = parse(&given).unwrap();
        let expected = [("1", "World"), ("2", "Sports"), ("a,b=c", "Cause(e1,e2)"), ("x", "")];
        assert_eq!(pairs, expected.map(|(data, model)| (data.to_owned(), model.to_owned())));
        let again = written(pairs.iter().map(|(data, model)| (data.as_str(), model.as_str())));
        assert_eq!(parse(&[again]).unwrap(), pairs);
    }

    #[test]
    fn what_is_no_map_is_refused() {
        assert!(matches!(parse(&["World".to_owned()]), Err(LabelError::Map { .. })));
        assert!(matches!(parse(&["1=a=b".to_owned()]), Err(LabelError::Map { .. })));
        assert!(matches!(parse(&["1=a,1=b".to_owned()]), Err(LabelError::MapTwice { .. })));
    }
}
