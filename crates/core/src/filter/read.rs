//! Parses a condition into a tree.

use serde_json::Value;

use super::{Condition, FilterError, Operand, Sign};

/// The deepest nesting of a condition: the stack is limited.
const DEEPEST: usize = 64;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    /// A name between backticks, which is never a keyword.
    Name(String),
    Constant(Value),
    Sign(Sign),
    Open,
    Close,
}

/// Reads a condition from left to right.
pub struct Reader<'a> {
    text: &'a str,
    /// With the character at which each starts.
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Result<Self, FilterError> {
        let mut reader = Self { text, tokens: Vec::new(), at: 0, depth: 0 };
        let letters: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < letters.len() {
            let start = at;
            let token = match letters[at] {
                space if space.is_whitespace() => {
                    at += 1;
                    continue;
                }
                '(' => single(&mut at, Token::Open),
                ')' => single(&mut at, Token::Close),
                quote @ ('"' | '\'' | '`') => {
                    let end = letters[at + 1..].iter().position(|letter| *letter == quote);
                    let end = end.ok_or_else(|| reader.fault(start, "this quotation mark is not closed"))?;
                    let inner: String = letters[at + 1..at + 1 + end].iter().collect();
                    at += end + 2;
                    if quote == '`' { Token::Name(inner) } else { Token::Constant(inner.into()) }
                }
                '=' | '!' | '<' | '>' => reader.sign(&letters, &mut at)?,
                other if is_of_name(other) || other == '+' => {
                    while at < letters.len() && (is_of_name(letters[at]) || letters[at] == '+') {
                        at += 1;
                    }
                    word(letters[start..at].iter().collect())
                }
                other => return Err(reader.fault(start, &format!("`{other}` means nothing here"))),
            };
            reader.tokens.push((start, token));
        }
        Ok(reader)
    }

    /// The condition, which must go on to the end.
    pub fn whole(mut self) -> Result<Condition, FilterError> {
        let condition = self.condition()?;
        match self.tokens.get(self.at) {
            None => Ok(condition),
            Some((start, _)) => Err(self.fault(*start, "an `and` or an `or` should stand here, or nothing")),
        }
    }

    fn condition(&mut self) -> Result<Condition, FilterError> {
        let mut any = vec![self.either()?];
        while self.takes("or") {
            any.push(self.either()?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { Condition::Or(any) })
    }

    fn either(&mut self) -> Result<Condition, FilterError> {
        let mut all = vec![self.simple()?];
        while self.takes("and") {
            all.push(self.simple()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::And(all) })
    }

    fn simple(&mut self) -> Result<Condition, FilterError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault(self.place(), "it nests too deep"));
        }
        let condition = if self.takes("not") {
            Condition::Not(Box::new(self.simple()?))
        } else if self.next_is(&Token::Open) {
            self.at += 1;
            let inner = self.condition()?;
            if !self.next_is(&Token::Close) {
                return Err(self.fault(self.place(), "a `)` is missing"));
            }
            self.at += 1;
            inner
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn comparison(&mut self) -> Result<Condition, FilterError> {
        let left = self.operand()?;
        let sign = match self.tokens.get(self.at) {
            Some((_, Token::Sign(sign))) => *sign,
            Some((_, Token::Word(word))) if word == "contains" => Sign::Contains,
            _ => return Ok(Condition::Is(left)),
        };
        self.at += 1;
        Ok(Condition::Compare(left, sign, self.operand()?))
    }

    fn operand(&mut self) -> Result<Operand, FilterError> {
        let found = self.tokens.get(self.at).map(|(_, token)| token.clone());
        let operand = match found {
            Some(Token::Constant(value)) => Operand::Constant(value),
            Some(Token::Name(name)) => Operand::Name(name),
            Some(Token::Word(word)) if !["and", "or", "not", "contains"].contains(&word.as_str()) => {
                Operand::Name(word)
            }
            _ => return Err(self.fault(self.place(), "a name, a \"text\" or a number should stand here")),
        };
        self.at += 1;
        Ok(operand)
    }

    fn takes(&mut self, keyword: &str) -> bool {
        let found = self.next_is(&Token::Word(keyword.into()));
        self.at += usize::from(found);
        found
    }

    fn next_is(&self, token: &Token) -> bool {
        self.tokens.get(self.at).is_some_and(|(_, next)| next == token)
    }

    /// The character at which the next token starts.
    fn place(&self) -> usize {
        self.tokens.get(self.at).map_or_else(|| self.text.chars().count(), |(start, _)| *start)
    }

    fn sign(&self, letters: &[char], at: &mut usize) -> Result<Token, FilterError> {
        let start = *at;
        let double = letters.get(start + 1) == Some(&'=');
        *at += if double { 2 } else { 1 };
        Ok(Token::Sign(match (letters[start], double) {
            ('=', true) => Sign::Equal,
            ('!', true) => Sign::Unequal,
            ('<', true) => Sign::AtMost,
            ('>', true) => Sign::AtLeast,
            ('<', false) => Sign::Less,
            ('>', false) => Sign::Greater,
            ('=', false) => return Err(self.fault(start, "write `==` to compare")),
            _ => return Err(self.fault(start, "write `!=` or `not`")),
        }))
    }

    fn fault(&self, at: usize, wanted: &str) -> FilterError {
        FilterError::Syntax { text: self.text.into(), at: at + 1, wanted: wanted.into() }
    }
}

fn single(at: &mut usize, token: Token) -> Token {
    *at += 1;
    token
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// A number, a constant or a name.
fn word(word: String) -> Token {
    match word.as_str() {
        "true" => Token::Constant(true.into()),
        "false" => Token::Constant(false.into()),
        "null" => Token::Constant(Value::Null),
        other => match other.parse::<f64>() {
            // `nan` and `inf` are names.
            Ok(number) if number.is_finite() && !other.starts_with(char::is_alphabetic) => {
                Token::Constant(number.into())
            }
            _ => Token::Word(word),
        },
    }
}
