//! The studio's service, tested over real sockets.

mod frames;
mod studio_fake;

mod studio;
mod watched;
