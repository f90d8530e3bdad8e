//! Option value parsers built from the tables of notations, formats and rules, so that help always lists the accepted values.

use crate::rules::Language;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use std::error::Error;
use std::ffi::OsStr;
use std::str::FromStr;

/// The language set by the locale variables of the environment.
pub(super) fn language_of_environment() -> Language {
    let asked = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    match asked.into_iter().find(|value| !value.is_empty()) {
        Some(value) if value.starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
}

/// A parser that accepts exactly these names of a type, in any case.
pub(super) fn one_of<T>(ids: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    AnyCase(PossibleValuesParser::new(ids)).try_map(|text| text.parse::<T>())
}

/// Names in lower case, accepted in any case.
#[derive(Clone)]
struct AnyCase(PossibleValuesParser);

impl TypedValueParser for AnyCase {
    type Value = String;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        let in_lower_case = || self.0.parse_ref(command, arg, &value.to_ascii_lowercase());
        // The error quotes the value as given.
        self.0.parse_ref(command, arg, value).or_else(|error| in_lower_case().map_err(|_| error))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::System;

    #[test]
    fn names_are_accepted_in_any_case() {
        let read = |name: &str| {
            let argument = clap::Arg::new("from").value_parser(one_of::<System>(System::ids()));
            let matches = clap::Command::new("chuhe").arg(argument).try_get_matches_from(["chuhe", name]);
            matches.map(|matches| matches.get_one::<System>("from").copied()).map_err(|error| error.to_string())
        };
        assert_eq!(read("WXF"), Ok(Some(System::Wxf)));
        assert!(read("Wxg").is_err_and(|error| error.contains("'Wxg'") && error.contains("wxf, wxr")));
    }
}
