//! The session of an online coach: it sees all, and speaks to its team in the coaches' language.

use super::bench::{self, KINDS};
use super::link::Link;
use super::shared::{Effect, Shared};
use super::{Order, graphic, trainer};
use crate::state::Who;
use crate::wire::global::Global;
use crate::wire::hear::Reader;
use crate::wire::scan::{Scan, is_word};
use crate::{PlayMode, wire};
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::face::{RefereeCommand, Side};

const FORM: &str = "(error illegal_command_form)";

/// An online coach's client.
pub struct Coach {
    /// Its team.
    pub side: Side,
    /// Version of its protocol.
    pub version: u32,
    /// Whether it sees.
    pub has_eye: bool,
    /// Whether it was asked to think in this cycle, and whether it has said that it is done.
    pub is_asked: bool,
    pub is_done: bool,
}

impl Coach {
    /// A coach that has just come.
    pub fn new(side: Side, version: u32) -> Self {
        Self { side, version, has_eye: false, is_asked: false, is_done: false }
    }

    /// What it is told when it has come.
    pub fn greet(&self, link: &Link, shared: &mut Shared) {
        let text =
            if self.version < 6 { "(init ok)".into() } else { format!("(init {} ok)", self.side.letter()) };
        shared.send(link, &text);
        shared.send_params(link, self.version, Some(self.side));
        let speakers = Who::all().filter(|who| shared.seat(*who).language != [0; 2]);
        let texts: Vec<_> = speakers.filter_map(|who| self.language(who, shared)).collect();
        texts.iter().for_each(|text| shared.send(link, text));
    }

    /// How it reads messages.
    pub fn reader(&self) -> Reader {
        Reader::Coach(self.version)
    }

    /// What it sees.
    pub fn global<'a>(&self, shared: &'a Shared) -> Global<'a> {
        let Shared { state, aware, names, .. } = shared;
        Global { version: self.version, side: Some(self.side), state, aware, names }
    }

    /// `(clang (ver PLAYER MIN MAX))`: which versions of the language a player knows.
    pub fn language(&self, who: Who, shared: &Shared) -> Option<String> {
        if self.version < 8 {
            return None;
        }
        let mut name = String::new();
        let seat = shared.seat(who);
        let team = shared.names.told(who.side, Some(self.side));
        let _ = wire::name::write_player(&mut name, self.version, team, who, seat.is_goalie);
        let [min, max] = seat.language;
        Some(format!("(clang (ver {name} {min} {max}))"))
    }

    /// A datagram from it.
    pub fn datagram(&mut self, link: &mut Link, shared: &mut Shared, datagram: &[u8]) {
        let (text, is_ended) = wire::text(datagram);
        if !is_ended && self.version >= 8 {
            shared.send(link, "(warning message_not_null_terminated)");
        }
        let answer = self.command(link, shared, text);
        answer.iter().for_each(|answer| shared.send(link, answer));
    }

    fn command(&mut self, link: &mut Link, shared: &mut Shared, text: &[u8]) -> Option<String> {
        let mut scan = Scan::new(text);
        let word = scan.words(&["("]).and_then(|scan| scan.blanks().run(127, is_word));
        let Some(word) = word else { return Some(FORM.into()) };
        Some(match word {
            "check_ball" => trainer::check_ball(&shared.state, shared.server()),
            "look" => self.global(shared).look(),
            "team_names" => trainer::team_names(&shared.names, Some(self.side)),
            "say" if self.version >= 7 => self.say(scan.rest(), shared),
            "say" => self.say_old(scan.rest(), shared),
            "bye" => {
                shared.effects.push(Effect::Gone(link.client));
                return None;
            }
            "eye" => match trainer::switch(&mut scan) {
                None => FORM.into(),
                Some(on) => {
                    self.has_eye = on;
                    format!("(ok eye {})", if on { "on" } else { "off" })
                }
            },
            "change_player_type" => self.change_type(link.client, shared, &mut scan),
            "done" => {
                self.is_done = true;
                return None;
            }
            "compression" => match scan.integer().filter(|level| *level <= 9) {
                None => FORM.into(),
                Some(level) => {
                    shared.send(link, &format!("(ok compression {level})"));
                    link.compress(level);
                    return None;
                }
            },
            "team_graphic" => {
                for answer in graphic::answers(text, shared.state.mode) {
                    shared.send(link, &answer);
                }
                return None;
            }
            _ => "(error unknown_command)".into(),
        })
    }

    /// Versions before 7 say whatever they like while play is off.
    fn say_old(&self, rest: &[u8], shared: &mut Shared) -> String {
        if shared.state.mode == PlayMode::PLAY_ON {
            return "(warning cannot_say_while_playon)".into();
        }
        let Some(message) = trainer::said(rest, shared.server()) else { return FORM.into() };
        if !shared.bench_mut(self.side).say_freely() {
            return "(error said_too_many_messages)".into();
        }
        shared.effects.push(Effect::CoachSaid(Some(self.side), message));
        "(ok say)".into()
    }

    /// A message in the coaches' language: its kind is counted, its text goes on as it is.
    fn say(&self, rest: &[u8], shared: &mut Shared) -> String {
        const WRONG: &str = "(error could_not_parse_say)";
        let Shared { config, state, benches, .. } = shared;
        let (server, bench) = (&config.params.server, &mut benches[self.side as usize]);
        let Some(message) = message(rest) else { return WRONG.into() };
        let is_on = state.mode == PlayMode::PLAY_ON;
        if let Some(free) = freeform(message) {
            if free.len() > server.say_coach_msg_size.max(0) as usize {
                return WRONG.into();
            }
            if is_on && !bench.may_speak_freely(state.time, server) {
                return "(error cannot_say_freeform_while_playon)".into();
            }
            if !bench.say_freely() {
                return "(error said_too_many_freeform_messages)".into();
            }
            bench.queue(state.time, format!("(freeform \"{free}\")"));
            return "(ok say)".into();
        }
        let word = message[1..].split([' ', '(', ')']).next().unwrap_or_default();
        let Some(kind) = KINDS.iter().position(|(known, _)| *known == word) else { return WRONG.into() };
        if is_on && !bench.say_kind(kind) {
            return format!("(error said_too_many_{}_messages)", KINDS[kind].1);
        }
        bench.queue(state.time, message.to_owned());
        "(ok say)".into()
    }

    fn change_type(&mut self, client: u32, shared: &mut Shared, scan: &mut Scan<'_>) -> String {
        let Some(unum) = scan.integer() else { return FORM.into() };
        let Some(kind) = scan.integer() else {
            // `goalie` instead of a type.
            let is_goalie = scan.blanks().rest().starts_with(b"goalie");
            return if is_goalie { self.change_goalie(client, shared, unum) } else { FORM.into() };
        };
        let (server, player) = (&shared.config.params.server, &shared.config.params.player);
        if shared.state.mode == PlayMode::PLAY_ON {
            return "(warning cannot_sub_while_playon)".into();
        }
        let all = i64::from(server.half_time_cycles()) * i64::from(server.nr_normal_halfs)
            + i64::from(server.extra_half_time_cycles()) * i64::from(server.nr_extra_halfs);
        if server.half_time >= 0 && i64::from(shared.state.time) >= all {
            return "(warning cannot_sub_while_penalty_shootouts)".into();
        }
        let bench = &shared.benches[self.side as usize];
        if bench.is_spent(player) {
            return "(warning no_subs_left)".into();
        }
        let Some(new) = usize::try_from(kind).ok().filter(|kind| *kind < shared.config.types.len()) else {
            return "(error out_of_range_player_type)".into();
        };
        let who = bench::player(self.side, unum, shared);
        let known_unum = who.map_or(0, |who| who.unum);
        if let Some(refusal) = bench.refuses(known_unum, new, player, who.is_some()) {
            return refusal.into();
        }
        shared.substitute(client, Who { side: self.side, unum: known_unum }, new);
        format!("(ok change_player_type {unum} {kind})")
    }

    fn change_goalie(&self, client: u32, shared: &mut Shared, unum: i32) -> String {
        let mode = shared.state.mode;
        if mode == PlayMode::PLAY_ON {
            return "(warning cannot_change_goalie_while_playon)".into();
        }
        if matches!(mode.sided(), Some((SidedMode::PenaltyReady | SidedMode::PenaltyTaken, _))) {
            return "(warning cannot_change_goalie_while_penalty_taken)".into();
        }
        match bench::goalie(self.side, unum, shared) {
            Err(refusal) => refusal.into(),
            Ok(Who { side, unum }) => {
                shared.order(Order::Referee { client, command: RefereeCommand::Goalie { side, unum } });
                format!("(ok change_player_type {unum} goalie)")
            }
        }
    }
}

