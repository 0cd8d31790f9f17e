//! The result of a bank's risk analysis.

/// Whether the bank wants strong customer authentication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ScaDemand {
    /// As the rules have it.
    #[default]
    AsRuled,
    /// An SCA, though the rules ask for none.
    Demanded,
    /// None, though the rules ask for one: the bank answers for it.
    Exempt,
}

impl ScaDemand {
    const ALL: [Self; 3] = [Self::AsRuled, Self::Demanded, Self::Exempt];

    /// Its name: `as_ruled`, `demanded` or `exempt`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AsRuled => "as_ruled",
            Self::Demanded => "demanded",
            Self::Exempt => "exempt",
        }
    }

    /// The one of that name, case counting.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|demand| demand.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_nothing_else_is() {
        for demand in ScaDemand::ALL {
            assert_eq!(ScaDemand::parse(demand.as_str()), Some(demand));
        }
        for text in ["", "Exempt", "AS_RULED", "demanded ", "required"] {
            assert_eq!(ScaDemand::parse(text), None, "{text}");
        }
    }
}
