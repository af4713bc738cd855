//! Traffic of the real server, where it is at hand: lines with a direction, and the text behind a tab. Who asks for it is ignored by default;
//! the stage `captures` of `cargo verify` runs those where the folder is there.

use std::path::PathBuf;

/// One captured datagram.
pub struct Captured {
    /// Whether a client sent it.
    pub is_client: bool,
    /// NULs at its end.
    pub nuls: usize,
    /// Text before them.
    pub text: String,
}

/// The folder of the captures.
pub fn folder() -> PathBuf {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/rcss_samples");
    let folder = std::env::var_os("TOUCHLINE_SOCCER_SAMPLES").map_or(beside, PathBuf::from);
    assert!(folder.is_dir(), "no traffic of the real server is at {}", folder.display());
    folder
}

/// A conversation: what client and server sent each other, in its order.
pub fn conversation(name: &str) -> Vec<Captured> {
    let text = std::fs::read(folder().join(name)).unwrap();
    let text = String::from_utf8_lossy(&text);
    let said: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).filter_map(captured).collect();
    assert!(!said.is_empty(), "{name}: nothing is said in it");
    said
}

fn captured(line: &str) -> Option<Captured> {
    let (head, text) = line.split_once('\t')?;
    let mut words = head.split(' ');
    let is_client = words.next()? == "C";
    let nuls = words.nth(3)?.strip_prefix("nul=")?.parse().ok()?;
    Some(Captured { is_client, nuls, text: text.to_owned() })
}

/// All lines of a file of server lines only.
pub fn lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    assert!(!lines.is_empty(), "{name}: there is no line in it");
    lines
}

/// The datagrams of a hex dump, each of which has its length before it.
pub fn dumped(name: &str) -> Vec<Vec<u8>> {
    let bytes: Vec<u8> = lines(name)
        .iter()
        .flat_map(|line| {
            let digits = line.split_once(": ").unwrap().1.split_once("  ").unwrap().0;
            let digits: Vec<char> = digits.chars().filter(|digit| !digit.is_whitespace()).collect();
            let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
            digits.chunks(2).map(byte).collect::<Vec<_>>()
        })
        .collect();
    let mut rest = bytes.as_slice();
    let mut datagrams = Vec::new();
    while let Some((head, after)) = rest.split_first_chunk::<4>() {
        let length = (u32::from_le_bytes(*head) as usize).min(after.len());
        datagrams.push(after[..length].to_vec());
        rest = &after[length..];
    }
    datagrams
}
