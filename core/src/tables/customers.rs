//! Tables of customers, and of who acts for whom.

use super::column::{has, Definition, Kind};

pub(super) const CUSTOMERS: Definition = Definition {
    name: "customers",
    meaning: "A customer of the bank, private or corporate.",
    from: "sandbox_customer c",
    key: "c.number",
    columns: &[
        has("id", Kind::Text, "c.id", "The id of the customer."),
        has("customer_number", Kind::Text, "c.customer_number", "National identity or organisation number."),
        has("type", Kind::Code, "c.type", "PRIVATE or CORPORATE."),
        has("name", Kind::Text, "c.name", "The name of the customer."),
    ],
};

pub(super) const AGREEMENTS: Definition = Definition {
    name: "agreements",
    meaning: "An agreement of a customer, under which persons act for it.",
    from: "sandbox_agreement g",
    key: "g.number",
    columns: &[
        has("id", Kind::Text, "g.id", "The id of the agreement."),
        has("customer_id", Kind::Text, "g.owner", "Whose agreement it is.").joins("customers.id"),
        has(
            "customer_number",
            Kind::Text,
            "(SELECT customer_number FROM sandbox_customer WHERE id = g.owner)",
            "The number of that customer.",
        )
        .joins("customers.customer_number"),
        has("name", Kind::Text, "g.name", "The name of the agreement."),
    ],
};

pub(super) const ENGAGEMENTS: Definition = Definition {
    name: "engagements",
    meaning: "What one person may do with one account under an agreement.",
    from: "sandbox_engagement e",
    key: "e.number",
    columns: &[
        has("id", Kind::Text, "e.id", "The id of the engagement."),
        has("agreement_id", Kind::Text, "e.agreement", "The agreement.").joins("agreements.id"),
        has("person_id", Kind::Text, "e.person", "The person.").joins("customers.id"),
        has("account_id", Kind::Text, "e.account", "The account.").joins("accounts.id"),
        has("roles", Kind::Code, "e.roles", "The roles of the person, separated by spaces."),
        has("access_rights", Kind::Flag, "e.access_rights", "Whether the person may see the account."),
        has("payment_rights", Kind::Flag, "e.payment_rights", "Whether the person may pay from it."),
        has("transfer_rights", Kind::Flag, "e.transfer_rights", "Whether the person may transfer from it."),
        has("register_limit", Kind::Number, "e.register_limit", "Up to which sum the person may register."),
        has("approval_limit", Kind::Number, "e.approval_limit", "Up to which sum the person may approve."),
    ],
};
