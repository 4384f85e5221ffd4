//! Progress on stderr, drawn only where stderr is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

const TEMPLATE: &str = "{bar:40} {pos}/{len}  {msg}  {eta} left";

/// A bar of so many steps that goes away when done. Print through [`ProgressBar::suspend`].
pub fn bar(steps: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps as u64).with_style(style)
}
