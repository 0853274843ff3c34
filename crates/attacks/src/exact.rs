//! The least number of words to change so that a bag-of-words model flips, or the proof that no combination does.
//!
//! The logits of such a model are a mean over words and bigrams, so whether class `j` beats `y` depends on the sign of a sum
//! over features. The best choice of candidates is then a shortest path over the words, with the number of changed words as
//! second axis: exact, and without a question to the model.

use fissure_core::Span;
use fissure_models::Bag;
use hashbrown::HashMap;

/// A place of a text and the words that may stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub span: Span,
    pub candidates: Vec<Box<str>>,
}

/// What is true of a text and its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exact {
    /// The model turns with these changes, as (place, candidate), and with no smaller number of them.
    Broken(Vec<(usize, usize)>),
    /// No combination of at most the allowed number of changes turns the model.
    Certified,
    /// Neither could be shown, for this reason.
    Open(&'static str),
}

/// Sums this near to 0 count as equal: the model adds 32-bit numbers, we 64-bit ones.
const TOLERANCE: f64 = 1e-5;

/// Finds the smallest set of at most `most` changes after which the model no longer says `gold`. Places are in order and do
/// not overlap.
pub fn least_edits(bag: &Bag<'_>, text: &str, places: &[Place], gold: usize, most: usize) -> Exact {
    let units = match Units::of(bag, text, places) {
        Ok(units) => units,
        Err(why) => return Exact::Open(why),
    };
    let most = most.min(places.len());
    let mut best: Option<Vec<(usize, usize)>> = None;
    let mut close = false;
    for rival in (0..bag.classes()).filter(|class| *class != gold) {
        // Only a smaller number is of interest after the first.
        let limit = best.as_ref().map_or(most, |best| best.len().saturating_sub(1));
        match units.path(bag, gold, rival, limit) {
            Path::Below(picks) => best = Some(picks),
            Path::Close => close = true,
            Path::Above => {}
        }
    }
    match best {
        Some(picks) => Exact::Broken(picks),
        None if close => Exact::Open("a sum is too near to 0 to tell"),
        None => Exact::Certified,
    }
}

enum Path {
    Below(Vec<(usize, usize)>),
    Close,
    Above,
}

/// What may stand at one or several places that share words of the model.
struct Choice {
    /// Which candidates it takes.
    picks: Vec<(usize, usize)>,
    /// Its words, by their number in the list of all.
    words: Vec<u32>,
}

/// A text as the model reads it: words that stay, and places with their choices, in order.
struct Units {
    units: Vec<Vec<Choice>>,
    /// The feature of each word.
    features: Vec<u32>,
    /// The features of pairs of words that may stand side by side.
    bigrams: HashMap<(u32, u32), u32>,
    /// How many words the model reads, if the text may be longer.
    reads: Option<usize>,
}

/// At most this many choices at places that share a word of the model.
const CHOICES: usize = 10_000;

