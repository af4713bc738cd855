//! The law of a world's physics, and which robots it carries.

use crate::document::{At, Document};
use crate::files;
use touchline_sim::scenario::{ContactRule, PhysicsLaw, RobotSpec};

/// The law that a world file names; what is wrong in the file is left out.
pub(crate) fn law(document: &Document) -> PhysicsLaw {
    document.read::<files::Physics>("/physics").map_or_else(PhysicsLaw::default, |keys| law_of(&keys))
}

pub(crate) fn law_of(keys: &files::Physics) -> PhysicsLaw {
    match keys.law {
        files::Law::Rigid => PhysicsLaw::Rigid,
        files::Law::Discs => PhysicsLaw::Discs {
            contact: match keys.contact.unwrap_or_default() {
                files::Contact::Impulse => ContactRule::Impulse,
                files::Contact::SoccerServer => ContactRule::SoccerServer,
                files::Contact::None => ContactRule::None,
            },
            bounding_circles: keys.bounding_circles.unwrap_or_default(),
        },
    }
}

/// Reports keys that mean nothing to the law.
pub(crate) fn check(document: &mut Document) {
    let Some(keys) = document.read::<files::Physics>("/physics") else { return };
    if keys.law == files::Law::Discs {
        return;
    }
    let is_set = [("contact", keys.contact.is_some()), ("bounding_circles", keys.bounding_circles.is_some())];
    for (key, _) in is_set.into_iter().filter(|&(_, is_set)| is_set) {
        let what = format!("\"{key}\" is set, and the law is \"rigid\"");
        let problem = document.report(&format!("/physics/{key}"), At::Key, "config/bad-value", what);
        problem.allowed = Some("only with law = \"discs\"".into());
        problem.hint = Some("add law = \"discs\", or leave it out".into());
    }
}

/// Reports a robot that the law does not carry, where its file is named.
pub(crate) fn check_robot(document: &mut Document, pointer: &str, law: PhysicsLaw, spec: &RobotSpec) {
    let Err(no_disc) = law.check(spec) else { return };
    let what = "the law of this world is \"discs\", and the body of this robot is none";
    let problem = document.report(pointer, At::Value, "config/no-disc", what);
    problem.allowed = Some("a body that is one circle, or a circle that holds its other shapes".into());
    problem.hint = Some(format!(
        "bounding_circles = true in [physics] takes the circle around it, of {:.3} m radius",
        no_disc.radius_m
    ));
}
