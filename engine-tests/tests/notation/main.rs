//! Every notation, tested with games, random positions and garbage.

mod cchess;
mod command;
mod games;
mod garbage;
mod marks;
mod property;
mod wizard;
