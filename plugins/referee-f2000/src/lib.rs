//! The rules of the F2000 league of 2003.
