//! What a completed SCA opens for an hour: reading without another SCA.

pub mod machine;
pub mod record;
