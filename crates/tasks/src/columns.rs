//! Which column of a file is what to a task: by the common names, or as the user says.

use std::sync::Arc;

use fissure_core::nearest;

use crate::{Error, Fault, Result, shorten};
use crate::{Presence, Task};

/// The user's own choice of columns: `text=review_body,label=stars`, or by number where a file has no header,
/// `text=2+3,label=1`. Columns joined by `+` are read as one text with a space between, and written back apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(Vec<(String, String)>);

impl Columns {
    /// Reads what follows `--columns`.
    pub fn parse(given: &str) -> Result<Self> {
        let pair = |part: &str| match part.split_once('=') {
            Some((role, column)) if !role.trim().is_empty() && !column.is_empty() => {
                Ok((role.trim().to_owned(), column.to_owned()))
            }
            _ => Err(Error::Columns {
                given: given.into(),
                why: format!("`{part}` is not of the form ROLE=COLUMN, as in `text=review_body,label=stars`"),
            }),
        };
        let columns: Vec<(String, String)> = given.split(',').map(pair).collect::<Result<_>>()?;
        let is_repeated = |at: &usize| columns[..*at].iter().any(|(role, _)| *role == columns[*at].0);
        if let Some((role, column)) = (0..columns.len()).find(is_repeated).map(|at| &columns[at]) {
            return Err(Error::Columns {
                given: format!("{role}={column}"),
                why: format!(
                    "`{role}` has another column already; several are joined with `+`, as in `text=title+body`"
                ),
            });
        }
        Ok(Self(columns))
    }

    /// Which column each role has, `(role, column)`; names may hold any character.
    pub fn of(columns: Vec<(String, String)>) -> Self {
        Self(columns)
    }

    /// Whether columns are given by number, as for a table without header.
    pub fn are_numbers(&self) -> bool {
        let number = |column: &str| column.bytes().all(|byte| byte.is_ascii_digit());
        !self.0.is_empty() && self.0.iter().all(|(_, columns)| columns.split('+').all(number))
    }

    /// Whether the name of a column holds this character.
    pub fn mention(&self, character: char) -> bool {
        self.0.iter().any(|(_, columns)| columns.contains(character))
    }

    /// Checks that `task` has every role that is named.
    pub fn check(&self, task: &Task) -> Result<()> {
        let known = || task.roles.iter().map(|role| role.name);
        for (role, column) in &self.0 {
            if !known().any(|name| name == role) {
                let nearest =
                    nearest(role, known()).first().map_or(".".to_owned(), |name| format!("; did you mean `{name}`?"));
                let all = known().collect::<Vec<_>>().join("`, `");
                return Err(Error::Columns {
                    given: format!("{role}={column}"),
                    why: format!("task `{}` has no `{role}`{nearest} It has `{all}`", task.card.name),
                });
            }
        }
        Ok(())
    }
}

/// What names a sample, and with the seed and the part owns its dice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SampleId {
    /// A column with a usual name (`id`, `guid`, ...); the texts if there is none.
    #[default]
    Usual,
    /// The column of this name or number.
    Column(String),
    /// The texts of the sample: samples with equal texts have equal ids and change alike.
    Content,
}

impl SampleId {
    /// Reads what follows `--id`: a column, or `content`.
    pub fn parse(given: &str) -> Self {
        if given == "content" { Self::Content } else { Self::Column(given.into()) }
    }
}

/// For each column of a file, the role it has; found once and used for every row with the same columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnPlan {
    pub names: Vec<Arc<str>>,
    /// The index of the role for each column.
    pub roles: Vec<Option<usize>>,
    /// For each role its columns, in the order in which they are joined.
    pub columns: Vec<Vec<usize>>,
    /// The column that names the sample.
    pub id: Option<usize>,
    pub unlabelled: bool,
    /// Whether the number -1 is a label like any other.
    pub minus_one_is_label: bool,
    /// The names of the roles, shared by the fields of all samples.
    pub fields: Vec<Arc<str>>,
}

/// Columns that name a sample.
const ID: &[&str] = &["id", "guid", "uid", "qid", "idx", "index", "sent_id", "doc_key", "pairID", "key"];

