//! Tables of customers, and of who acts for whom.

use super::column::{has, Definition, Kind};
use super::generated_row::{number, text, words, RowsOf};

pub(super) const CUSTOMERS: Definition = Definition {
    name: "customers",
    meaning: "A customer of the bank, private or corporate.",
    from: "sandbox_customer c",
    key: "c.number",
    generated: Some(RowsOf::Customers),
    columns: &[
        has("id", Kind::Text, "c.id", "The id of the customer.")
            .of(|row| text(row.customer().customer.id.as_str())),
        has("customer_number", Kind::Text, "c.customer_number", "National identity or organisation number.")
            .of(|row| text(row.customer().customer.number.as_str())),
        has("type", Kind::Code, "c.type", "PRIVATE or CORPORATE.")
            .of(|row| text(row.customer().customer.kind.as_str())),
        has("name", Kind::Text, "c.name", "The name of the customer.")
            .of(|row| text(&row.customer().customer.name)),
    ],
};

pub(super) const AGREEMENTS: Definition = Definition {
    name: "agreements",
    meaning: "An agreement of a customer, under which persons act for it.",
    from: "sandbox_agreement g",
    key: "g.number",
    generated: Some(RowsOf::Agreements),
    columns: &[
        has("id", Kind::Text, "g.id", "The id of the agreement.")
            .of(|row| text(row.agreement()?.id.as_str())),
        has("customer_id", Kind::Text, "g.owner", "Whose agreement it is.")
            .joins("customers.id")
            .of(|row| text(row.agreement()?.owner.as_str())),
        has(
            "customer_number",
            Kind::Text,
            "(SELECT customer_number FROM sandbox_customer WHERE id = g.owner)",
            "The number of that customer.",
        )
        .joins("customers.customer_number")
        .of(|row| text(row.customer().customer.number.as_str())),
        has("name", Kind::Text, "g.name", "The name of the agreement.")
            .of(|row| text(&row.agreement()?.name)),
    ],
};

pub(super) const ENGAGEMENTS: Definition = Definition {
    name: "engagements",
    meaning: "What one person may do with one account under an agreement.",
    from: "sandbox_engagement e",
    key: "e.number",
    generated: Some(RowsOf::Engagements),
    columns: &[
        has("id", Kind::Text, "e.id", "The id of the engagement.")
            .of(|row| text(row.engagement()?.id.as_str())),
        has("agreement_id", Kind::Text, "e.agreement", "The agreement.")
            .joins("agreements.id")
            .of(|row| text(row.engagement()?.agreement.as_str())),
        has("person_id", Kind::Text, "e.person", "The person.")
            .joins("customers.id")
            .of(|row| text(row.engagement()?.person.as_str())),
        has("account_id", Kind::Text, "e.account", "The account.")
            .joins("accounts.id")
            .of(|row| text(row.engagement()?.account.as_str())),
        has("roles", Kind::Code, "e.roles", "The roles of the person, separated by spaces.")
            .of(|row| words(row.engagement()?.roles.iter().map(|role| role.as_str()))),
        has("access_rights", Kind::Flag, "e.access_rights", "Whether the person may see the account.")
            .of(|row| number(row.engagement()?.access_rights)),
        has("payment_rights", Kind::Flag, "e.payment_rights", "Whether the person may pay from it.")
            .of(|row| number(row.engagement()?.payment_rights)),
        has("transfer_rights", Kind::Flag, "e.transfer_rights", "Whether the person may transfer from it.")
            .of(|row| number(row.engagement()?.transfer_rights)),
        has("register_limit", Kind::Number, "e.register_limit", "Up to which sum the person may register.")
            .of(|row| number(row.engagement()?.register_limit)),
        has("approval_limit", Kind::Number, "e.approval_limit", "Up to which sum the person may approve.")
            .of(|row| number(row.engagement()?.approval_limit)),
    ],
};
