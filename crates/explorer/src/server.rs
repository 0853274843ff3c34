//! The server: where it listens, and until when.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use crate::auth::{Guard, Token, guard};
use crate::connections::{self, Limits};
use crate::routes::router;
use crate::{Error, Result, Session};

/// A server that has its place and waits to begin.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
    limits: Limits,
}

/// What ends a server.
pub enum Stop {
    /// Ctrl-C. If the basket holds unsaved examples, the first one only reports their number; the second ends.
    Interrupt(fn(usize)),
    /// The sender says so, or is gone.
    Signal(tokio::sync::oneshot::Receiver<()>),
}

impl Server {
    /// Takes a place to listen at; port 0 is any that is free.
    pub fn bind(host: IpAddr, port: u16, token: Token) -> Result<Self> {
        let wanted = SocketAddr::new(host, port);
        let refused = |source| Error::Bind { address: wanted, source };
        let listener = TcpListener::bind(wanted).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { listener, address, token, limits: Limits::default() })
    }

    /// The same with other limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The address to open, with the token in it.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.as_str())
    }

    /// Starts the background scoring, and serves until told to stop.
    pub fn serve(self, session: &Arc<Session>, stop: Stop) -> Result<()> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Error::Serve)?;
        let door = Arc::new(Guard::new(self.token, self.address.port(), self.limits.patience));
        let app = router(Arc::clone(session)).layer(axum::middleware::from_fn_with_state(door, guard));
        session.start();
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                served = connections::serve(listener, app, self.limits) => served,
                () = stop.wait(session) => Ok(()),
            }
        });
        session.progress.stop();
        // A request that keeps a model busy need not be waited for.
        runtime.shutdown_background();
        served.map_err(Error::Serve)
    }
}

impl Stop {
    async fn wait(self, session: &Session) {
        match self {
            Self::Interrupt(warn) => {
                let mut warned = false;
                loop {
                    if tokio::signal::ctrl_c().await.is_err() {
                        std::future::pending::<()>().await;
                    }
                    let unsaved = session.basket().unsaved;
                    if warned || unsaved == 0 {
                        return;
                    }
                    warn(unsaved);
                    warned = true;
                }
            }
            Self::Signal(signal) => drop(signal.await),
        }
    }
}
