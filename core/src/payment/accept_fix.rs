//! The header `x-accept-fix` (contract: Versioning): a TPP names the corrections of the interface that it is ready for.

use crate::reason::{Finding, Reason, Violation};

/// The names of `x-accept-fix` that the contract lists: those that are default already, and ours.
const STRUCTURED_ADDRESSES: &str = "structured-addresses";
const DEFAULT_ALREADY: [&str; 4] = [
    "amount-as-string",
    "cardaccount-switch-originalamount-and-transactionamount",
    "longer-names",
    "cash-account-type-iso",
];

/// Whether the structured-address rule is wanted before its day.
pub(crate) fn asks_for_structured_addresses<'f>(mut fixes: impl Iterator<Item = &'f str>) -> bool {
    fixes.any(|name| name == STRUCTURED_ADDRESSES)
}

/// A warning for each unknown name of `x-accept-fix`.
pub(crate) fn unknown_fixes<'f>(fixes: impl Iterator<Item = &'f str>) -> Vec<Finding> {
    let unknown = fixes.filter(|name| *name != STRUCTURED_ADDRESSES && !DEFAULT_ALREADY.contains(name));
    unknown
        .map(|name| {
            let shown: String = name.chars().take(64).collect();
            Finding::warning(Violation::with(Reason::AcceptFixUnknown, &[&shown]), "x-accept-fix")
        })
        .collect()
}
