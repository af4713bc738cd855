//! The law of the Soccer Server, against closed forms and what the real server says of itself.

mod params;
mod player_type;
mod sight;
