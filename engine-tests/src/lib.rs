//! Suites as data and black-box runs of the binary.

pub mod notation_check;
