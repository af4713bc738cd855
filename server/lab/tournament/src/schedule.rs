//! Who plays whom, in which order, with which seeds.
//!
//! Every two entrants play as many pairs of matches as the file says. Both matches of a pair have one seed; in the second the sides
//! are swapped. All couples play their first pair before any plays its second, so that a tournament that is stopped has
//! been fair so far, and one that is made longer goes on where it was.

use touchline_plugin_api::noise::NoiseKey;

/// A match between two entrants, before it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its place in the schedule, from 0.
    pub number: u64,
    /// Which of the couple's pairs of matches it belongs to, from 0.
    pub pair: u64,
    /// Who plays for the world's first team, and for the second: indices into the entrants by name.
    pub sides: [usize; 2],
    /// What its world is made from.
    pub seed: u64,
}

/// The couples of `entrants`: the first index is the lower one.
pub fn couples(entrants: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..entrants).flat_map(move |first| (first + 1..entrants).map(move |second| [first, second]))
}

/// The match of this number; `names` are sorted. `None` if nobody plays anybody.
pub fn nth(number: u64, names: &[&str], seed: u64) -> Option<Match> {
    let count = (names.len() * names.len().saturating_sub(1) / 2) as u64;
    let (pair, couple) = ((number / 2).checked_div(count)?, (number / 2).checked_rem(count)?);
    let [first, second] = couples(names.len()).nth(couple as usize)?;
    let sides = if number.is_multiple_of(2) { [first, second] } else { [second, first] };
    Some(Match { number, pair, sides, seed: seed_of(seed, [names[first], names[second]], pair) })
}

/// The seed of both matches of a pair. It depends on who plays and not on who else takes part. A file or a script can hold it
/// exactly as a number: it has 53 bits.
pub fn seed_of(seed: u64, couple: [&str; 2], pair: u64) -> u64 {
    let [first, second] = couple;
    NoiseKey::for_owner(seed, &format!("tournament/{first}/{second}")).split(pair).owner >> 11
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// B1: a round robin: everybody meets everybody, on both sides, with one seed; seeds differ otherwise.
    #[test]
    fn everybody_meets_everybody_on_both_sides_with_the_same_seed() {
        let names = ["a", "b", "c"];
        let all: Vec<Match> = (0..12).filter_map(|number| nth(number, &names, 1)).collect();
        let met: BTreeSet<_> = all.iter().map(|one| (one.pair, one.sides)).collect();
        assert_eq!(met.len(), 12);
        for pair in all.chunks(2) {
            assert_eq!([pair[1].sides[1], pair[1].sides[0]], pair[0].sides);
            assert_eq!((pair[0].seed, pair[0].pair), (pair[1].seed, pair[1].pair));
        }
        let seeds: BTreeSet<_> = all.iter().map(|one| one.seed).collect();
        assert_eq!(seeds.len(), 6);
        assert!(all[..6].iter().all(|one| one.pair == 0));
    }

    /// B1: the same couple has the same seeds, whoever else takes part.
    #[test]
    fn a_further_entrant_changes_no_seed() {
        let two = nth(2, &["a", "c"], 7).map(|one| one.seed);
        let three = (0..12).filter_map(|number| nth(number, &["a", "b", "c"], 7));
        let same = three.filter(|one| one.pair == 1 && one.sides == [0, 2]).map(|one| one.seed);
        assert_eq!(same.collect::<Vec<_>>(), Vec::from_iter(two));
        assert_ne!(seed_of(1, ["a", "b"], 0), seed_of(2, ["a", "b"], 0));
    }

    #[test]
    fn nobody_plays_alone() {
        assert_eq!(nth(0, &["a"], 1), None);
        assert_eq!(nth(0, &[], 1), None);
    }
}
