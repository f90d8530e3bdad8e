//! Analysis, judging and records: `analyze`, `judge`, `convert` and the reports.

mod analyze;
mod analyze_users;
mod examples;
mod judge;
mod library;
mod puzzles;
mod record_mutations;
mod record_users;
mod records;
mod reports;
mod round_trips;
