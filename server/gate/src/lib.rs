//! The gate: the one way for a request to come into a running world, and for what is true to come out. [mechanism 2]
//!
//! A gateway (the message board, the studio, another league's protocol) speaks its own protocol at its edge, and knows nothing of the
//! loop behind the gate. [`Gate`] is its handle: it reads [`Published`] Frames and asks about the past. A [`Client`] is one participant that
//! asks for changes: [`Client::execute`] checks its role and what it owns, hands the [`Request`] to the loop, and gives a [`Reply`].
//! Whoever runs a world calls [`open`], and serves the [`LoopEnd`]; what may be done with its kind of world it says by a [`Mode`].
//!
//! # Invariants
//! - Everything is typed and numbered: robots, teams and balls come as numbers, which [`Gate::robot_named`] and [`Gate::team_named`] give.
//! - Who may do what stands in one matrix, [`Role::reach`]: a role by a verb. docs/roles.md shows it.
//! - Every match over requests and actions is total: what is new does not compile until it has a role and an execution.
//! - I3: a reader takes the newest [`Published`], or misses one; the loop waits for nobody, and its queue is bounded.
//! - When a client leaves, its robots go, and those that it has taken over are given back.
//!
//! # Not here
//! Text, sockets, clocks on the wall but for stamps (`tests/tidy` holds that). The loop: `server/runtime`. Protocols: `server/gateways`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod barrier;
mod client;
mod control;
mod each_step;
mod error;
mod faults;
mod handle;
mod history;
mod inbox;
mod keys;
mod mode;
mod owners;
mod pass;
mod priority;
mod published;
mod request;
mod role;
mod step_times;
mod wake;

pub use barrier::LockstepBarrier;
pub use client::{Client, MAX_ROBOTS, Reserved};
pub use control::{Control, Speed};
pub use each_step::EachStep;
pub use error::{RecordError, RequestError};
pub use handle::Gate;
pub use history::{Bookmark, Divergence, Recording, Tick, Timeline};
pub use inbox::{Given, Rest, Standing};
pub use keys::{Digest, Keys, MIN_KEY_BYTES, digest};
pub use mode::{Later, Mode, Wish, ready};
pub use pass::{Known, Pass, Sees};
pub use priority::Priority;
pub use published::{LoopStatus, Published, Reading};
pub use request::{Pending, RecordOrder, Replied, Reply, Request};
pub use role::{Reach, Role, Verb};
pub use step_times::StepTimes;
pub use wake::{Answer, LoopEnd, Stopper, Wake, open};
