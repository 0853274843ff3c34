//! A model that is opened when it is first asked; until then what the run file says about it is enough.

use std::sync::{Arc, OnceLock};

use fissure_models::{Answer, Capabilities, Embedded, Error, Input, Model, PullBack, Result, WeightsFn, WhiteBox};

/// Opens the model.
type Open = Box<dyn Fn() -> std::result::Result<Arc<dyn Model>, String> + Send + Sync>;

pub struct Late {
    name: String,
    capabilities: Capabilities,
    open: Open,
    model: OnceLock<std::result::Result<Arc<dyn Model>, String>>,
}

impl Late {
    /// A model that offers this once it is opened.
    pub fn new(name: &str, capabilities: Capabilities, open: Open) -> Self {
        Self { name: name.into(), capabilities, open, model: OnceLock::new() }
    }

    fn opened(&self) -> Result<&dyn Model> {
        let open = || {
            let model = (self.open)()?;
            let labels = &model.capabilities().labels;
            if *labels == self.capabilities.labels {
                return Ok(model);
            }
            Err(format!(
                "it has the labels {} now, and had {} in the run",
                labels.join(", "),
                self.capabilities.labels.join(", ")
            ))
        };
        match self.model.get_or_init(open) {
            Ok(model) => Ok(&**model),
            Err(why) => Err(Error::Remote { place: self.name.clone(), why: why.clone() }),
        }
    }

    fn inside(&self) -> Result<&dyn WhiteBox> {
        let missing = || Error::Remote { place: self.name.clone(), why: "it has no gradients".into() };
        self.opened()?.as_white_box().ok_or_else(missing)
    }
}

impl Model for Late {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        self.opened()?.answer(inputs)
    }

    fn try_answer(&self, inputs: &[Input<'_>]) -> Result<Vec<std::result::Result<Answer, String>>> {
        self.opened()?.try_answer(inputs)
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        self.capabilities.gradients.then_some(self as &dyn WhiteBox)
    }
}

impl WhiteBox for Late {
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        self.inside()?.embed(inputs)
    }

    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>> {
        self.inside()?.logits_at(points)
    }

    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        self.inside()?.pull_back(points, ask)
    }

    fn words(&self) -> Vec<String> {
        self.inside().map_or_else(|_| Vec::new(), WhiteBox::words)
    }

    fn pad_embedding(&self) -> Option<&[f32]> {
        self.inside().ok()?.pad_embedding()
    }
}

impl std::fmt::Debug for Late {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Late").field("name", &self.name).finish_non_exhaustive()
    }
}
