//! Recipes: which goal, sources, constraints and search make an attack. They are data, `recipes/NAME.toml`, one each; a user's
//! own is a file of the same form.

use std::sync::OnceLock;

use fissure_core::{Card, Catalog, Entry, Kind, KnobCard, Language, Need, Part, Sample, counted, nearest};
use serde::Deserialize;
use toml::{Table, Value};

use crate::{
    AttackResources, CONSTRAINTS, Constraint, Error, GOALS, Goal, Options, Resource, Result, SEARCHES, SOURCES, Search,
    Source, Target,
};

/// A recipe as its file has it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    pub name: String,
    /// What it does, in a sentence.
    pub summary: String,
    #[serde(default)]
    pub citation: Option<String>,
    /// How it differs from the paper, and which stand-ins it uses.
    #[serde(default)]
    pub departures: Vec<String>,
    /// Whether changes that were not needed are taken back.
    #[serde(default = "yes")]
    pub shrink: bool,
    pub goal: Table,
    #[serde(rename = "source", default)]
    sources: Vec<Table>,
    #[serde(rename = "constraint", default)]
    constraints: Vec<Table>,
    search: Table,
}

fn yes() -> bool {
    true
}

/// A part of an attack with the settings it was built with.
#[derive(Debug)]
pub struct PartOf<T: ?Sized> {
    pub part: Box<T>,
    pub name: &'static str,
    pub knobs: Vec<(&'static str, String)>,
}

/// A recipe made ready: every part is built, and everything it needs is there.
#[derive(Debug)]
pub struct Attack {
    /// The name with what was left out: `textfooler -encoder`.
    pub name: String,
    /// The name of the recipe, which owns the chance.
    pub recipe: String,
    pub goal: Box<dyn Goal>,
    pub sources: Vec<PartOf<dyn Source>>,
    pub constraints: Vec<PartOf<dyn Constraint>>,
    pub search: PartOf<dyn Search>,
    pub shrink: bool,
    pub resources: AttackResources,
    /// What was used for what the recipe needs, in words.
    pub used: Vec<&'static str>,
    once: bool,
    /// The fields that constraints of the recipe name themselves: the samples must have them. One that a part names by itself is a
    /// limit for samples that have it.
    columns: Vec<String>,
}

macro_rules! recipes {
    ($($name:literal),* $(,)?) => {
        &[$( ($name, include_str!(concat!("../recipes/", $name, ".toml"))) ),*]
    };
}

/// The recipes that are compiled in, in the order of lists.
const BUILTIN: &[(&str, &str)] = recipes![
    "a2t",
    "alzantot",
    "bad-characters",
    "bae",
    "bert-attack",
    "bound",
    "careful",
    "checklist",
    "clare",
    "deepwordbug",
    "exact",
    "faster-alzantot",
    "hotflip",
    "iga",
    "input-reduction",
    "jump",
    "kuleshov",
    "leap",
    "line",
    "morpheus",
    "pruthi",
    "pso",
    "pwws",
    "seq2sick",
    "textbugger",
    "textfooler",
];

/// The names of the recipes that are compiled in.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(name, _)| *name)
}

impl Recipe {
    /// The recipe of that name that is compiled in.
    pub fn builtin(name: &str) -> Result<Self> {
        let small = name.to_lowercase().replace('_', "-");
        match BUILTIN.iter().find(|(known, _)| *known == small) {
            Some((name, text)) => Self::parse(text, name),
            None => Err(Error::unknown_recipe(name, names())),
        }
    }

    /// Reads a recipe; `place` names it in errors.
    pub fn parse(text: &str, place: &str) -> Result<Self> {
        let bad = |why: String| Error::BadRecipe { place: place.into(), why };
        let recipe: Self = toml::from_str(text).map_err(|error| {
            let single = ["source", "constraint"]
                .into_iter()
                .find(|list| text.lines().any(|line| line.trim() == format!("[{list}]")));
            let advice = single.map(|list| format!("there can be several: write [[{list}]] for [{list}]"));
            bad(format!("{error}{}", advice.unwrap_or_default()))
        })?;
        // Tables, directories and rules (`attack(NAME).success`) go by the name.
        let fits = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        if !recipe.name.starts_with(char::is_alphanumeric) || !recipe.name.chars().all(fits) {
            let why = format!("`name` cannot be `{}`: it takes letters, digits, `-`, `_` and `.`", recipe.name);
            return Err(bad(why));
        }
        if Self::text_of(&recipe.name).is_some_and(|known| known != text) {
            let why = format!(
                "`{}` is the name of a built-in attack, which tables would take it for; give it a `name` of its own",
                recipe.name
            );
            return Err(bad(why));
        }
        Ok(recipe)
    }

