//! What differs between two snapshots, in words.

mod stories;
mod words;

use std::collections::{BTreeSet, HashMap};

use self::stories::{story, Story};
use self::words::{shown, Names};
use super::snapshot::Image;
use crate::env::entropy::Position;
use crate::error::Result;
use crate::store::sqlite::document::{time_text, Row};
use crate::store::sqlite::Database;

/// The most lines. Further differences are only counted.
const LINES_MAX: usize = 1000;

/// What changed from one snapshot to another, one line each: `payment enc!!…: RCVD → ACSC`. No lines at all mean equal
/// content. The order is fixed: the clock, then section by section, removed and changed rows before new ones. Large
/// values are named but not shown. At most a thousand lines are returned; a last one counts the others.
///
/// # Errors
/// [`Error::Misuse`](crate::Error::Misuse) for bytes that are no whole snapshot;
/// [`Error::Store`](crate::Error::Store).
pub fn diff(before: &[u8], after: &[u8]) -> Result<Vec<String>> {
    let is_same = before == after;
    let (before, after) = (Image::read(before)?, Image::read(after)?);
    if is_same {
        // Whole it must be all the same.
        Database::from_image(before.database)?;
        return Ok(Vec::new());
    }
    let mut lines = head(&before, &after);
    let old = Database::from_image(before.database)?.rows_of_sections()?;
    let new = Database::from_image(after.database)?.rows_of_sections()?;
    let names = Names::of(old.iter().chain(&new));
    for ((section, old), (_, new)) in old.iter().zip(&new) {
        lines.extend(section_lines(&story(section), old, new, &names));
    }
    if lines.len() > LINES_MAX {
        let more = lines.len() - LINES_MAX;
        lines.truncate(LINES_MAX);
        lines.push(format!("and {more} more"));
    }
    Ok(lines)
}

/// What differs outside of the database.
fn head(before: &Image<'_>, after: &Image<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if before.clock_micros != after.clock_micros {
        lines.push(format!("clock: {} → {}", time_text(before.clock_micros), time_text(after.clock_micros)));
    }
    if before.position != after.position {
        lines.push(format!("ids: {} → {}", drawn(before.position), drawn(after.position)));
    }
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (before.used.iter().collect(), after.used.iter().collect());
    lines.extend(counted("replay window", new.difference(&old).count(), old.difference(&new).count(), 0));
    lines
}

fn drawn(position: Position) -> String {
    let Position { seed, generation, counter } = position;
    format!("seed {seed}, opening {generation}, {counter} drawn")
}

fn section_lines(story: &Story, old: &[Row], new: &[Row], names: &Names) -> Vec<String> {
    if old == new {
        return Vec::new();
    }
    let index = |rows| HashMap::from_iter(keyed(story, rows));
    let (olds, news): (HashMap<_, &Row>, HashMap<_, &Row>) = (index(old), index(new));
    let (mut lines, mut is_gone, mut is_changed, mut is_new) = (Vec::new(), 0, 0, 0);
    for (key, row) in keyed(story, old) {
        match news.get(&key) {
            None => {
                is_gone += 1;
                lines.push(story.gone(row, names));
            }
            Some(now) if *now != row => {
                is_changed += 1;
                lines.push(story.changed(row, now, names));
            }
            Some(_) => {}
        }
    }
    for (_, row) in keyed(story, new).filter(|(key, _)| !olds.contains_key(key)) {
        is_new += 1;
        lines.push(story.born(row, names));
    }
    match story.is_counted {
        true => counted(story.noun, is_new, is_gone, is_changed).into_iter().collect(),
        false => lines,
    }
}

/// Rows with what makes each the same one in both snapshots.
fn keyed<'r>(story: &'r Story, rows: &'r [Row]) -> impl Iterator<Item = (Vec<Option<String>>, &'r Row)> {
    rows.iter().map(|row| (story.identity.iter().map(|member| shown(row, member)).collect(), row))
}

fn counted(noun: &str, new: usize, gone: usize, changed: usize) -> Option<String> {
    let parts = [(new, "new"), (gone, "gone"), (changed, "changed")];
    let listed: Vec<_> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    (!listed.is_empty()).then(|| format!("{noun}: {}", listed.join(", ")))
}
