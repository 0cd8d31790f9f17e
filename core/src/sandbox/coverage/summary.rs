//! Coverage in words, for a terminal.

use std::fmt::Write as _;

use super::tally::{Coverage, CoverageKind};

/// How wide a list of names may be.
const LINE_CHARS_MAX: usize = 100;

impl Coverage {
    /// One line for each kind, such as `operations      3 of 25   12 %`; with `list_untouched`, below each what was
    /// not seen of it.
    pub fn text(&self, list_untouched: bool) -> String {
        let mut text = String::new();
        for kind in CoverageKind::ALL {
            let (touched, total) = (self.touched(kind), Self::total(kind));
            // Rounded down: 100 % is all of them.
            let percent = touched * 100 / total.max(1);
            // Writing to a String does not fail.
            let _ = writeln!(text, "{:<14}{touched:>4} of {total:>3}{percent:>5} %", kind.as_str());
            if list_untouched {
                push_list(&mut text, &self.untouched(kind));
            }
        }
        text
    }
}

fn push_list(text: &mut String, names: &[String]) {
    let mut line = String::new();
    for (position, name) in names.iter().enumerate() {
        let comma = if position + 1 == names.len() { "" } else { "," };
        if !line.is_empty() && line.len() + name.len() + 2 > LINE_CHARS_MAX {
            let _ = writeln!(text, "   {line}");
            line.clear();
        }
        let _ = write!(line, " {name}{comma}");
    }
    if !line.is_empty() {
        let _ = writeln!(text, "   {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_line_and_what_is_missing_is_listed_on_demand() {
        let nothing = Coverage::default();
        let lines = nothing.text(false);
        assert_eq!(lines.lines().count(), CoverageKind::ALL.len());
        let operations =
            format!("operations       0 of {:>3}    0 %", Coverage::total(CoverageKind::Operations));
        assert_eq!(lines.lines().next(), Some(operations.as_str()));
        let listed = nothing.text(true);
        for kind in CoverageKind::ALL {
            for name in nothing.untouched(kind) {
                assert!(listed.contains(&name), "{name}");
            }
        }
        assert!(listed.lines().all(|line| line.len() <= LINE_CHARS_MAX + 4), "{listed}");
    }
}