    /// Sets another goal: the name of one, or `confidence<0.7`.
    pub fn set_goal(&mut self, goal: &str) -> Result<()> {
        let mut table = Table::new();
        match goal.split_once('<') {
            Some((name, below)) if name.trim() == "confidence" => {
                let below: f64 = below.trim().parse().map_err(|_| Error::BadGoal { goal: goal.into() })?;
                table.insert("use".into(), "confidence".into());
                table.insert("below".into(), below.into());
            }
            Some(_) => return Err(Error::BadGoal { goal: goal.into() }),
            None => _ = table.insert("use".into(), goal.trim().into()),
        }
        self.part(&GOALS, &table)?;
        self.goal = table;
        Ok(())
    }

    /// Makes the recipe keep the part of speech of each word, by the dictionary as well as by the sentence; says whether it did not.
    pub fn keep_parts_of_speech(&mut self) -> bool {
        const NAME: &str = "part_of_speech";
        let strict = ("strict".to_owned(), Value::from(true));
        let known = self.constraints.iter_mut().find(|table| table.get("use").and_then(Value::as_str) == Some(NAME));
        match known {
            Some(table) => {
                let was = table.get("strict").and_then(Value::as_bool).unwrap_or(false);
                table.extend([strict]);
                // Tags are held to the letter: a noun for a verb is a wrong tag.
                table.remove("noun_or_verb");
                !was
            }
            None => {
                self.constraints.push(Table::from_iter([("use".to_owned(), Value::from(NAME)), strict]));
                true
            }
        }
    }

    /// Sets a knob of the search to a number; building the attack checks it.
    pub fn set_search(&mut self, knob: &str, value: i64) {
        self.search.insert(knob.into(), value.into());
    }

    /// The recipe as its file has it, for those who want to write their own.
    pub fn text_of(name: &str) -> Option<&'static str> {
        BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// Everything the recipe needs, with the part that needs it.
    pub fn needs(&self) -> Result<Vec<(String, Resource)>> {
        let mut needs = Vec::new();
        let goal = self.part(&GOALS, &self.goal)?;
        needs.extend(goal.part.needs().into_iter().map(|need| (goal.name.to_owned(), need)));
        for source in &self.sources {
            let source = self.part(&SOURCES, source)?;
            needs.extend(source.part.needs().into_iter().map(|need| (source.name.to_owned(), need)));
        }
        for constraint in &self.constraints {
            let constraint = self.part(&CONSTRAINTS, constraint)?;
            needs.extend(constraint.part.needs().into_iter().map(|need| (constraint.name.to_owned(), need)));
        }
        let search = self.part(&SEARCHES, &self.search)?;
        needs.extend(search.part.needs().into_iter().map(|need| (search.name.to_owned(), need)));
        Ok(needs)
    }

    /// The fields that the recipe names for its constraints.
    fn columns(&self) -> Vec<String> {
        let named = self.constraints.iter().filter(|table| table.get("use").and_then(Value::as_str) == Some("column"));
        named.filter_map(|table| table.get("name")?.as_str().map(str::to_owned)).collect()
    }

    /// Refuses to leave out what the goal or the search is made of: only sources and constraints can go.
    fn check_without(&self, without: &[Resource]) -> Result<()> {
        let goal = self.part(&GOALS, &self.goal)?;
        let search = self.part(&SEARCHES, &self.search)?;
        for (part, needs) in [(goal.name, goal.part.needs()), (search.name, search.part.needs())] {
            if let Some(need) = needs.into_iter().find(|need| without.contains(need)) {
                return Err(Error::MadeOf { attack: self.name.clone(), part: part.into(), need });
            }
        }
        Ok(())
    }

