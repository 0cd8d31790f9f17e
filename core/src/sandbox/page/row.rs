//! One row of a list of terms.

use maud::{html, Markup};

use super::texts::Phrase;
use crate::reason::Language;

pub(super) fn row(label: Phrase, value: &str, language: Language) -> Markup {
    html! { dt { (label.text(language)) } dd { (value) } }
}
