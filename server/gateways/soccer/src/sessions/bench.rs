//! What a side's online coaches have said and changed so far. It is the side's: it stays when one goes and another comes.

use super::shared::Shared;
use crate::PlayMode;
use crate::sessions::shared::Effect;
use crate::state::Who;
use std::collections::VecDeque;
use touchline_soccer_law::face::{Side, TEAM_SIZE};
use touchline_soccer_law::params::{PlayerParams, ServerParams};

/// More than so many messages do not wait for their time.
const MAX_QUEUE: usize = 256;

/// The kinds of messages but the free ones: their words, and how they are called in refusals.
pub const KINDS: [(&str, &str); 6] = [
    ("define", "define"),
    ("meta", "meta"),
    ("advice", "advice"),
    ("info", "info"),
    ("delete", "del"),
    ("rule", "rule"),
];

/// A side's bench.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Freeform messages said, and allowed so far; below zero without end.
    freeform: [i32; 2],
    /// Messages of each other kind that are left in this window; below zero before the first one.
    left: [i32; KINDS.len()],
    /// Cycle at which the window began.
    window: Option<u32>,
    /// Messages with the cycles at which they were said.
    queue: VecDeque<(u32, String)>,
    /// Cycle at which play began to be on.
    play_on_since: u32,
    /// Player types given to the side's players.
    given: [Option<usize>; TEAM_SIZE],
    /// How often each type has been used since the first kick-off.
    used: Vec<i32>,
    has_kicked_off: bool,
    substitutions: i32,
}

impl Bench {
    /// At the beginning of a game with so many player types.
    pub fn new(server: &ServerParams, types: usize) -> Self {
        Self {
            freeform: [0, server.say_coach_cnt_max],
            left: [-1; KINDS.len()],
            window: None,
            queue: VecDeque::new(),
            play_on_since: 0,
            given: [None; TEAM_SIZE],
            used: vec![0; types],
            has_kicked_off: false,
            substitutions: 0,
        }
    }

    /// Counts a free message; whether one more is allowed.
    pub fn say_freely(&mut self) -> bool {
        let [said, allowed] = &mut self.freeform;
        let is_allowed = *said < *allowed || *allowed < 0;
        *said = said.saturating_add(i32::from(is_allowed));
        is_allowed
    }

    /// Counts a message of another kind while play is on; whether one more is allowed in this window.
    pub fn say_kind(&mut self, kind: usize) -> bool {
        let is_allowed = self.left[kind] > 0;
        self.left[kind] -= i32::from(is_allowed);
        is_allowed
    }

    /// Whether free messages are taken while play is on: for a short time after each long one.
    pub fn may_speak_freely(&self, time: u32, server: &ServerParams) -> bool {
        let (wait, send) =
            (server.freeform_wait_period.max(1) as u32, server.freeform_send_period.max(0) as u32);
        let period = time.saturating_sub(self.play_on_since);
        period > wait && period % wait < send
    }

    /// Keeps a message until its time.
    pub fn queue(&mut self, time: u32, message: String) {
        if self.queue.len() < MAX_QUEUE {
            self.queue.push_back((time, message));
        }
    }

