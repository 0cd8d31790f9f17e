//! Pages of the repository that a test prints.

use std::fs;

use super::repository_root::root;

/// Compares a committed page with its new text; writes the new text where `UPDATE` asks for it. `by`: the arguments of
/// the test that prints it.
pub(crate) fn assert_current(path: &str, by: &str, wanted: &str) {
    let file = root().join(path);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, wanted).expect("the page can be written");
        return;
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    if let Some((number, line)) = first_difference(&found, wanted) {
        panic!(
            "{path} is out of date. Run `UPDATE=1 cargo test -p xs2a {by}` and commit it. First difference, line \
             {number}:\n{line}"
        );
    }
}

fn first_difference<'a>(found: &str, wanted: &'a str) -> Option<(usize, &'a str)> {
    let mut lines = found.lines();
    let differing = wanted.lines().enumerate().find(|(_, line)| lines.next() != Some(line));
    let (number, line) =
        differing.or_else(|| (found != wanted).then_some((wanted.lines().count(), "(end)")))?;
    Some((number + 1, line))
}
