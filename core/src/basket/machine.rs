//! The states of a signing basket itself. What a TPP is shown is another thing: the worst case of the
//! payments, see [`status`](super::status).

use crate::machine::machine;

machine! {
    /// Whether a signing basket still holds its payments.
    BasketState "Signing basket" {
        Open "open" "holds its payments until one SCA authorises them" => Authorised Deleted;
        Authorised "authorised" "its SCA is completed: each payment goes its own way" => ;
        Deleted "deleted" "given up before its SCA: its payments are free again" => ;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{diagram, matrix};

    #[test]
    fn the_full_matrix_is_as_reviewed() {
        insta::assert_snapshot!("basket_matrix", matrix::<BasketState>());
        insta::assert_snapshot!("basket_diagram", diagram::<BasketState>());
    }
}
