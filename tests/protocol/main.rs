//! The protocol as an interface sees it: golden transcripts, random conversations, the process.

mod clients;
mod grammar;
mod model;
mod process;
mod transcript;
