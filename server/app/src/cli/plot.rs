//! Curves of two series and their difference, as a picture (SVG): for each field a panel, all over the same time.

use std::fmt::Write;

const WIDTH: f64 = 960.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 20.0;
/// The legend above all panels.
const HEAD: f64 = 60.0;
/// The curves, and below them their difference.
const CURVES: f64 = 150.0;
const DIFFERENCE: f64 = 70.0;
const GAP: f64 = 16.0;
const TITLE: f64 = 24.0;
const PANEL: f64 = TITLE + CURVES + GAP + DIFFERENCE + 40.0;
/// A curve of more points is thinned: of what falls into one column the smallest and the largest are drawn.
const COLUMNS: usize = 1000;

const A: &str = "#1f77b4";
const B: &str = "#d95f02";
const BETWEEN: &str = "#444444";

/// Panel of the plot: one field of recordings A and B.
pub struct Panel {
    /// Title above the panel.
    pub title: String,
    /// Whether a jump of more than half a turn is no line.
    pub is_angle: bool,
    /// Series A: stamp in seconds, value.
    pub a: Vec<(f64, f64)>,
    /// Series B: stamp in seconds, value.
    pub b: Vec<(f64, f64)>,
    /// B minus A, at A's stamps.
    pub difference: Vec<(f64, f64)>,
}

/// The picture; `names` are what the two are called.
pub fn svg(names: &[String; 2], panels: &[Panel]) -> String {
    let height = HEAD + PANEL * panels.len().max(1) as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (index, (name, colour)) in names.iter().zip([A, B]).enumerate() {
        let y = 20.0 + 18.0 * index as f64;
        let letter = ["A", "B"][index];
        line(&mut out, (LEFT, y - 4.0), (LEFT + 24.0, y - 4.0), colour, 2.0);
        text(&mut out, (LEFT + 32.0, y), "start", &format!("{letter}: {name}"));
    }
    if panels.is_empty() {
        text(&mut out, (LEFT, HEAD + 20.0), "start", "no field moves");
    }
    let stamps = panels.iter().flat_map(|panel| panel.a.iter().chain(&panel.b)).map(|&(stamp, _)| stamp);
    let time = range(stamps);
    for (index, panel) in panels.iter().enumerate() {
        draw(&mut out, panel, time, HEAD + PANEL * index as f64);
    }
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, panel: &Panel, time: (f64, f64), top: f64) {
    text(out, (LEFT, top + TITLE - 8.0), "start", &panel.title);
    let values = panel.a.iter().chain(&panel.b).map(|&(_, value)| value);
    let curves = Area { top: top + TITLE, height: CURVES, time, values: range(values) };
    curves.frame(out);
    curves.curve(out, &panel.a, A, panel.is_angle);
    curves.curve(out, &panel.b, B, panel.is_angle);
    let zero_and_all = panel.difference.iter().map(|&(_, value)| value).chain([0.0]);
    let below = top + TITLE + CURVES + GAP;
    let between = Area { top: below, height: DIFFERENCE, time, values: range(zero_and_all) };
    between.frame(out);
    let zero = between.y(0.0);
    line(out, (LEFT, zero), (WIDTH - RIGHT, zero), "#bbbbbb", 1.0);
    between.curve(out, &panel.difference, BETWEEN, panel.is_angle);
    text(out, (LEFT + 4.0, below + 14.0), "start", "B − A");
    let y = below + DIFFERENCE + 16.0;
    text(out, (LEFT, y), "start", &format!("{} s", number(time.0)));
    text(out, (WIDTH - RIGHT, y), "end", &format!("{} s", number(time.1)));
}

/// Where curves are drawn, and what its borders mean.
struct Area {
    top: f64,
    height: f64,
    time: (f64, f64),
    values: (f64, f64),
}

