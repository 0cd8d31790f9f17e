//! What a completed SCA opens for an hour: reading without another SCA.

pub(crate) mod machine;
pub(crate) mod record;
