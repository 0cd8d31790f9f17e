//! What makes the PSU known, and opens accounts.

use super::told::Told;
use crate::wire::schema::Schema;

pub(super) fn schemas() -> Vec<Told> {
    vec![
        Told::object("StartedSca", "An SCA that waits for the PSU.").always(
            "_links",
            Schema::named("ScaLinks"),
            "",
        ),
        Told::object("Agreements", "The agreements by which the PSU acts for companies.").always(
            "agreements",
            Schema::each(Schema::named("Agreement")),
            "",
        ),
        Told::object("Agreement", "An agreement.")
            .always("psuCorporateId", Schema::format("uuid"), "The company's PSU-Corporate-ID.")
            .always("name", Schema::text(), "")
            .always("owner", Schema::text(), "The company's name."),
    ]
}
