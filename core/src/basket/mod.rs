//! Signing baskets: payments that one SCA authorises (contract: Signing basket).

pub(crate) mod basket_rules;
pub mod body;
pub(crate) mod machine;
pub(crate) mod record;
pub(crate) mod status;
pub(crate) mod view;
