//! The film's file: `ffmpeg` makes it of the pictures that are written to it.

use crate::cli::{self, Failure};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const FFMPEG: &str = "ffmpeg";
/// How the pictures are packed: small files in which lines and names stay sharp.
const MP4: &[&str] =
    &["-f", "mp4", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-movflags", "+faststart"];
const WEBM: &[&str] = &[
    "-f",
    "webm",
    "-c:v",
    "libvpx-vp9",
    "-deadline",
    "realtime",
    "-cpu-used",
    "6",
    "-row-mt",
    "1",
    "-crf",
    "28",
    "-b:v",
    "0",
];

/// A file that is being made: it has its name only when it is whole, as ffmpeg ends a film well also when nobody sends it the rest. Without
/// [`Encoder::finish`] it is removed.
pub struct Encoder {
    child: Child,
    said: File,
    file: PathBuf,
    part: PathBuf,
    is_whole: bool,
}

impl Encoder {
    /// Begins a film of so many pictures a second.
    ///
    /// # Errors
    /// When the file is there, its name ends otherwise than in `.mp4` or `.webm`, or there is no ffmpeg.
    pub fn start(file: &Path, (width, height): (u32, u32), rate: u32) -> Result<Self, Failure> {
        let codec = codec_of(file)?;
        // A film is never written over another file; and whether it can be written is known before all work.
        let part = cli::part_of(file)?;
        cli::create_new(&part)?;
        let said = tempfile::tempfile()?;
        let mut command = Command::new(FFMPEG);
        command.args([
            "-hide_banner",
            "-loglevel",
            "error",
            "-nostdin",
            "-y",
            "-f",
            "rawvideo",
            "-pixel_format",
            "rgba",
        ]);
        command.args([
            "-video_size",
            &format!("{width}x{height}"),
            "-framerate",
            &rate.to_string(),
            "-i",
            "pipe:0",
        ]);
        command.args(codec).args(["-pix_fmt", "yuv420p"]).arg(file_argument(&part));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said.try_clone()?);
        match command.spawn() {
            Ok(child) => Ok(Self { child, said, file: file.to_owned(), part, is_whole: false }),
            Err(error) => {
                let _ = std::fs::remove_file(&part);
                Err(not_started(&error))
            }
        }
    }

    /// Adds a picture, RGBA.
    ///
    /// # Errors
    /// When ffmpeg has ended.
    pub fn write(&mut self, picture: &[u8]) -> Result<(), Failure> {
        let written = self.child.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(picture));
        // Why it ended it has said itself.
        written.map_err(|_| self.failure())
    }

    /// Ends the film.
    ///
    /// # Errors
    /// When ffmpeg could not make it.
    pub fn finish(mut self) -> Result<(), Failure> {
        drop(self.child.stdin.take());
        if !self.child.wait()?.success() {
            return Err(self.failure());
        }
        cli::name_part(&self.part, &self.file)?;
        self.is_whole = true;
        Ok(())
    }

    fn failure(&mut self) -> Failure {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        let mut text = String::new();
        let _ = self.said.rewind().and_then(|()| self.said.read_to_string(&mut text));
        Failure::Resource(format!(
            "{}: ffmpeg cannot make the film: {}",
            self.file.display(),
            text.trim_end()
        ))
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        if !self.is_whole {
            let _ = self.child.kill();
            let _ = self.child.wait();
            let _ = std::fs::remove_file(&self.part);
        }
    }
}

/// A name that ffmpeg takes for a file, whatever it begins with.
fn file_argument(file: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from("file:");
    argument.push(file);
    argument
}

/// How a film of this name is packed.
pub fn codec_of(file: &Path) -> Result<&'static [&'static str], Failure> {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("mp4") => Ok(MP4),
        Some("webm") => Ok(WEBM),
        _ => Err(Failure::Configuration(format!(
            "{}: a film is an .mp4 (H.264) or a .webm (VP9)\n  hint     give the file one of these endings",
            file.display()
        ))),
    }
}

fn not_started(error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => Failure::Resource(
            "--video: there is no program ffmpeg in the folders of PATH, which packs the pictures\n  hint     install it, such as by: apt-get install ffmpeg"
                .into(),
        ),
        _ => Failure::Resource(format!("--video: ffmpeg does not start: {error}")),
    }
}
