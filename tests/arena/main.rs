//! Matches of scripted engines through the binary: faults are named and cost one game, killed
//! matches go on, nothing is left running.

#![cfg(unix)]

mod comply;
mod faults;
mod files;
mod games;
mod harness;
mod interruption;
mod ratings;
mod scripted;
