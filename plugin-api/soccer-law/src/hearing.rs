//! What a player hears of what is said around it: of each team one message a cycle, as long as its ears are free; of others, that somebody has spoken.

use crate::face::Side;
use crate::params::ServerParams;
use touchline_plugin_api::noise::Noise;

/// Which messages are meant when ears are opened or shut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarPart {
    /// That somebody has spoken.
    Partial,
    /// What was said.
    Complete,
}

/// How a message is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// With its words.
    Whole,
    /// That somebody has spoken, and of the own team who.
    Spoken,
}

/// The ears of a player: what they still have room for, and what they are open for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ears {
    /// What is left for messages of the own team, and of the other one: `hear_max` at most.
    pub capacity: [i32; 2],
    complete: [bool; 2],
    partial: [bool; 2],
}

impl Ears {
    /// Free, and open for words; that somebody has spoken is heard by who asks for it.
    pub fn new(server: &ServerParams) -> Self {
        Self { capacity: [server.hear_max; 2], complete: [true; 2], partial: [false; 2] }
    }

    /// Opens or shuts them: for one side, or both; for one kind of messages, or both.
    pub fn set(&mut self, on: bool, side: Option<Side>, part: Option<EarPart>) {
        for one in Side::BOTH.into_iter().filter(|one| side.is_none_or(|side| side == *one)) {
            if part != Some(EarPart::Partial) {
                self.complete[one as usize] = on;
            }
            if part != Some(EarPart::Complete) {
                self.partial[one as usize] = on;
            }
        }
    }

    /// A cycle has passed.
    pub fn recover(&mut self, server: &ServerParams) {
        for capacity in &mut self.capacity {
            *capacity = capacity.saturating_add(server.hear_inc).min(server.hear_max);
        }
    }

    /// Whether there is room for a whole message of the own or the other team; it is taken.
    pub fn take(&mut self, is_own: bool, server: &ServerParams) -> bool {
        let capacity = &mut self.capacity[usize::from(!is_own)];
        let is_free = *capacity >= server.hear_decay;
        if is_free {
            *capacity -= server.hear_decay;
        }
        is_free
    }

    /// Whether anything of this side is heard.
    pub fn listen_to(&self, side: Side) -> bool {
        self.complete[side as usize] || self.partial[side as usize]
    }

    /// How somebody's words are heard by a player of the side `own`, if at all. Whoever has room and does not want the words hears nothing of them.
    pub fn hear(&mut self, own: Side, from: Side, server: &ServerParams) -> Option<Heard> {
        let is_own = own == from;
        if self.capacity[usize::from(!is_own)] < server.hear_decay {
            return self.partial[from as usize].then_some(Heard::Spoken);
        }
        if !self.complete[from as usize] {
            return None;
        }
        self.take(is_own, server);
        Some(Heard::Whole)
    }
}

/// The next of what waits: who is listened to first, then others by chance. `None` if nothing waits.
pub fn take_next<W: PartialEq, M>(
    waiting: &mut Vec<(W, M)>,
    attention: Option<&W>,
    noise: &mut Noise,
) -> Option<(W, M)> {
    let wanted: Vec<usize> = (0..waiting.len()).filter(|&at| attention == Some(&waiting[at].0)).collect();
    let chosen = match (waiting.len(), wanted.as_slice()) {
        (0, _) => return None,
        (count, []) => pick(count, noise),
        (_, wanted) => wanted[pick(wanted.len(), noise)],
    };
    Some(waiting.remove(chosen))
}

fn pick(count: usize, noise: &mut Noise) -> usize {
    (noise.uniform(0.0, count as f64) as usize).min(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::SoccerParams;
    use touchline_plugin_api::noise::NoiseKey;

    #[test]
    fn one_message_of_each_team_fits_into_a_cycle() {
        let server = SoccerParams::today().server;
        let mut ears = Ears::new(&server);
        let both = |ears: &mut Ears| Side::BOTH.map(|from| ears.hear(Side::Left, from, &server));
        assert_eq!(both(&mut ears), [Some(Heard::Whole); 2]);
        assert_eq!(both(&mut ears), [None; 2], "that somebody has spoken is not heard unasked");
        ears.set(true, None, Some(EarPart::Partial));
        assert_eq!(both(&mut ears), [Some(Heard::Spoken); 2]);
        ears.recover(&server);
        assert_eq!(ears.hear(Side::Left, Side::Left, &server), Some(Heard::Whole));
    }

    #[test]
    fn shut_ears_keep_their_room() {
        let server = SoccerParams::today().server;
        let mut ears = Ears::new(&server);
        ears.set(false, Some(Side::Right), Some(EarPart::Complete));
        assert_eq!(ears.hear(Side::Left, Side::Right, &server), None);
        assert!(!ears.listen_to(Side::Right));
        ears.set(true, None, Some(EarPart::Partial));
        assert!(ears.listen_to(Side::Right));
        assert_eq!(ears.hear(Side::Left, Side::Right, &server), None, "there is room for the words");
        ears.set(true, None, None);
        assert_eq!(ears.hear(Side::Left, Side::Right, &server), Some(Heard::Whole));
    }

    /// Of five that speak at once, each is first as often as the others: 10,000 draws, five standard errors.
    #[test]
    fn who_is_first_is_chance_unless_somebody_is_listened_to() {
        let mut first = [0; 5];
        for step in 0..10_000 {
            let mut noise = NoiseKey::for_owner(1, "ears").at_step(step).stream();
            let mut waiting: Vec<(usize, ())> = (0..5).map(|who| (who, ())).collect();
            first[take_next(&mut waiting, None, &mut noise).unwrap().0] += 1;
            let mut waiting: Vec<(usize, ())> = (0..5).map(|who| (who, ())).collect();
            assert_eq!(take_next(&mut waiting, Some(&3), &mut noise).unwrap().0, 3);
        }
        let error = (10_000.0 * 0.2 * 0.8f64).sqrt();
        assert!(first.iter().all(|&count| (f64::from(count) - 2000.0).abs() < 5.0 * error), "{first:?}");
    }
}
