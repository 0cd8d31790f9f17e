//! Customers in any number, with a past.

use super::sandbox::Sandbox;
use crate::error::Result;
use crate::sandbox::journal::Step;
use crate::sandbox::population::{move_in, PopulationPlan, Setting};
use crate::wire::json;

impl Sandbox {
    /// Lets customers move in, with accounts, agreements and a history that adds up: wages that one account pays and
    /// another receives, bills, purchases, cards that are used and paid. They come beside those who are there, and
    /// live until yesterday. Of the same seed and clock comes the same first population, and the same second one.
    ///
    /// No person and no company has their numbers: identity numbers are marked as synthetic (80 is added to the
    /// month), organisation numbers begin with 3, account numbers with 9999. Their names show that they are invented,
    /// and many share one.
    ///
    /// The answer is the text of a JSON object: `from` (the first day of the history, or null), `transactions` and
    /// `cardTransactions` (how many were booked), and `customers` and `agreements` (those of companies) in the shapes
    /// of [`Sandbox::default_data`], with the balances after the history. Without persons no company has an agreement.
    ///
    /// All of it is one transaction. Other writes of this sandbox wait until it ends; a writer of another process on
    /// its file waits 5 seconds, and fails then.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a plan beyond the limits (docs/limits.md, "Populations of a
    /// sandbox"), for one that a database in memory cannot hold, where the history would begin before the year 1, and
    /// where the bank runs out of numbers; [`Error::Store`](crate::Error::Store), also where the disk ends.
    /// Nothing has happened then.
    pub fn populate(&self, plan: PopulationPlan) -> Result<String> {
        self.populate_watched(plan, &mut |_, _| Ok(()))
    }

    /// As [`Sandbox::populate`]; `watch` is called again and again, with how many customers have moved in and how many
    /// there will be. An error that it returns ends the call, and nothing has happened. It must not call this sandbox,
    /// which waits until the population is complete.
    ///
    /// # Errors
    /// As [`Sandbox::populate`], and those of `watch`.
    pub fn populate_watched(
        &self,
        plan: PopulationPlan,
        watch: &mut dyn FnMut(u64, u64) -> Result<()>,
    ) -> Result<String> {
        let begun = self.begin();
        let _guard = self.moving.write();
        let rates = self.bank.rates();
        let setting = Setting { seed: self.entropy.position().seed, rates, now: self.now() };
        let population = move_in(&self.database, &setting, plan, watch)?;
        self.note(begun, Step::Populate { plan });
        json::write_text(&population)
    }
}
