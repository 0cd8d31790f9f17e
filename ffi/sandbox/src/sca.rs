//! Strong customer authentication without a browser.

use std::mem::MaybeUninit;

use engine::{Context, ScaAnswer};

use crate::abi::{self, xs2a_str, xs2a_text, Versioned};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required, run};
use crate::sandbox::xs2a_sandbox;

/// What the PSU does at the bank's site. Fill it with zeros, then set `size` and the PSU's entries. All zero means
/// that the PSU cancels.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_sca_answer {
    /// sizeof(xs2a_sca_answer).
    size: usize,
    /// The number the PSU enters, such as `13039319955`.
    customer_number: xs2a_str,
    /// `PRIVATE` or `CORPORATE`; absent: `PRIVATE`.
    context: xs2a_str,
    /// Id or name of the agreement, for `CORPORATE`.
    agreement: xs2a_str,
    /// The accounts the PSU picks: bban, iban or masked PAN each. NULL: all that are offered. A PSU without an account
    /// then gives a consent to no account, although the bank's page only offers to cancel.
    accounts: *const xs2a_str,
    /// How many accounts.
    account_count: usize,
    /// 1 where the PSU approves, 0 where the PSU cancels.
    approve: u8,
}

// SAFETY: repr(C), begins with its size; integers and pointers are valid when zero.
unsafe impl Versioned for xs2a_sca_answer {
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

impl xs2a_sca_answer {
    fn convert(&self) -> Result<ScaAnswer, xs2a_error> {
        Ok(ScaAnswer {
            customer_number: self.customer_number.text("answer.customer_number")?.to_owned(),
            context: self.context()?,
            agreement: self.agreement.optional("answer.agreement")?.map(str::to_owned),
            accounts: self.accounts()?,
            approve: self.approve != 0,
        })
    }

    fn context(&self) -> Result<Context, xs2a_error> {
        match self.context.optional("answer.context")? {
            None => Ok(Context::Private),
            Some(text) => Context::parse(text)
                .map_err(|_| xs2a_error::argument("answer.context", "PRIVATE or CORPORATE")),
        }
    }

    fn accounts(&self) -> Result<Option<Vec<String>>, xs2a_error> {
        // SAFETY: the fields are private, so they came from C, whose contract the header states.
        let accounts = unsafe { abi::elements(self.accounts, self.account_count, "answer.accounts")? };
        let owned = |account: &xs2a_str| Ok(account.text("answer.accounts")?.to_owned());
        let accounts = accounts.iter().map(owned).collect::<Result<_, xs2a_error>>()?;
        Ok((!self.accounts.is_null()).then_some(accounts))
    }
}

/// Answers an scaRedirect link as the PSU would. Gives the URL to which the PSU returns. A failed SCA, such as one with
/// an unknown customer number, is reported in that URL and is XS2A_OK.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (context), XS2A_MISUSE (a link
/// that is unknown, used or too old; accounts or an agreement that are not offered), XS2A_BANK (an active fault
/// makes the bank fail), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_sandbox_authorise(
    sandbox: Option<&xs2a_sandbox>,
    sca_redirect: xs2a_str,
    answer: *const xs2a_sca_answer,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        let link = sca_redirect.text("sca_redirect")?;
        // SAFETY: the header's contract on structs.
        let answer = unsafe { abi::read(answer, "answer")? };
        Ok(xs2a_text::owned(sandbox.0.authorise(link, &answer.convert()?)?))
    })
}

/// Revokes the consents of a private customer to a TPP, in every context. A repetition changes nothing. The TPP is
/// not notified: its next call is answered CONSENT_UNKNOWN.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no private customer has this number; a TPP that
/// is neither registered here nor known to the customer), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_revoke_consent(
    sandbox: Option<&xs2a_sandbox>,
    customer_number: xs2a_str,
    organisation_id: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let (customer, tpp) =
            (customer_number.text("customer_number")?, organisation_id.text("organisation_id")?);
        Ok(required(sandbox, "sandbox")?.0.revoke_consent(customer, tpp)?)
    })
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;
    use crate::error::xs2a_result::*;

    const ABSENT: xs2a_sca_answer = xs2a_sca_answer {
        size: size_of::<xs2a_sca_answer>(),
        customer_number: xs2a_str::EMPTY,
        context: xs2a_str::EMPTY,
        agreement: xs2a_str::EMPTY,
        accounts: ptr::null(),
        account_count: 0,
        approve: 0,
    };

    #[test]
    fn all_zero_is_a_private_person_who_cancels() {
        let answer = ABSENT.convert().unwrap();
        assert_eq!((answer.context, answer.agreement, answer.approve), (Context::Private, None, false));
    }

    #[test]
    fn no_accounts_and_all_accounts_differ() {
        let none = [xs2a_str::EMPTY];
        let picked_none = xs2a_sca_answer { accounts: none.as_ptr(), ..ABSENT };
        assert_eq!(picked_none.convert().unwrap().accounts, Some(vec![]));
        assert_eq!(ABSENT.convert().unwrap().accounts, None);
    }

    #[test]
    fn a_context_in_another_case_is_refused() {
        let lower = xs2a_sca_answer { context: xs2a_str::of("private"), ..ABSENT };
        assert_eq!(lower.convert().unwrap_err().code(), XS2A_BAD_ARGUMENT);
        let corporate = xs2a_sca_answer { context: xs2a_str::of("CORPORATE"), ..ABSENT };
        assert_eq!(corporate.convert().unwrap().context, Context::Corporate);
    }
}
