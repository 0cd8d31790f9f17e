//! The cases of all families.

use crate::reasons::case::Case;
use crate::reasons::{
    access, baskets, bodies, callbacks, certificates, decisions, faults, headers, management, messages,
    queries, signatures, system,
};

pub(crate) fn cases() -> Vec<Case> {
    let families = [
        messages::cases(),
        headers::cases(),
        queries::cases(),
        certificates::cases(),
        signatures::cases(),
        bodies::cases(),
        decisions::cases(),
        access::cases(),
        baskets::cases(),
        management::cases(),
        callbacks::cases(),
        system::cases(),
        faults::cases(),
    ];
    families.into_iter().flatten().collect()
}
