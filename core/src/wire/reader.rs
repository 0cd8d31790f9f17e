//! Reads a JSON tree into valid types and gathers every fault with its JSON Pointer (RFC 6901).
//!
//! A member that fails leaves a finding and reads as `None`; reading goes on, so that one answer names all
//! faults of a body. The caller looks at the findings before it uses what was read.

use std::borrow::Cow;
use std::collections::HashSet;

use super::json::Json;
use crate::limits::TPP_MESSAGES_MAX;
use crate::reason::{Category, Finding, Reason, Violation};
use crate::types::Repertoire;

/// Members of one object, as sent.
pub(crate) type Members<'a> = [(Cow<'a, str>, Json<'a>)];

/// Enough for the deepest pointer of most bodies.
const POINTER_BYTES: usize = 64;

/// Something a body may hold, readable from its JSON.
pub(crate) trait Member: Sized {
    /// Reads the value; `None` after leaving at least one error with the reader.
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self>;
}

/// The current place in the body, and the findings so far.
#[derive(Debug)]
pub(crate) struct Reader {
    repertoire: Option<Repertoire>,
    pointer: String,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl Reader {
    /// A reader at the root of a body whose texts the bank must be able to carry; `None` for one that was taken before.
    pub(crate) fn new(repertoire: impl Into<Option<Repertoire>>) -> Self {
        Self {
            repertoire: repertoire.into(),
            pointer: String::with_capacity(POINTER_BYTES),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The characters that texts may have; `None` where they were taken before.
    pub(crate) fn repertoire(&self) -> Option<Repertoire> {
        self.repertoire
    }

    /// Leaves an error at the present place.
    pub(crate) fn error(&mut self, violation: impl Into<Violation>) {
        self.error_at("", violation);
    }

    /// Leaves an error at a pointer below the present place, such as `/townName`.
    pub(crate) fn error_at(&mut self, below: &str, violation: impl Into<Violation>) {
        if !self.is_full() {
            self.errors.push(Finding::error(violation, [&self.pointer, below].concat()));
        }
    }

    /// Leaves a warning at the present place.
    pub(crate) fn warn(&mut self, violation: impl Into<Violation>) {
        self.warn_at("", violation);
    }

    /// Leaves a warning at a pointer below the present place.
    pub(crate) fn warn_at(&mut self, below: &str, violation: impl Into<Violation>) {
        if self.warnings.len() < TPP_MESSAGES_MAX {
            self.warnings.push(Finding::warning(violation, [&self.pointer, below].concat()));
        }
    }

    /// Leaves an error or a warning, as a policy has it.
    pub(crate) fn find_at(&mut self, category: Category, below: &str, violation: impl Into<Violation>) {
        match category {
            Category::Error => self.error_at(below, violation),
            Category::Warning => self.warn_at(below, violation),
        }
    }

    /// Keeps a parsed value, or leaves its violation as an error at the present place.
    pub(crate) fn keep<T, V: Into<Violation>>(&mut self, parsed: Result<T, V>) -> Option<T> {
        parsed.map_err(|violation| self.error(violation)).ok()
    }

    /// Everything found: errors, then warnings, each in the order of reading.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.errors;
        findings.extend(self.warnings);
        findings.truncate(TPP_MESSAGES_MAX);
        findings
    }

    /// Whether an error was found.
    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Whether the answer would not show a further error.
    pub(crate) fn is_full(&self) -> bool {
        self.errors.len() >= TPP_MESSAGES_MAX
    }

    /// Whether an error was left at a pointer below the present place.
    pub(crate) fn has_error_at(&self, below: &str) -> bool {
        let below_here = |path: &str| path.strip_prefix(self.pointer.as_str()) == Some(below);
        self.errors.iter().any(|error| error.path.as_deref().is_some_and(below_here))
    }

    /// Reads at a place one level deeper.
    pub(crate) fn within<T>(&mut self, segment: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        self.pointer.push('/');
        push_escaped(&mut self.pointer, segment);
        let done = read(self);
        self.pointer.truncate(length);
        done
    }

    /// The same, of a member whose name is ours and has nothing to escape: that is most of what reading a body does.
    fn within_declared<T>(&mut self, name: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(name);
        let done = read(self);
        self.pointer.truncate(length);
        done
    }

    /// The members of an object. Repeated members are errors; members that are not known are ignored with
    /// a warning.
    pub(crate) fn members<'j, 'a>(
        &mut self,
        value: &'j Json<'a>,
        known: impl Fn(&str) -> bool,
    ) -> Option<&'j Members<'a>> {
        let Json::Object(members) = value else {
            self.error(Reason::MemberNotObject);
            return None;
        };
        for ((name, value), repeated) in members.iter().zip(repetitions(members)) {
            if repeated {
                self.within(name, |reader| reader.error(Reason::MemberRepeated));
            } else if !known(name) {
                self.within(name, |reader| {
                    reader.warn(Reason::MemberUnknown);
                    reader.check_ignored(value);
                });
            }
        }
        Some(members)
    }

    /// What is ignored must still be unambiguous: repeated members are errors at every level. As deep as the
    /// parser lets a body nest.
    fn check_ignored(&mut self, value: &Json<'_>) {
        match value {
            Json::Array(items) => {
                for (index, item) in items.iter().enumerate().filter(|(_, item)| item.has_parts()) {
                    self.within(&index.to_string(), |reader| reader.check_ignored(item));
                }
            }
            Json::Object(members) => {
                for ((name, value), repeated) in members.iter().zip(repetitions(members)) {
                    self.within(name, |reader| match repeated {
                        true => reader.error(Reason::MemberRepeated),
                        false => reader.check_ignored(value),
                    });
                }
            }
            _ => {}
        }
    }

    /// A member that must be there.
    pub(crate) fn required<T: Member>(&mut self, members: &Members<'_>, name: &'static str) -> Option<T> {
        match find(members, name) {
            Some(value) => self.within_declared(name, |reader| T::read(value, reader)),
            None => self.missing(name),
        }
    }

    /// A member that may be absent or null.
    pub(crate) fn optional<T: Member>(&mut self, members: &Members<'_>, name: &'static str) -> Option<T> {
        match find(members, name) {
            None | Some(Json::Null) => None,
            Some(value) => self.within_declared(name, |reader| T::read(value, reader)),
        }
    }

    /// Leaves the error that a member is missing.
    pub(crate) fn missing<T>(&mut self, name: &str) -> Option<T> {
        self.within(name, |reader| reader.error(Reason::MemberMissing));
        None
    }

    /// A string.
    pub(crate) fn string<'j>(&mut self, value: &'j Json<'_>) -> Option<&'j str> {
        match value {
            Json::String(text) => Some(text),
            _ => {
                self.error(Reason::MemberNotString);
                None
            }
        }
    }
}

/// Of each member in turn, whether one of its name came before. A handful of members is compared pairwise; a
/// hostile number of them is not.
fn repetitions<'j>(members: &'j Members<'_>) -> impl Iterator<Item = bool> + 'j {
    let mut seen = HashSet::new();
    members.iter().enumerate().map(move |(index, (name, _))| match index {
        0..=16 => members.iter().take(index).any(|(earlier, _)| earlier == name),
        _ => {
            if seen.is_empty() {
                seen.extend(members.iter().take(index).map(|(earlier, _)| earlier.as_ref()));
            }
            !seen.insert(name.as_ref())
        }
    })
}

/// The value of a member: the first of that name.
pub(crate) fn find<'j, 'a>(members: &'j Members<'a>, name: &str) -> Option<&'j Json<'a>> {
    members.iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

/// RFC 6901: `~` and `/` are escaped. A name that would blow up the answer is cut.
fn push_escaped(pointer: &mut String, segment: &str) {
    const SEGMENT_CHARS_MAX: usize = 128;
    // Nearly every name: nothing to escape and nothing to cut.
    if segment.len() <= SEGMENT_CHARS_MAX && !segment.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        pointer.push_str(segment);
        return;
    }
    for character in segment.chars().take(SEGMENT_CHARS_MAX) {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Every item of an array in its place; a faulty one is `None` and has left its finding.
pub(crate) struct Each<T>(pub(crate) Vec<Option<T>>);

impl<T> Each<T> {
    /// The items, if none is faulty.
    pub(crate) fn whole(self) -> Option<Vec<T>> {
        self.0.into_iter().collect()
    }
}

impl<T: Member> Member for Each<T> {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let Json::Array(items) = value else {
            reader.error(Reason::MemberNotArray);
            return None;
        };
        let items = items
            .iter()
            .enumerate()
            .map(|(index, item)| reader.within(&index.to_string(), |reader| T::read(item, reader)));
        Some(Self(items.collect()))
    }
}

impl<T: Member> Member for Vec<T> {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        Each::read(value, reader)?.whole()
    }
}

/// Declares the body of an object once: the struct, its members and its reader.
///
/// `field: Type = required "wireName";` or `optional`. An optional field becomes `Option<Type>`. So does one that is
/// `owed`: it is required, but where it is missing or faulty the others can be looked at all the same.
macro_rules! body {
    ($(#[$doc:meta])* $name:ident { $( $(#[$field_doc:meta])* $field:ident: $type:ty = $presence:ident $wire:literal; )+ }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name { $( $(#[$field_doc])* pub(crate) $field: $crate::wire::reader::body!(@field $presence $type), )+ }

        impl $crate::wire::reader::Member for $name {
            fn read(value: &$crate::wire::json::Json<'_>, reader: &mut $crate::wire::reader::Reader) -> Option<Self> {
                let members = reader.members(value, |name| matches!(name, $( $wire )|+))?;
                $( let $field = $crate::wire::reader::body!(@read $presence reader members $wire $type); )+
                Some(Self { $( $field: $field?, )+ })
            }
        }
    };
    (@field required $type:ty) => { $type };
    (@field optional $type:ty) => { Option<$type> };
    (@field owed $type:ty) => { Option<$type> };
    (@read required $reader:ident $members:ident $wire:literal $type:ty) => { $reader.required::<$type>($members, $wire) };
    (@read optional $reader:ident $members:ident $wire:literal $type:ty) => { Some($reader.optional::<$type>($members, $wire)) };
    (@read owed $reader:ident $members:ident $wire:literal $type:ty) => { Some($reader.required::<$type>($members, $wire)) };
}
pub(crate) use body;

#[cfg(test)]
mod tests {
    use super::*;

    impl Member for String {
        fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
            reader.string(value).map(str::to_owned)
        }
    }

    body! {
        /// A body to test the macro with.
        Sample {
            name: String = required "name";
            note: String = optional "note";
            tags: Vec<String> = optional "tags";
        }
    }

    fn read(body: &str) -> (Option<Sample>, Vec<(Reason, String)>) {
        let mut reader = Reader::new(Repertoire::Latin1);
        let sample = Sample::read(&Json::parse(body.as_bytes()).unwrap(), &mut reader);
        let found = reader.into_findings().into_iter();
        (sample, found.map(|finding| (finding.violation.reason, finding.path.unwrap())).collect())
    }

    #[test]
    fn a_good_body_is_read_without_findings() {
        let (sample, findings) = read(r#"{"name":"a","note":null,"tags":["b","c"]}"#);
        let sample = sample.unwrap();
        assert_eq!((sample.name.as_str(), sample.note, sample.tags.unwrap().len()), ("a", None, 2));
        assert!(findings.is_empty());
    }

    #[test]
    fn all_faults_are_named_with_their_pointer() {
        let (sample, findings) = read(r#"{"note":1,"tags":["b",2,{}],"a/b~c":0}"#);
        assert!(sample.is_none());
        assert_eq!(
            findings,
            [
                (Reason::MemberMissing, "/name".to_owned()),
                (Reason::MemberNotString, "/note".to_owned()),
                (Reason::MemberNotString, "/tags/1".to_owned()),
                (Reason::MemberNotString, "/tags/2".to_owned()),
                (Reason::MemberUnknown, "/a~1b~0c".to_owned()),
            ]
        );
    }

    #[test]
    fn null_is_absent_for_an_optional_member_and_wrong_for_a_required_one() {
        assert_eq!(read(r#"{"name":null}"#).1, [(Reason::MemberNotString, "/name".to_owned())]);
    }

    #[test]
    fn a_repeated_member_is_an_error_among_few_and_among_many() {
        for filler in [1, 40] {
            let many: String = (0..filler).map(|index| format!("\"x{index}\":0,")).collect();
            let (_, findings) = read(&format!("{{{many}\"name\":\"a\",\"name\":\"b\"}}"));
            assert!(findings.contains(&(Reason::MemberRepeated, "/name".to_owned())), "{filler}");
        }
    }

    #[test]
    fn a_repeated_member_is_an_error_within_what_is_ignored_too() {
        let (_, findings) = read(r#"{"name":"a","x":[{"y":{"z":1,"z":2}}]}"#);
        let expected =
            [(Reason::MemberRepeated, "/x/0/y/z".to_owned()), (Reason::MemberUnknown, "/x".to_owned())];
        assert_eq!(findings, expected);
    }

    #[test]
    fn findings_are_bounded() {
        let many: Vec<String> = (0..5_000).map(|index| format!("\"x{index}\":0")).collect();
        let (_, findings) = read(&format!("{{{}}}", many.join(",")));
        assert_eq!(findings.len(), TPP_MESSAGES_MAX);
        assert_eq!(findings[0].0, Reason::MemberMissing);
    }

    #[test]
    fn what_is_not_an_object_is_named_at_the_root() {
        assert_eq!(read("[]").1, [(Reason::MemberNotObject, String::new())]);
    }
}
