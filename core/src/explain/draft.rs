//! A signing string in parts, so that a hypothesis can change one of them.

use std::borrow::Cow;

use crate::tpp::signing_string::REQUEST_TARGET;

/// A text that may have been signed.
#[derive(Debug, Clone)]
pub(super) struct Draft<'a> {
    pub(super) lines: Vec<Line<'a>>,
    pub(super) layout: Layout,
}

/// A name and its value.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) value: Cow<'a, [u8]>,
}

/// How lines become a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Whether the names are in the text.
    pub(super) has_names: bool,
    /// Between name and value.
    pub(super) colon: &'static str,
    /// Between lines.
    pub(super) separator: &'static str,
    /// Before the first line.
    pub(super) before: &'static str,
    /// After the last line.
    pub(super) after: &'static str,
}

/// As the contract has it.
pub(super) const CONTRACT: Layout =
    Layout { has_names: true, colon: ": ", separator: "\n", before: "", after: "" };

impl<'a> Line<'a> {
    pub(super) fn new(name: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { name: name.into(), value: value.into() }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

impl<'a> Draft<'a> {
    /// Writes the text into a buffer, which is cleared first.
    pub(super) fn write(&self, text: &mut Vec<u8>) {
        let layout = self.layout;
        text.clear();
        text.extend_from_slice(layout.before.as_bytes());
        let mut separator = "";
        for line in &self.lines {
            text.extend_from_slice(separator.as_bytes());
            // A line without a name has no colon either.
            if layout.has_names && !line.name.is_empty() {
                text.extend_from_slice(line.name.as_bytes());
                text.extend_from_slice(layout.colon.as_bytes());
            }
            text.extend_from_slice(&line.value);
            separator = layout.separator;
        }
        text.extend_from_slice(layout.after.as_bytes());
    }

    /// The text.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(512);
        self.write(&mut text);
        text
    }

    /// The same lines in another layout.
    pub(super) fn laid_out(&self, layout: Layout) -> Self {
        Self { lines: self.lines.clone(), layout }
    }

    /// The same layout of other lines.
    pub(super) fn with_lines(&self, lines: Vec<Line<'a>>) -> Self {
        Self { lines, layout: self.layout }
    }

    /// The same with another value of one line.
    pub(super) fn with_value(&self, index: usize, value: impl Into<Cow<'a, [u8]>>) -> Self {
        let mut draft = self.clone();
        if let Some(line) = draft.lines.get_mut(index) {
            line.value = value.into();
        }
        draft
    }

    /// Where the line of a name is.
    pub(super) fn index_of(&self, name: &str) -> Option<usize> {
        self.lines.iter().position(|line| line.is(name))
    }

    /// Where the line of the request target is.
    pub(super) fn target_index(&self) -> Option<usize> {
        self.index_of(REQUEST_TARGET)
    }

    /// Every line that is a header's, with its index.
    pub(super) fn header_lines(&self) -> impl Iterator<Item = (usize, &Line<'a>)> {
        self.lines.iter().enumerate().filter(|(_, line)| !line.is(REQUEST_TARGET))
    }
}