/// The one group behind `(say `: parentheses balanced, without control characters.
fn message(rest: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(rest).ok()?.trim();
    let message = text.strip_suffix(')')?.trim();
    let (mut depth, mut is_quoted) = (0_i32, false);
    for (place, byte) in message.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'(' if !is_quoted => depth += 1,
            b')' if !is_quoted => depth -= 1,
            0x20..0x7f => {}
            _ => return None,
        }
        let is_last = place + 1 == message.len();
        if depth < 0 || (depth == 0 && !is_last) {
            return None;
        }
    }
    (depth == 0 && !is_quoted && message.starts_with('(')).then_some(message)
}

/// What `(freeform "TEXT")` says.
fn freeform(message: &str) -> Option<&str> {
    let text = message.strip_prefix("(freeform")?.strip_suffix(')')?.trim();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    // That server's reader wants one character at least.
    Some(text).filter(|text| !text.is_empty() && text.bytes().all(crate::wire::is_spoken))
}

#[cfg(test)]
mod tests {
    use super::{freeform, message};

    #[test]
    fn messages_are_one_group() {
        let group = "(define (definec \"x\" (true)))";
        assert_eq!(message(format!(" {group})").as_bytes()), Some(group));
        assert_eq!(message(b" (freeform \"hi (x)\"))").and_then(freeform), Some("hi (x)"));
        for wrong in ["", ")", "x)", "(a))(b))", "(a)(b))", "(a", "(a \"b))", "(a \u{7}))"] {
            assert_eq!(message(wrong.as_bytes()), None, "{wrong}");
        }
        assert_eq!(freeform("(freeform hi)"), None);
        assert_eq!(message(b" (freeform \"\"))").and_then(freeform), None);
        let deep = "(".repeat(8000);
        assert_eq!(message(deep.as_bytes()), None);
    }
}
