//! Signing baskets: payments that one SCA authorises (contract: Signing basket).

pub(crate) mod basket_rules;
pub mod body;
pub mod machine;
pub mod record;
pub mod status;
pub(crate) mod view;
