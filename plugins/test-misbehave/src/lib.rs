//! A plugin that misbehaves on purpose.
