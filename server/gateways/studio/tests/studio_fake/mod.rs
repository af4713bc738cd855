//! What the studio shows in its tests: a simulation that stands still.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
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
    fn look(&self, moment: u64) -> Looking {
        let frame = self.frame();
        Box::pin(async move {
            if moment > frame.step {
                return Err(format!("moment {moment} is not kept"));
            }
            Ok(Arc::new(Frame { step: moment, revision: 1_000_000 + moment, ..Frame::clone(&frame) }))
        })
    }
    /// A board that says who it speaks to, and then OK to everything; told `FLOOD`, it says more than anybody reads.
    fn board(&self, is_local: bool, _: Looked) -> Option<DuplexStream> {
        let (ours, theirs) = tokio::io::duplex(1024);
        let said = self.said.clone();
        tokio::spawn(async move {
            let (reader, mut writer) = tokio::io::split(ours);
            writer.write_all(format!("local {is_local}\n").as_bytes()).await.unwrap();
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
                writer.write_all(format!("OK {line}\n").as_bytes()).await.unwrap();
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
