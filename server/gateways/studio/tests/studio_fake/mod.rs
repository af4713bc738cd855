//! What the studio shows in its tests: a simulation that stands still.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use touchline_gate::{Pass, Role, Sees};
use touchline_sim::{Frame, Scenario};
use touchline_studio::{Looked, Looking, Recording, Source, Status};

/// A simulation that stands still until a test moves it.
pub struct Fake {
    pub scenario: Arc<Scenario>,
    pub frame: Mutex<Arc<Frame>>,
    pub status: Mutex<Status>,
    pub recording: Mutex<Recording>,
    /// What pages say to the board.
    pub said: Arc<Mutex<Vec<String>>>,
    pub is_locked: bool,
}

impl Source for Fake {
    fn frame(&self) -> Arc<Frame> {
        self.frame.lock().unwrap().clone()
    }
    fn scenario(&self) -> Arc<Scenario> {
        self.scenario.clone()
    }
    fn status(&self) -> Status {
        *self.status.lock().unwrap()
    }
    fn metrics(&self, pages: usize) -> Option<String> {
        Some(format!("touchline_studio_pages {pages}\n"))
    }
    fn recording(&self) -> Recording {
        self.recording.lock().unwrap().clone()
    }
    /// One recording, `match.mcap`, of which any file of the tree may stand.
    fn recorded(&self, name: &str) -> Option<std::path::PathBuf> {
        (name == "match.mcap").then(|| concat!(env!("CARGO_MANIFEST_DIR"), "/page/main.js").into())
    }
    fn is_locked(&self) -> bool {
        self.is_locked
    }
    /// A key is the name of its role.
    fn unlock(&self, key: &str, _: IpAddr) -> Result<Pass, String> {
        let role = Role::from_word(key).ok_or("this key opens nothing here")?;
        let (name, team) = (Some(key.into()), (role == Role::Team).then_some(0));
        Ok(Pass { name, team, sees: Sees::Own, ..Pass::at_desk(role) })
    }
    fn look(&self, tick: u64) -> Looking {
        let frame = self.frame();
        Box::pin(async move {
            if tick > frame.step {
                return Err(format!("tick {tick} is not kept"));
            }
            Ok(Arc::new(Frame { step: tick, revision: 1_000_000 + tick, ..Frame::clone(&frame) }))
        })
    }
    /// A board that says who it speaks to, and then OK to everything; told `FLOOD`, it says more than anybody reads.
    fn board(&self, pass: Option<Pass>, _: IpAddr, _: Looked) -> Option<DuplexStream> {
        let (ours, theirs) = tokio::io::duplex(1024);
        let said = self.said.clone();
        tokio::spawn(async move {
            let (reader, mut writer) = tokio::io::split(ours);
            let role = pass.map_or("trusted", |pass| pass.role.as_str());
            // A page may be gone before it is spoken to.
            if writer.write_all(format!("{role}\n").as_bytes()).await.is_err() {
                return;
            }
            let mut lines = BufReader::new(reader).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                if line == "BYE" {
                    return;
                }
                if line == "FLOOD" {
                    let mut numbers = 0..;
                    while writer.write_all(flood_line(numbers.next().unwrap_or(0)).as_bytes()).await.is_ok() {
                    }
                    return;
                }
                if writer.write_all(format!("OK {line}\n").as_bytes()).await.is_err() {
                    return;
                }
                said.lock().unwrap().push(line);
            }
        });
        Some(theirs)
    }
}

/// One of the lines of a flood.
pub fn flood_line(number: u64) -> String {
    format!("flood {number:0>100}\n")
}

impl Fake {
    pub fn publish(&self, frame: &Frame) {
        *self.frame.lock().unwrap() = Arc::new(frame.clone());
    }
}
