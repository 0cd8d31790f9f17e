//! What a person has to be and to have.

use serde::{Deserialize, Deserializer};

use super::super::world::World;
use super::profile::Profile;
use crate::error::{Error, Result};
use crate::wire::json;

/// A number, or all from a least one to a greatest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// `None`: any number up to the greatest one.
    pub least: Option<i64>,
    /// `None`: any number from the least one on.
    pub greatest: Option<i64>,
}

impl Span {
    fn has(self, number: i64) -> bool {
        self.least.is_none_or(|least| least <= number)
            && self.greatest.is_none_or(|greatest| number <= greatest)
    }
}

/// A number, or an array of two, each of which may be null.
impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a whole number, or an array of two, each of which may be null")]
        enum Form {
            One(i64),
            Two((Option<i64>, Option<i64>)),
        }
        let (least, greatest) = match Form::deserialize(from)? {
            Form::One(number) => (Some(number), Some(number)),
            Form::Two(span) => span,
        };
        if least.zip(greatest).is_some_and(|(least, greatest)| least > greatest) {
            return Err(serde::de::Error::custom("the first number is above the second"));
        }
        Ok(Self { least, greatest })
    }
}

/// What a person of a population has to be and to have: all members that are given. In JSON an object with these
/// members.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Criteria {
    /// `student`, `employee`, `wealthy`, `benefit`, `pensioner`, `indebted`, `overdrawn` or `dormant`.
    #[serde(deserialize_with = "given")]
    pub kind: Option<String>,
    /// The town where the person lives.
    #[serde(deserialize_with = "given")]
    pub town: Option<String>,
    /// In years, when the history begins.
    #[serde(deserialize_with = "given")]
    pub age: Option<Span>,
    /// In kroner a month, taxes taken off, on the average of the first year.
    #[serde(deserialize_with = "given")]
    pub income: Option<Span>,
    /// For how many children the person receives child benefit.
    #[serde(deserialize_with = "given")]
    pub children: Option<Span>,
    /// Whether the person pays a mortgage, alone or from a joint account of their own.
    #[serde(deserialize_with = "given")]
    pub mortgage: Option<bool>,
    /// Whether the person pays a consumer loan.
    #[serde(deserialize_with = "given")]
    pub consumer_loan: Option<bool>,
    /// Whether the person has a credit card.
    #[serde(deserialize_with = "given")]
    pub credit_card: Option<bool>,
    /// Whether the person has a savings account.
    #[serde(deserialize_with = "given")]
    pub savings: Option<bool>,
    /// Whether the person has an account in euro.
    #[serde(deserialize_with = "given")]
    pub euro_account: Option<bool>,
    /// Whether the person pays to a joint account.
    #[serde(deserialize_with = "given")]
    pub joint_account: Option<bool>,
    /// Whether the current account has a credit line.
    #[serde(deserialize_with = "given")]
    pub overdraft: Option<bool>,
    /// Whether the employer is a customer of the bank.
    #[serde(deserialize_with = "given")]
    pub employer_is_customer: Option<bool>,
}

/// A criterion is a value: null is none.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Whether a person meets each criterion; `None` of one that is not given.
type Met = [(&'static str, Option<bool>); 13];

impl Criteria {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`Error::Misuse`] for what is no JSON object, for unknown members and kinds, and for values of another type.
    pub fn from_json(text: &str) -> Result<Self> {
        let criteria: Self = json::read_config(text).map_err(|error| match error {
            Error::Config(what) => Error::Misuse(what),
            other => other,
        })?;
        let country = &World::norway()?.country;
        let kinds = country.segments.rows.iter().map(|segment| segment.name.as_str());
        check_known("kind", criteria.kind.as_deref(), kinds)?;
        let towns = country.towns.rows.iter().map(|town| town.name.as_str());
        check_known("town", criteria.town.as_deref(), towns)?;
        Ok(criteria)
    }

    fn met(&self, profile: &Profile) -> Met {
        let is = |wanted: Option<bool>, has: bool| wanted.map(|wanted| wanted == has);
        let named = |wanted: &Option<String>, name: &str| wanted.as_ref().map(|wanted| wanted == name);
        let within = |wanted: Option<Span>, number: i64| wanted.map(|span| span.has(number));
        [
            ("kind", named(&self.kind, profile.kind)),
            ("town", named(&self.town, profile.town)),
            ("age", within(self.age, profile.age)),
            ("income", within(self.income, profile.income)),
            ("children", within(self.children, profile.children)),
            ("mortgage", is(self.mortgage, profile.mortgage)),
            ("consumer_loan", is(self.consumer_loan, profile.consumer_loan)),
            ("credit_card", is(self.credit_card, profile.credit_card)),
            ("savings", is(self.savings, profile.savings)),
            ("euro_account", is(self.euro_account, profile.euro_account)),
            ("joint_account", is(self.joint_account, profile.joint_account)),
            ("overdraft", is(self.overdraft, profile.overdraft)),
            ("employer_is_customer", is(self.employer_is_customer, profile.employer_is_customer)),
        ]
    }
}

fn check_known<'n>(
    member: &str,
    given: Option<&str>,
    mut known: impl Iterator<Item = &'n str> + Clone,
) -> Result<()> {
    let Some(given) = given else { return Ok(()) };
    let names: Vec<_> = known.clone().collect();
    match known.any(|name| name == given) {
        true => Ok(()),
        false => Err(Error::Misuse(format!("`{member}`: `{given}` is none of {}", names.join(", ")))),
    }
}

