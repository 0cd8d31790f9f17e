//! Values that are valid by construction: parsed once, at the boundary of the library.
//!
//! A type here has private fields and one constructor, so that a value need not be checked again. An invalid value is
//! refused with a row of [`crate::reason`]. `Debug` of a type that can hold personal data shows at most the last four
//! characters.

mod account_reference;
mod acting_psu;
mod amount;
mod bban;
mod bic;
mod call_ids;
mod certificate_hash;
mod code_list;
mod context;
mod country;
mod currency;
pub(crate) mod date;
mod debtor_account;
mod decimal_text;
mod geo_location;
mod iban;
mod iban_structure;
mod id;
mod identity_number;
mod inline_ascii;
pub(crate) mod instant;
mod kid;
mod kid_agreement;
mod masked;
pub(crate) mod modulus_11;
mod money;
mod party;
mod plain_decimal;
mod psu_client;
mod psu_key;
mod purpose;
mod rates;
mod recurrence;
mod redirect_uri;
mod repertoire;
mod request_id;
mod sample_rates;
mod sca_demand;
mod service_level;
mod text;
#[cfg(test)]
mod vectors;
mod visible;

pub(crate) use account_reference::bare_card_number;
pub use account_reference::{AccountIdentification, AccountReference};
pub use acting_psu::ActingPsu;
pub use amount::Amount;
pub use bban::{account_number_is_valid, Bban};
pub use bic::{bic_is_valid, Bic};
pub use call_ids::{CallIds, CorrelationId, TraceParent, CORRELATION_ID_CHARS_MAX};
pub use certificate_hash::CertificateHash;
pub use context::Context;
pub use country::Country;
pub use currency::{Currency, FractionDigits};
pub use debtor_account::DebtorAccount;
pub(crate) use decimal_text::DecimalText;
pub use geo_location::GeoLocation;
pub use iban::{iban_is_valid, Iban};
pub(crate) use id::put_rank;
pub use id::{
    AccountId, AgreementId, AuthorisationId, BasketId, CardAccountId, CustomerId, EngagementId, PaymentId,
    TransactionId, ID_BYTES,
};
pub use identity_number::IdentityNumber;
pub use kid::{kid_is_valid, Kid, Modulus};
pub use kid_agreement::KidAgreement;
pub use masked::Masked;
pub use money::Money;
pub use party::Party;
pub use psu_client::PsuClient;
pub use psu_key::{CorporateKey, PsuKey};
pub use purpose::PurposeCode;
pub use rates::Rates;
pub use recurrence::{DayOfExecution, ExecutionRule, Frequency};
pub use redirect_uri::RedirectUri;
pub use repertoire::{first_outside, Repertoire};
pub use request_id::{RequestId, REQUEST_ID_CHARS_MAX};
pub use sca_demand::ScaDemand;
pub use service_level::ServiceLevel;
pub use text::{Name, Reference, Remittance, Text};
pub(crate) use visible::shown_name;
pub use visible::{has_visible, is_hidden, visible_text};

pub use crate::machine::Machine;
