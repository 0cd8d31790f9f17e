//! Signing baskets: payments that one SCA authorises (contract: Signing basket).

pub mod body;
pub(crate) mod decide;
pub mod machine;
pub mod record;
pub mod status;
pub(crate) mod view;
