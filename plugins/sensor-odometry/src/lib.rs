//! Velocities, drifting pose and motion data.
