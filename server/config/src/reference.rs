//! The configuration reference: docs/configuration.md, written from the types.

/// The text of `docs/configuration.md`.
pub fn reference_markdown() -> String {
    String::new()
}
