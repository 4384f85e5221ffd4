//! The README says what the program does.

use std::process::Command;

use hanxin::protocol::option::markdown_table;

const README: &str = include_str!("../README.md");

#[test]
fn options_are_those_announced() {
    assert!(README.contains(&markdown_table()), "the table should be:\n{}", markdown_table());
}

#[test]
fn every_command_is_listed() {
    let output = Command::new(env!("CARGO_BIN_EXE_hanxin")).arg("--help").output();
    let help = String::from_utf8(output.expect("the binary runs").stdout).expect("UTF-8");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    names.sort_unstable();
    let listed: Vec<&str> = README
        .lines()
        .filter_map(|line| line.strip_prefix("| `hanxin ")?.split('`').next())
        .collect();
    assert_eq!(listed, names);
}
