//! Which characters are space, which belong to words, and which stand alone.

/// White space, as Unicode defines it.
pub fn is_space(c: char) -> bool {
    if c.is_ascii() { matches!(c, ' ' | '\t'..='\r') } else { c.is_whitespace() }
}

/// Whether a character belongs to a run of word characters. Everything outside ASCII does that is neither space nor
/// known punctuation: letters of all scripts, combining marks, emoji; such runs are cut further by Unicode's rules.
pub fn is_wordy(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' } else { !c.is_whitespace() && !is_wide_mark(c) }
}

/// Whether a character stands for an apostrophe between letters. Some writers use the grave accent.
pub fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '`' | '‘' | '´')
}

/// Letters that words in one piece are made of: scripts with spaces between words, and their accents.
pub fn is_plain_letter(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || c == '_'
        || ('\u{300}'..='\u{36f}').contains(&c)
        || (c < '\u{530}' && c.is_alphabetic())
}

/// Whether a character only changes the look of the one before it.
pub fn is_joined_to_previous(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Punctuation outside ASCII: Latin-1, general, Chinese and Japanese, full-width.
fn is_wide_mark(c: char) -> bool {
    matches!(c,
        '\u{a1}'..='\u{a9}' | '\u{ab}'..='\u{b1}' | '\u{b4}' | '\u{b6}'..='\u{b8}' | '\u{bb}' | '\u{bf}' | '\u{d7}' | '\u{f7}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203b}' | '\u{203d}'..='\u{205e}'
        | '\u{20a0}'..='\u{20cf}'
        | '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{30fb}'
        | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}'
    ) && c != '\u{ad}'
}
