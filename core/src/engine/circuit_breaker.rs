//! The bank's availability during one run, for each payment product: an outage of one rail says nothing about others.
//!
//! If the bank is away, it is not asked about every due order, because each question may take as long as its adapter
//! waits for a connection. One order that finds the bank away proves little, because an adapter may fail for that order
//! alone. Once three orders of a product in a row find it away, with none taken in between, the product is closed: the
//! run asks about at most three more of its orders, of those that failed less often than each that closed it. Orders
//! that always find the bank away must not block others while it is available. All other due orders of the product are
//! postponed as if the bank had been asked about them, by 1, 2, 4 … seconds depending on how often they failed. If the
//! bank takes one of the three, the product is open again, also for the orders that were read with that one. Orders
//! that were postponed before are due at their new times, because a claim on them would expire during a long run.
//!
//! Until the run sees the bank take an order, the bank may be away as a whole. Then three orders of any products that
//! find it away are enough: their products are closed, the bank is asked about each other product once, and that
//! product is closed if its order finds the bank away too. The three orders that failed less often are three of all
//! products together.
//!
//! So a bank that is away is asked at most 3 + 3 times a run, and once for each further product, and the host, which
//! runs when an order is due, is not kept busy. Only the orders' own due times are stored: another node, or this node
//! after a restart, does the same.

use std::collections::HashMap;

use super::deliver::Delivered;
use crate::limits::BANK_AWAY_ANSWERS_MAX;
use crate::payment::product::Product;
use crate::store::OutboxOrder;

/// The bank's availability during one run. An order of an unknown product is not counted, because its payment is
/// missing or unreadable and the bank is not asked about it.
#[derive(Default)]
pub(super) struct CircuitBreaker(HashMap<Product, ProductCircuit>);

/// The same for one product.
#[derive(Default)]
struct ProductCircuit {
    /// Whether the bank took an order.
    is_there: bool,
    /// How many orders found the bank away since the last one that it took, until that closed the product.
    away: usize,
    /// The fewest earlier failures among those.
    fewest: Option<u32>,
    /// How many more did, after that.
    more: usize,
    /// Whether it is logged that the product is closed.
    is_reported: bool,
}

impl CircuitBreaker {
    /// Whether the bank took an order of that product.
    pub(super) fn is_there_for(&self, product: Option<Product>) -> bool {
        product.and_then(|product| self.0.get(&product)).is_some_and(|seen| seen.is_there)
    }

    /// What became of an order of that product, which had failed `attempts` times before.
    pub(super) fn note(&mut self, product: Option<Product>, attempts: u32, delivered: Delivered) {
        let Some(product) = product else { return };
        match delivered {
            Delivered::Submitted => {
                // What was closed only because the bank might have been away as a whole is open again.
                for seen in self.0.values_mut().filter(|seen| seen.away < BANK_AWAY_ANSWERS_MAX) {
                    (seen.more, seen.is_reported) = (0, false);
                }
                self.0.insert(product, ProductCircuit { is_there: true, ..ProductCircuit::default() });
            }
            Delivered::Away => {
                let is_closed = self.is_closed(product);
                let seen = self.0.entry(product).or_default();
                if is_closed {
                    seen.more += 1;
                } else {
                    seen.away += 1;
                    seen.fewest = Some(seen.fewest.map_or(attempts, |fewest| fewest.min(attempts)));
                }
                self.log_opening();
            }
            Delivered::Withdrawn | Delivered::Failed | Delivered::DeadLetter | Delivered::ByAnother => {}
        }
    }

    /// Whether the bank is not asked about that order.
    pub(super) fn puts_off(&self, order: &OutboxOrder) -> bool {
        let closed = order.product.filter(|product| self.is_closed(*product));
        let Some(seen) = closed.and_then(|product| self.0.get(&product)) else { return false };
        let failed_less = seen.fewest.is_some_and(|fewest| order.attempts < fewest);
        let more = match self.took_any() {
            true => seen.more,
            false => self.0.values().map(|seen| seen.more).sum(),
        };
        !(failed_less && more < BANK_AWAY_ANSWERS_MAX)
    }

    /// Whether the bank is away for any product, so that orders of it are postponed without a question.
    pub(super) fn is_any_closed(&self) -> bool {
        self.0.keys().any(|product| self.is_closed(*product))
    }

    fn is_closed(&self, product: Product) -> bool {
        let found_away: usize = self.0.values().map(|seen| seen.away).sum();
        let closes = match !self.took_any() && found_away >= BANK_AWAY_ANSWERS_MAX {
            true => 1,
            false => BANK_AWAY_ANSWERS_MAX,
        };
        self.0.get(&product).is_some_and(|seen| seen.away >= closes)
    }

    fn took_any(&self) -> bool {
        self.0.values().any(|seen| seen.is_there)
    }

