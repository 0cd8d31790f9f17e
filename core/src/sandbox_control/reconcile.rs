//! The proof that the books balance.

use serde::Serialize;

use super::sandbox::Sandbox;
use crate::error::Result;
use crate::sandbox::ledger::{reconcile, Discrepancy};
use crate::sandbox::view::BalanceView;
use crate::types::{Bban, Money};
use crate::wire::json;

/// A discrepancy as the public interfaces show it. It has no `Debug`, as the ledger has none.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiscrepancyView {
    resource_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bban: Option<String>,
    proven: BalanceView,
    booked: BalanceView,
}

impl Sandbox {
    /// Accounts whose balance is not what their opening balance, bookings and balance changes add up to. Always
    /// empty, or something is wrong.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn reconcile(&self) -> Result<Vec<Discrepancy>> {
        reconcile(&self.database)
    }

    /// As [`Sandbox::reconcile`], as the text of a JSON array: of each account its `resourceId`, its `bban` where
    /// it has one, and the balances `proven` and `booked`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn reconcile_json(&self) -> Result<String> {
        let views =
            self.reconcile()?.into_iter().map(|found| self.view(found)).collect::<Result<Vec<_>>>()?;
        json::write_text(&views)
    }

    fn view(&self, found: Discrepancy) -> Result<DiscrepancyView> {
        let account = self.database.read_books(|books| books.ledger_account(&found.account))?;
        let bban = account.and_then(|account| account.bban).as_ref().map(Bban::as_str).map(str::to_owned);
        let resource_id = found.account.as_str().to_owned();
        Ok(DiscrepancyView { resource_id, bban, proven: sum(found.proven), booked: sum(found.booked) })
    }
}

fn sum(money: Money) -> BalanceView {
    BalanceView { amount: money.to_string(), currency: money.currency().code() }
}
