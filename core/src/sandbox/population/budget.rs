//! How much a person spends.

use super::shops::usual_spending;

/// What a person has left in a month, relative to what the tables of shops add up to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    left: i64,
    usual: i64,
}

impl Budget {
    /// Of a person who has `left`; `on_credit` is what they spend by credit card if the usual amount is left. In øre.
    pub(super) fn of(left: i64, on_credit: Option<i64>) -> Self {
        Self { left: left.max(0), usual: usual_spending() + on_credit.unwrap_or_default() }
    }

    /// What is spent for a sum in the tables: on average all that is left.
    pub(super) fn spent(self, sum: i64) -> i64 {
        (sum * self.left / self.usual).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_usual_budget_spends_half_and_every_budget_something() {
        let usual = usual_spending();
        for (budget, sum, spent) in [
            (Budget::of(usual, None), 1_000, 1_000),
            (Budget::of(usual / 2, None), 1_000, 500),
            (Budget::of(usual + 300_000, Some(300_000)), 1_000, 1_000),
            (Budget::of(0, None), 1_000, 1),
            (Budget::of(-5, Some(300_000)), 1_000, 1),
        ] {
            assert_eq!(budget.spent(sum), spent, "{budget:?}");
        }
    }
}
