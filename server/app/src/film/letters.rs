//! Letters as lines: what is drawn without a font file. Letters that are not here are drawn as a box.

use tiny_skia::{Path, PathBuilder};

/// Height of a capital letter on the grid of [`strokes`].
const CAPITAL: f32 = 6.0;
/// From one letter to the next.
const ADVANCE: f32 = 5.6;
/// The line on which letters stand.
const BASE: f32 = 2.0;
/// A dot is so long: a line of no length would not be drawn.
const DOT: f32 = 0.05;

/// How wide a text is whose capital letters are `height` high.
pub fn width(text: &str, height: f32) -> f32 {
    let letters = text.chars().count() as f32;
    (letters * ADVANCE - (ADVANCE - 4.0)).max(0.0) * height / CAPITAL
}

/// The lines of a text that begins at `left` and stands on `base`; `None` if there is nothing to draw.
pub fn path(text: &str, left: f32, base: f32, height: f32) -> Option<Path> {
    let scale = height / CAPITAL;
    let mut path = PathBuilder::new();
    for (index, letter) in text.chars().enumerate() {
        let from = left + index as f32 * ADVANCE * scale;
        for stroke in strokes(letter).split(';') {
            let points = stroke.split(' ').filter_map(grid);
            let points = points.map(|(x, y)| (from + x * scale, base - (y - BASE) * scale));
            draw(&mut path, points, scale);
        }
    }
    path.finish()
}

fn draw(path: &mut PathBuilder, mut points: impl Iterator<Item = (f32, f32)>, scale: f32) {
    let Some((x, y)) = points.next() else { return };
    path.move_to(x, y);
    let mut is_dot = true;
    for (x, y) in points {
        path.line_to(x, y);
        is_dot = false;
    }
    if is_dot {
        path.line_to(x + DOT * scale, y);
    }
}

/// A point of the grid: two digits, x and y.
fn grid(point: &str) -> Option<(f32, f32)> {
    let mut digits = point.chars().filter_map(|digit| digit.to_digit(10));
    Some((digits.next()? as f32, digits.next()? as f32))
}

/// A letter's lines on a grid of 5 by 9 points: capitals stand from 2 to 8, small letters to 6.
fn strokes(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        'A' => "02 05 28 45 42;04 44",
        'B' => "02 08 38 47 46 35 05;35 44 43 32 02",
        'C' => "47 38 18 07 03 12 32 43",
        'D' => "02 08 28 46 44 22 02",
        'E' => "48 08 02 42;05 35",
        'F' => "48 08 02;05 35",
        'G' => "47 38 18 07 03 12 32 43 45 25",
        'H' => "08 02;48 42;05 45",
        'I' => "12 32;18 38;22 28",
        'J' => "48 43 32 12 03",
        'K' => "08 02;48 05 42",
        'L' => "08 02 42",
        'M' => "02 08 25 48 42",
        'N' => "02 08 42 48",
        'O' => "18 38 47 43 32 12 03 07 18",
        'P' => "02 08 38 47 46 35 05",
        'Q' => "18 38 47 43 32 12 03 07 18;24 42",
        'R' => "02 08 38 47 46 35 05;25 42",
        'S' => "47 38 18 07 06 15 35 44 43 32 12 03",
        'T' => "08 48;28 22",
        'U' => "08 03 12 32 43 48",
        'V' => "08 22 48",
        'W' => "08 12 26 32 48",
        'X' => "08 42;02 48",
        'Y' => "08 25 48;25 22",
        'Z' => "08 48 02 42",
        '0' => "18 38 47 43 32 12 03 07 18;14 36",
        '1' => "16 28 22;12 32",
        '2' => "07 18 38 47 46 02 42",
        '3' => "07 18 38 47 46 35 15;35 44 43 32 12 03",
        '4' => "32 38 04 44",
        '5' => "48 08 05 35 44 43 32 12 03",
        '6' => "38 18 07 03 12 32 43 44 35 15 04",
        '7' => "08 48 12",
        '8' => "15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35",
        '9' => "46 35 15 06 07 18 38 47 43 32 12",
        'a' => "16 36 45 42;44 14 03 12 32 43",
        'b' => "08 02;05 16 36 45 43 32 12 03",
        'c' => "45 36 16 05 03 12 32 43",
        'd' => "48 42;45 36 16 05 03 12 32 43",
        'e' => "04 44 45 36 16 05 03 12 32 43",
        'f' => "38 28 17 12;06 36",
        'g' => "46 41 30 10 01;45 36 16 05 03 12 32 43",
        'h' => "08 02;05 16 36 45 42",
        'i' => "26 22;28",
        'j' => "36 31 20 10;38",
        'k' => "08 02;36 04 42",
        'l' => "28 23 32",
        'm' => "02 06;05 16 25 22;25 36 45 42",
        'n' => "02 06;05 16 36 45 42",
        'o' => "16 36 45 43 32 12 03 05 16",
        'p' => "06 00;05 16 36 45 43 32 12 03",
        'q' => "46 40;45 36 16 05 03 12 32 43",
        'r' => "02 06;04 26 36",
        's' => "45 36 16 05 14 34 43 32 12 03",
        't' => "18 13 22 32;06 36",
        'u' => "06 03 12 32 43;46 42",
        'v' => "06 22 46",
        'w' => "06 12 25 32 46",
        'x' => "06 42;02 46",
        'y' => "06 22;46 10",
        'z' => "06 46 02 42",
        '-' => "15 35",
        '_' => "01 41",
        '.' => "22",
        ':' => "23;26",
        ',' => "22 11",
        '/' => "01 48",
        '(' => "38 26 24 32",
        ')' => "18 26 24 12",
        '+' => "05 45;23 27",
        '\'' => "28 26",
        '#' => "12 18;32 38;04 44;06 46",
        '!' => "28 24;22",
        '?' => "07 18 38 47 46 25 24;22",
        '=' => "04 44;06 46",
        _ => "02 06 46 42 02",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each letter lies on its grid, and no two look alike.
    #[test]
    fn letters_are_told_apart() {
        let letters: Vec<char> =
            ('!'..='~').filter(|&letter| strokes(letter) != strokes('\u{1f916}')).collect();
        assert!(letters.len() > 70, "{letters:?}");
        for (index, &letter) in letters.iter().enumerate() {
            let bounds = path(&letter.to_string(), 0.0, 60.0, 60.0).expect("a path").bounds();
            let is_on_grid = bounds.left() >= 0.0
                && bounds.right() <= width("x", 60.0) + 1.0
                && bounds.top() >= 0.0
                && bounds.bottom() <= 80.0;
            assert!(is_on_grid, "{letter}: {bounds:?}");
            assert!(letters[..index].iter().all(|&other| strokes(other) != strokes(letter)), "{letter}");
        }
        assert!(path(" ", 0.0, 0.0, 10.0).is_none() && width("", 10.0) == 0.0);
    }
}
