//! The states of a consent (contract: Authentication, consent; names of the Berlin Group's `consentStatus`).

use crate::machine::machine;

machine! {
    /// The state of a consent. That one is expired follows from its time; the store keeps no more than whether
    /// it was revoked.
    ConsentStatus "Consent" {
        Valid "valid" "the PSU granted access within the last 180 days" => Expired RevokedByPsu;
        Expired "expired" "the PSU granted access 180 days ago or more" => Valid RevokedByPsu;
        RevokedByPsu "revokedByPsu" "the PSU took the access back" => Valid;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{diagram, matrix};

    #[test]
    fn the_full_matrix_is_as_reviewed() {
        insta::assert_snapshot!("consent_matrix", matrix::<ConsentStatus>());
        insta::assert_snapshot!("consent_diagram", diagram::<ConsentStatus>());
    }
}
