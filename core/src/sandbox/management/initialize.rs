//! Back to the default set (contract: What the service does, sandbox initialisation).

use super::customer_view::{CustomersView, Shown};
use super::desk::{created, Desk};
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::sandbox::default_data;

/// Wipes the sandbox, loads the default set and shows its customers with all that is theirs.
pub(super) fn initialize(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    let _standing = desk.moving.write();
    default_data::initialize(desk.database)?;
    desk.read(|books| created(&CustomersView::of(books, Shown::ALL)?, None))
}