/// How many persons meet all criteria, and how many meet each of them.
#[derive(Default)]
pub(crate) struct Tally {
    persons: usize,
    of_each: Vec<(&'static str, usize)>,
}

impl Tally {
    /// Counts a person; whether all criteria are met.
    pub(crate) fn count(&mut self, criteria: &Criteria, profile: &Profile) -> bool {
        let given: Vec<(&'static str, bool)> =
            criteria.met(profile).into_iter().filter_map(|(name, met)| Some((name, met?))).collect();
        self.persons += 1;
        if self.of_each.is_empty() {
            self.of_each = given.iter().map(|(name, _)| (*name, 0)).collect();
        }
        for ((_, count), (_, met)) in self.of_each.iter_mut().zip(&given) {
            *count += usize::from(*met);
        }
        given.iter().all(|(_, met)| *met)
    }

    /// The error for too few persons of `all`, the population or a part, with how many meet each criterion.
    pub(crate) fn too_few(&self, found: usize, wanted: usize, all: &str) -> Error {
        let of_each = self.of_each.iter().map(|(name, count)| format!("`{name}` {count}"));
        let of_each: Vec<_> = of_each.collect();
        let detail =
            if of_each.is_empty() { String::new() } else { format!(", each alone: {}", of_each.join(", ")) };
        Error::Misuse(format!(
            "{found} of {} persons of the {all} meet all criteria, and {wanted} are wanted{detail}",
            self.persons
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_are_read_and_others_refused_with_their_place() {
        let criteria = Criteria::from_json(
            r#"{"children": 2, "age": [30, null], "mortgage": true, "kind": "employee", "town": "Bergen"}"#,
        )
        .unwrap();
        assert_eq!(criteria.children, Some(Span { least: Some(2), greatest: Some(2) }));
        assert_eq!(criteria.age, Some(Span { least: Some(30), greatest: None }));
        for (text, named) in [
            ("[]", "not a JSON object"),
            (r#"{"cats": 2}"#, "cats"),
            (r#"{"children": "2"}"#, "children"),
            (r#"{"age": [40, 30]}"#, "above the second"),
            (r#"{"age": [40]}"#, "age"),
            (r#"{"kind": null}"#, "kind"),
            (r#"{"age": null}"#, "age"),
            (r#"{"mortgage": null}"#, "mortgage"),
            (r#"{"kind": "pirate"}"#, "`kind`: `pirate` is none of student, employee"),
            (r#"{"town": "Paris"}"#, "`town`: `Paris` is none of "),
        ] {
            let refused = Criteria::from_json(text).unwrap_err();
            assert!(matches!(&refused, Error::Misuse(text) if text.contains(named)), "{text}: {refused}");
        }
    }

    #[test]
    fn both_ends_of_a_span_are_in_it() {
        let span = Span { least: Some(2), greatest: Some(3) };
        assert_eq!([1, 2, 3, 4].map(|number| span.has(number)), [false, true, true, false]);
        assert!(Span { least: None, greatest: Some(3) }.has(i64::MIN));
        assert!(!Span { least: Some(2), greatest: None }.has(1));
    }
}
