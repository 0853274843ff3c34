//! Connections: how many there may be at once, and how long a slow one is waited for. Nothing here asks for the token:
//! it is for those who never get so far as to show one.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// What is granted to whoever connects.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once; a browser needs six.
    pub connections: usize,
    /// For the head of a request, for its body, and for the next request of a connection that stays open.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 64, patience: Duration::from_secs(10) }
    }
}

/// Takes connections for ever.
pub async fn serve(listener: TcpListener, app: Router, limits: Limits) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience);
    loop {
        let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
        let Ok((stream, _)) = listener.accept().await else {
            // The caller hung up at once, or the system has no more files to give: both pass.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(app.clone()));
        tokio::spawn(async move {
            // A connection that breaks is nobody's business.
            let _ = connection.await;
            drop(place);
        });
    }
}
