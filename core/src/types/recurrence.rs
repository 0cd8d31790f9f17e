//! How a periodic payment comes again.

use super::code_list::{code_list, not_listed};
use crate::reason::{Reason, Violation};

code_list! {
    /// How often a periodic payment is carried out (NextGenPSD2: frequency code).
    Frequency {
        Annual Daily EveryTwoMonths EveryTwoWeeks Monthly MonthlyVariable Quarterly SemiAnnual Weekly
    }
}

impl Frequency {
    /// Reads a code.
    ///
    /// # Errors
    /// [`Reason::ValueNotListed`] with the accepted codes.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        Self::find(text).ok_or_else(|| not_listed(Self::LIST.iter().map(|row| row.code())))
    }
}

/// Where a payment goes whose day is no banking day (NextGenPSD2: execution rule).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExecutionRule {
    /// To the banking day after it.
    Following,
    /// To the banking day before it.
    Preceding,
}

impl ExecutionRule {
    /// Both rules.
    pub const LIST: &'static [Self] = &[Self::Following, Self::Preceding];

    /// How samples in the field spell `preceding`.
    pub const MISSPELT: &'static str = "preceeding";

    /// The rule as it is written.
    pub fn code(self) -> &'static str {
        match self {
            Self::Following => "following",
            Self::Preceding => "preceding",
        }
    }

    /// Reads a rule. [`Self::MISSPELT`] is taken for `preceding`.
    ///
    /// # Errors
    /// [`Reason::ValueNotListed`] with the accepted rules.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        match text {
            "following" => Ok(Self::Following),
            "preceding" | Self::MISSPELT => Ok(Self::Preceding),
            _ => Err(not_listed(Self::LIST.iter().map(|rule| rule.code()))),
        }
    }
}

/// The day of the month on which a periodic payment is carried out: 1 to 31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DayOfExecution(u8);

impl DayOfExecution {
    /// The last day of the longest month; in a shorter month it means that month's last day.
    pub const MAX: u8 = 31;

    /// Reads a day: digits without leading zero.
    ///
    /// # Errors
    /// [`Reason::ValueNotListed`] with the accepted days.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let spelt_as = |day: &u8| day.to_string() == text;
        let listed = || Violation::with(Reason::ValueNotListed, &[&format!("1, 2, … {}", Self::MAX)]);
        (1..=Self::MAX).find(spelt_as).map(Self).ok_or_else(listed)
    }

    /// The day: 1 to 31.
    pub fn number(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_ascending() {
        assert!(Frequency::LIST.is_sorted_by(|a, b| a.code() < b.code()));
    }

    #[test]
    fn nine_frequencies_are_read_and_others_refused() {
        let codes = "Daily Weekly EveryTwoWeeks Monthly EveryTwoMonths Quarterly SemiAnnual Annual \
                     MonthlyVariable";
        for code in codes.split_whitespace() {
            assert_eq!(Frequency::parse(code).unwrap().code(), code);
        }
        assert_eq!(Frequency::LIST.len(), 9);
        for text in ["", "monthly", "MONTHLY", "Yearly", "Monthly "] {
            assert_eq!(Frequency::parse(text).unwrap_err().reason, Reason::ValueNotListed, "{text}");
        }
    }

    #[test]
    fn two_rules_are_read_and_one_misspelling() {
        for (text, rule) in [
            ("following", ExecutionRule::Following),
            ("preceding", ExecutionRule::Preceding),
            ("preceeding", ExecutionRule::Preceding),
        ] {
            assert_eq!(ExecutionRule::parse(text).unwrap(), rule);
        }
        for text in ["", "Following", "latest", "preceeeding"] {
            assert_eq!(ExecutionRule::parse(text).unwrap_err().reason, Reason::ValueNotListed, "{text}");
        }
    }

    #[test]
    fn days_are_one_to_thirty_one_without_leading_zero() {
        for day in 1..=31 {
            assert_eq!(DayOfExecution::parse(&day.to_string()).unwrap().number(), day);
        }
        for text in ["", "0", "32", "01", "-1", "1.0", " 1", "+1", "１", "256"] {
            assert_eq!(DayOfExecution::parse(text).unwrap_err().reason, Reason::ValueNotListed, "{text}");
        }
    }
}
