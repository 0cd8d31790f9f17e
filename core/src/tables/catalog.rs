//! The one list of tables. `docs/tables.md` is printed from it.

use super::column::Definition;
use super::{accounts, card_authorisations, customers, labels, orders, transactions};

/// The version of the columns below. A column that is removed, renamed or changes its type or meaning raises it; a new
/// one, which comes last in its table, does not.
pub const SCHEMA_VERSION: u32 = 1;

/// Every table of a sandbox.
pub const TABLES: &[Definition] = &[
    customers::CUSTOMERS,
    customers::AGREEMENTS,
    customers::ENGAGEMENTS,
    accounts::ACCOUNTS,
    accounts::CARD_ACCOUNTS,
    transactions::TRANSACTIONS,
    transactions::CARD_TRANSACTIONS,
    card_authorisations::CARD_AUTHORISATIONS,
    orders::ORDERS,
];

/// Those of a population with labels alone.
pub const LABEL_TABLES: &[Definition] =
    &[labels::TRANSACTION_LABELS, labels::CASES, labels::CASE_TRANSACTIONS];

/// Those of a population with labels and life events alone.
pub const EVENT_TABLES: &[Definition] = &[labels::LIFE_EVENTS];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_joins_lead_to_a_column() {
        let all = || TABLES.iter().chain(LABEL_TABLES).chain(EVENT_TABLES);
        let columns: Vec<_> = all()
            .flat_map(|table| {
                table.columns.iter().map(move |column| format!("{}.{}", table.name, column.name))
            })
            .collect();
        assert_eq!(columns.iter().collect::<BTreeSet<_>>().len(), columns.len());
        for column in all().flat_map(|table| table.columns) {
            let leads = column.refers_to.is_none_or(|to| columns.iter().any(|name| name == to));
            assert!(leads, "{} joins with {:?}", column.name, column.refers_to);
        }
    }
}
