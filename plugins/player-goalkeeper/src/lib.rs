//! A goalkeeper with policies.
