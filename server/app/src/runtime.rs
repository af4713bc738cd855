//! The handle by which the board and the studio reach the one loop that owns the World.
//!
//! (Signatures first; the loop is being written.)
