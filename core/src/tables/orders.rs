//! The table of what the bank was ordered to pay.

use super::column::{has, may, Definition, Kind};

pub(super) const ORDERS: Definition = Definition {
    name: "orders",
    meaning: "A payment order that the bank has taken.",
    from: "sandbox_order o",
    key: "o.number",
    generated: None,
    columns: &[
        has("payment_id", Kind::Text, "o.payment_id", "The id of the payment."),
        has("product", Kind::Code, "o.product", "The payment product."),
        has("state", Kind::Code, "o.state", "The state of the order at the bank, such as WAITING."),
        has("taken_at", Kind::Time, "o.taken_at", "When the bank took it."),
        has("due_at", Kind::Time, "o.due_at", "The batch in which it is settled."),
        may("settled_at", Kind::Time, "o.settled_at", "When it was settled."),
        may("debtor_account_id", Kind::Text, "o.debtor", "The account that pays; the order outlives it.")
            .joins("accounts.id"),
        has("fee_currency", Kind::Code, "o.fee_currency", "The currency of the fee."),
        has("fee", Kind::Money, "o.fee", "What the bank takes for it."),
        has("held", Kind::Flag, "o.held", "Whether the order is held."),
    ],
};
