//! What the program says about itself: file formats, completions, man page.

use super::options::{Arguments, SchemaOf};
use super::{Failure, data};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

pub fn print(of: SchemaOf) -> Result<(), Failure> {
    let schema = match of {
        SchemaOf::Robot => touchline_config::schema_robot(),
        SchemaOf::World => touchline_config::schema_world(),
        SchemaOf::Tournament => touchline_config::schema_tournament(),
        SchemaOf::Challenge => touchline_config::schema_challenge(),
        SchemaOf::Competition => touchline_config::schema_competition(),
        SchemaOf::Keys => touchline_config::schema_keys(),
    };
    write(format!("{schema:#}\n").as_bytes())
}

pub fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "touchline", &mut script);
    write(&script)
}

pub fn man() -> Result<(), Failure> {
    let mut pages = Vec::new();
    let mut command = Arguments::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut pages)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        clap_mangen::Man::new(sub.clone()).render(&mut pages)?;
    }
    write(&pages)
}

fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = data();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
