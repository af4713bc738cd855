//! `touchline log compare`: two recordings, or a recording and a table, side by side by their stamps.

use super::log::open;
use super::log_options::{Align, CompareOptions};
use super::{Failure, plot, print, written};
use serde::Serialize;
use std::io::{BufRead, Read, Write};
use std::path::Path;
use touchline_record::compare_series::{CompareError, Comparison, Series, Statistics, compare as lay};
use touchline_record::series::{self, SeriesError};

/// What an MCAP file begins with.
const MCAP_MAGIC: &[u8] = b"\x89MCAP";
/// No table is longer that is compared.
const MAX_TABLE_BYTES: u64 = 128 << 20;
/// A plot has so many fields if none are chosen.
const PLOTTED_FIELDS: usize = 4;

#[derive(Serialize)]
struct Report<'a> {
    a: Source<'a>,
    b: Source<'a>,
    offset_secs: f64,
    threshold_secs: f64,
    pairs: usize,
    fields: Vec<FieldReport<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    file: String,
    topic: Option<&'a str>,
    messages: usize,
    unmatched: usize,
    first_secs: f64,
    last_secs: f64,
    period_secs: Option<f64>,
}

#[derive(Serialize)]
struct FieldReport<'a> {
    name: &'a str,
    name_b: &'a str,
    angle: bool,
    difference: Option<Statistics>,
}

pub fn compare(options: &CompareOptions) -> Result<(), Failure> {
    let topic_b = options.topic_b.as_deref().or(options.topic.as_deref());
    let (mut a, topic_a) = read(&options.a, options.topic.as_deref())?;
    let (mut b, topic_b) = read(&options.b, topic_b)?;
    let by_topic = topic_a.or(topic_b.filter(|_| options.topic_b.is_none()));
    for (asked, read, option) in
        [(&options.topic, by_topic, "--topic"), (&options.topic_b, topic_b, "--topic-b")]
    {
        if asked.is_some() && read.is_none() {
            let what = format!("{option}: tables have no topics");
            return Err(Failure::Configuration(format!(
                "{what}\n  hint     leave it out, or name a recording"
            )));
        }
    }
    if options.align == Some(Align::Start) {
        for series in [&mut a, &mut b] {
            series.shift(-series.range_secs().map_or(0.0, |(first, _)| first));
        }
    }
    b.shift(options.offset);
    let compared = lay(&a, &b, options.threshold, &options.fields).map_err(|error| wrong(options, &error))?;
    if let Some(path) = &options.plot {
        draw(path, options, (&a, &b), &compared)?;
    }
    let source = |file: &Path, topic, series: &Series, unmatched| {
        let (first_secs, last_secs) = series.range_secs().unwrap_or_default();
        let period_secs = series.median_period_secs();
        let messages = series.stamps_secs().len();
        Source {
            file: file.display().to_string(),
            topic,
            messages,
            unmatched,
            first_secs,
            last_secs,
            period_secs,
        }
    };
    let report = Report {
        a: source(&options.a, topic_a, &a, compared.unmatched_a),
        b: source(&options.b, topic_b, &b, compared.unmatched_b),
        offset_secs: options.offset,
        threshold_secs: compared.threshold_secs,
        pairs: compared.pairs.len(),
        fields: compared
            .fields
            .iter()
            .map(|field| FieldReport {
                name: &field.field.a,
                name_b: &field.field.b,
                angle: field.is_angle,
                difference: field.statistics,
            })
            .collect(),
    };
    print(options.json, &report, |out| write_text(&report, out))
}

fn write_text(report: &Report<'_>, out: &mut impl Write) -> std::io::Result<()> {
    for (name, source) in [("A", &report.a), ("B", &report.b)] {
        let topic = source.topic.map(|topic| format!(" {topic}")).unwrap_or_default();
        writeln!(out, "{name}          {}{topic}", source.file)?;
        let period = source.period_secs.map(|secs| format!(", one each {secs:.4} s")).unwrap_or_default();
        writeln!(
            out,
            "           {} messages{period}, {:.3} s to {:.3} s, {} without a partner",
            source.messages, source.first_secs, source.last_secs, source.unmatched
        )?;
    }
    writeln!(
        out,
        "pairs      {}, stamps at most {:.4} s apart, B moved by {} s",
        report.pairs, report.threshold_secs, report.offset_secs
    )?;
    let title = |field: &FieldReport<'_>| match field.name == field.name_b {
        true => field.name.to_owned(),
        false => format!("{}={}", field.name, field.name_b),
    };
    let width = report.fields.iter().map(|field| title(field).len()).max().unwrap_or(0).max(9);
    writeln!(
        out,
        "{:width$} {:>8} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "|B - A| of", "pairs", "median", "90 %", "rms", "max", "at s"
    )?;
    for field in &report.fields {
        let title = title(field);
        match &field.difference {
            Some(of) => writeln!(
                out,
                "{title:width$} {:>8} {:>12.6} {:>12.6} {:>12.6} {:>12.6} {:>12.3}",
                of.pairs, of.median, of.p90, of.rms, of.max, of.max_at_secs
            )?,
            None => writeln!(out, "{title:width$} {:>8}", 0)?,
        }
    }
    Ok(())
}

