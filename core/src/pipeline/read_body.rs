//! Stage 6: strict JSON to a valid command, all faults gathered.

use super::admit::Admitted;
use super::parse::{Call, PaymentPath};
use super::stop::Stop;
use crate::bank::Bank;
use crate::payment::body::{self, Rules};
use crate::payment::order::CreditTransfer;
use crate::payment::product::Product;
use crate::policy::Policy;
use crate::reason::{Finding, Reason, Violation};
use crate::types::{date, Currency};
use chrono::{DateTime, Utc};

/// The names of `x-accept-fix` that the contract lists: those that are default already, and ours.
const STRUCTURED_ADDRESSES: &str = "structured-addresses";
const DEFAULT_ALREADY: [&str; 4] = [
    "amount-as-string",
    "cardaccount-switch-originalamount-and-transactionamount",
    "longer-names",
    "cash-account-type-iso",
];

/// A valid command of an admitted caller.
pub(crate) struct Command<'r> {
    admitted: Admitted<'r>,
    kind: Kind,
}

/// What is to be done.
pub(crate) enum Kind {
    CreatePayment {
        product: Product,
        allow_logical_duplicate: bool,
        transfer: Box<CreditTransfer>,
        warnings: Vec<Finding>,
    },
    ReadPayment(PaymentPath),
    ReadPaymentStatus(PaymentPath),
    StartPaymentAuthorisation(PaymentPath),
}

impl<'r> Command<'r> {
    pub(crate) fn into_parts(self) -> (Admitted<'r>, Kind) {
        (self.admitted, self.kind)
    }
}

/// Reads the body, where the operation takes one.
pub(crate) fn read_body<'r>(
    admitted: Admitted<'r>,
    policy: &Policy,
    bank: &dyn Bank,
    now: DateTime<Utc>,
) -> Result<Command<'r>, Stop> {
    let kind = match admitted.parsed().call().clone() {
        Call::CreatePayment { product, allow_logical_duplicate } => {
            let (transfer, warnings) = payment(&admitted, product, policy, bank, now)?;
            Kind::CreatePayment { product, allow_logical_duplicate, transfer, warnings }
        }
        Call::ReadPayment(path) => Kind::ReadPayment(path),
        Call::ReadPaymentStatus(path) => Kind::ReadPaymentStatus(path),
        Call::StartPaymentAuthorisation(path) => Kind::StartPaymentAuthorisation(path),
    };
    Ok(Command { admitted, kind })
}

fn payment(
    admitted: &Admitted<'_>,
    product: Product,
    policy: &Policy,
    bank: &dyn Bank,
    now: DateTime<Utc>,
) -> Result<(Box<CreditTransfer>, Vec<Finding>), Stop> {
    let fixes = admitted.parsed().call_headers().accepted_fixes();
    let rate_to_nok = |currency| bank.rate(currency, Currency::NOK);
    let rules = Rules {
        policy,
        today: date::oslo_day(now),
        structured_addresses_early: asks_for_structured_addresses(fixes.iter().map(String::as_str)),
        rate_to_nok: &rate_to_nok,
    };
    let reading = body::read(product, admitted.parsed().request().body, &rules)?;
    let (transfer, mut warnings) = reading.into_result()?;
    warnings.extend(unknown_fixes(fixes.iter().map(String::as_str)));
    Ok((Box::new(transfer), warnings))
}

/// Whether the structured-address rule is wanted before its day.
pub(crate) fn asks_for_structured_addresses<'f>(mut fixes: impl Iterator<Item = &'f str>) -> bool {
    fixes.any(|name| name == STRUCTURED_ADDRESSES)
}

/// A warning for each name of `x-accept-fix` that nobody announced.
pub(crate) fn unknown_fixes<'f>(fixes: impl Iterator<Item = &'f str>) -> Vec<Finding> {
    let unknown = fixes.filter(|name| *name != STRUCTURED_ADDRESSES && !DEFAULT_ALREADY.contains(name));
    unknown
        .map(|name| {
            let shown: String = name.chars().take(64).collect();
            Finding::warning(Violation::with(Reason::AcceptFixUnknown, &[&shown]), "x-accept-fix")
        })
        .collect()
}
