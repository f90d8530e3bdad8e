//! What all connections share.

use super::limits::Patience;
use super::message::{Choice, FormatChoice, Hello};
use super::{Options, Place, limits};
use crate::notation::System;
use crate::records::Format;
use crate::rules::RuleSet;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What every connection needs.
pub struct Server {
    /// What the server was started with.
    pub options: Options,
    /// How it is reached.
    pub place: Place,
    /// The greeting.
    pub hello: Hello,
    /// Pages that may still come.
    pub clients: Arc<Semaphore>,
    /// Searches that may still begin.
    pub searches: Arc<Semaphore>,
    /// How long clients are waited for.
    pub patience: Patience,
}

impl Server {
    /// Without a page or a search so far.
    pub fn new(options: Options, place: &Place, patience: Patience) -> Server {
        Server {
            hello: hello(&options),
            options,
            place: place.clone(),
            clients: Arc::new(Semaphore::new(limits::CLIENTS)),
            searches: Arc::new(Semaphore::new(limits::SEARCHES)),
            patience,
        }
    }
}

/// What a page is told first.
fn hello(options: &Options) -> Hello {
    Hello {
        program: format!("chuhe {}", env!("CARGO_PKG_VERSION")),
        levels: options.levels.descriptions.clone(),
        notations: System::all()
            .map(|system| Choice {
                id: system.id(),
                title: system.title(),
                example: system.example(),
                historical: system.is_historical(),
            })
            .collect(),
        rules: RuleSet::all().map(|set| Choice { id: set.id(), title: set.title(), example: "", historical: false }).collect(),
        formats: Format::all()
            .map(|format| FormatChoice {
                id: format.id(),
                title: format.title(),
                extensions: format.extensions(),
                written: format.is_written(),
                holds_many: format.holds_many(),
            })
            .collect(),
        files: options.files.iter().map(super::Given::name).collect(),
        png: cfg!(feature = "png"),
        longest_message: limits::LONGEST_MESSAGE,
        largest_tree: limits::LARGEST_TREE,
    }
}