impl Area {
    fn x(&self, stamp: f64) -> f64 {
        LEFT + (stamp - self.time.0) / (self.time.1 - self.time.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (self.values.1 - value) / (self.values.1 - self.values.0) * self.height
    }

    fn frame(&self, out: &mut String) {
        let (top, height, width) = (self.top, self.height, WIDTH - LEFT - RIGHT);
        let _ = writeln!(
            out,
            "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#999999\"/>"
        );
        text(out, (LEFT - 6.0, top + 10.0), "end", &number(self.values.1));
        text(out, (LEFT - 6.0, top + height), "end", &number(self.values.0));
    }

    fn curve(&self, out: &mut String, points: &[(f64, f64)], colour: &str, is_angle: bool) {
        let mut path = String::new();
        let mut before: Option<f64> = None;
        for (stamp, value) in thinned(points) {
            if !value.is_finite() {
                before = None;
                continue;
            }
            let turns = |before: f64| is_angle && (value - before).abs() > std::f64::consts::PI;
            let begins = before.is_none_or(turns);
            let _ =
                write!(path, "{}{:.1} {:.1}", if begins { 'M' } else { 'L' }, self.x(stamp), self.y(value));
            before = Some(value);
        }
        // Round ends make a dot of a single point.
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\"/>"
        );
    }
}

/// So few points that a picture can take them, with all peaks.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= 2 * COLUMNS {
        return points.to_vec();
    }
    let of_chunk = |chunk: &[(f64, f64)]| {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let known = || chunk.iter().filter(|point| point.1.is_finite());
        match (known().min_by(by_value), known().max_by(by_value)) {
            (Some(&low), Some(&high)) if low.0 <= high.0 => [low, high],
            (Some(&low), Some(&high)) => [high, low],
            // Nothing is known here: the curve has a hole.
            _ => [chunk[0]; 2],
        }
    };
    points.chunks(points.len().div_ceil(COLUMNS)).flat_map(of_chunk).collect()
}

/// The smallest and the largest; never the same, so that it can be divided by.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let known = values.filter(|value| value.is_finite());
    let (low, high) = known
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (0.0, 1.0);
    }
    let room = if low == high { low.abs().max(1.0) * 0.5 } else { 0.0 };
    (low - room, high + room)
}

fn number(value: f64) -> String {
    let text = if value != 0.0 && !(1e-3..1e7).contains(&value.abs()) {
        return format!("{value:.2e}");
    } else {
        format!("{value:.4}")
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn line(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        out,
        "<line x1=\"{x1}\" y1=\"{y1:.1}\" x2=\"{x2}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
    );
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // XML knows no control characters.
    let escaped = escaped.replace(char::is_control, " ");
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{escaped}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(title: &str, a: Vec<(f64, f64)>) -> Panel {
        Panel { title: title.into(), is_angle: false, b: a.clone(), difference: a.clone(), a }
    }

    /// The picture is well formed whatever the names are, and has three curves for each field.
    #[test]
    fn a_picture_has_all_curves() {
        let names = ["a<b>&.mcap".to_owned(), "b\u{1}".to_owned()];
        let picture = svg(&names, &[panel("x < y", vec![(0.0, 1.0), (1.0, 2.0)]), panel("z", Vec::new())]);
        assert_eq!(picture.matches("<path").count(), 6);
        assert!(picture.contains("a&lt;b&gt;&amp;.mcap") && picture.contains("x &lt; y"));
        assert!(!picture.contains('\u{1}') && !picture.contains("NaN") && !picture.contains("inf"));
        assert!(svg(&names, &[]).contains("no field moves"));
    }

    /// What is missing is a hole, and an angle that goes round draws no line across.
    #[test]
    fn holes_and_turns_begin_a_new_line() {
        let mut turning =
            panel("yaw", vec![(0.0, 3.0), (1.0, 3.1), (2.0, -3.1), (3.0, f64::NAN), (4.0, -3.0)]);
        turning.is_angle = true;
        let picture = svg(&["a".into(), "b".into()], &[turning]);
        let path = picture.lines().find(|line| line.starts_with("<path")).unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (3, 1), "{path}");
    }

    /// A long curve is thinned, and keeps its peak.
    #[test]
    fn a_long_curve_keeps_its_peaks() {
        let mut points: Vec<(f64, f64)> = (0..1_000_000).map(|i| (f64::from(i), 0.0)).collect();
        points[777_777].1 = 5.0;
        let few = thinned(&points);
        assert!(few.len() <= 2 * COLUMNS);
        assert!(few.contains(&(777_777.0, 5.0)));
        assert!(few.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 2.0, 0.25, -1234.5, 1e-5, 1e9].map(number);
        assert_eq!(texts, ["0", "2", "0.25", "-1234.5", "1.00e-5", "1.00e9"]);
    }
}
