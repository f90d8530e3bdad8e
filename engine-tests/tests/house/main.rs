//! The house itself: documents, floors, packages, platforms.

mod documents;
mod floors;
mod help_examples;
mod packages;
mod platforms;
