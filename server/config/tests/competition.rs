//! Competition files: the table of teams. (CH3)

use std::collections::BTreeSet;
use std::fs;
use touchline_config::{check_competition, load_competition};

/// The names of a table's teams, or what is told of it.
fn names(table: &str) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("teams.csv");
    fs::write(&path, table).unwrap();
    let loaded = load_competition(&path, &BTreeSet::new());
    loaded
        .map(|competition| competition.teams.into_iter().map(|team| team.name).collect())
        .map_err(|report| report.to_string())
}

/// CH3: a team is not left out because of its name.
#[test]
fn a_name_may_begin_with_what_elsewhere_begins_a_remark() {
    let table = "name;plugin;params\ngood;challenger;\n#1 Robots;challenger;\n=1+1;challenger;\n";
    assert_eq!(names(table).unwrap(), ["good", "#1 Robots", "=1+1"]);
    assert_eq!(names("name;plugin\n\"#1\";challenger\n").unwrap(), ["#1"]);
    // What was meant for a remark is told with its line.
    let told = names("name;plugin\ngood;challenger\n# the others\n").unwrap_err();
    assert!(told.contains("teams.csv:3:") && told.contains("no remarks"), "{told}");
    // One that has as many columns is a team: it has its place in the table, or is told as any other.
    let told = names("name;script\n#late;nowhere.sh\n").unwrap_err();
    assert!(told.contains("teams.csv:2:") && told.contains("team \"#late\""), "{told}");
}

/// Without its challenges nothing is known of what a team may have: only that it is a number.
#[test]
fn a_table_is_checked_without_its_challenges() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("teams.csv");
    let check = |table: &str| {
        fs::write(&path, table).unwrap();
        check_competition(&path).map(|spec| spec.teams.len()).map_err(|report| report.to_string())
    };
    assert_eq!(check("name;plugin;weight_kg\na;challenger;3.5\nb;challenger;\n"), Ok(2));
    assert!(
        names("name;plugin;weight_kg\na;challenger;3.5\n").is_err(),
        "of no challenge a team may have it"
    );
    let told = check("name;scirpt\na;run.sh\n").unwrap_err();
    assert!(told.contains("teams.csv:2:") && told.contains("did you mean the column \"script\"?"), "{told}");
}
