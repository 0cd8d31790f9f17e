//! Which payments look the same: the key of logical duplicates.

use super::order::CreditTransfer;
use super::product::Product;
use crate::crypto::sha256;

/// SHA-256 over TPP, product, debtor, creditor, amount, currency and reference. Every part is led by its
/// length, so that no two different lists of parts read the same. The PSU is compared beside it, because a
/// single SCA makes it known only later.
pub fn likeness(tpp: &str, product: Product, transfer: &CreditTransfer) -> [u8; 32] {
    let amount = transfer.instructed_amount;
    let mut text = Vec::with_capacity(256);
    let mut add = |part: &str| {
        text.extend_from_slice(&part.len().to_be_bytes());
        text.extend_from_slice(part.as_bytes());
    };
    for part in [tpp, product.as_str()] {
        add(part);
    }
    for account in [&transfer.debtor_account, &transfer.creditor_account] {
        add(account.identification.as_str());
        add(account.currency.code());
    }
    add(&amount.value().normalize().to_string());
    add(amount.currency().code());
    for reference in transfer.remittance.iter().flat_map(|remittance| remittance.texts()) {
        add(reference);
    }
    sha256(&text)
}
