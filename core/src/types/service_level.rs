//! How fast a cross-border payment travels.

use super::code_list::{code_list, not_listed};
use crate::reason::Violation;

code_list! {
    /// The service level of a cross-border payment that is not SEPA (ISO 20022 ExternalServiceLevel1Code):
    /// `NURG` ordinary, `URGP` urgent, `SDVA` same day value.
    ServiceLevel { NURG SDVA URGP }
}

impl ServiceLevel {
    /// Reads a code.
    ///
    /// # Errors
    /// [`crate::reason::Reason::ValueNotListed`] with the accepted codes.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        Self::find(text).ok_or_else(|| not_listed(Self::LIST.iter().map(|row| row.code())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Reason;

    #[test]
    fn the_list_is_ascending() {
        assert!(ServiceLevel::LIST.is_sorted_by(|a, b| a.code() < b.code()));
    }

    #[test]
    fn three_levels_are_read_and_others_refused() {
        for code in ["NURG", "URGP", "SDVA"] {
            assert_eq!(ServiceLevel::parse(code).unwrap().code(), code);
        }
        for text in ["", "SEPA", "nurg", "NURGX"] {
            assert_eq!(ServiceLevel::parse(text).unwrap_err().reason, Reason::ValueNotListed);
        }
    }
}
