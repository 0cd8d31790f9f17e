//! Back to the default set (contract: What the service does, sandbox initialisation).

use super::customer_view::{CustomersView, Shown};
use super::handler_context::{created, HandlerContext};
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::sandbox::default_data;

/// Wipes the sandbox, loads the default set and shows its customers with all that is theirs.
pub(super) fn initialize(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let _guard = context.moving.write();
    default_data::initialize(context.database)?;
    context.read(|books| created(&CustomersView::of(books, Shown::ALL)?, None))
}
