//! The modes of play: their words on the wire, in the order in which logs and monitors number them.

use crate::face::Side;
use serde::{Deserialize, Serialize};

/// Play mode of the Soccer Server, such as `before_kick_off`, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct PlayMode(u8);

/// What a mode that belongs to a side is: the taker's, or the offender's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SidedMode {
    /// `kick_off_`: the taker's.
    KickOff,
    /// `kick_in_`: the taker's.
    KickIn,
    /// `free_kick_`: the taker's.
    FreeKick,
    /// `corner_kick_`: the taker's.
    CornerKick,
    /// `goal_kick_`: the taker's.
    GoalKick,
    /// `goal_`: the scorer's, until the next kick-off.
    Goal,
    /// `offside_`: the offender's.
    Offside,
    /// `foul_charge_`: the offender's.
    FoulCharge,
    /// `foul_push_`: the offender's.
    FoulPush,
    /// `back_pass_`: the offender's.
    BackPass,
    /// `free_kick_fault_`: the offender's.
    FreeKickFault,
    /// `catch_fault_`: the offender's.
    CatchFault,
    /// `indirect_free_kick_`: the taker's.
    IndirectFreeKick,
    /// `penalty_setup_`: the taker's.
    PenaltySetup,
    /// `penalty_ready_`: the taker's.
    PenaltyReady,
    /// `penalty_taken_`: the taker's.
    PenaltyTaken,
    /// `penalty_miss_`: the taker's.
    PenaltyMiss,
    /// `penalty_score_`: the taker's.
    PenaltyScore,
    /// `illegal_defense_`: the offender's.
    IllegalDefense,
}

/// Each kind with the number of its left mode; the right one's follows.
const SIDED: [(SidedMode, u8); 19] = [
    (SidedMode::KickOff, 4),
    (SidedMode::KickIn, 6),
    (SidedMode::FreeKick, 8),
    (SidedMode::CornerKick, 10),
    (SidedMode::GoalKick, 12),
    (SidedMode::Goal, 14),
    (SidedMode::Offside, 17),
    (SidedMode::FoulCharge, 24),
    (SidedMode::FoulPush, 26),
    (SidedMode::BackPass, 32),
    (SidedMode::FreeKickFault, 34),
    (SidedMode::CatchFault, 36),
    (SidedMode::IndirectFreeKick, 38),
    (SidedMode::PenaltySetup, 40),
    (SidedMode::PenaltyReady, 42),
    (SidedMode::PenaltyTaken, 44),
    (SidedMode::PenaltyMiss, 46),
    (SidedMode::PenaltyScore, 48),
    (SidedMode::IllegalDefense, 50),
];

const WORDS: [&str; 52] = [
    "",
    "before_kick_off",
    "time_over",
    "play_on",
    "kick_off_l",
    "kick_off_r",
    "kick_in_l",
    "kick_in_r",
    "free_kick_l",
    "free_kick_r",
    "corner_kick_l",
    "corner_kick_r",
    "goal_kick_l",
    "goal_kick_r",
    "goal_l",
    "goal_r",
    "drop_ball",
    "offside_l",
    "offside_r",
    "penalty_kick_l",
    "penalty_kick_r",
    "first_half_over",
    "pause",
    "human_judge",
    "foul_charge_l",
    "foul_charge_r",
    "foul_push_l",
    "foul_push_r",
    "foul_multiple_attack_l",
    "foul_multiple_attack_r",
    "foul_ballout_l",
    "foul_ballout_r",
    "back_pass_l",
    "back_pass_r",
    "free_kick_fault_l",
    "free_kick_fault_r",
    "catch_fault_l",
    "catch_fault_r",
    "indirect_free_kick_l",
    "indirect_free_kick_r",
    "penalty_setup_l",
    "penalty_setup_r",
    "penalty_ready_l",
    "penalty_ready_r",
    "penalty_taken_l",
    "penalty_taken_r",
    "penalty_miss_l",
    "penalty_miss_r",
    "penalty_score_l",
    "penalty_score_r",
    "illegal_defense_l",
    "illegal_defense_r",
];

impl PlayMode {
    /// `before_kick_off`.
    pub const BEFORE_KICK_OFF: Self = Self(1);
    /// `time_over`.
    pub const TIME_OVER: Self = Self(2);
    /// `play_on`.
    pub const PLAY_ON: Self = Self(3);
    /// `drop_ball`.
    pub const DROP_BALL: Self = Self(16);

    /// A mode of a side.
    pub fn of(kind: SidedMode, side: Side) -> Self {
        let left = SIDED[kind as usize].1;
        Self(left + side.team() as u8)
    }

    /// Kind and side of a mode that belongs to a side.
    pub fn sided(self) -> Option<(SidedMode, Side)> {
        let row = SIDED.iter().find(|(_, left)| (*left..*left + 2).contains(&self.0))?;
        Some((row.0, if self.0 == row.1 { Side::Left } else { Side::Right }))
    }

    /// Whether it is a part of a penalty shoot-out.
    pub fn is_shoot_out(self) -> bool {
        (40..50).contains(&self.0)
    }

    /// All modes but the empty one of number 0, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..WORDS.len() as u8).map(Self)
    }

    /// The mode of this number.
    pub fn from_number(number: u8) -> Option<Self> {
        (usize::from(number) < WORDS.len()).then_some(Self(number))
    }

    /// The mode of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        WORDS.iter().position(|&known| known == word && !word.is_empty()).map(|number| Self(number as u8))
    }

    /// Its number in logs and shows.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Its word, such as `kick_off_l`.
    pub fn word(self) -> &'static str {
        WORDS[usize::from(self.0)]
    }
}

impl TryFrom<u8> for PlayMode {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Self::from_number(number).ok_or_else(|| format!("{number} is no mode of play"))
    }
}

impl From<PlayMode> for u8 {
    fn from(mode: PlayMode) -> Self {
        mode.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_sides_are_those_of_the_words() {
        for (place, (kind, left)) in SIDED.into_iter().enumerate() {
            assert_eq!((kind as usize, PlayMode(left).sided()), (place, Some((kind, Side::Left))));
            let [left, right] = Side::BOTH.map(|side| PlayMode::of(kind, side).word());
            assert_eq!(left.strip_suffix('l'), right.strip_suffix('r'));
        }
        assert_eq!(PlayMode::of(SidedMode::Goal, Side::Right).word(), "goal_r");
        assert_eq!(PlayMode::of(SidedMode::IllegalDefense, Side::Left).word(), "illegal_defense_l");
        assert_eq!(PlayMode::DROP_BALL.word(), "drop_ball");
        assert_eq!(PlayMode::PLAY_ON.sided(), None);
        assert!(
            PlayMode::all()
                .filter(|mode| mode.is_shoot_out())
                .all(|mode| mode.word().starts_with("penalty_"))
        );
    }

    /// Seen on the wire: free_kick_l is 8, free_kick_r is 9; the last is illegal_defense_r, 51.
    #[test]
    fn numbers_and_words_are_those_of_the_wire() {
        assert_eq!(PlayMode::from_word("free_kick_l").map(PlayMode::number), Some(8));
        assert_eq!(PlayMode::from_number(9).map(PlayMode::word), Some("free_kick_r"));
        assert_eq!(PlayMode::from_number(51).map(PlayMode::word), Some("illegal_defense_r"));
        assert_eq!(PlayMode::from_number(52), None);
        assert_eq!(PlayMode::from_word(""), None);
        assert!(PlayMode::all().all(|mode| PlayMode::from_word(mode.word()) == Some(mode)));
    }
}