    /// Logs each closed product once.
    fn log_opening(&mut self) {
        for product in Product::ALL {
            let is_closed = self.is_closed(*product);
            let Some(seen) = self.0.get_mut(product).filter(|seen| is_closed && !seen.is_reported) else {
                continue;
            };
            seen.is_reported = true;
            tracing::error!(
                product = product.path(),
                "the bank is unavailable for a product: its other due orders wait, except three that failed less often"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use Product::{Domestic, InstantDomestic, Sepa};

    use super::*;
    use crate::types::{PaymentId, ID_BYTES};

    fn order(product: Option<Product>, attempts: u32) -> OutboxOrder {
        let payment_id = PaymentId::from_bytes([0; ID_BYTES]);
        OutboxOrder { payment_id, attempts, faults: 0, due_at: DateTime::UNIX_EPOCH, product }
    }

    /// What a run has seen after orders that never failed before; true: the bank took it.
    fn seen(orders: &[(Product, bool)]) -> CircuitBreaker {
        let mut seen = CircuitBreaker::default();
        for (product, is_taken) in orders {
            let delivered = if *is_taken { Delivered::Submitted } else { Delivered::Away };
            seen.note(Some(*product), 0, delivered);
        }
        seen
    }

    fn closed(orders: &[(Product, bool)]) -> Vec<Product> {
        let seen = seen(orders);
        let is_closed = |product: &Product| seen.puts_off(&order(Some(*product), 0));
        Product::ALL.iter().copied().filter(is_closed).collect()
    }

    #[test]
    fn three_orders_of_a_product_close_it_and_no_other() {
        let three = [(Sepa, false); 3];
        assert_eq!(closed(&three[..2]), []);
        assert_eq!(closed(&three), [Sepa]);
        assert_eq!(closed(&[&three[..], &[(Domestic, true)]].concat()), [Sepa]);
        assert_eq!(closed(&[&three[..], &[(Sepa, true)]].concat()), []);
    }

    #[test]
    fn with_nothing_taken_three_failures_close_and_one_each_further() {
        let three = [(Sepa, false), (Domestic, false), (Sepa, false)];
        assert_eq!(closed(&three[..2]), []);
        assert_eq!(closed(&three), [Domestic, Sepa]);
        assert_eq!(
            closed(&[&three[..], &[(InstantDomestic, false)]].concat()),
            [Domestic, InstantDomestic, Sepa]
        );
    }

    #[test]
    fn once_anything_is_taken_three_orders_of_a_product_close_it_again() {
        let before = [(Sepa, false), (Domestic, false), (Sepa, false), (InstantDomestic, true)];
        assert_eq!(closed(&before), []);
        assert_eq!(closed(&[&before[..], &[(Domestic, false)]].concat()), []);
        assert_eq!(closed(&[&before[..], &[(Domestic, false), (Domestic, false)]].concat()), [Domestic]);
    }

    #[test]
    fn a_product_that_was_open_again_is_reported_again() {
        let mut seen = seen(&[(Sepa, false), (Domestic, false), (Sepa, false)]);
        let is_reported = |seen: &CircuitBreaker| seen.0.get(&Sepa).is_some_and(|seen| seen.is_reported);
        assert!(is_reported(&seen));
        seen.note(Some(InstantDomestic), 0, Delivered::Submitted);
        assert!(!is_reported(&seen));
        seen.note(Some(Sepa), 0, Delivered::Away);
        assert!(is_reported(&seen));
    }

    #[test]
    fn an_order_whose_product_is_not_known_is_never_put_off() {
        let mut seen = seen(&[(Sepa, false), (Sepa, false), (Sepa, false)]);
        (0..9).for_each(|_| seen.note(None, 0, Delivered::Away));
        assert!(!seen.puts_off(&order(None, 9)));
        assert!(!seen.is_there_for(None));
    }

    /// An order that failed before, of which so many find the bank away: how many the run asks about.
    fn asked_of(taken: &[(Product, bool)], products: &[Product]) -> usize {
        let mut seen = seen(taken);
        let mut asked = 0;
        // First those that failed before, then those that did not, of one product after the other and by turns.
        for attempts in [7, 0] {
            let grouped = products.iter().flat_map(|product| [*product; 9]);
            let by_turns = (0..9).flat_map(|_| products.iter().copied());
            for product in grouped.chain(by_turns) {
                if !seen.puts_off(&order(Some(product), attempts)) {
                    asked += 1;
                    seen.note(Some(product), attempts, Delivered::Away);
                }
            }
        }
        asked
    }

    #[test]
    fn an_absent_bank_is_asked_six_times_and_once_for_each_further_product() {
        for products in 1..=Product::ALL.len() {
            let (asked, backwards) = (&Product::ALL[..products], Product::ALL.iter().copied().rev());
            assert_eq!(asked_of(&[], asked), 6 + products - 1);
            let backwards: Vec<_> = backwards.take(products).collect();
            assert_eq!(asked_of(&[], &backwards), 6 + products - 1);
        }
        // One that took something has each product judged by itself.
        assert_eq!(asked_of(&[(InstantDomestic, true)], &[Sepa, Domestic]), 2 * 6);
    }
}
