//! What the referee says, to all who hear it, and what follows from it.

use super::{Out, Sessions};
use crate::PlayMode;
use crate::state::{Happened, Who};
use crate::wire::hear;
use touchline_soccer_law::face::{Side, TEAM_SIZE};

impl Sessions {
    /// Before a step's new state is known: who is sent off in it. Whether a half ends in it.
    pub(super) fn foresee(&mut self, happened: &[Happened]) -> bool {
        let mut ends_half = false;
        for happened in happened {
            let (Happened::Word(word) | Happened::EarlierWord(word, _)) = happened else { continue };
            ends_half |= word == PlayMode::BEFORE_KICK_OFF.word();
            if let Some(who) = sent_off(word) {
                self.shared.seat_mut(who).is_sent_off = true;
            }
        }
        ends_half
    }

    /// The referee says a word while the clock shows this: its cycle, and cycles since it stopped.
    pub(super) fn word(&mut self, word: &str, clock: [u32; 2]) {
        if word == PlayMode::PLAY_ON.word() {
            self.shared.benches.iter_mut().for_each(|bench| bench.play_goes_on(clock[0]));
        }
        if self.shared.config.is_logged {
            let lines = self.journal.referee(word, clock);
            self.shared.outs.extend(lines.into_iter().map(Out::Log));
        }
        self.pass_on(clock, &format!("(referee {word})"));
        self.each(|role, link, shared| {
            if let Some(reader) = role.reader(shared) {
                shared.send(link, &hear::referee(reader, clock[0], word));
            }
        });
    }
}

/// The player whom a word of the referee sends off: `red_card_l_5`.
fn sent_off(word: &str) -> Option<Who> {
    let (side, unum) = word.strip_prefix("red_card_")?.split_once('_')?;
    let side = Side::BOTH.into_iter().find(|known| side.chars().eq([known.letter()]))?;
    let unum = unum.parse().ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum))?;
    Some(Who { side, unum })
}
