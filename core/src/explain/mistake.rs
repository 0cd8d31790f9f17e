//! One row of the table of mistakes.

use serde::Serialize;

use super::budget::Flow;
use super::case::Case;
use super::draft::Draft;

/// Receives each text of a hypothesis.
pub(super) type Visit<'v, T> = &'v mut dyn FnMut(&T) -> Flow;

/// The drafts that a row derives from one.
pub(super) type Drafts = for<'a, 'v> fn(&Case<'a>, &Draft<'a>, Reach, Visit<'v, Draft<'a>>) -> Flow;

/// The texts that a row derives from one text, or from one body.
pub(super) type Texts = for<'a, 'v> fn(&Case<'a>, &[u8], Visit<'v, [u8]>) -> Flow;

/// How far a row goes from what it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The frequent variants, few enough to be combined with another row's.
    Near,
    /// All variants.
    Far,
}

/// What a row varies, and how.
#[derive(Clone, Copy)]
pub(super) enum Varies {
    /// Separators of the signing string.
    Layout(Drafts),
    /// Which names it has, how they are written and in which order.
    Names(Drafts),
    /// The value of `(request-target)`.
    Target(Drafts),
    /// The value of a header.
    Value(Drafts),
    /// The whole signing string, as bytes.
    Text(Texts),
    /// The body that Digest is taken of.
    Body(Texts),
    /// Nothing that is searched: the form, the key or the clock shows it.
    Shown,
}

/// One mistake that clients make.
#[derive(Serialize)]
pub struct Mistake {
    /// The stable id, such as `trailing-newline`.
    pub id: &'static str,
    #[serde(skip)]
    pub(super) varies: Varies,
    /// What was done.
    pub sentence: &'static str,
    /// What to do instead.
    pub advice: &'static str,
    /// Where the mistake comes from: a rule that differs, or the software that makes it.
    pub source: &'static str,
    /// How a request with the mistake looks.
    pub wrong: &'static str,
    /// How it must look.
    pub right: &'static str,
}

impl std::fmt::Debug for Mistake {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Mistake({})", self.id)
    }
}

/// Mistakes about one part of a request.
#[derive(Debug)]
pub struct MistakeGroup {
    /// The part.
    pub title: &'static str,
    /// What is most likely first.
    pub rows: &'static [&'static Mistake],
}
