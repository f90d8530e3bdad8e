//! Message values written as strings.

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use std::fmt::Display;
use std::str::FromStr;

/// A value deserialized from its string form, such as the notation `wxr`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Named<T>(pub T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Named).map_err(D::Error::custom)
    }
}
