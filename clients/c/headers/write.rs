//! Writes the headers into `include/touchline`, after a change of the Rust sources.

#[path = "mod.rs"]
mod written;

fn main() -> std::io::Result<()> {
    for (name, text) in written::headers() {
        std::fs::write(format!("{}/include/touchline/{name}", env!("CARGO_MANIFEST_DIR")), text)?;
    }
    Ok(())
}
