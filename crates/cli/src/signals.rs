//! The message when a command is stopped by Ctrl-C or SIGTERM.
//!
//! The process ends at once, as a killed one does: outputs get their names only when they are whole, and what is kept is on
//! the disk before it is announced.

use fissure_kit::stop;

use crate::ui;

/// Waits for the signals on a thread of its own.
pub fn watch() {
    let waiting = std::thread::Builder::new().name("signals".into()).spawn(|| {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        let code = runtime.block_on(signal());
        let words = stop::last_words();
        if !words.is_empty() {
            // Below a progress bar.
            ui::note(&format!("\n{words}"));
        }
        std::process::exit(code);
    });
    // Without the thread a signal ends the process without a word, which loses nothing either.
    drop(waiting);
}

/// The exit code that a shell expects for the signal that came.
async fn signal() -> i32 {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return std::future::pending().await;
        };
        let interrupted = std::pin::pin!(interrupt.recv());
        let terminated = std::pin::pin!(terminate.recv());
        first(interrupted, terminated).await
    }
    #[cfg(not(unix))]
    match tokio::signal::ctrl_c().await {
        Ok(()) => 130,
        Err(_) => std::future::pending().await,
    }
}

#[cfg(unix)]
async fn first(
    mut interrupted: std::pin::Pin<&mut impl Future<Output = Option<()>>>,
    mut terminated: std::pin::Pin<&mut impl Future<Output = Option<()>>>,
) -> i32 {
    std::future::poll_fn(|context| {
        if interrupted.as_mut().poll(context).is_ready() {
            std::task::Poll::Ready(130)
        } else if terminated.as_mut().poll(context).is_ready() {
            std::task::Poll::Ready(143)
        } else {
            std::task::Poll::Pending
        }
    })
    .await
}
