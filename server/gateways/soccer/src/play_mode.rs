//! The modes of play: their words on the wire, in the order in which logs and monitors number them.

/// Play mode of the Soccer Server, such as `before_kick_off`, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayMode(u8);

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

#[cfg(test)]
mod tests {
    use super::PlayMode;

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
