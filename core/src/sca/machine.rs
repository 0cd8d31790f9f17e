//! The states of an authorisation (contract: Authentication; names of the Berlin Group's `scaStatus`).
//! That a started authorisation is too old is not a state: it follows from its time of creation.

use crate::machine::machine;

machine! {
    /// `scaStatus` of an authorisation.
    ScaStatus "Authorisation" {
        Started "started" "the link is open: the PSU has not answered yet" => Finalised Failed;
        Finalised "finalised" "the PSU approved" => ;
        Failed "failed" "the PSU aborted, authentication failed, or what was approved could not be done" => ;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{diagram, matrix};

    #[test]
    fn the_full_matrix_is_as_reviewed() {
        insta::assert_snapshot!("sca_matrix", matrix::<ScaStatus>());
        insta::assert_snapshot!("sca_diagram", diagram::<ScaStatus>());
    }
}
