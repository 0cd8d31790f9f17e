//! The states of a session (contract: Authentication, TPP-Session-ID).

use crate::machine::machine;

machine! {
    /// The state of a TPP's session with a PSU. That one is expired follows from its time; the store keeps no
    /// more than whether it was replaced.
    SessionState "Session" {
        Open "open" "an SCA was completed under this id within the last hour" => Expired Replaced;
        Expired "expired" "the last SCA under this id was an hour ago or more" => Open Replaced;
        Replaced "replaced" "the PSU completed an SCA under a newer id" => Open;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{diagram, matrix};

    #[test]
    fn the_full_matrix_is_as_reviewed() {
        insta::assert_snapshot!("session_matrix", matrix::<SessionState>());
        insta::assert_snapshot!("session_diagram", diagram::<SessionState>());
    }
}
