//! What is measured of the server, in Prometheus' text format. The names are a contract: docs/studio.md has them.

use std::fmt::{Display, Write};
use touchline_gate::{LoopStatus, Priority};
use touchline_host::PluginTime;

/// Values that the page `/metrics` shows.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// How the loop is doing.
    pub status: LoopStatus,
    /// Whether something keeps the loop from going on.
    pub is_stalled: bool,
    /// How the system treats the loop's thread.
    pub priority: Priority,
    /// Number of robots in the world.
    pub robots: usize,
    /// Clients that are connected to the message board.
    pub board_clients: usize,
    /// How often one of them had to wait because its readings took too long.
    pub reading_waits: u64,
    /// Requests that wait for the next step.
    pub waiting: u64,
    /// Requests that were turned away because too many waited.
    pub refused: u64,
    /// The recorder; a recording has none.
    pub recorder: Option<RecorderMetrics>,
    /// How long each plugin's calls took.
    pub plugins: Vec<PluginTime>,
}

/// What is measured of the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecorderMetrics {
    /// Whether a file is being written.
    pub is_recording: bool,
    /// Whether the last recording ended before its time.
    pub has_failed: bool,
    /// Ticks whose poses were lost.
    pub lost_ticks: u64,
    /// Inputs that found no place.
    pub lost_inputs: u64,
    /// Ticks that cannot be verified.
    pub lost_digests: u64,
}

impl Metrics {
    /// The text that Prometheus reads; `pages` are connected to the studio.
    pub fn text(&self, pages: usize) -> String {
        let mut text = Text::default();
        let status = &self.status;
        text.counter("steps_total", "Steps made", status.step_times.steps());
        text.step_times(status);
        text.counter("timed_steps_total", "Steps made in real time", status.timed_steps);
        text.counter("late_steps_total", "Of these, steps that began more than 2 ms late", status.late_steps);
        let late = "How late the last step in real time began";
        text.gauge("step_lateness_seconds", late, status.late_ms / 1e3);
        let latest = "How late the latest of them began";
        text.gauge("step_lateness_max_seconds", latest, status.max_late_ms / 1e3);
        let factor = "Simulated seconds for each second of late";
        text.gauge("real_time_factor_ratio", factor, status.real_time_factor);
        text.gauge("paused", "Whether the world stands still until resumed", u8::from(status.paused));
        let stalled = "Whether a step does not end, such as by a plugin that does not return";
        text.gauge("stalled", stalled, u8::from(self.is_stalled));
        let priority = "How the system treats the world's thread: 0 as any other, 1 before others, 2 in the real-time class";
        text.gauge("priority", priority, self.priority as u8);
        text.counter("frames_published_total", "Frames published by the loop", status.frames);
        text.gauge("robots", "Robots in the world", self.robots);
        text.gauge("board_clients", "Clients connected to the message board", self.board_clients);
        let waits =
            "How often a client or page had to wait because its readings took more than its share of time";
        text.counter("reading_waits_total", waits, self.reading_waits);
        text.gauge("studio_pages", "Pages connected to the studio", pages);
        text.gauge("requests_waiting", "Commands and requests that wait for the next step", self.waiting);
        let refused = "Commands and requests turned away because too many waited";
        text.counter("requests_refused_total", refused, self.refused);
        if let Some(recorder) = &self.recorder {
            text.gauge("recording", "Whether a recording is being written", u8::from(recorder.is_recording));
            let lost = "Ticks whose poses were lost because the recorder could not keep up";
            text.counter("recorder_lost_ticks_total", lost, recorder.lost_ticks);
            let inputs = "Inputs that found no place: what is saved cannot be run again from there on";
            text.counter("recorder_lost_inputs_total", inputs, recorder.lost_inputs);
            let digests = "Ticks that cannot be verified, because not even their digests were kept";
            text.counter("recorder_lost_digests_total", digests, recorder.lost_digests);
            let failed = "Whether the last recording ended before its time";
            text.gauge("recording_failed", failed, u8::from(recorder.has_failed));
        }
        text.plugins(&self.plugins);
        text.0
    }
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP touchline_{name} {help}.\n# TYPE touchline_{name} {kind}");
    }

    fn value(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.0, "touchline_{name} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, "counter", help);
        self.value(name, value);
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.head(name, "gauge", help);
        self.value(name, value);
    }

    fn step_times(&mut self, status: &LoopStatus) {
        let (name, times) = ("step_seconds", &status.step_times);
        self.head(name, "histogram", "What a step took");
        for (bound, count) in times.up_to_bounds() {
            self.value(&format!("{name}_bucket{{le=\"{}\"}}", bound.as_secs_f64()), count);
        }
        self.value(&format!("{name}_bucket{{le=\"+Inf\"}}"), times.steps());
        self.value(&format!("{name}_sum"), times.sum().as_secs_f64());
        self.value(&format!("{name}_count"), times.steps());
    }

    fn plugins(&mut self, plugins: &[PluginTime]) {
        if plugins.is_empty() {
            return;
        }
        let name = |name: &str, of: &PluginTime| {
            format!("{name}{{kind=\"{}\",name=\"{}\"}}", of.kind, escaped(&of.name))
        };
        self.head(
            "plugin_calls_total",
            "counter",
            "Calls of the plugin's instances, estimated from one in 509",
        );
        for plugin in plugins {
            self.value(&name("plugin_calls_total", plugin), plugin.calls);
        }
        let help = "What these calls took, estimated from one in 509";
        self.head("plugin_seconds_total", "counter", help);
        for plugin in plugins {
            self.value(&name("plugin_seconds_total", plugin), plugin.time.as_secs_f64());
        }
    }
}

/// Escapes the value of a label.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
