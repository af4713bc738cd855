//! The two commands: `cargo play` and `cargo verify`; and what makes packages.
//!
//! Both are aliases in `.cargo/config.toml`. A stage of `verify` is one line of the table in `stages/mod.rs`.

#![forbid(unsafe_code)]

mod c_functions;
mod dist;
mod kept;
mod lanes;
mod passed;
mod play;
mod report;
mod shop;
mod stages;
mod tally;
mod timings;
mod tools;
mod verify;

use std::io::Write;
use std::process::ExitCode;

const USAGE: &str = "\
cargo play [WORLD] [OPTIONS]  build everything in release mode and start the match, or another world;
                              options go to `touchline serve`, such as --speed 4
cargo verify [STAGE]...       run every test, or only these stages
cargo verify --fast           while you work: format, lints, the tree, the pure crates
cargo verify --full           the long runs too; installs what they need; what has passed on this commit is not run again
             --again          but here it is
cargo verify --list           name the stages
             --json           one JSON object on stdout at the end; people read stderr
             --junit FILE     the report as JUnit's XML
cargo xtask install --prefix DIR
                              build, and put program, plugins, robots and worlds below DIR
cargo xtask dist              make the packages: Debian, archive, wheels, container recipe; into target/dist
             --try            then install and use them in a clean Debian
             --debug          of the debug build, without the engine's wheel: to try the packaging
cargo xtask timings [BUILD]   build from nothing in a folder of its own, and print what took how long
cargo xtask sbom              what is in the program and its plugins, as CycloneDX JSON
cargo xtask c-functions       the page docs/c-functions.md, from the headers";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let arguments: Vec<String> = arguments.collect();
    let result = match command.as_str() {
        "play" => play::play(&arguments),
        "verify" => verify::verify(&arguments),
        "install" => shop::Shop::open().and_then(|shop| dist::install(&shop, &arguments)),
        "dist" => shop::Shop::open().and_then(|shop| dist::dist(&shop, &arguments)),
        "timings" => timings::timings(&arguments),
        "sbom" => sbom(),
        "c-functions" => c_functions(),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("unknown command \"{command}\"\n\n{USAGE}")),
    };
    result.unwrap_or_else(|message| {
        eprintln!("xtask: {message}");
        ExitCode::from(2)
    })
}

fn c_functions() -> Result<ExitCode, String> {
    let page = c_functions::page(&shop::Shop::open()?.root)?;
    std::io::stdout().write_all(page.as_bytes()).map_err(|error| error.to_string())?;
    Ok(ExitCode::SUCCESS)
}

fn sbom() -> Result<ExitCode, String> {
    let text = stages::libraries::sbom_text(&shop::Shop::open()?)?;
    std::io::stdout().write_all(&text).map_err(|error| error.to_string())?;
    Ok(ExitCode::SUCCESS)
}
