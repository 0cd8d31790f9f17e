//! The policies of a running sandbox: looked at and switched between two calls.

use super::sandbox::Sandbox;
use crate::error::{Error, Result};
use crate::policy::Policy;
use crate::sandbox::journal::Step;
use crate::sandbox::Rates;

impl Sandbox {
    /// The present policies as the text of a JSON object: every key that [`Sandbox::set_policy`] takes.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal): a bug.
    pub fn policy(&self) -> Result<String> {
        self.engine.policy().to_json()
    }

    /// Puts the keys of a JSON object over the present policies; the others stay. A call that is under way ends
    /// under the policies it began with. They are not part of a snapshot; a fork begins with the present ones.
    ///
    /// # Errors
    /// [`Error::Config`] for an unknown key, for a value of the wrong type or form, and for another value of
    /// `sign_responses`, which is set when a sandbox is opened; nothing is changed then.
    pub fn set_policy(&self, text: &str) -> Result<()> {
        let begun = self.begin();
        let _guard = self.moving.write();
        let present = self.engine.policy();
        let policy = Policy::clone(&present).with_json(text)?;
        if policy.sign_responses != present.sign_responses {
            return Err(Error::Config("sign_responses: set it when the sandbox is opened".to_owned()));
        }
        let rates = Rates::over(&policy.rates)?;
        self.bank.set_rates(rates);
        self.engine.context.replace_policy(policy);
        self.note(begun, Step::SetPolicy { policy: text.to_owned() });
        Ok(())
    }
}
