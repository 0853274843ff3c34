//! The cards of the catalog, as dicts.

use fissure::catalog::{self, Listed};
use fissure_core::Kind;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::{Value, json};

use crate::errors;
use crate::values::to_python;

/// Every part of a kind (`transform`, `destroyer`, `slice`, ...), or of all kinds.
#[pyfunction]
#[pyo3(signature = (kind = None))]
pub fn cards<'py>(py: Python<'py>, kind: Option<&str>) -> PyResult<Bound<'py, PyList>> {
    let named = |kind: &str| Kind::ALL.iter().copied().find(|known| known.name() == kind || known.plural() == kind);
    let known = || Kind::ALL.iter().map(|kind| kind.name());
    let kind = match kind {
        None => None,
        Some(kind) => Some(named(kind).ok_or_else(|| {
            let names = known().collect::<Vec<_>>().join(", ");
            let message = format!("there is no kind of part called `{kind}`; there are {names}");
            let near = fissure_core::nearest(kind, known()).join("\n");
            errors::raise(py, "UnknownName", &message, &[("name", Some(kind.into())), ("nearest", Some(near))])
        })?),
    };
    let list = PyList::empty(py);
    for listed in catalog::all().iter().filter(|listed| kind.is_none_or(|kind| listed.card.kind == kind)) {
        list.append(to_python(py, &shown(listed))?)?;
    }
    Ok(list)
}

/// What is called `name`, of whatever kinds.
#[pyfunction]
pub fn card<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
    let found = catalog::find(name).map_err(|error| {
        let near = fissure_core::nearest(name, catalog::all().iter().map(|listed| listed.card.name)).join("\n");
        let attributes = [("name", Some(name.to_owned())), ("nearest", Some(near))];
        errors::raise(py, "UnknownName", &error.to_string(), &attributes)
    })?;
    let list = PyList::empty(py);
    for listed in &found {
        list.append(to_python(py, &shown(listed))?)?;
    }
    Ok(list)
}

fn shown(Listed { card, knobs }: &Listed) -> Value {
    let mut value = json!(card);
    value["summary"] = card.summary().into();
    value["tasks"] = fissure_tasks::served_in_words(card).into();
    let knob = |knob: &fissure_core::KnobCard| {
        let docs = knob.docs.split_whitespace().collect::<Vec<_>>().join(" ");
        json!({ "name": knob.name, "docs": docs, "takes": knob.shape.describe(), "default": knob.default })
    };
    value["knobs"] = knobs.iter().map(knob).collect();
    value
}