    /// Why a player cannot be given a type now, if so: too many of the team have it, or have had it.
    pub fn refuses(
        &self,
        unum: u32,
        kind: usize,
        player: &PlayerParams,
        exists: bool,
    ) -> Option<&'static str> {
        let is_free = kind == 0 && player.allow_mult_default_type;
        let used = self.used.get(kind).copied().unwrap_or_default();
        if used > 0 && !is_free && used >= player.pt_max {
            return Some("(warning no_left_of_that_type)");
        }
        if !exists {
            return Some("(warning no_such_player)");
        }
        let is_its = self.given_to(unum) == Some(kind);
        if !is_free && !is_its && self.count(kind) >= player.pt_max {
            return Some("(warning max_of_that_type_on_field)");
        }
        None
    }

    /// Whether no substitution is left.
    pub fn is_spent(&self, player: &PlayerParams) -> bool {
        self.substitutions >= player.subs_max
    }

    /// A coach or a trainer gives a player a type; before the first kick-off it is for nothing.
    pub fn substitute(&mut self, unum: u32, kind: usize, time: u32) {
        self.has_type(unum, kind);
        if time > 0 {
            self.substitutions = self.substitutions.saturating_add(1);
            if let Some(used) = self.used.get_mut(kind) {
                *used = used.saturating_add(1);
            }
        }
    }

    /// A player has this type, whoever gave it.
    pub fn has_type(&mut self, unum: u32, kind: usize) {
        if let Some(given) = self.given.get_mut((unum as usize).wrapping_sub(1)) {
            *given = Some(kind);
        }
    }

    fn given_to(&self, unum: u32) -> Option<usize> {
        self.given.get((unum as usize).wrapping_sub(1)).copied().flatten()
    }

    /// How many players were given a type.
    fn count(&self, kind: usize) -> i32 {
        self.given.iter().filter(|given| **given == Some(kind)).count() as i32
    }

    /// A step is about to be shown: messages whose time has come are delivered, and windows begin anew, by the clock and the mode before it.
    pub fn before_step(side: Side, shared: &mut Shared) {
        let Shared { config, state, benches, effects, .. } = shared;
        let (server, bench) = (&config.params.server, &mut benches[side as usize]);
        let (time, is_on) = (state.time, state.mode == PlayMode::PLAY_ON);
        let delay = server.clang_mess_delay.max(0) as u32;
        while let Some((said, _)) = bench.queue.front()
            && (!is_on || time.saturating_sub(*said) >= delay)
            && let Some((said, message)) = bench.queue.pop_front()
        {
            effects.push(Effect::LanguageSaid { side, said, message });
        }
        let size = server.clang_win_size.max(0) as u32;
        if bench.window.is_none_or(|since| time.saturating_sub(since) >= size) {
            (bench.window, bench.left) = (Some(time), allowed(server));
        }
    }

    /// Play is on from this cycle of the clock, or anew.
    pub fn play_goes_on(&mut self, time: u32) {
        self.play_on_since = time;
    }

    /// A step was made.
    pub fn after_step(side: Side, shared: &mut Shared) {
        let Shared { config, state, benches, .. } = shared;
        let (server, bench) = (&config.params.server, &mut benches[side as usize]);
        if !bench.has_kicked_off && state.mode != PlayMode::BEFORE_KICK_OFF {
            bench.has_kicked_off = true;
            bench.used = (0..bench.used.len()).map(|kind| bench.count(kind)).collect();
        }
        // Halves without end count too: as at that server, their few cycles below zero.
        let normal = server.nr_normal_halfs.max(0).saturating_mul(server.half_time_cycles()).unsigned_abs();
        let is_whole = normal > 0 && state.time > 0 && state.time % normal == 0;
        if state.stoppage == 0 && is_whole && bench.freeform[1] > 0 {
            bench.freeform[1] = bench.freeform[1].saturating_add(server.say_coach_cnt_max);
        }
    }
}

/// The player of a number, if the team has had it.
pub fn player(side: Side, unum: i32, shared: &Shared) -> Option<Who> {
    let unum = u32::try_from(unum).ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum))?;
    let who = Who { side, unum };
    (shared.seat(who).version > 0 || shared.state.body(who).bits != 0).then_some(who)
}

/// Makes a player the goalkeeper of a team that has none; the answer if it cannot be.
pub fn goalie(side: Side, unum: i32, shared: &mut Shared) -> Result<Who, &'static str> {
    if shared.state.enabled().any(|(who, _)| who.side == side && shared.is_goalie(who)) {
        return Err("(error goalie_already_exists)");
    }
    let who = player(side, unum, shared).filter(|who| shared.state.body(*who).is_enabled());
    let who = who.ok_or("(warning no_such_player)")?;
    shared.seat_mut(who).is_goalie = true;
    shared.effects.push(Effect::Goalie(who));
    Ok(who)
}

fn allowed(server: &ServerParams) -> [i32; KINDS.len()] {
    [
        server.clang_define_win,
        server.clang_meta_win,
        server.clang_advice_win,
        server.clang_info_win,
        server.clang_del_win,
        server.clang_rule_win,
    ]
}
