//! What makes the PSU known, and opens accounts.

use super::answer_object::AnswerObject;
use crate::wire::schema::Schema;

pub(super) fn schemas() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("StartedSca", "An SCA that waits for the PSU.").always(
            "_links",
            Schema::named("ScaLinks"),
            "",
        ),
        AnswerObject::object("Agreements", "The agreements by which the PSU acts for companies.").always(
            "agreements",
            Schema::each(Schema::named("Agreement")),
            "",
        ),
        AnswerObject::object("Agreement", "An agreement.")
            .always("psuCorporateId", Schema::format("uuid"), "The company's PSU-Corporate-ID.")
            .always("name", Schema::text(), "")
            .always("owner", Schema::text(), "The company's name."),
    ]
}
