//! The routes: which handler serves which address.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Router;
use axum::extract::{Form, Json, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use fissure_data::Format;
use maud::Markup;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::Session;
use crate::basket::Keep;
use crate::cancel::{CancelOnDrop, Visit};
use crate::error::Problem;
use crate::pages::{self, Came, fragments};
use crate::selection::Selection;

/// Requests that may keep a model busy at the same time.
const AT_ONCE: usize = 2;

#[derive(Debug, Clone)]
struct House {
    session: Arc<Session>,
    models: Arc<Semaphore>,
}

type Here = State<House>;
type Answer = Result<Response, Problem>;

pub fn router(session: Arc<Session>) -> Router {
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
        .route("/fragment/answer", post(answer))
        .route("/fragment/view", post(view))
        .route("/fragment/word", post(word))
        .route("/fragment/along", post(along))
        .route("/fragment/together", post(together))
        .route("/fragment/attack", post(attack))
        .route("/fragment/threats", post(threats))
        .route("/truth", post(truth))
        .route("/progress", get(progress))
        .route("/stop", post(stop))
        .route("/go", post(go))
        .route("/assets/{name}", get(asset))
        .fallback(async || Problem::not_found("such page"))
        .with_state(house)
}

impl House {
    /// Does work that takes a while off the threads that serve. Where the person hangs up, the work is called off.
    async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce(&Session, &Visit<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let failed = |what: &str| Problem(StatusCode::INTERNAL_SERVER_ERROR, format!("The work {what}."));
        let permit = self.models.acquire_owned().await.map_err(|_| failed("was cancelled"))?;
        let gone = CancelOnDrop(Arc::new(AtomicBool::new(false)));
        let (session, flag) = (self.session, Arc::clone(&gone.0));
        let done = tokio::task::spawn_blocking(move || {
            let found = work(&session, &Visit::new(&session.progress, flag));
            drop(permit);
            found
        });
        let done = done.await.map_err(|_| failed("failed"));
        drop(gone);
        done?
    }

    async fn page(self, make: impl FnOnce(&Session, &Visit<'_>) -> Result<Markup, Problem> + Send + 'static) -> Answer {
        Ok(Html(self.work(make).await?.into_string()).into_response())
    }
}

async fn overview(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session, _| Ok(pages::overview(session, &selection))).await
}

async fn list(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session, _| Ok(pages::list(session, &selection))).await
}

async fn example(
    State(house): Here,
    Path(number): Path<usize>,
    Query(selection): Query<Selection>,
    Query(came): Query<Came>,
) -> Answer {
    house.page(move |session, _| pages::example(session, number, &selection, &came)).await
}

async fn pairs(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session, _| Ok(pages::pairs(session, &selection))).await
}

async fn models(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session, _| Ok(pages::models(session, &selection))).await
}

async fn run(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session, _| pages::run(session, &selection)).await
}

async fn basket(State(house): Here, Query(selection): Query<Selection>) -> Answer {
    house.page(move |session, _| Ok(pages::basket(session, &selection))).await
}

async fn answer(State(house): Here, Json(asked): Json<fragments::View>) -> Answer {
    house.page(move |session, visit| fragments::answer(session, visit, &asked)).await
}

async fn view(State(house): Here, Json(asked): Json<fragments::View>) -> Answer {
    house.page(move |session, visit| fragments::view(session, visit, &asked)).await
}

async fn word(State(house): Here, Json(asked): Json<fragments::Place>) -> Answer {
    house.page(move |session, visit| fragments::word(session, visit, &asked)).await
}

async fn along(State(house): Here, Json(asked): Json<fragments::Along>) -> Answer {
    house.page(move |session, visit| fragments::along(session, visit, &asked)).await
}

async fn together(State(house): Here, Json(asked): Json<fragments::Together>) -> Answer {
    house.page(move |session, visit| fragments::together(session, visit, &asked)).await
}

async fn attack(State(house): Here, Json(asked): Json<fragments::Attacked>) -> Answer {
    house.page(move |session, visit| fragments::attack(session, visit, &asked)).await
}

async fn threats(State(house): Here, Json(asked): Json<fragments::Threatened>) -> Answer {
    house.page(move |session, visit| fragments::threats(session, visit, &asked)).await
}

async fn truth(State(house): Here, Json(asked): Json<fragments::Truth>) -> Answer {
    let checked = house.work(move |session, visit| fragments::truth(session, visit, &asked)).await?;
    Ok(Json(checked).into_response())
}

async fn keep(State(house): Here, Json(asked): Json<Keep>) -> Answer {
    let kept =
        house.work(move |session, visit| Ok((session.keep(visit, &asked)?, session.basket().kept.len()))).await?;
    Ok(Json(json!({ "number": kept.0, "count": kept.1 })).into_response())
}

#[derive(Debug, Deserialize)]
struct Remove {
    number: usize,
}

async fn remove(State(house): Here, Form(asked): Form<Remove>) -> Answer {
    house.work(move |session, _| session.drop_kept(asked.number)).await?;
    Ok(Redirect::to("/basket").into_response())
}

async fn export(State(house): Here, format: Format) -> Answer {
    let name = format.card().name;
    let bytes = house.work(move |session, _| session.export(format)).await?;
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
