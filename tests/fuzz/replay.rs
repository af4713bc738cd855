//! What a fuzz target's entry is asked by a normal test: its corpus, and 1,000 mutants of it from one seed. (I6)
//!
//! Each crate whose input is fuzzed has this file as a module, and its fuzz target has the crate's `fuzzed.rs`: both call the same
//! entry. With `TOUCHLINE_CORPUS=FOLDER` the inputs are also written to `FOLDER/TARGET`, where a fuzzer begins with them.

#![allow(clippy::disallowed_methods, reason = "a corpus is files")]
#![allow(clippy::unwrap_used, reason = "a helper of tests stops at what it did not expect")]

use std::path::{Path, PathBuf};

/// So many mutants are tried.
const MUTANTS: u64 = 1000;
/// No mutant is longer than its parent by more than this.
const MOST_ADDED: usize = 256;
/// What parsers stumble over.
const WORDS: &[&[u8]] = &[
    b"-1",
    b"0",
    b"nan",
    b"inf",
    b"-inf",
    b"1e999",
    b"-0.0",
    b"1e-320",
    b"4294967296",
    b"18446744073709551616",
    b"9223372036854775807",
    b"\n",
    b"\r\n",
    b"\0",
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[[",
    b",",
    b"=",
    b" ",
    b"#",
    b"*",
    b"\xff",
    b"\xc3\xa9",
    b"null",
    b"true",
    b"\\u0000",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\0\0\0\0\0\0\0\0",
];

/// Calls `entry` with the corpus of `target`, with what was `made` beside it, and with mutants of both.
///
/// An input at which it stops is named, and left in the folder for temporary files.
pub fn replay(target: &str, made: Vec<Vec<u8>>, entry: impl Fn(&[u8])) {
    let mut seeds = committed(target);
    seeds.extend(made);
    assert!(!seeds.is_empty(), "{target} has no corpus");
    let folder = std::env::var_os("TOUCHLINE_CORPUS").map(|folder| PathBuf::from(folder).join(target));
    let mutants = (0..MUTANTS).map(|seed| mutant(&seeds, seed));
    for (number, input) in seeds.iter().cloned().chain(mutants).enumerate() {
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(format!("{number:05}")), &input).unwrap();
        }
        let name = format!("{target}-{number}");
        let _told = Told { name: &name, input: &input };
        entry(&input);
    }
}

/// The inputs of a target that are in the repository.
pub fn committed(target: &str) -> Vec<Vec<u8>> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.ancestors().find(|folder| folder.join("tests/fuzz/corpus").is_dir()).unwrap();
    let Ok(entries) = std::fs::read_dir(root.join("tests/fuzz/corpus").join(target)) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Says which input it was if the test stops there.
struct Told<'a> {
    name: &'a str,
    input: &'a [u8],
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let path = std::env::temp_dir().join(format!("touchline-fuzzed-{}", self.name));
            let _ = std::fs::write(&path, self.input);
            eprintln!("stopped at input {}, which is in {}", self.name, path.display());
        }
    }
}

/// One of the seeds with one to four changes.
pub fn mutant(seeds: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut drawn = Drawn(seed);
    let mut bytes = seeds[drawn.below(seeds.len())].clone();
    let longest = bytes.len() + MOST_ADDED;
    for _ in 0..=drawn.below(4) {
        change(&mut bytes, seeds, &mut drawn);
    }
    bytes.truncate(longest);
    bytes
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], drawn: &mut Drawn) {
    let at = drawn.below(bytes.len() + 1);
    let end = (at + drawn.below(64)).min(bytes.len());
    match drawn.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
        3 => bytes[at..end].fill(0),
        4 => {
            let word = WORDS[drawn.below(WORDS.len())];
            bytes.splice(at..at, word.iter().copied());
        }
        5 => {
            let other = &seeds[drawn.below(seeds.len())];
            let from = drawn.below(other.len() + 1);
            let part = other[from..(from + 64).min(other.len())].to_vec();
            bytes.splice(at..end, part);
        }
        6 => replace_number(bytes, at, WORDS[drawn.below(11)]),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << drawn.below(8);
            }
        }
    }
}

/// Puts a word in the place of the next number of a text.
fn replace_number(bytes: &mut Vec<u8>, at: usize, word: &[u8]) {
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let Some(begin) = bytes[at..].iter().position(is_of_number).map(|found| at + found) else { return };
    let length = bytes[begin..].iter().position(|byte| !is_of_number(byte));
    let end = length.map_or(bytes.len(), |length| begin + length);
    bytes.splice(begin..end, word.iter().copied());
}

/// Numbers that look drawn, from a seed (splitmix64).
pub struct Drawn(pub u64);

impl Drawn {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
