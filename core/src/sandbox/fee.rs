//! What the simulated bank charges for a payment.

use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::types::{Currency, Money, ServiceLevel};

/// Domestic payments, instant ones among them, cost nothing.
const DOMESTIC_NOK: i32 = 0;
/// Any other payment of the ordinary service level.
const ORDINARY_NOK: i32 = 30;
/// An urgent payment, or one of same-day value.
const HIGHER_LEVEL_NOK: i32 = 60;

/// What an order costs.
pub(super) fn of(product: Product, order: &Order) -> Money {
    price(product, order.transfers().first().and_then(|transfer| transfer.service_level))
}

/// The price list.
pub(super) fn price(product: Product, level: Option<ServiceLevel>) -> Money {
    let nok = match level {
        _ if product.is_domestic() => DOMESTIC_NOK,
        None | Some(ServiceLevel::NURG) => ORDINARY_NOK,
        Some(ServiceLevel::URGP | ServiceLevel::SDVA) => HIGHER_LEVEL_NOK,
    };
    Money::from_whole_units(nok, Currency::NOK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domestic_is_free_and_a_higher_level_costs_more() {
        let price = |product, level| price(product, level).to_string();
        assert_eq!(price(Product::InstantDomesticStraks, None), "0.00");
        assert_eq!(price(Product::NorwegianCrossBorder, None), "30.00");
        assert_eq!(price(Product::NorwegianCrossBorder, Some(ServiceLevel::NURG)), "30.00");
        assert_eq!(price(Product::NorwegianCrossBorder, Some(ServiceLevel::URGP)), "60.00");
        assert_eq!(price(Product::NorwegianCrossBorder, Some(ServiceLevel::SDVA)), "60.00");
    }
}
