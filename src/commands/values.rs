//! Values of options that come from the tables of notations, formats and rules: what help lists is what is understood.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::error::Error;
use std::str::FromStr;

/// A parser for a type whose names are these; others of its names are understood in their place.
pub(super) fn one_of<T>(ids: impl Iterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(ids).try_map(|text| text.parse::<T>())
}
