//! The checked-in headers are what the Rust sources say. (C8)

#[path = "../../headers/mod.rs"]
mod written;

#[test]
fn the_headers_are_those_of_the_sources() {
    for (name, text) in written::headers() {
        let path = format!("{}/include/touchline/{name}", env!("CARGO_MANIFEST_DIR"));
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == text,
            "include/touchline/{name} is out of date; write it anew: cargo run -p touchline-client-c --example headers"
        );
    }
}
