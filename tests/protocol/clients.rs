//! A client that others wrote, driving the binary.

use std::path::Path;
use std::process::Command;

/// Status of a script that lacks what it needs.
const SKIPPED: i32 = 77;

#[test]
fn cchess_plays_with_the_engine() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/cchess_client.py");
    let output =
        match Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_hanxin")).output() {
            Ok(output) => output,
            Err(error) => return println!("skipped: python3: {error}"),
        };
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(SKIPPED) {
        return println!("skipped: {said}");
    }
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaints}");
}
