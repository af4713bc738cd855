//! Prints docs/configuration.md.

fn main() {
    print!("{}", touchline_config::reference_markdown());
}
