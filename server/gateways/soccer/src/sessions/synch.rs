//! Synchronous mode: a step is ordered when all who are waited for have said that they are done.

use super::link::Link;
use super::shared::Effect;
use super::{Order, Role, Sessions};

/// Who misses so many cycles one after the other is sent away.
const MAX_MISSES: u32 = 20;

/// Where in a cycle it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synch {
    wait: Wait,
    /// Whether [`Sessions::start`] was called.
    has_begun: bool,
    /// Whether all who are awaited have come once; who leaves after it is not awaited again.
    has_all: bool,
    /// Cycles in which somebody was not done in time.
    missed: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wait {
    /// The next pass may be made.
    #[default]
    Nothing,
    /// Clients think.
    Clients,
    /// A step was ordered.
    Step,
}

impl Sessions {
    /// Whether clients are waited for.
    pub fn is_waiting(&self) -> bool {
        self.synch.wait == Wait::Clients
    }

    /// Begins a synchronous game: its first step is ordered as soon as those who are awaited have come.
    pub fn start(&mut self) {
        self.synch.has_begun = true;
        self.go_on();
    }

    /// Whether no step is made because not all who are awaited have come.
    pub fn is_gathering(&self) -> bool {
        self.is_synchronous() && self.synch.has_begun && !self.synch.has_all
    }

    /// In how many cycles somebody was not done in time: then what follows depends on how fast the machine is.
    pub fn missed(&self) -> u32 {
        self.synch.missed
    }

    /// While others are awaited or think, players hear something now and then: many programs leave a server that is silent for 3 seconds. It is
    /// nothing that they could act on, and who has gone is noticed by it.
    pub fn keep_awake(&mut self) {
        if self.is_gathering() || self.is_waiting() {
            self.players_do(|_, link, shared| shared.send(link, "(warning waiting_for_others)"));
        }
    }

    /// Goes on with the passes of a cycle, as far as nobody has to be waited for.
    pub(super) fn go_on(&mut self) {
        if !self.is_synchronous() || !self.synch.has_begun {
            return;
        }
        self.synch.has_all |= self.shared.players() >= self.shared.config.players_awaited;
        if !self.synch.has_all {
            return;
        }
        loop {
            match self.synch.wait {
                Wait::Step => return,
                Wait::Clients if !self.are_done() => return,
                Wait::Clients => {
                    self.each_link(|_, link| link.misses = 0);
                    self.synch.wait = Wait::Nothing;
                }
                Wait::Nothing => {
                    let due = self.schedule.tick();
                    if due.step {
                        self.synch.wait = Wait::Step;
                        self.hear_all_at_once();
                        return self.shared.order(Order::Step);
                    }
                    self.pass(due);
                    if due.think {
                        self.think();
                    }
                }
            }
        }
    }

    /// The ordered step was made.
    pub(super) fn step_made(&mut self) {
        if self.synch.wait == Wait::Step {
            self.synch.wait = Wait::Nothing;
        }
    }

    /// What was said in the cycle reaches those who hear at once, in the order of the speakers' numbers: whose datagram was faster is chance.
    fn hear_all_at_once(&mut self) {
        let mut said = std::mem::take(&mut self.said);
        said.sort_by_key(|(who, _)| *who);
        said.into_iter().for_each(|(who, message)| self.hear_at_once(who, &message));
    }

    pub(super) fn think(&mut self) {
        self.each(|role, link, shared| {
            let is_told = match role {
                Role::Player(player) => {
                    player.is_asked = player.is_enabled(shared);
                    player.is_asked
                }
                Role::Coach(coach) => {
                    coach.is_asked = coach.has_eye;
                    coach.is_asked
                }
                Role::Trainer(trainer) => {
                    trainer.is_asked = trainer.has_eye;
                    trainer.is_asked
                }
                Role::Monitor(_) => false,
            };
            if is_told {
                shared.send(link, "(think)");
            }
        });
        self.synch.wait = Wait::Clients;
    }

    fn are_done(&self) -> bool {
        self.sessions.values().all(|session| !is_awaited(&session.role))
    }

    /// Whoever was waited for has had its time: the game goes on without it. Who misses too many cycles one after the other is sent away.
    pub fn miss(&mut self) {
        if self.synch.wait != Wait::Clients {
            return;
        }
        self.synch.missed = self.synch.missed.saturating_add(1);
        let mut silent = Vec::new();
        self.each_link(|role, link| {
            link.misses = if is_awaited(role) { link.misses + 1 } else { 0 };
            if link.misses > MAX_MISSES {
                silent.push(link.client);
            }
        });
        if !silent.is_empty() {
            tracing::warn!(clients = silent.len(), "soccer: sent away who did not answer");
            self.shared.effects.extend(silent.into_iter().map(Effect::Gone));
            self.carry_out_effects();
        }
        self.synch.wait = Wait::Nothing;
        self.go_on();
    }

    fn each_link(&mut self, mut call: impl FnMut(&Role, &mut Link)) {
        self.sessions.values_mut().for_each(|session| call(&session.role, &mut session.link));
    }
}

fn is_awaited(role: &Role) -> bool {
    match role {
        Role::Player(player) => player.is_asked && !player.is_done,
        Role::Coach(coach) => coach.is_asked && !coach.is_done,
        Role::Trainer(trainer) => trainer.is_asked && !trainer.is_done,
        Role::Monitor(_) => false,
    }
}
