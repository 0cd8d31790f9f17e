//! The PSU that a call or a record names.

use super::{ActingPsu, Context, CorporateKey, PsuKey};

/// The PSU that a call or a record names, completely or in part. An absent part, such as the person of a single SCA,
/// matches any value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Party {
    /// The person.
    pub psu: Option<PsuKey>,
    /// Private or corporate.
    pub context: Option<Context>,
    /// The corporate customer the person acts for, in the corporate context.
    pub corporate: Option<CorporateKey>,
}

impl Party {
    /// The header by which a call would name the first part in which the two differ; `None` where the same PSU, in the
    /// same role, can be both.
    pub fn differs_in(&self, other: &Self) -> Option<&'static str> {
        [
            ("PSU-ID", agree(self.psu.as_ref(), other.psu.as_ref())),
            ("PSU-Context", agree(self.context.as_ref(), other.context.as_ref())),
            ("PSU-Corporate-ID", agree(self.corporate.as_ref(), other.corporate.as_ref())),
        ]
        .into_iter()
        .find_map(|(header, is_same)| (!is_same).then_some(header))
    }

    /// What this one leaves open is as the other says.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            psu: self.psu.or(other.psu),
            context: self.context.or(other.context),
            corporate: self.corporate.or(other.corporate),
        }
    }
}

impl From<&ActingPsu> for Party {
    fn from(acting: &ActingPsu) -> Self {
        let ActingPsu { psu, context, corporate } = acting.clone();
        Self { psu: Some(psu), context: Some(context), corporate }
    }
}

/// Whether two values are the same, or one of them is not known.
fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parties_differ_in_what_both_of_them_say() {
        let whole = |psu: &str, context, corporate: Option<&str>| Party {
            psu: Some(PsuKey::new(psu)),
            context: Some(context),
            corporate: corporate.map(CorporateKey::new),
        };
        let (kari, company) =
            (whole("kari", Context::Private, None), whole("kari", Context::Corporate, Some("a")));
        for (other, expected) in [
            (Party::default(), None),
            (company.clone(), None),
            (Party { corporate: None, ..company.clone() }, None),
            (Party { psu: None, ..company.clone() }, None),
            (whole("ola", Context::Private, None), Some("PSU-ID")),
            (kari.clone(), Some("PSU-Context")),
            (Party { psu: None, ..kari.clone() }, Some("PSU-Context")),
            (whole("kari", Context::Corporate, Some("b")), Some("PSU-Corporate-ID")),
        ] {
            assert_eq!(company.differs_in(&other), expected, "{other:?}");
            assert_eq!(other.differs_in(&company), expected, "{other:?}");
            assert_eq!(Party::default().or(other.clone()), other);
        }
    }
}