impl Units {
    fn of(bag: &Bag<'_>, text: &str, places: &[Place]) -> Result<Self, &'static str> {
        let read: Vec<Span> = bag.words(text).map(Span::from).collect();
        let mut words = Interned::default();
        let mut units: Vec<Vec<Choice>> = Vec::new();
        let (mut next_word, mut next_place) = (0, 0);
        while next_word < read.len() || next_place < places.len() {
            let word = read.get(next_word).map_or(usize::MAX, |span| span.start);
            let Some(place) = places
                .get(next_place)
                .filter(|place| place.span.start < read.get(next_word).map_or(usize::MAX, |span| span.end))
            else {
                units.push(vec![Choice { picks: Vec::new(), words: vec![words.number(read[next_word].of(text))] }]);
                next_word += 1;
                continue;
            };
            // Everything that shares a word with the place, and so on.
            let mut window = Span::new(place.span.start.min(word), place.span.end);
            let (first_word, first_place) = (next_word, next_place);
            loop {
                let reach = window.end;
                while read.get(next_word).is_some_and(|span| span.start < window.end) {
                    window.end = window.end.max(read[next_word].end);
                    next_word += 1;
                }
                while places
                    .get(next_place)
                    .is_some_and(|place| place.span.start < window.end || next_place == first_place)
                {
                    window.end = window.end.max(places[next_place].span.end);
                    next_place += 1;
                }
                if window.end == reach && next_place > first_place {
                    break;
                }
            }
            let (before, behind) = (&read[..first_word], &read[next_word..]);
            units.push(choices(
                bag,
                text,
                window,
                &places[first_place..next_place],
                first_place,
                (before, behind),
                &mut words,
            )?);
        }
        let count = |units: &[Vec<Choice>], of: fn(usize, usize) -> usize| -> usize {
            units.iter().map(|unit| unit.iter().map(|choice| choice.words.len()).reduce(of).unwrap_or(0)).sum()
        };
        // A text that is longer than the model reads is cut; where, depends on how many words the choices before have.
        let reads = Some(bag.most()).filter(|most| count(&units, usize::max) > *most);
        if count(&units, usize::min) < bag.fewest() {
            return Err("the text is so short that the model fills it up");
        }
        let mut made = Self {
            features: words.words.iter().map(|word| bag.word(word)).collect(),
            units,
            bigrams: HashMap::new(),
            reads,
        };
        made.find_bigrams(bag, &words);
        Ok(made)
    }

    fn find_bigrams(&mut self, bag: &Bag<'_>, words: &Interned) {
        let mut both = String::new();
        let mut asked: hashbrown::HashSet<(u32, u32)> = hashbrown::HashSet::new();
        let mut last: Vec<u32> = Vec::new();
        let mut ask = |pair: (u32, u32), bigrams: &mut HashMap<(u32, u32), u32>| {
            if asked.insert(pair) {
                both.clear();
                both.push_str(&words.words[pair.0 as usize]);
                both.push(' ');
                both.push_str(&words.words[pair.1 as usize]);
                if let Some(feature) = bag.bigram(&both) {
                    bigrams.insert(pair, feature);
                }
            }
        };
        for unit in &self.units {
            let mut ends: Vec<u32> = Vec::with_capacity(unit.len());
            for choice in unit {
                choice.words.windows(2).for_each(|pair| ask((pair[0], pair[1]), &mut self.bigrams));
                match (choice.words.first(), choice.words.last()) {
                    (Some(first), Some(end)) => {
                        last.iter().for_each(|before| ask((*before, *first), &mut self.bigrams));
                        ends.push(*end);
                    }
                    _ => ends.extend(&last),
                }
            }
            ends.sort_unstable();
            ends.dedup();
            last = ends;
        }
    }

    /// The smallest number of changes, at most `most`, for which the sum of `gold` minus `rival` can fall below 0.
    fn path(&self, bag: &Bag<'_>, gold: usize, rival: usize, most: usize) -> Path {
        let ahead = |feature: u32| {
            let logits = bag.logits(feature);
            f64::from(logits[gold]) - f64::from(logits[rival])
        };
        let words: Vec<f64> = self.features.iter().map(|feature| ahead(*feature)).collect();
        let pairs: HashMap<(u32, u32), f64> =
            self.bigrams.iter().map(|(pair, feature)| (*pair, ahead(*feature))).collect();
        let mut layers: Vec<Vec<Node>> = vec![vec![Node::start(most)]];
        for unit in &self.units {
            let before = layers.last().map_or(&[][..], Vec::as_slice);
            let mut nodes: Vec<Node> = Vec::with_capacity(unit.len());
            for (number, choice) in unit.iter().enumerate() {
                let sum = |read: &[u32]| -> f64 {
                    read.iter().map(|word| words[*word as usize]).sum::<f64>()
                        + read.windows(2).filter_map(|pair| pairs.get(&(pair[0], pair[1]))).sum::<f64>()
                };
                let (cost, whole) = (choice.picks.len(), sum(&choice.words));
                for (from, node) in before.iter().enumerate() {
                    let room = self.reads.map_or(usize::MAX, |reads| reads - node.read);
                    let read = &choice.words[..choice.words.len().min(room)];
                    let own = if read.len() == choice.words.len() { whole } else { sum(read) };
                    let joint = node.last.zip(read.first()).and_then(|(last, first)| pairs.get(&(last, *first)));
                    let step = own + joint.copied().unwrap_or(0.0);
                    let last = read.last().copied().or(node.last);
                    // How many words were read counts only for a text that is cut.
                    let so_far = if self.reads.is_some() { node.read + read.len() } else { 0 };
                    let known = nodes.iter().position(|node| node.last == last && node.read == so_far);
                    let at = known.unwrap_or_else(|| {
                        nodes.push(Node { read: so_far, ..Node::end(last, most) });
                        nodes.len() - 1
                    });
                    for changes in cost..=most {
                        let sum = node.least[changes - cost] + step;
                        if sum < nodes[at].least[changes] {
                            nodes[at].least[changes] = sum;
                            nodes[at].from[changes] = (from as u32, number as u32);
                        }
                    }
                }
            }
            layers.push(nodes);
        }
        let end = layers.last().map_or(&[][..], Vec::as_slice);
        let features = self.units.iter().map(|unit| unit.first().map_or(0, |choice| choice.words.len())).sum::<usize>();
        let near = TOLERANCE * features.max(1) as f64;
        let mut close = false;
        for changes in 0..=most {
            let best = (0..end.len()).min_by(|a, b| end[*a].least[changes].total_cmp(&end[*b].least[changes]));
            let Some(best) = best else { continue };
            if end[best].least[changes] < -near {
                return Path::Below(self.picks(&layers, best, changes));
            }
            close |= end[best].least[changes] < near;
        }
        if close { Path::Close } else { Path::Above }
    }

    fn picks(&self, layers: &[Vec<Node>], mut node: usize, mut changes: usize) -> Vec<(usize, usize)> {
        let mut picks = Vec::new();
        for (unit, layer) in self.units.iter().zip(&layers[1..]).rev() {
            let (from, choice) = layer[node].from[changes];
            let taken = &unit[choice as usize].picks;
            picks.extend(taken);
            changes -= taken.len();
            node = from as usize;
        }
        picks.sort_unstable();
        picks
    }
}

/// The best ways to end a part of the text with a word, by the number of changes.
struct Node {
    last: Option<u32>,
    read: usize,
    least: Vec<f64>,
    /// The node before, and the choice.
    from: Vec<(u32, u32)>,
}

impl Node {
    fn start(most: usize) -> Self {
        let mut start = Self::end(None, most);
        start.least[0] = 0.0;
        start
    }

