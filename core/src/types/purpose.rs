//! Why money is paid.

use super::code_list::{code_list, not_listed};
use crate::reason::Violation;

code_list! {
    /// The purpose of a payment (contract: Payment initiation request; ISO 20022 ExternalPurpose1Code).
    PurposeCode {
        CASH CORT IDCP INTC INVS LOAN OTHR PENS SALA SSBE SUPP TAXS TREA VATX
    }
}

impl PurposeCode {
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
    use crate::reason::{Language, Reason};

    #[test]
    fn the_list_is_ascending() {
        assert!(PurposeCode::LIST.is_sorted_by(|a, b| a.code() < b.code()));
    }

    #[test]
    fn the_fourteen_codes_of_the_contract_are_read() {
        let contract = "INVS SALA IDCP CASH CORT INTC PENS SSBE SUPP TAXS TREA VATX LOAN OTHR";
        for code in contract.split(' ') {
            assert_eq!(PurposeCode::parse(code).unwrap().to_string(), code);
        }
        assert_eq!(PurposeCode::LIST.len(), 14);
    }

    #[test]
    fn another_code_is_refused_with_the_list() {
        for text in ["", "sala", "SALA ", "GDDS"] {
            assert_eq!(PurposeCode::parse(text).unwrap_err().reason, Reason::ValueNotListed);
        }
        let text = PurposeCode::parse("GDDS").unwrap_err().text(Language::English);
        assert!(text.contains("CASH, CORT, IDCP") && text.ends_with("VATX"), "{text}");
    }
}
