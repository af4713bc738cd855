//! Names beside robots, so that each can be read: above its robot or below it, and left out where another one is.

/// Free room around a name, as a part of its letters' height.
const ROOM: f32 = 0.35;

/// A name that is to be placed, pixels.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Where its robot is.
    pub middle: (f32, f32),
    /// How far its robot reaches up and down.
    pub reach: f32,
    pub width: f32,
}

/// Left end and base line of each name with letters of this height; `None` where there is no room for it.
pub fn place(names: &[Name], height: f32) -> Vec<Option<(f32, f32)>> {
    let mut taken: Vec<[f32; 4]> = Vec::with_capacity(names.len());
    let free = |name: &Name| {
        let (x, y) = name.middle;
        let bases = [y - name.reach - 0.7 * height, y + name.reach + 1.7 * height];
        bases.map(|base| (x - name.width / 2.0, base)).into_iter().find_map(|(left, base)| {
            let room = ROOM * height;
            let own = [left - room, base - height - room, left + name.width + room, base + room];
            (!taken.iter().any(|other| overlap(&own, other))).then(|| {
                taken.push(own);
                (left, base)
            })
        })
    };
    names.iter().map(free).collect()
}

/// Left, top, right, bottom.
fn overlap(one: &[f32; 4], other: &[f32; 4]) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(x: f32, y: f32) -> Name {
        Name { middle: (x, y), reach: 10.0, width: 40.0 }
    }

    #[test]
    fn who_is_alone_has_it_above() {
        assert_eq!(
            place(&[name(100.0, 100.0), name(300.0, 100.0)], 10.0),
            [Some((80.0, 83.0)), Some((280.0, 83.0))]
        );
    }

    /// Two side by side have one above and one below, a third in their midst has none, and no two names overlap wherever many are.
    #[test]
    fn no_name_covers_another() {
        let crowd = [name(100.0, 100.0), name(110.0, 100.0), name(105.0, 100.0)];
        assert_eq!(place(&crowd, 10.0), [Some((80.0, 83.0)), Some((90.0, 127.0)), None]);
        let many: Vec<Name> =
            (0..200_u16).map(|at| name(f32::from(at * 37 % 640), f32::from(at * 91 % 360))).collect();
        let boxes: Vec<[f32; 4]> = place(&many, 10.0)
            .into_iter()
            .flatten()
            .map(|(left, base)| [left, base - 10.0, left + 40.0, base])
            .collect();
        assert!(boxes.len() > 30, "{}", boxes.len());
        for (at, one) in boxes.iter().enumerate() {
            assert!(!boxes[..at].iter().any(|other| overlap(one, other)), "{one:?}");
        }
    }
}
