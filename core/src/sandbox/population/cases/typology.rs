//! The kinds of cases.

/// A kind of fraud or money laundering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Typology {
    /// Many pay one account, which passes the money on.
    FanIn,
    /// One account receives a large sum and spreads it.
    FanOut,
    /// Money comes back to where it left, over other accounts.
    Cycle,
    /// A person lends an account to criminals: money of victims comes in, and leaves in cash and by transfers.
    Mule,
    /// A large sum leaves the country in parts just below the reporting limit.
    Structuring,
    /// Money leaves minutes after it came.
    RapidPassThrough,
    /// An account without any movement receives money and passes it on.
    DormantAwakened,
    /// A company pays an invoice by transfer to the account of a stranger.
    InvoiceFraud,
    /// A stranger takes money from the account of a customer, often at night.
    AccountTakeover,
    /// A stolen card is tried with small purchases, and then used.
    CardTesting,
    /// The wages of another person are sent to the account.
    PayrollDiversion,
    /// A company without a trade receives payments of invoices and passes them to its owner and abroad.
    ShellCompany,
}

impl Typology {
    /// Every one.
    pub(crate) const ALL: [Self; 12] = [
        Self::FanIn,
        Self::FanOut,
        Self::Cycle,
        Self::Mule,
        Self::Structuring,
        Self::RapidPassThrough,
        Self::DormantAwakened,
        Self::InvoiceFraud,
        Self::AccountTakeover,
        Self::CardTesting,
        Self::PayrollDiversion,
        Self::ShellCompany,
    ];

    /// Its name in the table of cases.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "tables alone show it"))]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::FanIn => "fan_in",
            Self::FanOut => "fan_out",
            Self::Cycle => "cycle",
            Self::Mule => "mule",
            Self::Structuring => "structuring",
            Self::RapidPassThrough => "rapid_pass_through",
            Self::DormantAwakened => "dormant_awakened",
            Self::InvoiceFraud => "invoice_fraud",
            Self::AccountTakeover => "account_takeover",
            Self::CardTesting => "card_testing",
            Self::PayrollDiversion => "payroll_diversion",
            Self::ShellCompany => "shell_company",
        }
    }
}
