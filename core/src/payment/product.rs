//! The payment products and what sets them apart.

use crate::reason::Reason;
use crate::types::Currency;

/// What kind of payment a path speaks of: its segment after the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Service {
    /// One payment, once.
    Payments,
    /// One payment, again and again.
    PeriodicPayments,
    /// Many payments from one account.
    BulkPayments,
}

impl Service {
    /// Every service.
    pub const ALL: &'static [Service] = &[Self::Payments, Self::PeriodicPayments, Self::BulkPayments];

    /// The service's name in paths.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Payments => "payments",
            Self::PeriodicPayments => "periodic-payments",
            Self::BulkPayments => "bulk-payments",
        }
    }

    /// The service of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|service| service.as_str() == text)
    }
}

/// Where a product's money may go.
#[derive(PartialEq, Eq)]
enum Reach {
    /// Both accounts are Norwegian.
    Domestic,
    /// The creditor may be abroad.
    Abroad,
}

/// When the bank settles a product.
#[derive(PartialEq, Eq)]
enum Pace {
    AtOnce,
    InBatches,
}

/// What sets a product apart.
struct Row {
    service: Service,
    name: &'static str,
    /// Service and name, as in paths and in the store.
    path: &'static str,
    reach: Reach,
    pace: Pace,
}

macro_rules! products {
    ($( $(#[$doc:meta])* $product:ident: $service:ident $folder:literal $name:literal $reach:ident $pace:ident; )+) => {
        /// A payment product under the service it is offered by.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Product { $( $(#[$doc])* $product, )+ }

        impl Product {
            /// Every product.
            pub const ALL: &'static [Product] = &[ $( Self::$product, )+ ];

            const fn row(self) -> Row {
                match self {
                    $( Self::$product => Row {
                        service: Service::$service,
                        name: $name,
                        path: concat!($folder, "/", $name),
                        reach: Reach::$reach,
                        pace: Pace::$pace,
                    }, )+
                }
            }
        }
    };
}

products! {
    /// Domestic, settled by the batch of its day.
    Domestic: Payments "payments" "norwegian-domestic-credit-transfers" Domestic InBatches;
    /// Domestic, settled at once.
    InstantDomestic: Payments "payments" "instant-norwegian-domestic-credit-transfers" Domestic AtOnce;
    /// Domestic, settled at once over Straks.
    InstantDomesticStraks: Payments "payments" "instant-norwegian-domestic-credit-transfers-straks" Domestic AtOnce;
    /// In euro within the single euro payments area.
    Sepa: Payments "payments" "sepa-credit-transfers" Abroad InBatches;
    /// Cross-border.
    CrossBorder: Payments "payments" "cross-border-credit-transfers" Abroad InBatches;
    /// Cross-border with regulatory reporting.
    NorwegianCrossBorder: Payments "payments" "norwegian-cross-border-credit-transfers" Abroad InBatches;
    /// Domestic, by a schedule.
    PeriodicDomestic: PeriodicPayments "periodic-payments" "norwegian-domestic-credit-transfers" Domestic InBatches;
    /// Many domestic payments from one account.
    BulkDomestic: BulkPayments "bulk-payments" "norwegian-domestic-credit-transfers" Domestic InBatches;
}

impl Product {
    /// Service and name, as in paths and in the store.
    pub fn path(self) -> &'static str {
        self.row().path
    }

    /// The product's name in paths. Two services may have one of the same name.
    pub fn as_str(self) -> &'static str {
        self.row().name
    }

    /// The service that offers it.
    pub fn service(self) -> Service {
        self.row().service
    }

    /// The product of that name under that service.
    ///
    /// # Errors
    /// [`Reason::ProductUnknown`] for a name that no product has, [`Reason::ProductNotOfService`] for one
    /// that only other services offer.
    pub fn parse(service: Service, name: &str) -> Result<Self, Reason> {
        let mut named = Self::ALL.iter().copied().filter(|product| product.as_str() == name).peekable();
        if named.peek().is_none() {
            return Err(Reason::ProductUnknown);
        }
        named.find(|product| product.service() == service).ok_or(Reason::ProductNotOfService)
    }

    /// The product of a [`Product::path`].
    pub fn of_path(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|product| product.path() == text)
    }

    /// Whether the bank settles it at once instead of in a batch.
    pub fn is_instant(self) -> bool {
        self.row().pace == Pace::AtOnce
    }

    /// Whether both accounts are Norwegian, so that Norwegian account numbers and KID rules apply.
    pub fn is_domestic(self) -> bool {
        self.row().reach == Reach::Domestic
    }

    /// Whether the rule of structured addresses applies to a payment in which those currencies occur: of the amount
    /// and of both accounts, as far as they are known. Money is exchanged if they are not all one (contract:
    /// Versioning).
    pub fn needs_structured_address(self, currencies: &[Currency]) -> bool {
        !self.is_domestic() || currencies.windows(2).any(|pair| matches!(pair, [one, other] if one != other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_is_found_under_its_service_and_by_its_path() {
        for product in Product::ALL {
            assert_eq!(Product::parse(product.service(), product.as_str()), Ok(*product));
            assert_eq!(
                product.path().strip_suffix(product.as_str()).unwrap(),
                format!("{}/", product.service().as_str())
            );
            assert_eq!(Product::of_path(product.path()), Some(*product));
        }
    }

    #[test]
    fn a_service_without_the_product_differs_from_an_unknown_name() {
        let of_periodic = |name| Product::parse(Service::PeriodicPayments, name);
        assert_eq!(of_periodic("sepa-credit-transfers"), Err(Reason::ProductNotOfService));
        assert_eq!(of_periodic("norwegian-domestic-credit-transfers"), Ok(Product::PeriodicDomestic));
        for name in ["", "sepa", "Sepa-credit-transfers", "payments/sepa-credit-transfers"] {
            assert_eq!(of_periodic(name), Err(Reason::ProductUnknown), "{name}");
        }
        for path in ["", "sepa-credit-transfers", "loans/sepa-credit-transfers", "bulk-payments/"] {
            assert_eq!(Product::of_path(path), None, "{path}");
        }
    }

    #[test]
    fn structured_addresses_are_for_what_goes_abroad_or_is_exchanged() {
        let (nok, eur) = (Currency::NOK, Currency::EUR);
        for product in Product::ALL {
            let is_abroad =
                matches!(product, Product::Sepa | Product::CrossBorder | Product::NorwegianCrossBorder);
            for one in [&[][..], &[nok], &[nok, nok], &[eur, eur, eur]] {
                assert_eq!(product.needs_structured_address(one), is_abroad, "{product:?} {one:?}");
            }
            for several in [&[nok, eur][..], &[eur, nok, nok], &[nok, eur, nok], &[nok, nok, eur]] {
                assert!(product.needs_structured_address(several), "{product:?} {several:?}");
            }
            assert_eq!(product.is_domestic(), !is_abroad, "{product:?}");
        }
    }
}