    /// Says what is missing of what the recipe needs, but for what is left out. With candidates `given`, its own sources need nothing.
    pub fn check_needs(&self, without: &[Resource], given: bool, have: impl Fn(Resource) -> bool) -> Result<()> {
        self.check_without(without)?;
        let sources: Vec<&str> = match given {
            true => self.sources.iter().filter_map(|table| table.get("use").and_then(Value::as_str)).collect(),
            false => Vec::new(),
        };
        for (part, need) in self.needs()? {
            if !have(need) && !without.contains(&need) && !sources.contains(&part.as_str()) {
                return Err(Error::Lacks { attack: self.name.clone(), part, need });
            }
        }
        Ok(())
    }

    /// Builds the attack. What needs a resource of `without` is left out, and the name says so; what needs one that is not
    /// there is an error.
    pub fn build(&self, resources: AttackResources, without: &[Resource]) -> Result<Attack> {
        let needs = self.needs()?;
        for need in without {
            if !needs.iter().any(|(_, known)| known == need) {
                return Err(Error::NotUsed { attack: self.name.clone(), need: *need });
            }
        }
        self.check_without(without)?;
        let given = resources.given.is_some();
        let keeps = |needs: Vec<Resource>| !needs.iter().any(|need| without.contains(need));
        let goal = self.part(&GOALS, &self.goal)?;
        let mut sources = Vec::new();
        for source in &self.sources {
            let source = self.part(&SOURCES, source)?;
            if keeps(source.part.needs()) {
                sources.push(source);
            }
        }
        let mut constraints = Vec::new();
        for constraint in &self.constraints {
            let constraint = self.part(&CONSTRAINTS, constraint)?;
            if keeps(constraint.part.needs()) {
                constraints.push(constraint);
            }
        }
        if !given {
            sources.iter().try_for_each(|source| self.check_lists(source, &resources))?;
        }
        let search = self.part(&SEARCHES, &self.search)?;
        if sources.is_empty() && !given {
            let attack = self.name.clone();
            return Err(match without.first() {
                Some(need) => Error::NothingLeft { attack, need: *need },
                None => Error::NoSource { attack },
            });
        }
        let lacks = |part: &str, need: Resource| Error::Lacks { attack: self.name.clone(), part: part.into(), need };
        let parts = std::iter::once((goal.name, goal.part.needs(), true))
            .chain(sources.iter().map(|source| (source.name, source.part.needs(), !given)))
            .chain(constraints.iter().map(|constraint| (constraint.name, constraint.part.needs(), true)))
            .chain([(search.name, search.part.needs(), true)]);
        let mut used: Vec<&'static str> = Vec::new();
        for (part, needs, _) in parts.filter(|(_, _, counts)| *counts) {
            for need in needs {
                if !resources.have(need) {
                    return Err(lacks(part, need));
                }
                used.extend(resources.used(need).filter(|words| !used.contains(words)));
            }
        }
        let left_out: String = without.iter().map(|need| format!(" -{}", need.name())).collect();
        let once = constraints.iter().any(|constraint| constraint.part.once());
        Ok(Attack {
            name: format!("{}{left_out}", self.name),
            recipe: self.name.clone(),
            goal: goal.part,
            sources,
            constraints,
            search,
            shrink: self.shrink,
            resources,
            used,
            once,
            columns: self.columns(),
        })
    }

