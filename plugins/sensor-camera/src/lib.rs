//! Iconic camera: ball, goals, posts, robots.
