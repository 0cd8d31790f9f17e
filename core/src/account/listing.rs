//! One page of a transaction list: what it holds, and the links to the other pages.
//!
//! Pending transactions come before booked ones, and each kind has the newest first. Where the bank shows all
//! pending transactions on every page (contract: Limits, known issue), pages count the booked ones alone.

use chrono::NaiveDate;
use serde::Serialize;

use super::query::ListQuery;
use super::record::{CardTransaction, Page, Transaction, TransactionQuery};
use crate::error::Result;
use crate::wire::link::Link;

/// What has a day to be listed by.
pub(crate) trait Dated {
    /// When it was booked, or is expected to be.
    fn booking_date(&self) -> Option<NaiveDate>;
}

impl Dated for Transaction {
    fn booking_date(&self) -> Option<NaiveDate> {
        self.booking_date
    }
}

impl Dated for CardTransaction {
    /// Of a use of the card that is not booked, when that was.
    fn booking_date(&self) -> Option<NaiveDate> {
        self.booking_date.or(self.transaction_date)
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listing<T> {
    /// The booked transactions; `None` where they were not asked for.
    pub booked: Option<Vec<T>>,
    /// The pending ones; `None` where they were not asked for.
    pub pending: Option<Vec<T>>,
    /// How many transactions the pages of this list hold.
    pub total: u64,
}

/// Asks the bank for what a page needs: all pending transactions where they are asked for, and one part of the
/// booked ones.
///
/// With `pending_unfiltered` every page shows every pending transaction, independent of the period and the limit.
/// Without it, they are chosen by booking date as booked ones are, and count towards offset and limit. A use of a card
/// without a booking date is chosen by its transaction date.
///
/// # Errors
/// What the bank fails with.
pub(crate) fn read<T: Dated>(
    query: &ListQuery,
    pending_unfiltered: bool,
    pending: impl FnOnce() -> Result<Vec<T>>,
    booked: impl FnOnce(&TransactionQuery) -> Result<Page<T>>,
) -> Result<Listing<T>> {
    let part = &query.part;
    let mut listing = Listing { booked: None, pending: None, total: 0 };
    let mut rest = *part;
    if query.status.wants_pending() {
        let mut all = pending()?;
        if !pending_unfiltered {
            all.retain(|transaction| part.covers(transaction.booking_date()));
            listing.total = count(all.len());
            all = page(all, part);
            rest.offset = part.offset.saturating_sub(listing.total);
            rest.limit = part.limit.saturating_sub(u32::try_from(all.len()).unwrap_or(u32::MAX));
        }
        listing.pending = Some(all);
    }
    if query.status.wants_booked() {
        // A period that was over before what may be read begins: a bank is not asked for what no TPP may ask.
        let is_empty = part.from.zip(part.to).is_some_and(|(from, to)| from > to);
        let page = if is_empty { Page { items: Vec::new(), total: 0 } } else { booked(&rest)? };
        listing.total = listing.total.saturating_add(page.total);
        listing.booked = Some(page.items);
    }
    Ok(listing)
}

fn page<T>(all: Vec<T>, part: &TransactionQuery) -> Vec<T> {
    let skipped = usize::try_from(part.offset).unwrap_or(usize::MAX);
    let shown = usize::try_from(part.limit).unwrap_or(usize::MAX);
    all.into_iter().skip(skipped).take(shown).collect()
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The links of a page, each with every parameter.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageLinks {
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_account: Option<Link>,
    #[serde(rename = "self")]
    own: Link,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Link>,
}

impl PageLinks {
    /// The links of a page of an ordinary account's list; `account` is that account's address.
    pub(super) fn of_account(account: String, query: &ListQuery, total: u64) -> Self {
        Self { account: Some(Link::get(account.clone())), ..Self::new(&account, query, total) }
    }

    /// The links of a page of a card account's list; `card_account` is that card account's address.
    pub(super) fn of_card_account(card_account: String, query: &ListQuery, total: u64) -> Self {
        let links = Self::new(&card_account, query, total);
        Self { card_account: Some(Link::get(card_account)), ..links }
    }

    fn new(address: &str, query: &ListQuery, total: u64) -> Self {
        let link = |offset| Link::get(format!("{address}/transactions?{}", query.parameters(offset)));
        let pages = Pages::around(query.part.offset, query.part.limit.into(), total);
        Self {
            account: None,
            card_account: None,
            own: link(query.part.offset),
            first: pages.first.map(link),
            next: pages.next.map(link),
            previous: pages.previous.map(link),
            last: pages.last.map(link),
        }
    }
}

/// Where the other pages begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pages {
    first: Option<u64>,
    next: Option<u64>,
    previous: Option<u64>,
    last: Option<u64>,
}

impl Pages {
    /// The pages around the one after `offset` transactions. Going on from it ends at `last`; going back, also
    /// from beyond the end, ends at `first`.
    fn around(offset: u64, limit: u64, total: u64) -> Self {
        let limit = limit.max(1);
        // The page that holds the last transaction, counted in pages from this one.
        let last = match total.checked_sub(1) {
            None => None,
            Some(end) if end < offset => Some(end - end % limit),
            Some(end) => Some(end - (end - offset) % limit),
        };
        let next = offset.saturating_add(limit);
        let back = offset.saturating_sub(limit);
        Self {
            first: (total > 0 || offset > 0).then_some(0),
            next: (next < total).then_some(next),
            previous: (offset > 0).then(|| if offset < total { back } else { last.unwrap_or(0).min(back) }),
            last,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::account::query::BookingStatus;

    /// A transaction that is nothing but its number; two share a day.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Numbered(i32);

    impl Dated for Numbered {
        fn booking_date(&self) -> Option<NaiveDate> {
            NaiveDate::from_epoch_days(self.0 / 2)
        }
    }

    fn pages(offset: u64, limit: u64, total: u64) -> [Option<u64>; 4] {
        let pages = Pages::around(offset, limit, total);
        [pages.first, pages.previous, pages.next, pages.last]
    }

    #[test]
    fn the_other_pages_are_where_they_exist() {
        for ((offset, limit, total), expected) in [
            ((0, 10, 0), [None, None, None, None]),
            ((0, 10, 10), [Some(0), None, None, Some(0)]),
            ((0, 10, 11), [Some(0), None, Some(10), Some(10)]),
            ((10, 10, 11), [Some(0), Some(0), None, Some(10)]),
            ((10, 10, 30), [Some(0), Some(0), Some(20), Some(20)]),
            ((5, 10, 30), [Some(0), Some(0), Some(15), Some(25)]),
            // Beyond the end: back to the last page.
            ((10, 10, 10), [Some(0), Some(0), None, Some(0)]),
            ((1000, 10, 25), [Some(0), Some(20), None, Some(20)]),
            ((25, 10, 25), [Some(0), Some(15), None, Some(20)]),
            ((7, 10, 0), [Some(0), Some(0), None, None]),
            ((u64::MAX, 1000, u64::MAX), [Some(0), Some(u64::MAX - 1000), None, Some(u64::MAX - 615)]),
        ] {
            assert_eq!(pages(offset, limit, total), expected, "{offset} {limit} {total}");
        }
    }

    proptest! {
        #[test]
        fn going_on_ends_at_the_last_page_and_going_back_at_the_first(
            offset in 0..300_u64, limit in 1..50_u64, total in 0..200_u64,
        ) {
            let mut at = offset;
            let last = Pages::around(offset, limit, total).last;
            while let Some(next) = Pages::around(at, limit, total).next {
                prop_assert!(next > at && next < total);
                at = next;
            }
            prop_assert!(offset >= total || Some(at) == last);
            while let Some(previous) = Pages::around(at, limit, total).previous {
                prop_assert!(previous < at);
                at = previous;
            }
            prop_assert_eq!(at, 0);
        }
    }

    fn query(
        status: BookingStatus,
        from: Option<i32>,
        to: Option<i32>,
        offset: u64,
        limit: u32,
    ) -> ListQuery {
        let day = |days: i32| NaiveDate::from_epoch_days(days).unwrap();
        ListQuery { status, part: TransactionQuery { from: from.map(day), to: to.map(day), offset, limit } }
    }

    fn numbered(numbers: std::ops::Range<i32>) -> Vec<Numbered> {
        numbers.rev().map(Numbered).collect()
    }

    /// A bank that filters naively.
    fn ask(
        query: &ListQuery,
        unfiltered: bool,
        pending: &[Numbered],
        booked: &[Numbered],
    ) -> Listing<Numbered> {
        let in_period = |part: &TransactionQuery| -> Vec<Numbered> {
            booked.iter().copied().filter(|line| part.covers(line.booking_date())).collect()
        };
        let page_of = |part: &TransactionQuery| {
            let all = in_period(part);
            Ok(Page { total: count(all.len()), items: page(all, part) })
        };
        read(query, unfiltered, || Ok(pending.to_vec()), page_of).unwrap()
    }

    #[test]
    fn only_what_is_asked_for_is_asked_of_the_bank() {
        let (pending, booked) = (numbered(10..12), numbered(0..4));
        let ask = |status| ask(&query(status, None, None, 0, 200), true, &pending, &booked);
        let listing = ask(BookingStatus::Booked);
        assert_eq!((listing.booked, listing.pending, listing.total), (Some(booked.clone()), None, 4));
        let listing = ask(BookingStatus::Pending);
        assert_eq!((listing.booked, listing.pending, listing.total), (None, Some(pending.clone()), 0));
        let listing = ask(BookingStatus::All);
        assert_eq!((listing.booked, listing.pending), (Some(booked.clone()), Some(pending.clone())));
    }

    #[test]
    fn a_bank_is_not_asked_for_a_period_that_ends_before_it_begins() {
        for (to, is_asked) in [(4, false), (5, true), (6, true)] {
            let query = query(BookingStatus::Booked, Some(5), Some(to), 0, 200);
            let mut asked = false;
            let booked = |_: &TransactionQuery| {
                asked = true;
                Ok(Page { items: Vec::<Numbered>::new(), total: 0 })
            };
            let listing = read(&query, true, || Ok(Vec::new()), booked).unwrap();
            assert_eq!((listing.booked, listing.total), (Some(Vec::new()), 0));
            assert_eq!(asked, is_asked, "{to}");
        }
    }

    #[test]
    fn unfiltered_pending_transactions_are_on_every_page_and_not_counted() {
        let (pending, booked) = (numbered(10..14), numbered(0..4));
        for offset in [0, 2, 9] {
            let query = query(BookingStatus::Both, Some(0), Some(0), offset, 1);
            let listing = ask(&query, true, &pending, &booked);
            assert_eq!((listing.pending, listing.total), (Some(pending.clone()), 2), "{offset}");
        }
    }

    /// As a bank may return it: a use of a card on that day that is not booked.
    fn used_on(day: Option<i32>) -> CardTransaction {
        CardTransaction {
            id: None,
            terminal_id: None,
            booking_date: None,
            transaction_date: day.and_then(NaiveDate::from_epoch_days),
            value_date: None,
            amount: crate::types::Money::zero(crate::types::Currency::NOK),
            original_amount: None,
            exchange: None,
            markup_fee: None,
            markup_fee_percentage: None,
            card_acceptor_id: None,
            card_acceptor_address: None,
            merchant_category_code: None,
            masked_pan: None,
            details: None,
            invoiced: None,
            proprietary_code: None,
        }
    }

    #[test]
    fn a_use_of_a_card_that_is_not_booked_is_listed_by_its_own_day() {
        let all = || Ok([None, Some(7), Some(6), Some(5), Some(4)].map(used_on).to_vec());
        let listed = |from, to, is_unfiltered| {
            let query = query(BookingStatus::Pending, from, to, 0, 200);
            let empty = |_: &TransactionQuery| Ok(Page { items: Vec::new(), total: 0 });
            let pending = read(&query, is_unfiltered, all, empty).unwrap().pending.unwrap();
            let day = |used: CardTransaction| used.transaction_date.map(|day| day.to_epoch_days());
            pending.into_iter().map(day).collect::<Vec<_>>()
        };
        assert_eq!(listed(Some(5), Some(6), false), [Some(6), Some(5)]);
        assert_eq!(listed(None, None, false).len(), 5);
        assert_eq!(listed(Some(5), Some(6), true).len(), 5);
    }

    #[test]
    fn a_failing_bank_is_not_hidden() {
        let failed = || crate::error::Error::Bank("down".to_owned());
        let query = query(BookingStatus::Both, None, None, 0, 1);
        let empty = |_: &TransactionQuery| Ok(Page { items: Vec::<Numbered>::new(), total: 0 });
        assert!(read(&query, true, || Err(failed()), empty).is_err());
        assert!(read(&query, true, || Ok(Vec::<Numbered>::new()), |_| Err(failed())).is_err());
    }

    proptest! {
        #[test]
        fn filtered_pages_are_parts_of_one_list_of_pending_and_then_booked(
            (pending, booked) in (0..12_i32, 0..40_i32),
            from in proptest::option::of(0..26_i32),
            days in proptest::option::of(0..26_i32),
            (offset, limit) in (0..60_u64, 1..20_u32),
        ) {
            let (pending, booked) = (numbered(40..40 + pending), numbered(0..booked));
            let to = days.map(|days| from.unwrap_or(0) + days);
            let query = query(BookingStatus::Both, from, to, offset, limit);
            let whole: Vec<_> = pending.iter().chain(&booked).copied()
                .filter(|line| query.part.covers(line.booking_date())).collect();
            let listing = ask(&query, false, &pending, &booked);
            let shown = [listing.pending.unwrap(), listing.booked.unwrap()].concat();
            prop_assert_eq!(listing.total, count(whole.len()));
            prop_assert_eq!(shown, page(whole, &query.part));
        }
    }
}
