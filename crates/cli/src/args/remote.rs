//! Models behind an address or in a program; the same for every command that asks one.

use std::ops::Deref;

use clap::Args as ClapArgs;
use fissure_kit::remote::RemoteSettings;
use fissure_settings::{Endpoint, Patience};

/// Models behind an address, or in a program.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Remote {
    #[command(flatten)]
    pub endpoint: Endpoint,
    #[command(flatten)]
    pub patience: Patience,
    /// Most requests a second
    #[arg(long, value_name = "N", help_heading = "Models behind http, https or process")]
    pub rate: Option<f64>,
}

impl Remote {
    pub fn settings(&self) -> RemoteSettings<'_> {
        RemoteSettings { endpoint: &self.endpoint, patience: &self.patience, rate: self.rate }
    }
}

impl Deref for Remote {
    type Target = Endpoint;

    fn deref(&self) -> &Endpoint {
        &self.endpoint
    }
}
