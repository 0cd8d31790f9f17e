//! A PSU in the role it acts in.

use super::{Context, CorporateKey, PsuKey};

/// A PSU in the role it acts in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActingPsu {
    /// The person.
    pub psu: PsuKey,
    /// Private or corporate.
    pub context: Context,
    /// The corporate customer the person acts for, in the corporate context.
    pub corporate: Option<CorporateKey>,
}

impl ActingPsu {
    /// Whether every store can keep both references.
    pub(crate) fn is_storable(&self) -> bool {
        self.psu.is_storable() && self.corporate.as_ref().is_none_or(CorporateKey::is_storable)
    }

    /// The PSU of a row: there the corporate customer is empty in the private context. `None` where the private
    /// context has one, which nothing writes.
    pub(crate) fn from_stored(psu: PsuKey, context: Context, corporate: &str) -> Option<Self> {
        let corporate = match (context, corporate) {
            (Context::Private, "") => None,
            (Context::Private, _) => return None,
            // Older versions took an empty reference.
            (Context::Corporate, key) => Some(CorporateKey::new(key)),
        };
        Some(Self { psu, context, corporate })
    }

    /// The corporate customer as a row holds it.
    pub(crate) fn stored_corporate(&self) -> &str {
        self.corporate.as_ref().map_or("", CorporateKey::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corporate_customer_is_stored_in_the_corporate_context_alone() {
        let read = |context, corporate| ActingPsu::from_stored(PsuKey::new("kari"), context, corporate);
        for (context, corporate) in
            [(Context::Private, ""), (Context::Corporate, "acme"), (Context::Corporate, "")]
        {
            let psu = read(context, corporate).unwrap();
            assert_eq!(
                (psu.stored_corporate(), psu.corporate.is_some()),
                (corporate, context == Context::Corporate)
            );
        }
        assert_eq!(read(Context::Private, "acme"), None);
    }
}
