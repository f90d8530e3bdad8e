//! Tests of the project: documents, layers, packages, platforms.

mod documents;
mod help_examples;
mod layers;
mod packages;
mod platforms;
