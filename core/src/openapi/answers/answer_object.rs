//! An object of an answer, member by member.

use crate::wire::described::{COUNTRY, CURRENCY};
use crate::wire::schema::Schema;

/// An object that is answered.
pub(super) struct AnswerObject {
    pub(super) name: &'static str,
    about: &'static str,
    members: Vec<(&'static str, Schema, bool)>,
}

impl AnswerObject {
    pub(super) fn object(name: &'static str, about: &'static str) -> Self {
        Self { name, about, members: Vec::new() }
    }

    /// With a member that is always there.
    pub(super) fn always(self, name: &'static str, schema: Schema, about: &'static str) -> Self {
        self.with(name, schema, about, true)
    }

    /// With a member that is present if it has a value.
    pub(super) fn sometimes(self, name: &'static str, schema: Schema, about: &'static str) -> Self {
        self.with(name, schema, about, false)
    }

    fn with(mut self, name: &'static str, schema: Schema, about: &'static str, is_required: bool) -> Self {
        self.members.push((name, schema.described(about), is_required));
        self
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(member, ..)| *member == name)
    }

    pub(super) fn schema(self) -> Schema {
        Schema::object(self.members).described(self.about)
    }
}

/// A link.
pub(super) fn link() -> Schema {
    Schema::named("Link")
}

/// A sum of money.
pub(super) fn money() -> Schema {
    Schema::named("Money")
}

/// A currency.
pub(super) fn currency() -> Schema {
    Schema::named(CURRENCY)
}

/// A country.
pub(super) fn country() -> Schema {
    Schema::named(COUNTRY)
}

/// A domestic account number.
pub(super) fn bban() -> Schema {
    Schema::pattern("^[0-9A-Za-z]{1,30}$")
}

/// An international account number.
pub(super) fn iban() -> Schema {
    Schema::pattern("^[A-Z]{2}[0-9]{2}[0-9A-Z]{1,30}$")
}
