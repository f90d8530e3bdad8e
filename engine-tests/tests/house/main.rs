//! The house itself: documents, floors, packages, platforms.

mod documents;
mod floors;
mod packages;
mod platforms;
