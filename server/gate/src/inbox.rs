//! Commands that wake nobody: they lie here until the loop looks, at its next step at the latest.
//!
//! To wake another thread costs more than a whole reading. While time goes, every command waits for the next step anyway; while it stands
//! until somebody orders steps, a command that says how fast a robot shall move changes nothing that a sensor could show before the next step.

use crate::wake::Answer;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use touchline_sim::{Command, RobotFrame};

/// With so many the loop is woken, so that they do not pile up.
const MOST: usize = 512;

/// What the simulation loop waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// The loop is working; new commands go through its queue.
    #[default]
    Busy,
    /// It waits for its next step, which comes by itself.
    UntilStep,
    /// Time stands until somebody asks for something.
    UntilAsked,
}

/// A command, and who hears what becomes of it.
pub type Given = (Command, oneshot::Sender<Answer>);

/// Commands that wait for the loop.
#[derive(Default)]
pub(crate) struct Inbox(Mutex<Lying>);

#[derive(Default)]
struct Lying {
    rest: Rest,
    /// Commands for the next step.
    given: Vec<Given>,
    /// Those that were answered and are in no Frame yet, as they came.
    standing: Vec<Command>,
    /// How many of these the loop has taken, from the first on.
    taken: usize,
}

impl Inbox {
    /// Lays a command down for the next step, if one comes by itself; gives it back if the loop has to be woken for it.
    pub fn lay(&self, given: Given) -> Option<Given> {
        let mut lying = self.0.lock();
        if lying.rest != Rest::UntilStep || lying.given.len() >= MOST {
            return Some(given);
        }
        lying.given.push(given);
        None
    }

    /// Lays a command down whose outcome is known, if time stands and there is room; gives whether it did.
    pub fn lay_standing(&self, command: &Command) -> bool {
        let mut lying = self.0.lock();
        let lies = lying.rest == Rest::UntilAsked && lying.standing.len() < MOST;
        if lies {
            lying.standing.push(command.clone());
        }
        lies
    }

    /// A command that the loop was woken for stands as well, behind all that do.
    pub fn stands(&self, command: Command) {
        self.0.lock().standing.push(command);
    }

    /// All that were answered and are in no Frame yet.
    pub fn standing(&self) -> Standing {
        Standing(self.0.lock().standing.clone())
    }

    /// The loop says what it does from now on.
    pub fn rests(&self, rest: Rest) {
        self.0.lock().rest = rest;
    }

    /// The loop takes what stands, as it came, and what was given for the next step, and is busy from now on.
    pub fn take(&self) -> (Vec<Command>, Vec<Given>) {
        let mut lying = self.0.lock();
        lying.rest = Rest::Busy;
        let standing = lying.standing[lying.taken..].to_vec();
        lying.taken = lying.standing.len();
        (standing, std::mem::take(&mut lying.given))
    }

    /// What was taken is in a Frame.
    pub fn shown(&self) {
        let mut lying = self.0.lock();
        let taken = std::mem::take(&mut lying.taken);
        lying.standing.drain(..taken);
    }
}

/// Commands that were answered and wait for the next step, as they came.
#[derive(Default)]
pub struct Standing(Vec<Command>);

impl Standing {
    /// A robot's motion command with them, one number for each dimension.
    pub fn command_of(&self, robot: &RobotFrame) -> Vec<f64> {
        robot.command_after(self.0.iter().map(|command| &command.action))
    }
}
