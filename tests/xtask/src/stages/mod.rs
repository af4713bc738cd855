//! What `cargo verify` does: a closed list, cheapest first.

mod dist;
mod foreign;
pub mod libraries;
pub mod python;
mod rust;

use crate::report::Report;
use crate::shop::Shop;
pub use dist::try_packages;

/// Amount of tests that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `--fast`: while one works, in a built tree.
    Fast,
    /// Without a word: what every change has to pass.
    Usual,
    /// `--full`: the long runs too.
    Full,
}

/// One line of the list.
pub struct Stage {
    /// The word that chooses it: `cargo verify clippy`.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// The modes that run it.
    pub modes: &'static [Mode],
    /// Whether the stages that need a build need this one.
    pub is_build: bool,
    /// Whether it is skipped when the build has failed.
    pub needs_build: bool,
    /// Its part in running two things at once.
    pub lane: Lane,
    /// Does it; the name is the log's.
    pub run: fn(&Shop, &str) -> Report,
}

/// Whether a stage has a machine for itself. Some build little and wait much: they go beside those that build and test in debug mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// One after the other.
    Own,
    /// One after the other, and when it is over those beside begin: it has built what they ask for.
    Opens,
    /// Asks what the release build has made, and writes nothing that a stage before it in the list reads.
    Beside,
}

const ALWAYS: &[Mode] = &[Mode::Fast, Mode::Usual, Mode::Full];
const FAST: &[Mode] = &[Mode::Fast];
const USUAL: &[Mode] = &[Mode::Usual, Mode::Full];

/// All stages, in the order in which they run. docs/testing.md says what each proves, and how long it takes.
pub const STAGES: &[Stage] = &[
    Stage::early("rustfmt", "every Rust file is formatted", ALWAYS, rust::rustfmt),
    Stage::early("clippy", "no lint speaks, in any target, without a build", FAST, rust::clippy),
    Stage {
        is_build: true,
        ..Stage::early("build", "every target of every crate, in debug mode", USUAL, rust::build)
    },
    Stage::late("lints", "no lint has spoken in it, in any target", USUAL, rust::lints),
    Stage::early("tidy", "the tree keeps its promises", FAST, rust::tidy),
    Stage::early("pure", "the pure crates and the parsers", FAST, rust::pure),
    Stage::late("unit", "tests inside the crates, and the tree's promises", USUAL, rust::unit),
    Stage {
        lane: Lane::Opens,
        ..Stage::late(
            "release",
            "what `cargo play` builds: a whole match in one hash, one selection of features",
            USUAL,
            rust::release,
        )
    },
    Stage::late(
        "system",
        "the crates from outside, and the built server with real plugins",
        USUAL,
        rust::system,
    ),
    Stage::late(
        "captures",
        "the Soccer Server's gateway against the real one's traffic",
        USUAL,
        rust::captures,
    ),
    Stage::late("doc-tests", "the examples in the documentation", USUAL, rust::doc_tests),
    Stage::late("rustdoc", "the documentation has no broken link", USUAL, rust::rustdoc),
    Stage::beside("python", "the plain Python client", python::client),
    Stage::beside(
        "python-package",
        "the Python package: built, installed, tested with what others use",
        python::package,
    ),
    Stage::beside("python-types", "the types of both", python::types),
    Stage::beside("mcap", "a recording, read by the library that others use", foreign::mcap),
    Stage::beside(
        "c",
        "the C and C++ client: built, installed, found, run against the server",
        foreign::c_client,
    ),
    // By itself: beside others a browser that draws by software gets so little that its pages take the server for gone.
    Stage::late("browser", "the studio in a real browser", USUAL, foreign::browser),
    Stage::early("tools", "installs cargo-deny, cargo-fuzz", &[Mode::Full], libraries::install),
    Stage::early("deny", "licences and sources of the libraries", USUAL, libraries::deny),
    Stage::early("audit", "known holes in the libraries", USUAL, libraries::audit),
    Stage::early("sbom", "the list of what is shipped, as CycloneDX", USUAL, libraries::sbom),
    Stage::late(
        "full-length",
        "every suite with the optimiser: determinism at full length, published results, disks",
        &[Mode::Full],
        rust::full_length,
    ),
    Stage::late(
        "system-debug",
        "the built server once more, as it was built without the optimiser",
        &[Mode::Full],
        rust::system_debug,
    ),
    Stage::late(
        "python-sb3",
        "the Python package under PyTorch and Stable-Baselines3",
        &[Mode::Full],
        python::sb3,
    ),
    Stage::late(
        "python-ray",
        "benchmark, rollouts, tournament on a cluster of two workers",
        &[Mode::Full],
        python::ray,
    ),
    Stage::late(
        "python-ros2",
        "the ROS 2 bridge over rclpy, read by another implementation of DDS",
        &[Mode::Full],
        python::ros2,
    ),
    Stage::late(
        "dist",
        "the packages: made, installed and used in a clean Debian",
        &[Mode::Full],
        dist::dist,
    ),
    Stage::early(
        "fuzz",
        "each fuzz target for two minutes, from 1,000 inputs and more",
        &[Mode::Full],
        libraries::fuzz,
    ),
    Stage::early(
        "sanitizer",
        "the border to plugins under AddressSanitizer",
        &[Mode::Full],
        libraries::sanitizer,
    ),
];

impl Stage {
    const fn early(
        name: &'static str,
        about: &'static str,
        modes: &'static [Mode],
        run: fn(&Shop, &str) -> Report,
    ) -> Self {
        Self { name, about, modes, is_build: false, needs_build: false, lane: Lane::Own, run }
    }

    const fn late(
        name: &'static str,
        about: &'static str,
        modes: &'static [Mode],
        run: fn(&Shop, &str) -> Report,
    ) -> Self {
        Self { needs_build: true, ..Self::early(name, about, modes, run) }
    }

    const fn beside(name: &'static str, about: &'static str, run: fn(&Shop, &str) -> Report) -> Self {
        Self { lane: Lane::Beside, ..Self::late(name, about, USUAL, run) }
    }
}
