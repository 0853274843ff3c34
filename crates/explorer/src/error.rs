//! What can go wrong, for the person at the command line and for the one at the page.

use std::path::PathBuf;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot listen on {address}; give another `--port`, or 0 for any that is free")]
    Bind { address: std::net::SocketAddr, source: std::io::Error },
    #[error("the server stopped")]
    Serve(#[source] std::io::Error),
    #[error("the system gives no random numbers for the token: {0}")]
    NoRandomness(getrandom::Error),
    #[error("there is nothing to show: the data has no samples")]
    NoSamples,
    #[error("there is no model to show")]
    NoModel,
    #[error("cannot save the basket in {}; give another file with `--basket`", file.display())]
    Shelf { file: PathBuf, source: std::io::Error },
    #[error(
        "row {row} of {} does not say where it came from, so the file is not a basket of this page; give another with \
         `--basket`",
        file.display()
    )]
    NoBasket { file: PathBuf, row: usize },
    #[error(transparent)]
    Geometry(#[from] fissure_geometry::Error),
    #[error(transparent)]
    Data(#[from] fissure_data::Error),
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An answer to a request that cannot be served: a status and a sentence, never a path or a text of the user's.
#[derive(Debug)]
pub struct Problem(pub StatusCode, pub String);

impl Problem {
    pub fn not_found(what: &str) -> Self {
        Self(StatusCode::NOT_FOUND, format!("There is no {what} here."))
    }

    pub fn bad(what: impl Into<String>) -> Self {
        Self(StatusCode::BAD_REQUEST, what.into())
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let words = match error {
            // The rest of the message has the path in it, which is for the terminal.
            Error::Shelf { source, .. } => format!("The basket could not be written to its file: {source}."),
            error => error.to_string(),
        };
        Self(StatusCode::UNPROCESSABLE_ENTITY, words)
    }
}

impl From<fissure_geometry::Error> for Problem {
    fn from(error: fissure_geometry::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<fissure_attacks::Error> for Problem {
    fn from(error: fissure_attacks::Error) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    }
}

impl From<fissure_models::Error> for Problem {
    fn from(error: fissure_models::Error) -> Self {
        fissure_geometry::Error::from(error).into()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        // Plain text: nothing in it can be read as markup.
        (self.0, [("content-type", "text/plain; charset=utf-8")], self.1).into_response()
    }
}
