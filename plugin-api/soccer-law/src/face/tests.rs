use super::*;

/// A line is read as it was written, whatever the command.
#[test]
fn referee_commands_are_read_as_they_are_written() {
    let lines = [
        "start",
        "mode free_kick_l",
        "foul right -12.5 3",
        "drop 0 0",
        "goalie left 1",
        "type right 11 17",
        "card left 4 red",
        "discard right 2",
        "move left 3 1 2",
        "move left 3 1 2 0.5",
        "move left 3 1 2 0.5 -1 2",
        "ball 1 2",
        "ball 1 2 -3 4.25",
        "recover",
    ];
    for line in lines {
        let command: RefereeCommand = line.parse().unwrap();
        assert_eq!(command.to_string(), line);
    }
}

#[test]
fn wrong_lines_say_what_is_wrong() {
    for (line, part) in [
        ("", "a command is missing"),
        ("smile", "known are: start"),
        ("mode", "a mode of play is missing"),
        ("mode half_time", "no mode of play"),
        ("foul both 1 2", "no side"),
        ("drop nan 0", "not an x"),
        ("drop 1e300 0", "not an x"),
        ("goalie left 12", "from 1 to 11"),
        ("type left 1 -1", "not a player type"),
        ("card left 1 green", "yellow or red"),
        ("move left 1 0 0 0 1", "is missing"),
        ("ball 0 0 51 0", "not a part of a velocity"),
        ("start now", "too much"),
    ] {
        let error = line.parse::<RefereeCommand>().unwrap_err();
        assert!(error.to_string().contains(part), "{line}: {error}");
    }
}

/// G1: what is said of a wrong line is short, however long its words are.
#[test]
fn what_is_wrong_with_a_long_line_is_said_in_short() {
    let long = "é".repeat(1 << 20);
    for before in ["", "mode ", "foul ", "card left 1 ", "goalie left ", "drop ", "start "] {
        let text = format!("{before}{long}").parse::<RefereeCommand>().unwrap_err().to_string();
        assert!(text.len() < 1000, "{before}: {} bytes", text.len());
    }
}

#[test]
fn body_commands_come_back_from_their_numbers() {
    let leg = Leg { power: 60.0, direction_rad: 0.5 };
    for command in [
        BodyCommand::None,
        BodyCommand::Dash { left: leg, right: Leg { power: -10.0, direction_rad: -1.0 } },
        BodyCommand::Turn { moment_rad: -2.0 },
        BodyCommand::Kick { power: 100.0, direction_rad: 1.0 },
        BodyCommand::Tackle { direction_rad: 1.0, foul: true },
        BodyCommand::TackleWithPower { power: -20.0, foul: false },
        BodyCommand::Catch { direction_rad: 0.25 },
        BodyCommand::Move { place: [-10.0, 5.0] },
    ] {
        assert_eq!(BodyCommand::from_numbers(&command.to_numbers(0.75)), (command, 0.75));
    }
    assert_eq!(BodyCommand::from_numbers(&[9.5; 8]).0, BodyCommand::None);
}

#[test]
fn places_in_the_lists_are_the_numbers() {
    assert!(Datum::ALL.iter().enumerate().all(|(index, datum)| datum.index() == index));
    assert!(Value::ALL.iter().enumerate().all(|(index, value)| value.index() == index));
    for mode in PlayMode::all() {
        assert_eq!(mode_of_phase(phase_of_mode(mode)), Some(mode));
    }
    assert_eq!(mode_of_phase(51), None);
    assert_eq!(Side::BOTH.map(Side::team), [0, 1]);
    assert_eq!(waiting_place(Side::Left, 3), [-9.0, 37.0]);
}
