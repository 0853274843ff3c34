//! Connections: how many there may be at once, and how long a slow one is waited for.
//!
//! A connection is a stranger until one of its requests shows the token. Strangers share a number of places, and
//! when these are full the one who came first has to go: so a new caller is always heard, and somebody who knows the
//! token shows it with the first request. Those who have shown it keep places of their own, which no stranger can take.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::Sleep;

/// The limits of a connection.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once of those with the token; a browser needs six. Strangers have four times as many.
    pub connections: usize,
    /// For the head of a request, for its body, for the next request of a connection that stays open, and for a reader
    /// who takes nothing of an answer.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 64, patience: Duration::from_secs(10) }
    }
}

/// Takes connections for ever.
pub async fn serve(listener: TcpListener, app: Router, limits: Limits) -> io::Result<()> {
    let places = Arc::new(Places::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The caller hung up at once, or the system has no more files to give: both pass.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let (visitor, shown_out) = Visitor::enter(&places);
        let service = TowerToHyperService::new(app.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Arc::clone(&visitor));
            service.call(request)
        });
        let stream = Patient { stream, patience: limits.patience, late: None };
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            tokio::select! {
                // A broken connection is ignored.
                _ = connection => {}
                () = shown_out.wait() => {}
            }
        });
        // Those who are connected are heard before the next one is.
        tokio::task::yield_now().await;
    }
}

/// Who is connected.
#[derive(Debug)]
struct Places {
    known: usize,
    strangers: usize,
    now: Mutex<Now>,
}

#[derive(Debug, Default)]
struct Now {
    next: u64,
    /// Those who have shown the token.
    known: usize,
    /// The others, the first to come first.
    strangers: VecDeque<(u64, oneshot::Sender<()>)>,
}

impl Places {
    fn new(known: usize) -> Self {
        Self { known, strangers: known.saturating_mul(4).max(1), now: Mutex::default() }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection, as long as it lasts.
#[derive(Debug)]
pub struct Visitor {
    number: u64,
    is_known: AtomicBool,
    places: Arc<Places>,
}

/// Resolves when a stranger has to go.
struct ShownOut(oneshot::Receiver<()>);

impl ShownOut {
    async fn wait(self) {
        // The sender is dropped when the visitor becomes known; then the receiver is never read.
        if self.0.await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Visitor {
    /// Takes a place among the strangers; if there is none, the first of them loses theirs.
    fn enter(places: &Arc<Places>) -> (Arc<Self>, ShownOut) {
        let mut now = places.now();
        if now.strangers.len() >= places.strangers
            && let Some((_, out)) = now.strangers.pop_front()
        {
            let _ = out.send(());
        }
        let (out, shown_out) = oneshot::channel();
        let number = now.next;
        now.next += 1;
        now.strangers.push_back((number, out));
        drop(now);
        let visitor = Self { number, is_known: AtomicBool::new(false), places: Arc::clone(places) };
        (Arc::new(visitor), ShownOut(shown_out))
    }

    /// Takes a place among those with the token. False if there is none: the connection is to be closed after the answer.
    pub fn recognise(&self) -> bool {
        let mut now = self.places.now();
        if self.is_known.load(Ordering::Relaxed) {
            return true;
        }
        if now.known >= self.places.known {
            return false;
        }
        now.known += 1;
        now.strangers.retain(|(number, _)| *number != self.number);
        self.is_known.store(true, Ordering::Relaxed);
        true
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let mut now = self.places.now();
        if self.is_known.load(Ordering::Relaxed) {
            now.known -= 1;
        } else {
            now.strangers.retain(|(number, _)| *number != self.number);
        }
    }
}

/// A stream whose other end must go on reading: what cannot be written for so long is an error.
struct Patient<S> {
    stream: S,
    patience: Duration,
    late: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    fn within<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.late = None;
            return written;
        }
        let late = self.late.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.patience)));
        late.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.within(written, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.within(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.within(shut, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stranger_gives_way_and_those_with_the_token_stay() {
        let places = Arc::new(Places::new(1));
        let (known, mut known_out) = Visitor::enter(&places);
        assert!(known.recognise() && known.recognise());
        let (second, _out) = Visitor::enter(&places);
        assert!(!second.recognise(), "one place for those with the token");
        drop(second);
        let mut strangers: Vec<_> = (0..5).map(|_| Visitor::enter(&places)).collect();
        assert!(strangers[0].1.0.try_recv().is_ok(), "four places for strangers");
        assert!(strangers[1].1.0.try_recv().is_err() && known_out.0.try_recv().is_err());
        strangers.clear();
        drop(known);
        let now = places.now();
        assert_eq!((now.known, now.strangers.len()), (0, 0));
    }

    /// A stream that takes nothing.
    struct Stuck;

    impl AsyncWrite for Stuck {
        fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
            Poll::Pending
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn a_reader_who_takes_nothing_is_given_up() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let mut stream = Patient { stream: Stuck, patience: Duration::from_millis(5), late: None };
        let write = std::future::poll_fn(|cx| Pin::new(&mut stream).poll_write(cx, b"x"));
        assert_eq!(runtime.block_on(write).unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
