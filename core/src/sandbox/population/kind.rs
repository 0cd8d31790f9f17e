//! What a line is about, as a bank and ISO 20022 call it.

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A payment to another party, or from one.
    Transfer,
    /// A bill, paid with its reference.
    Bill,
    /// A payment by standing order.
    Standing,
    /// Between two persons.
    Gift,
    /// Between two accounts of one owner.
    OwnTransfer,
    Salary,
    Pension,
    Benefit,
    ChildBenefit,
    Studies,
    /// To the state.
    Tax,
    /// From the state.
    TaxRefund,
    /// Paid by debit card.
    Purchase,
    /// Paid by credit card.
    CreditPurchase,
    /// Money back for a purchase.
    Return,
    Withdrawal,
    Deposit,
    /// What the bank gives for savings.
    Interest,
    /// What the bank takes for an overdraft.
    Overdraft,
    /// What the bank takes for what is owed on a card.
    CardInterest,
    MortgageInterest,
    MortgageInstalment,
    LoanInterest,
    LoanInstalment,
}

/// What a kind is called.
struct Codes {
    /// ISO 20022, External Bank Transaction Codes, where money leaves an account.
    debit: &'static str,
    /// The same where it arrives.
    credit: &'static str,
    /// This bank's.
    proprietary: &'static str,
    /// ISO 20022, External Purpose Codes.
    purpose: Option<&'static str>,
}

const fn codes(
    debit: &'static str,
    credit: &'static str,
    proprietary: &'static str,
    purpose: Option<&'static str>,
) -> Codes {
    Codes { debit, credit, proprietary, purpose }
}

impl Kind {
    const fn codes(self) -> Codes {
        const OUT: &str = "PMNT-ICDT-DMCT";
        const IN: &str = "PMNT-RCDT-DMCT";
        match self {
            Self::Transfer => codes(OUT, IN, "BETALING", None),
            Self::Bill => codes(OUT, IN, "EFAKTURA", None),
            Self::Standing => codes("PMNT-ICDT-STDO", IN, "FAST OPPDRAG", None),
            Self::Gift => codes(OUT, IN, "VENNEBETALING", None),
            Self::OwnTransfer => codes("PMNT-ICDT-BOOK", "PMNT-RCDT-BOOK", "OVERFØRING", None),
            Self::Salary => codes("PMNT-ICDT-SALA", "PMNT-RCDT-SALA", "LØNN", Some("SALA")),
            Self::Pension => codes(OUT, IN, "PENSJON", Some("PENS")),
            Self::Benefit => codes(OUT, IN, "TRYGD", Some("BENE")),
            Self::ChildBenefit => codes(OUT, IN, "TRYGD", Some("BECH")),
            Self::Studies => codes(OUT, IN, "STUDIESTØTTE", Some("STDY")),
            Self::Tax => codes(OUT, IN, "BETALING", Some("TAXS")),
            Self::TaxRefund => codes(OUT, IN, "SKATT", Some("TAXR")),
            Self::Purchase => codes("PMNT-CCRD-POSD", "PMNT-CCRD-POSD", "VAREKJØP", None),
            Self::CreditPurchase => codes("PMNT-CCRD-POSC", "PMNT-CCRD-POSC", "VAREKJØP", None),
            Self::Return => codes("PMNT-CCRD-RIMB", "PMNT-CCRD-RIMB", "RETUR", None),
            Self::Withdrawal => codes("PMNT-CCRD-CWDL", "PMNT-CCRD-CWDL", "MINIBANK", None),
            Self::Deposit => codes("PMNT-CCRD-CDPT", "PMNT-CCRD-CDPT", "INNSKUDD", None),
            Self::Interest => codes("ACMT-MCOP-INTR", "ACMT-MCOP-INTR", "RENTER", None),
            Self::Overdraft => codes("ACMT-MDOP-INTR", "ACMT-MDOP-INTR", "RENTER", None),
            Self::CardInterest => codes("PMNT-CCRD-INTR", "PMNT-CCRD-INTR", "RENTER", None),
            Self::MortgageInterest => codes("LDAS-MGLN-INTR", "LDAS-MGLN-INTR", "LÅN", None),
            Self::MortgageInstalment => codes("LDAS-MGLN-PPAY", "LDAS-MGLN-PPAY", "LÅN", None),
            Self::LoanInterest => codes("LDAS-CSLN-INTR", "LDAS-CSLN-INTR", "LÅN", None),
            Self::LoanInstalment => codes("LDAS-CSLN-PPAY", "LDAS-CSLN-PPAY", "LÅN", None),
        }
    }

    /// In ISO 20022.
    pub(super) fn bank_transaction_code(self, is_debit: bool) -> &'static str {
        let codes = self.codes();
        if is_debit {
            codes.debit
        } else {
            codes.credit
        }
    }

    /// What this bank calls it.
    pub(super) fn proprietary_code(self) -> &'static str {
        self.codes().proprietary
    }

    /// Why it was paid, as a code (contract: Payment initiation request, purposeCode).
    pub(super) fn purpose_code(self) -> Option<&'static str> {
        self.codes().purpose
    }
}
