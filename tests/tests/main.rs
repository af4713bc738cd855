//! The whole system: the built server, with real plugins, files, processes and sockets.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

// What the tests share.
mod build;
mod client;
mod onnx;
mod program;

mod benchmark;
mod beside;
mod board;
mod board_strangers;
mod board_time;
mod challenge_cheats;
mod challenge_desk;
mod challenge_forged;
mod challenge_kills;
mod challenge_unseen;
mod challenges;
mod cli;
mod cli_check;
mod cli_hints;
mod coaching;
mod contacts;
mod contract;
#[cfg(unix)]
mod den;
mod determinism;
mod examples;
mod film;
mod flight;
mod foxglove;
mod full;
mod goals;
mod half_field;
mod image;
mod installed;
mod isolation;
mod isolation_renewed;
mod keys;
mod learned;
mod log_compare;
mod metrics;
mod model_files;
mod models;
mod necks;
mod new_plugin;
mod patient;
mod plugins;
mod plugins_c;
mod pressing;
mod printed;
mod priority;
mod protocol;
mod record;
mod record_damage;
mod recorded_sensors;
mod release;
mod remote_attack;
mod replay_player;
mod robots;
#[cfg(debug_assertions)]
mod selections;
mod soccer_game;
mod soccer_inside;
mod soccer_log;
mod soccer_server;
mod soccer_team;
mod soccer_world;
mod standing;
mod taking;
mod team_params;
mod tournament;
mod tournament_lockstep;
mod tournament_programs;
mod train;
mod watchdog;
mod watching;
mod worked_examples;
