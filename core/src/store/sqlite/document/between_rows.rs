//! What rows of several tables must agree in, beside that those exist whom they name.

/// A rule between rows.
pub(super) struct Rule {
    /// The section of the rows that are at fault where it is broken.
    pub(super) section: &'static str,
    /// The member that is.
    pub(super) member: &'static str,
    /// The numbers of those rows, in SQL.
    pub(super) broken: &'static str,
    /// Why.
    pub(super) what: &'static str,
}

/// Every rule. Each speaks of rows that are there, so that none is broken by a row that was refused.
pub(super) const RULES: &[Rule] = &[
    Rule {
        section: "transactions",
        member: "currency",
        broken: "SELECT line.number FROM sandbox_transaction line
            JOIN sandbox_account account ON account.id = line.account
            WHERE line.currency <> account.currency ORDER BY line.number",
        what: NOT_OF_ACCOUNT,
    },
    Rule {
        section: "balanceChanges",
        member: "currency",
        broken: "SELECT change.number FROM sandbox_balance_change change
            JOIN sandbox_account account ON account.id = change.account
            WHERE change.currency <> account.currency ORDER BY change.number",
        what: NOT_OF_ACCOUNT,
    },
    Rule {
        section: "cardAuthorisations",
        member: "currency",
        broken: "SELECT pending.number FROM sandbox_authorisation pending
            JOIN sandbox_account account ON account.id = pending.account
            WHERE pending.currency <> account.currency ORDER BY pending.number",
        what: NOT_OF_ACCOUNT,
    },
    // Other ends of a payment go with any state of an order: a host may report them independently of the bank.
    Rule {
        section: "payments",
        member: "authorisedAt",
        broken: "SELECT number FROM payment WHERE authorised_at IS NULL AND id IN (
                SELECT payment_id FROM sandbox_order UNION ALL SELECT payment_id FROM outbox
            ) ORDER BY number",
        what: "is missing, and there is an order of the payment",
    },
    // What was booked may be gone: lines and accounts are taken away through the sandbox's own routes.
    Rule {
        section: "bankOrders",
        member: "state",
        broken: "SELECT number FROM sandbox_order WHERE state NOT IN ('BOOKED', 'PARTLY', 'PARTLY_NO_FUNDS')
            AND payment_id IN (SELECT payment_id FROM sandbox_transaction) ORDER BY number",
        what: "is that of an order of which nothing is booked",
    },
];

const NOT_OF_ACCOUNT: &str = "is not its account's";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::document::all_tables::tables;
    use crate::store::sqlite::sandbox::image;

    #[test]
    fn a_rule_names_numbered_rows_and_a_member_of_theirs() {
        let connection = image::open_empty().unwrap();
        for rule in RULES {
            let table = tables().find(|table| table.section == rule.section).unwrap();
            let has = |name: &str| table.columns.iter().any(|column| column.member == name);
            assert!(has("number") && has(rule.member), "{}/{}", rule.section, rule.member);
            let broken = connection.prepare(rule.broken).unwrap().exists([]).unwrap();
            assert!(!broken, "{}/{}", rule.section, rule.member);
        }
    }
}
