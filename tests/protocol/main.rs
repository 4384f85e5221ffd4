//! The protocol as an interface sees it: golden transcripts, random conversations, the process.

#[path = "../support/process.rs"]
mod child;
mod clients;
mod grammar;
mod model;
mod process;
#[path = "../support/slack.rs"]
mod slack;
mod transcript;
