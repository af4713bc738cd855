//! Sensor integers to text and back: ours, `itoa`, `write!`; 361 ranges of a laser, in millimetres.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::io::Write;
use touchline_board::{format_quantised, parse_quantised};

fn scan() -> Vec<u32> {
    (0..361u32).map(|i| 400 + (i * 7919) % 7800).collect()
}

fn format(c: &mut Criterion) {
    let quantised = scan();
    let mut out = Vec::with_capacity(8192);
    let mut group = c.benchmark_group("format 361 integers");
    group.bench_function("format_quantised", |b| {
        b.iter(|| {
            out.clear();
            format_quantised(black_box(&quantised), &mut out);
            out.len()
        })
    });
    group.bench_function("itoa", |b| {
        b.iter(|| {
            out.clear();
            let mut buffer = itoa::Buffer::new();
            for &count in black_box(&quantised) {
                out.push(b' ');
                out.extend_from_slice(buffer.format(count).as_bytes());
            }
            out.len()
        })
    });
    group.bench_function("write!", |b| {
        b.iter(|| {
            out.clear();
            for count in black_box(&quantised) {
                let _ = write!(out, " {count}");
            }
            out.len()
        })
    });
    group.finish();
}

fn parse(c: &mut Criterion) {
    let mut text = Vec::new();
    format_quantised(&scan(), &mut text);
    let mut quantised = Vec::with_capacity(361);
    let mut group = c.benchmark_group("parse 361 integers");
    group.bench_function("parse_quantised", |b| {
        b.iter(|| {
            quantised.clear();
            parse_quantised(black_box(&text), &mut quantised).map(|()| quantised.len())
        })
    });
    group.bench_function("split and parse", |b| {
        b.iter(|| {
            quantised.clear();
            let text = std::str::from_utf8(black_box(&text)).unwrap_or_default();
            quantised.extend(text.split_ascii_whitespace().filter_map(|word| word.parse::<u32>().ok()));
            quantised.len()
        })
    });
    group.finish();
}

criterion_group!(benches, format, parse);
criterion_main!(benches);
