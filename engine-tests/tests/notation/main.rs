//! Every notation, by games, by chance and by garbage.

mod cchess;
mod command;
mod games;
mod garbage;
mod marks;
mod property;
mod wizard;
