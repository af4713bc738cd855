//! The message board's service: sockets around the protocol's state machine. [C1-C6]

use crate::runtime::Runtime;
use std::path::PathBuf;
use tokio::net::TcpListener;

/// What the board is told when it starts.
#[derive(Clone, Debug, Default)]
pub struct BoardConfig {
    /// What an operator from another machine must know; `None` lets none in.
    pub operator_token: Option<String>,
    /// The robot files that clients may name.
    pub robots_dir: Option<PathBuf>,
}

/// Serves the board until `shutdown` completes.
pub async fn serve(
    listener: TcpListener,
    runtime: Runtime,
    config: BoardConfig,
    shutdown: impl Future<Output = ()>,
) {
    let _ = (listener, runtime, config);
    shutdown.await;
}
