//! The reference page and the schemas say what the parser takes.

use std::path::Path;
use touchline_config::{reference_markdown, schema_keys, schema_robot, schema_tournament, schema_world};

#[test]
fn the_page_is_up_to_date() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let on_disk = std::fs::read_to_string(page).unwrap_or_default();
    assert!(
        on_disk == reference_markdown(),
        "docs/configuration.md is out of date:\ncargo run -p touchline-config --example reference > docs/configuration.md"
    );
}

/// R1: every key is described, and no table takes keys that are not.
#[test]
fn every_key_is_described_and_no_other_is_taken() {
    for schema in [schema_robot(), schema_world(), schema_tournament(), schema_keys()] {
        assert!(jsonschema::meta::is_valid(&schema));
        let definitions = schema["$defs"].as_object().unwrap();
        for (name, rule) in definitions.iter().chain([(&"file".to_owned(), &schema)]) {
            let Some(properties) = rule.get("properties").and_then(|p| p.as_object()) else { continue };
            assert_eq!(rule["additionalProperties"], false, "{name}");
            for (key, property) in properties {
                assert!(property.get("description").is_some(), "{name}.{key} is not described");
            }
        }
    }
}
