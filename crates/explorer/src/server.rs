//! The server: where it listens, and which address leads where.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Form, Json, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use fissure_data::Format;
use maud::Markup;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::basket::Keep;
use crate::error::Problem;
use crate::guard::{Guard, Token, guard};
use crate::pages::{self, fragments};
use crate::selection::Selection;
use crate::{Error, Result, Session};

/// The largest request: a long text and its history fit, a flood does not.
const BODY: usize = 1 << 20;
/// Requests that may keep a model busy at the same time.
const AT_ONCE: usize = 2;

/// A server that has its place and waits to begin.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
}

/// What ends a server.
#[derive(Debug)]
pub enum Stop {
    /// Ctrl-C.
    Interrupt,
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
        Ok(Self { listener, address, token })
    }

    /// The address to open, with the token in it.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.as_str())
    }

    /// Starts the background scoring, and serves until told to stop.
    pub fn serve(self, session: &Arc<Session>, stop: Stop) -> Result<()> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Error::Serve)?;
        let door = Arc::new(Guard::new(self.token, self.address.port()));
        let app = router(Arc::clone(session)).layer(axum::middleware::from_fn_with_state(door, guard));
        session.start();
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                served = async { axum::serve(listener, app).await } => served,
                () = stop.wait() => Ok(()),
            }
        });
        session.progress.stop();
        // A request that keeps a model busy need not be waited for.
        runtime.shutdown_background();
        served.map_err(Error::Serve)
    }
}

impl Stop {
    async fn wait(self) {
        match self {
            Self::Interrupt => {
                if tokio::signal::ctrl_c().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
            Self::Signal(signal) => drop(signal.await),
        }
    }
}

#[derive(Debug, Clone)]
struct House {
    session: Arc<Session>,
    models: Arc<Semaphore>,
}

type Here = State<House>;
type Answer = std::result::Result<Response, Problem>;

fn router(session: Arc<Session>) -> Router {
    let house = House { session, models: Arc::new(Semaphore::new(AT_ONCE)) };
    Router::new()
        .route("/", get(overview))
        .route("/list", get(list))
        .route("/example/{number}", get(example))
        .route("/pairs", get(pairs))
        .route("/models", get(models))
        .route("/run", get(run))
        .route("/basket", get(basket))
        .route("/basket.jsonl", get(async |here: Here| export(here, Format::Jsonl).await))
        .route("/basket.csv", get(async |here: Here| export(here, Format::Csv).await))
        .route("/basket/keep", post(keep))
        .route("/basket/remove", post(remove))
        .route("/fragment/view", post(view))
        .route("/fragment/word", post(word))
        .route("/fragment/along", post(along))
        .route("/fragment/together", post(together))
        .route("/truth", post(truth))
        .route("/progress", get(progress))
        .route("/stop", post(stop))
        .route("/go", post(go))
        .route("/assets/{name}", get(asset))
        .fallback(async || Problem::not_found("such page"))
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(house)
}

impl House {
    /// Does work that takes a while off the threads that serve.
    async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce(&Session) -> std::result::Result<T, Problem> + Send + 'static,
    ) -> std::result::Result<T, Problem> {
        let failed = |what: &str| Problem(StatusCode::INTERNAL_SERVER_ERROR, format!("The work {what}."));
        let permit = self.models.acquire_owned().await.map_err(|_| failed("was called off"))?;
        let session = self.session;
        let done = tokio::task::spawn_blocking(move || {
            let found = work(&session);
            drop(permit);
            found
        });
        done.await.map_err(|_| failed("came to nothing"))?
    }

    async fn page(
        self,
        make: impl FnOnce(&Session) -> std::result::Result<Markup, Problem> + Send + 'static,
    ) -> Answer {
        Ok(Html(self.work(make).await?.into_string()).into_response())
    }
}

async fn overview(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session| Ok(pages::overview(session, &selection))).await
}

async fn list(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session| Ok(pages::list(session, &selection))).await
}

async fn example(State(house): Here, Path(number): Path<usize>, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session| pages::example(session, number, &selection)).await
}

async fn pairs(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session| Ok(pages::pairs(session, &selection))).await
}

async fn models(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session| Ok(pages::models(session, &selection))).await
}

async fn run(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session| pages::run(session, &selection)).await
}

async fn basket(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session| Ok(pages::basket(session, &selection))).await
}

async fn view(State(house): Here, Json(asked): Json<fragments::View>) -> Answer {
    house.page(move |session| fragments::view(session, &asked)).await
}

async fn word(State(house): Here, Json(asked): Json<fragments::Place>) -> Answer {
    house.page(move |session| fragments::word(session, &asked)).await
}

async fn along(State(house): Here, Json(asked): Json<fragments::Along>) -> Answer {
    house.page(move |session| fragments::along(session, &asked)).await
}

async fn together(State(house): Here, Json(asked): Json<fragments::Together>) -> Answer {
    house.page(move |session| fragments::together(session, &asked)).await
}

async fn truth(State(house): Here, Json(asked): Json<fragments::Truth>) -> Answer {
    let told = house.work(move |session| fragments::truth(session, &asked)).await?;
    Ok(Json(told).into_response())
}

async fn keep(State(house): Here, Json(asked): Json<Keep>) -> Answer {
    let (number, count) = house.work(move |session| Ok((session.keep(&asked)?, session.basket().len()))).await?;
    Ok(Json(json!({ "number": number, "count": count })).into_response())
}

#[derive(Debug, Deserialize)]
struct Remove {
    number: usize,
}

async fn remove(State(house): Here, Form(asked): Form<Remove>) -> Redirect {
    house.session.basket().retain(|kept| kept.number != asked.number);
    Redirect::to("/basket")
}

async fn export(State(house): Here, format: Format) -> Answer {
    let name = format.card().name;
    let bytes = house.work(move |session| session.export(format)).await?;
    let kind = if name == "csv" { "text/csv; charset=utf-8" } else { "application/x-ndjson" };
    let attachment = format!("attachment; filename=\"fissure-basket.{name}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, attachment)], bytes).into_response())
}

async fn progress(State(house): Here) -> Response {
    Json(house.session.progress.report()).into_response()
}

async fn stop(State(house): Here) -> Response {
    house.session.progress.stop();
    progress(State(house)).await
}

async fn go(State(house): Here) -> Response {
    house.session.start();
    progress(State(house)).await
}

/// The files of the page. They are part of the program; no path leads to the disk.
async fn asset(Path(name): Path<String>) -> Answer {
    let (kind, text) = match name.as_str() {
        "style.css" => ("text/css; charset=utf-8", include_str!("../assets/style.css")),
        "charts.css" => {
            return Ok(
                ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], fissure_report::charts::style()).into_response()
            );
        }
        "main.js" => ("text/javascript; charset=utf-8", include_str!("../assets/main.js")),
        "brush.js" => ("text/javascript; charset=utf-8", include_str!("../assets/brush.js")),
        "bench.js" => ("text/javascript; charset=utf-8", include_str!("../assets/bench.js")),
        "talk.js" => ("text/javascript; charset=utf-8", include_str!("../assets/talk.js")),
        "icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        _ => return Err(Problem::not_found("such file")),
    };
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}
