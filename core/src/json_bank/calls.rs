//! What another language implements: one call, JSON in and JSON out.

use std::sync::Arc;

use super::method::BankMethod;
use crate::error::{Error, Result};
use crate::limits::BANK_ANSWER_BYTES_MAX;

/// Carries the questions of an engine to a bank that takes them as JSON.
pub trait BankCalls: Send + Sync {
    /// Asks one question. `request` is a JSON object with the members of [`BankMethod::question`]; the answer goes
    /// to `answer`, as JSON.
    ///
    /// # Errors
    /// [`Error::Bank`] where the bank has no answer, [`Error::BankAnswer`] where it has one that cannot be brought into
    /// JSON. Their texts go to the host's log: no data of a PSU.
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> Result<()>;
}

impl<C: BankCalls + ?Sized> BankCalls for Arc<C> {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> Result<()> {
        self.as_ref().call(method, request, answer)
    }
}

/// Where an answer is written, in one piece or in several.
#[derive(Default)]
pub struct AnswerWriter {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl AnswerWriter {
    /// Takes some more bytes.
    ///
    /// # Errors
    /// [`Error::Bank`] where the answer would have more than [`BANK_ANSWER_BYTES_MAX`] bytes. What was written is
    /// given up then, and nothing more is taken.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let length = self.bytes.len().saturating_add(bytes.len());
        if self.is_too_long || length > BANK_ANSWER_BYTES_MAX {
            self.is_too_long = true;
            self.bytes = Vec::new();
            return Err(Error::Bank(too_long()));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Whether more was written than an answer may have.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// The whole answer.
    ///
    /// # Errors
    /// What is wrong with it, in words: nothing was written, or too much.
    pub fn finished(self) -> Result<Vec<u8>, String> {
        match self.is_too_long {
            true => Err(too_long()),
            false if self.bytes.is_empty() => Err("nothing was answered".to_owned()),
            false => Ok(self.bytes),
        }
    }
}

pub(super) fn too_long() -> String {
    format!("the answer has more than {BANK_ANSWER_BYTES_MAX} bytes")
}

/// Log-safe: the length alone.
impl std::fmt::Debug for AnswerWriter {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("AnswerWriter").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_come_in_pieces() {
        let mut writer = AnswerWriter::default();
        writer.write(b"nu").unwrap();
        writer.write(b"ll").unwrap();
        assert_eq!(writer.finished().unwrap(), b"null");
    }

    #[test]
    fn the_last_byte_that_fits_is_taken_and_one_more_is_not() {
        let mut writer = AnswerWriter::default();
        writer.write(&vec![b' '; BANK_ANSWER_BYTES_MAX]).unwrap();
        assert!(writer.write(b"").is_ok());
        assert!(matches!(writer.write(b" "), Err(Error::Bank(_))));
        assert!(writer.write(b"").is_err());
        assert!(writer.finished().unwrap_err().contains("bytes"));
    }

    #[test]
    fn nothing_is_no_answer() {
        assert!(AnswerWriter::default().finished().is_err());
    }
}
