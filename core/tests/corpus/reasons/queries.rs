//! The query of a transaction list: it is checked before the access to the account.

use crate::reasons::case::{refused, Asker, Case, Earned};
use crate::world::draft::Draft;

pub(crate) fn cases() -> Vec<Case> {
    const STATUSES: &str = "booked, pending, both, all";
    vec![
        refused("QRY-01", |ask| read(ask, "bookingStatus=both&offset=1&offset=1")).at("offset"),
        refused("QRY-03", |ask| read(ask, "limit=10")).at("bookingStatus"),
        refused("QRY-04", |ask| read(ask, "bookingStatus=settled")).at("bookingStatus").saying(&[STATUSES]),
        refused("QRY-05", |ask| read(ask, "bookingStatus=both&dateFrom=2023-02-29")).at("dateFrom"),
        refused("QRY-05", |ask| read(ask, "bookingStatus=both&dateTo=today")).at("dateTo"),
        refused("QRY-06", |ask| read(ask, "bookingStatus=both&dateFrom=2023-02-02&dateTo=2023-02-01"))
            .at("dateFrom"),
        refused("QRY-07", |ask| read(ask, "bookingStatus=both&limit=0")).at("limit").saying(&["1", "1000"]),
        refused("QRY-07", |ask| read(ask, "bookingStatus=both&limit=1001"))
            .at("limit")
            .saying(&["1", "1000"]),
        refused("QRY-07", |ask| read(ask, "bookingStatus=both&offset=2147483648"))
            .at("offset")
            .saying(&["0", "2147483647"]),
    ]
}

fn read(ask: &Asker, query: &str) -> Earned {
    ask.refused(Draft::get(&format!("/v1/accounts/a/transactions?{query}")))
}