impl ColumnPlan {
    /// Finds the roles of the columns called `names`.
    pub fn new(
        task: &Task,
        names: Vec<Arc<str>>,
        given: &Columns,
        id: &SampleId,
        unlabelled: bool,
    ) -> Result<Self, Fault> {
        let mut plan = Self {
            roles: vec![None; names.len()],
            columns: vec![Vec::new(); task.roles.len()],
            id: None,
            unlabelled,
            minus_one_is_label: false,
            fields: task.roles.iter().map(|role| role.name.into()).collect(),
            names,
        };
        for (role, columns) in &given.0 {
            let Some(at) = task.roles.iter().position(|known| known.name == role) else { continue };
            plan.columns[at] = plan.named(columns).map_err(|missing| {
                Fault::columns(format!("there is no column `{missing}` for `{role}`{}", plan.found()))
            })?;
            for &column in &plan.columns[at] {
                plan.roles[column] = Some(at);
            }
        }
        for (at, role) in task.roles.iter().enumerate() {
            if plan.columns[at].is_empty()
                && let Some(column) = plan.usual(task, at)?
            {
                plan.columns[at].push(column);
                plan.roles[column] = Some(at);
            }
            let needed = match role.need {
                Presence::Always => true,
                Presence::Label => !unlabelled,
                Presence::Never => false,
            };
            if needed && plan.columns[at].is_empty() {
                return Err(plan.missing(task, at));
            }
        }
        plan.id = match id {
            SampleId::Content => None,
            SampleId::Usual => {
                ID.iter().find_map(|id| plan.names.iter().position(|name| name.eq_ignore_ascii_case(id)))
            }
            SampleId::Column(column) => Some(plan.one(column).ok_or_else(|| {
                Fault::columns(format!("there is no column `{column}` for the ids of the samples{}", plan.found()))
            })?),
        };
        Ok(plan)
    }

    /// The columns a user means by `given`: a name, a number, or several joined by `+`.
    fn named(&self, given: &str) -> Result<Vec<usize>, String> {
        if let Some(column) = self.one(given) {
            return Ok(vec![column]);
        }
        given.split('+').map(|part| self.one(part).ok_or_else(|| part.to_owned())).collect()
    }

    fn one(&self, given: &str) -> Option<usize> {
        let exact = self.names.iter().position(|name| **name == *given);
        let same = || self.names.iter().position(|name| name.eq_ignore_ascii_case(given));
        let number = || given.parse().ok().and_then(|at: usize| at.checked_sub(1)).filter(|at| *at < self.names.len());
        exact.or_else(same).or_else(number)
    }

    /// The free column with one of the usual names of a role. The first of these names wins outright; two others
    /// leave it to the user.
    fn usual(&self, task: &Task, at: usize) -> Result<Option<usize>, Fault> {
        let role = &task.roles[at];
        let free = |name: &&str| {
            let same = |column: &usize| self.roles[*column].is_none() && self.names[*column].eq_ignore_ascii_case(name);
            (0..self.names.len()).find(same)
        };
        if let Some(column) = role.names.first().and_then(free) {
            return Ok(Some(column));
        }
        let found: Vec<usize> = role.names.iter().filter_map(free).collect();
        match found[..] {
            [] => Ok(None),
            [column] => Ok(Some(column)),
            [one, ..] => {
                let names: Vec<&str> = found.iter().map(|column| &*self.names[*column]).collect();
                Err(Fault::columns(format!(
                    "task `{}` wants one column for `{}`, and `{}` could all be it. Say which, for instance `--columns {}={}`",
                    task.card.name,
                    role.name,
                    names.join("`, `"),
                    role.name,
                    self.names[one],
                )))
            }
        }
    }

    fn missing(&self, task: &Task, at: usize) -> Fault {
        let role = &task.roles[at];
        let usual = role.names.iter().take(8).copied().collect::<Vec<_>>().join(", ");
        let free = (0..self.names.len()).find(|column| self.roles[*column].is_none());
        let example = free.map_or("...".into(), |column| shorten(&self.names[column]));
        Fault::columns(format!(
            "task `{}` needs a column for `{}` and none is called like one ({usual}){}. Say which it is, for instance \
             `--columns {}={example}`; where the first row is not a header, give numbers: `--columns {}={}`",
            task.card.name,
            role.name,
            self.found(),
            role.name,
            role.name,
            free.map_or(1, |column| column + 1),
        ))
    }

    fn found(&self) -> String {
        match &self.names[..] {
            [] => "; the row has no columns".into(),
            names => {
                let names: Vec<String> = names.iter().map(|name| shorten(name)).collect();
                format!("; the columns found are `{}`", names.join("`, `"))
            }
        }
    }
}

#[cfg(test)]
mod check_tests {
    use super::Columns;

    #[test]
    fn a_role_that_is_unknown_is_named_in_whole_sentences() {
        let why = |given: &str| {
            let task = crate::find("sm").expect("a task");
            Columns::parse(given).expect("columns").check(task).expect_err("no such role").to_string()
        };
        assert!(why("zzzzzzzz=1").contains("has no `zzzzzzzz`. It has `sentence1`"), "{}", why("zzzzzzzz=1"));
        assert!(why("sentence=1").contains("`?"), "{}", why("sentence=1"));
    }
}