    /// Builds one part from its table: `use` names it, the rest are its knobs.
    fn part<T: ?Sized + Part>(&self, catalog: &Catalog<T>, table: &Table) -> Result<PartOf<T>> {
        let bad = |why: String| Error::BadRecipe { place: format!("`{}`", self.name), why };
        let Some(Value::String(name)) = table.get("use") else {
            return Err(bad("a part has no `use = \"NAME\"`".into()));
        };
        let mut settings: Vec<(String, String)> = Vec::new();
        for (knob, value) in table.iter().filter(|(knob, _)| *knob != "use") {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Integer(number) => number.to_string(),
                Value::Float(number) => number.to_string(),
                Value::Boolean(flag) => flag.to_string(),
                _ => return Err(bad(format!("knob `{knob}` of `{name}` is not a number, text or flag"))),
            };
            settings.push((knob.clone(), value));
        }
        let named = |source| Error::Part { attack: self.name.clone(), source: Box::new(source) };
        let entry: &'static Entry<T> = catalog.find(name).map_err(named)?;
        let (part, knobs) = entry.build(&settings).map_err(named)?;
        check_names(entry.card.name, &knobs).map_err(named)?;
        if entry.card.name == "part" {
            self.check_knobs(&knobs)?;
        }
        Ok(PartOf { part, name: entry.card.name, knobs })
    }

    /// The transformation that a source names has what it needs, and lists what it could do. One that only draws has no
    /// candidates, and an attack without any would look like a model that withstands it.
    fn check_lists(&self, source: &PartOf<dyn Source>, resources: &AttackResources) -> Result<()> {
        let Some((_, name)) = source.knobs.iter().find(|(knob, _)| source.name == "part" && *knob == "name") else {
            return Ok(());
        };
        let bad = |why: String| Error::BadRecipe { place: format!("`{}`", self.name), why };
        let named = |source| Error::Part { attack: self.name.clone(), source: Box::new(source) };
        let entry = fissure_probes::TRANSFORMS.find(name).map_err(named)?;
        if let Some(need) = entry.card.needs.iter().find(|need| !resources.for_parts.serve(**need)) {
            let why = match need {
                Need::LanguageModel | Need::SentenceEncoder => need.advice(),
                _ => "it needs what an attack does not have; name another part",
            };
            return Err(bad(format!("its source `{name}` cannot be used: {why}")));
        }
        let set = source.knobs.iter().find(|(knob, _)| *knob == "set").map_or("", |(_, set)| set.as_str());
        let (part, _) = entry.build(&crate::sources::part::settings(set).unwrap_or_default()).map_err(named)?;
        match part.candidates(&Sample::of_text("", "The film was good."), &resources.for_parts) {
            Some(_) => Ok(()),
            None => {
                Err(bad(format!("its source `{name}` does not list what it could make of a word; name another part")))
            }
        }
    }

    /// The transformation that a source names takes its knobs.
    fn check_knobs(&self, knobs: &[(&'static str, String)]) -> Result<()> {
        let named = |source| Error::Part { attack: self.name.clone(), source: Box::new(source) };
        let value = |knob: &str| knobs.iter().find(|(name, _)| *name == knob).map_or("", |(_, value)| value.as_str());
        let bad = |what: String| Error::BadRecipe {
            place: format!("`{}`", self.name),
            why: format!("`{what}` is not a knob with its value; write `set = \"risk=0.3\"`"),
        };
        let set = crate::sources::part::settings(value("set")).map_err(bad)?;
        fissure_probes::TRANSFORMS.find(value("name")).and_then(|entry| entry.build(&set)).map_err(named)?;
        Ok(())
    }
}

/// A part of the catalog or a validator that a recipe names must be there.
fn check_names(part: &str, knobs: &[(&'static str, String)]) -> fissure_core::Result<()> {
    let named = knobs.iter().find(|(knob, _)| *knob == "name").map(|(_, name)| name.as_str());
    match (part, named) {
        ("part", Some(name)) => fissure_probes::TRANSFORMS.find(name).map(|_| ()),
        ("validator", Some(name)) => fissure_probes::VALIDATORS.find(name).map(|_| ()),
        _ => Ok(()),
    }
}

impl Attack {
    /// Whether the goal can be reached at all by what a model answers.
    pub fn check(&self, target: &Target<'_>, options: &Options) -> Result<()> {
        let attack = || self.name.clone();
        match () {
            () if self.goal.wants_labels() && target.answers_otherwise() => Err(Error::NoLabels { attack: attack() }),
            () if self.goal.wants_target() && options.target.is_none() => Err(Error::NoTarget { attack: attack() }),
            () => match self.search.part.refuses(&*self.goal, target) {
                Some(why) => Err(Error::Cannot { attack: attack(), why: why.into() }),
                None => Ok(()),
            },
        }
    }

    /// Whether the attack fits the samples, which the first of them show: their fields, and how many texts they have.
    pub fn check_samples(&self, samples: &[Sample]) -> Result<()> {
        let Some(first) = samples.first() else { return Ok(()) };
        let cannot = |why: String| Err(Error::Cannot { attack: self.name.clone(), why });
        if self.search.part.wants_one_text() && samples.iter().all(|sample| sample.fields.len() != 1) {
            return cannot(format!(
                "it can compute samples of one text only, and these have {}: take `bound` for proofs, or `jump`",
                counted(first.fields.len(), "text")
            ));
        }
        let fields = || first.fields.iter().map(|field| &*field.name);
        let missing =
            |name: &&String| !samples.iter().any(|sample| sample.fields.iter().any(|field| *field.name == ***name));
        if let Some(name) = self.columns.iter().find(missing) {
            let near = nearest(name, fields());
            let advice = match near.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name one of these".into(),
            };
            let known: Vec<String> = fields().map(|field| format!("`{field}`")).collect();
            return cannot(format!(
                "its constraint `column` names the field `{name}`, and the samples have {}; {advice}",
                known.join(" and ")
            ));
        }
        Ok(())
    }

    /// Whether a changed word stays as it is.
    pub fn changes_once(&self) -> bool {
        self.once
    }

    /// Whether a source has candidates for texts in a language; candidates that a user gave are for any.
    pub(crate) fn knows(&self, source: &dyn Source, language: Language) -> bool {
        source.languages(&self.resources).iter().any(|known| known.serves(language))
    }

    /// Why a sample cannot be attacked: it has several texts, and the search looks at one; or all its open texts are in languages that no
    /// source knows.
    pub fn refusal(&self, sample: &Sample) -> Option<String> {
        let open = || sample.fields.iter().filter(|field| field.open);
        let known = |language| self.sources.iter().any(|source| self.knows(&*source.part, language));
        if self.search.part.wants_one_text() && sample.fields.len() != 1 {
            return Some("it has several texts".into());
        }
        let first = open().next()?.text.language();
        if self.resources.given.is_some() || self.sources.is_empty() || open().any(|field| known(field.text.language()))
        {
            return None;
        }
        let mut names: Vec<&str> = Vec::new();
        for language in self.sources.iter().flat_map(|source| source.part.languages(&self.resources)) {
            if !names.contains(&language.name()) {
                names.push(language.name());
            }
        }
        Some(format!("the text is {}; `{}` knows {}", first.name(), self.recipe, names.join(" and ")))
    }
}

/// Recipes as cards, for lists and `explain`; made once.
pub fn cards() -> &'static [(Card, Vec<KnobCard>)] {
    static CARDS: OnceLock<Vec<(Card, Vec<KnobCard>)>> = OnceLock::new();
    CARDS.get_or_init(|| {
        let card = |(name, text): &(&'static str, &'static str)| {
            let recipe = Recipe::parse(text, name).ok()?;
            // Cards hold text that lives as long as the program; recipes are read once.
            let kept = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
            let mut facts: Vec<(&'static str, &'static str)> = vec![
                ("goal", kept(shown(&recipe.goal))),
                ("candidates", kept(recipe.sources.iter().map(shown).collect::<Vec<_>>().join("; "))),
                ("constraints", kept(recipe.constraints.iter().map(shown).collect::<Vec<_>>().join("; "))),
                ("search", kept(shown(&recipe.search))),
            ];
            let mut needs: Vec<&str> = recipe.needs().ok()?.iter().map(|(_, need)| need.name()).collect();
            needs.sort_unstable();
            needs.dedup();
            if !needs.is_empty() {
                facts.push(("needs", kept(needs.join(", "))));
            }
            let departures = recipe.departures.iter().map(|departure| format!("\n- {departure}")).collect::<String>();
            let docs = match departures.is_empty() {
                true => recipe.summary.clone(),
                false => format!("{}\n\nDepartures from the paper:\n{departures}", recipe.summary),
            };
            let card = Card {
                citation: recipe.citation.map(kept),
                facts: Box::leak(facts.into_boxed_slice()),
                ..Card::new(Kind::Attack, name, kept(docs), kept(format!("crates/attacks/recipes/{name}.toml")), 1)
            };
            Some((card, Vec::new()))
        };
        BUILTIN.iter().filter_map(card).collect()
    })
}

/// A part with its settings, in a few words.
fn shown(table: &Table) -> String {
    let name = table.get("use").and_then(Value::as_str).unwrap_or("?");
    let knobs: Vec<String> =
        table.iter().filter(|(knob, _)| *knob != "use").map(|(knob, value)| format!("{knob}={value}")).collect();
    if knobs.is_empty() { name.to_owned() } else { format!("{name} ({})", knobs.join(", ")) }
}