/// A file's series, and the topic if it has topics.
fn read<'a>(path: &Path, topic: Option<&'a str>) -> Result<(Series, Option<&'a str>), Failure> {
    let wrong = |error: SeriesError| Failure::Configuration(format!("{}: {error}", path.display()));
    // Before it is opened: a pipe is waited for.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Failure::Resource(format!("{}: not a regular file", path.display())));
    }
    let mut file = open(path)?;
    // What is called a recording is not taken for a table, whatever it begins with.
    let is_mcap =
        file.fill_buf()?.starts_with(MCAP_MAGIC) || path.extension().is_some_and(|end| end == "mcap");
    if !is_mcap {
        // Each cell takes eight bytes, even an empty one: a table that never ends would take all memory.
        if std::fs::metadata(path)?.len() > MAX_TABLE_BYTES {
            let what = format!("a table of more than {MAX_TABLE_BYTES} bytes");
            return Err(Failure::Configuration(format!("{}: {what}", path.display())));
        }
        return Ok((series::of_csv(file.take(MAX_TABLE_BYTES)).map_err(wrong)?, None));
    }
    match topic {
        Some(topic) => Ok((series::of_topic(file, topic).map_err(wrong)?, Some(topic))),
        None => {
            let topics = series::topics(file).map_err(wrong)?.join(", ");
            Err(Failure::Configuration(format!("{}: say --topic; there are: {topics}", path.display())))
        }
    }
}

fn wrong(options: &CompareOptions, error: &CompareError) -> Failure {
    let hint = match error {
        CompareError::NoOverlap { a_secs, b_secs, .. } if a_secs.1 < b_secs.0 || b_secs.1 < a_secs.0 => {
            let offset = options.offset + a_secs.0 - b_secs.0;
            format!(
                "\n  hint     --align start, or --offset {offset:.6}, which puts their first messages together"
            )
        }
        CompareError::NoOverlap { .. } => {
            "\n  hint     a larger --threshold, or --offset if their clocks differ".to_owned()
        }
        CompareError::OtherUnit { .. } | CompareError::OtherScale { .. } => {
            "\n  hint     stamps are in seconds, the first column of a table too; --threshold SECONDS compares them as they are".to_owned()
        }
        CompareError::NothingInCommon { .. } => {
            "\n  hint     --field A=B compares fields that are called differently".to_owned()
        }
        _ => String::new(),
    };
    let files = format!("A is {}, B is {}", options.a.display(), options.b.display());
    Failure::Configuration(format!("{error}\n  files    {files}{hint}"))
}

fn draw(
    path: &Path,
    options: &CompareOptions,
    (a, b): (&Series, &Series),
    compared: &Comparison,
) -> Result<(), Failure> {
    let moves = |values: &[f64]| {
        let mut known = values.iter().filter(|value| value.is_finite());
        known.next().is_some_and(|first| known.any(|value| value != first))
    };
    let panels = compared.fields.iter().filter_map(|difference| {
        let (of_a, of_b) = (a.field(&difference.field.a)?, b.field(&difference.field.b)?);
        let is_wanted = !options.fields.is_empty() || moves(&of_a.values) || moves(&of_b.values);
        is_wanted.then(|| {
            let stamps = |series: &Series, index: usize| series.stamps_secs()[index];
            let curve = |series: &Series, values: &[f64]| {
                series.stamps_secs().iter().copied().zip(values.iter().copied()).collect()
            };
            let pairs = compared.pairs.iter().zip(&difference.differences);
            plot::Panel {
                title: match of_a.name == of_b.name {
                    true => of_a.name.clone(),
                    false => format!("{} = {}", of_a.name, of_b.name),
                },
                is_angle: difference.is_angle,
                a: curve(a, &of_a.values),
                b: curve(b, &of_b.values),
                difference: pairs.map(|(&(at, _), &difference)| (stamps(a, at), difference)).collect(),
            }
        })
    });
    let limit = if options.fields.is_empty() { PLOTTED_FIELDS } else { usize::MAX };
    let panels: Vec<plot::Panel> = panels.take(limit).collect();
    let names = [&options.a, &options.b].map(|path| path.display().to_string());
    written::write_new(path, plot::svg(&names, &panels))
}
