//! Keys: what a client knows that nobody else does, and the pass that it gets for it.
//!
//! A key is drawn with at least 128 bits of chance, so its plain SHA-256 tells nothing of it, and takes no time to be made. Keys are kept
//! as digests alone.

use crate::pass::Pass;
use sha2::{Digest as _, Sha256};

/// What is kept of a key: its SHA-256.
pub type Digest = [u8; 32];

/// A shorter key is none, whatever its digest: 128 bits of chance in letters and digits of which there are 32.
pub const MIN_KEY_BYTES: usize = 26;

/// The digest of a key.
pub fn digest(key: &str) -> Digest {
    Sha256::digest(key.as_bytes()).into()
}

/// The keys of a world, and what each opens.
#[derive(Clone, Default)]
pub struct Keys(Vec<(Digest, Pass)>);

/// Digests are no secret, but nobody needs them in a log.
impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} keys", self.0.len())
    }
}

impl Keys {
    /// These keys; of two equal ones the last one counts.
    pub fn new(keys: impl IntoIterator<Item = (Digest, Pass)>) -> Self {
        Self(keys.into_iter().collect())
    }

    /// What a key opens. All are compared, wholly, whichever it is: how long that takes tells nothing.
    pub fn find(&self, key: &str) -> Option<&Pass> {
        if key.len() < MIN_KEY_BYTES {
            return None;
        }
        let wanted = digest(key);
        let mut found = None;
        for (known, pass) in &self.0 {
            let difference = known.iter().zip(&wanted).fold(0, |all, (a, b)| all | (a ^ b));
            if std::hint::black_box(difference) == 0 {
                found = Some(pass);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;

    #[test]
    fn a_key_opens_what_it_is_for_and_nothing_else_does() {
        let pass = |role| Pass::at_desk(role);
        let (one, two) = ("a".repeat(MIN_KEY_BYTES), "b".repeat(MIN_KEY_BYTES));
        let keys = Keys::new([
            (digest(&one), pass(Role::Referee)),
            (digest(&two), pass(Role::Monitor)),
            (digest("x"), pass(Role::Operator)),
        ]);
        assert_eq!(keys.find(&one).map(|pass| pass.role), Some(Role::Referee));
        assert_eq!(keys.find(&two).map(|pass| pass.role), Some(Role::Monitor));
        for wrong in ["", &one[1..], &format!("{one} "), &one.to_uppercase(), &"c".repeat(MIN_KEY_BYTES)] {
            assert_eq!(keys.find(wrong), None, "{wrong:?}");
        }
        // A key of one letter opens nothing, even if somebody keeps its digest.
        assert_eq!(keys.find("x"), None);
        // FIPS 180-2, appendix B.1.
        assert_eq!(digest("abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
    }
}
