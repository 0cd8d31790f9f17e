//! What a browser sends back: fields become values, and any form that no page of ours sends is refused.

use std::collections::BTreeMap;

use super::choice::ChosenRole;
use super::token::{Step, TokenKey};
use crate::types::{AccountId, AuthorisationId, CardAccountId};

const ACCOUNT: &str = "account";
const ACTION: &str = "action";
const CARD: &str = "card";
const CUSTOMER_NUMBER: &str = "customerNumber";
const ROLE: &str = "role";
const STEP: &str = "step";
const TOKEN: &str = "token";

/// How many characters of a field's name are shown.
const NAME_CHARS_SHOWN: usize = 40;

/// Why a form cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// A field is not there.
    Missing(&'static str),
    /// A field is there more than once.
    Repeated(&'static str),
    /// A field of that name does not belong here; of a long name, its beginning.
    Foreign(String),
    /// A field has a value that no page offers.
    Value(&'static str),
}

/// A form that came back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Submission {
    token: String,
    /// Whether the PSU goes on; else they cancelled.
    pub(crate) goes_on: bool,
    /// The answers.
    pub(crate) form: Form,
}

/// The answers of each step, those given before it among them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Who it is, as it was typed.
    Identify { typed: String },
    /// For whom, where that was chosen.
    Role { customer_number: String, role: Option<ChosenRole> },
    /// What is opened to the TPP; empty if the authorisation is not for a consent.
    Approve { customer_number: String, role: ChosenRole, accounts: Vec<AccountId>, cards: Vec<CardAccountId> },
}

impl Submission {
    /// Reads the body of a form.
    ///
    /// # Errors
    /// [`Malformed`], the first fault found.
    pub(crate) fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let mut fields = Fields::parse(body)?;
        let step = Step::parse(&fields.take(STEP)?).ok_or(Malformed::Value(STEP))?;
        let token = fields.take(TOKEN)?;
        let goes_on = match fields.take(ACTION)?.as_str() {
            "continue" => true,
            "cancel" => false,
            _ => return Err(Malformed::Value(ACTION)),
        };
        let form = match step {
            Step::Identify => Form::Identify { typed: fields.take(CUSTOMER_NUMBER)? },
            Step::Role => Form::Role {
                customer_number: fields.take(CUSTOMER_NUMBER)?,
                role: fields.take_optional(ROLE).map(|role| read_role(&role)).transpose()?,
            },
            Step::Approve => Form::Approve {
                customer_number: fields.take(CUSTOMER_NUMBER)?,
                role: read_role(&fields.take(ROLE)?)?,
                accounts: fields.take_all(ACCOUNT, AccountId::parse)?,
                cards: fields.take_all(CARD, CardAccountId::parse)?,
            },
        };
        fields.finish()?;
        Ok(Self { token, goes_on, form })
    }

    /// Whether a page of ours, for this authorisation, sent the form and the answers it had hidden in it.
    pub(crate) fn is_ours(&self, key: &TokenKey, id: &AuthorisationId) -> bool {
        match &self.form {
            Form::Identify { .. } => key.fits(&self.token, id, Step::Identify, &[]),
            Form::Role { customer_number, .. } => key.fits(&self.token, id, Step::Role, &[customer_number]),
            Form::Approve { customer_number, role, .. } => {
                key.fits(&self.token, id, Step::Approve, &[customer_number, &role.value()])
            }
        }
    }
}

fn read_role(text: &str) -> Result<ChosenRole, Malformed> {
    ChosenRole::parse(text).ok_or(Malformed::Value(ROLE))
}

/// The fields that no step has taken yet.
struct Fields {
    single: BTreeMap<&'static str, String>,
    lists: BTreeMap<&'static str, Vec<String>>,
}

impl Fields {
    fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let mut fields = Self { single: BTreeMap::new(), lists: BTreeMap::new() };
        for (name, value) in form_urlencoded::parse(body) {
            let known = [ACCOUNT, ACTION, CARD, CUSTOMER_NUMBER, ROLE, STEP, TOKEN];
            let known = known.into_iter().find(|known| *known == name);
            let Some(known) = known else { return Err(foreign(&name)) };
            if known == ACCOUNT || known == CARD {
                fields.lists.entry(known).or_default().push(value.into_owned());
            } else if fields.single.insert(known, value.into_owned()).is_some() {
                return Err(Malformed::Repeated(known));
            }
        }
        Ok(fields)
    }

    fn take_optional(&mut self, name: &'static str) -> Option<String> {
        self.single.remove(name)
    }

    fn take(&mut self, name: &'static str) -> Result<String, Malformed> {
        self.take_optional(name).ok_or(Malformed::Missing(name))
    }

    /// Every value of a field, each of them different.
    fn take_all<T: Ord + Clone>(
        &mut self,
        name: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, Malformed> {
        let values = self.lists.remove(name).unwrap_or_default();
        let values: Option<Vec<T>> = values.iter().map(|value| read(value)).collect();
        let values = values.ok_or(Malformed::Value(name))?;
        let mut sorted = values.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == values.len() {
            Ok(values)
        } else {
            Err(Malformed::Repeated(name))
        }
    }

    /// Nothing may be left.
    fn finish(self) -> Result<(), Malformed> {
        match self.single.keys().chain(self.lists.keys()).next() {
            Some(name) => Err(foreign(name)),
            None => Ok(()),
        }
    }
}