    fn end(last: Option<u32>, most: usize) -> Self {
        Self { last, read: 0, least: vec![f64::INFINITY; most + 1], from: vec![(0, 0); most + 1] }
    }
}

/// Everything that may stand in a window of the text. What stands around it must be read as it was.
fn choices(
    bag: &Bag<'_>,
    text: &str,
    window: Span,
    places: &[Place],
    first: usize,
    (before, behind): (&[Span], &[Span]),
    words: &mut Interned,
) -> Result<Vec<Choice>, &'static str> {
    let mut rows: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for (number, place) in places.iter().enumerate() {
        let mut longer = rows.clone();
        for row in &rows {
            for candidate in 0..place.candidates.len() {
                longer.push(row.iter().copied().chain([(first + number, candidate)]).collect());
            }
        }
        rows = longer;
        if rows.len() > CHOICES {
            return Err("too many candidates share a word of the model");
        }
    }
    let mut made = Vec::with_capacity(rows.len());
    let mut whole = String::with_capacity(text.len() + 32);
    for picks in rows {
        whole.clear();
        let mut done = 0;
        for (place, candidate) in &picks {
            let place = &places[place - first];
            whole.push_str(&text[done..place.span.start]);
            whole.push_str(&place.candidates[*candidate]);
            done = place.span.end;
        }
        whole.push_str(&text[done..]);
        let read: Vec<Span> = bag.words(&whole).map(Span::from).collect();
        let grown = whole.len() as isize - text.len() as isize;
        let moved = |span: &Span| Span::new(span.start.wrapping_add_signed(grown), span.end.wrapping_add_signed(grown));
        let inner = read.len().checked_sub(before.len() + behind.len());
        let sound = inner.is_some()
            && read[..before.len()] == *before
            && read[read.len() - behind.len()..].iter().copied().eq(behind.iter().map(moved))
            && window.start <= text.len();
        if !sound {
            return Err("a candidate joins the words around it");
        }
        let own = &read[before.len()..read.len() - behind.len()];
        made.push(Choice { words: own.iter().map(|span| words.number(span.of(&whole))).collect(), picks });
    }
    Ok(made)
}

/// Words in lower case with their numbers.
#[derive(Default)]
struct Interned {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Interned {
    fn number(&mut self, word: &str) -> u32 {
        let small = word.to_ascii_lowercase();
        if let Some(number) = self.numbers.get(&small) {
            return *number;
        }
        let number = self.words.len() as u32;
        self.words.push(small.clone());
        self.numbers.insert(small, number);
        number
    }
}
