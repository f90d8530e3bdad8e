//! Option value parsers built from the tables of notations, formats and rules, so that help always lists the accepted values.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use std::error::Error;
use std::ffi::OsStr;
use std::str::FromStr;

/// A parser that accepts exactly these names of a type.
pub(super) fn one_of<T>(ids: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(ids).try_map(|text| text.parse::<T>())
}

/// A parser that accepts everything the type's `FromStr` does (file extensions as well as format names, for example) but lists only these
/// ids in help and completions.
pub(super) fn listed<T>(ids: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::fmt::Display> + Clone + Send + Sync + 'static,
{
    let read = |text: String| text.parse::<T>().map_err(|error| error.to_string());
    Listed { ids: ids.into_iter().collect(), reader: StringValueParser::new().try_map(read) }
}

/// A value parser with a separate list of possible values.
#[derive(Clone)]
struct Listed<P> {
    ids: Vec<&'static str>,
    reader: P,
}

impl<P: TypedValueParser> TypedValueParser for Listed<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<P::Value, clap::Error> {
        self.reader.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.ids.iter().map(PossibleValue::new)))
    }
}
