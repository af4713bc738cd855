//! Pictures of a team, which its coach sends tile by tile: checked and answered, shown nowhere.

use crate::PlayMode;
use crate::wire::scan::Scan;

/// Tiles of a picture, across and down, and pixels of a tile.
const TILES: [u32; 2] = [32, 8];
const TILE_SIZE: [i32; 2] = [8, 8];
/// More colours than that are no sensible tile's.
const MAX_COLOURS: i32 = 4096;

/// The answers to `(team_graphic (X Y "W H COLOURS CHARS" "COLOUR" ... "PIXELS" ...))`, in their order.
pub fn answers(text: &[u8], mode: PlayMode) -> Vec<String> {
    if mode != PlayMode::BEFORE_KICK_OFF {
        return vec!["(warning only_before_kick_off)".into()];
    }
    let mut scan = Scan::new(text);
    let place = scan.words(&["(", "team_graphic", "("]).and_then(|scan| scan.integer().zip(scan.integer()));
    let Some((x, y)) = place else { return vec!["(error illegal_command_form)".into()] };
    // Read without a sign there.
    let (x, y) = (x as u32, y as u32);
    let mut answers = Vec::new();
    if x >= TILES[0] || y >= TILES[1] {
        answers.push("(warning invalid_tile_location)".into());
    }
    answers.push(match size(scan.rest()) {
        None => "(error invalid_xpm_data)".into(),
        Some(size) if size != TILE_SIZE => "(warning invalid_tile_size)".into(),
        Some(_) => format!("(ok team_graphic {x} {y})"),
    });
    answers
}

/// Width and height of a picture in XPM's strings; none if something of it is missing or has another length.
fn size(text: &[u8]) -> Option<[i32; 2]> {
    // Every second part stands between quotation marks.
    let mut strings = text.split(|byte| *byte == b'"').skip(1).step_by(2);
    let head = std::str::from_utf8(strings.next()?).ok()?;
    let mut numbers = head.split_ascii_whitespace().map(str::parse::<i32>);
    let mut next = || numbers.next()?.ok().filter(|number| *number >= 0);
    let (width, height, colours, characters) = (next()?, next()?, next()?, next()?);
    if colours > MAX_COLOURS || numbers.next().is_some() {
        return None;
    }
    let are_there = (0..colours).all(|_| strings.next().is_some_and(|colour| !colour.is_empty()));
    let length = usize::try_from(width.checked_mul(characters)?).ok()?;
    let are_whole = (0..height).all(|_| strings.next().is_some_and(|line| line.len() == length));
    (are_there && are_whole).then_some([width, height])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_checked() {
        let tile = |head: &str, lines: usize| {
            let line = "\"abababab\" ".repeat(lines);
            format!("(team_graphic (3 7 \"{head}\" \"a c #000000\" \"b c #ffffff\" {line}))")
        };
        let read = |text: &str| answers(text.as_bytes(), PlayMode::BEFORE_KICK_OFF);
        assert_eq!(read(&tile("8 8 2 1", 8)), ["(ok team_graphic 3 7)"]);
        assert_eq!(read(&tile("8 8 2 1", 7)), ["(error invalid_xpm_data)"]);
        assert_eq!(read(&tile("8 7 2 1", 7)), ["(warning invalid_tile_size)"]);
        assert_eq!(read(&tile("8 2000000000 2 1", 8)), ["(error invalid_xpm_data)"]);
        assert_eq!(read("(team_graphic x)"), ["(error illegal_command_form)"]);
        let away = tile("8 8 2 1", 8).replace("3 7", "32 7");
        assert_eq!(read(&away), ["(warning invalid_tile_location)", "(ok team_graphic 32 7)"]);
        assert_eq!(answers(b"(team_graphic", PlayMode::PLAY_ON), ["(warning only_before_kick_off)"]);
    }
}