fn foreign(name: &str) -> Malformed {
    Malformed::Foreign(name.chars().take(NAME_CHARS_SHOWN).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fault(body: &str) -> Option<Malformed> {
        Submission::parse(body.as_bytes()).err()
    }

    #[test]
    fn each_step_is_read() {
        let read = |body: &str| Submission::parse(body.as_bytes()).unwrap();
        let first = read("step=identify&token=t&customerNumber=130393+19955&action=continue");
        assert_eq!(first.form, Form::Identify { typed: "130393 19955".to_owned() });
        assert!(first.goes_on);
        let second = read("step=role&token=t&customerNumber=123456&action=cancel");
        assert_eq!(second.form, Form::Role { customer_number: "123456".to_owned(), role: None });
        assert!(!second.goes_on);
        let third = read(
            "step=approve&token=t&customerNumber=123456&role=private&account=b&account=a&card=a&action=continue",
        );
        let Form::Approve { role, accounts, cards, .. } = third.form else { panic!("{third:?}") };
        let names: Vec<_> = accounts.iter().map(AccountId::as_str).collect();
        assert_eq!((role, names, cards.len()), (ChosenRole::Private, vec!["b", "a"], 1));
    }

    #[test]
    fn missing_repeated_and_foreign_fields_are_refused() {
        let foreign = |name: &str| Malformed::Foreign(name.to_owned());
        for (body, expected) in [
            ("", Malformed::Missing(STEP)),
            ("step=pay&token=t&action=continue", Malformed::Value(STEP)),
            ("step=identify&customerNumber=1&action=continue", Malformed::Missing(TOKEN)),
            ("step=identify&token=t&customerNumber=1", Malformed::Missing(ACTION)),
            ("step=identify&token=t&customerNumber=1&action=approve", Malformed::Value(ACTION)),
            ("step=identify&token=t&action=continue", Malformed::Missing(CUSTOMER_NUMBER)),
            ("step=identify&step=identify", Malformed::Repeated(STEP)),
            ("step=identify&token=t&token=t", Malformed::Repeated(TOKEN)),
            ("step=identify&token=t&customerNumber=1&customerNumber=1", Malformed::Repeated(CUSTOMER_NUMBER)),
            (
                "step=identify&token=t&customerNumber=1&action=cancel&action=continue",
                Malformed::Repeated(ACTION),
            ),
            ("step=identify&token=t&customerNumber=1&action=continue&role=private", foreign(ROLE)),
            ("step=role&token=t&customerNumber=1&action=continue&account=a", foreign(ACCOUNT)),
            ("step=role&token=t&customerNumber=1&action=continue&role=", Malformed::Value(ROLE)),
            ("step=approve&token=t&customerNumber=1&action=continue", Malformed::Missing(ROLE)),
            (
                "step=approve&token=t&customerNumber=1&action=continue&role=private&card=a&card=a",
                Malformed::Repeated(CARD),
            ),
            (
                "step=approve&token=t&customerNumber=1&action=continue&role=private&account=a%2Fb",
                Malformed::Value(ACCOUNT),
            ),
            ("STEP=identify", foreign("STEP")),
            ("amount=1", foreign("amount")),
            ("&&=&", foreign("")),
        ] {
            assert_eq!(fault(body), Some(expected), "{body}");
        }
        let Some(Malformed::Foreign(shown)) = fault(&"x".repeat(1_000)) else { panic!() };
        assert_eq!(shown.len(), NAME_CHARS_SHOWN);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(body: Vec<u8>) {
            let _ = Submission::parse(&body);
        }

        #[test]
        fn nor_do_broken_forms(body in "((step|token|action|role|account|card|customerNumber)=[a-z%+0-9]{0,6}&){0,9}") {
            let _ = Submission::parse(body.as_bytes());
        }
    }
}
