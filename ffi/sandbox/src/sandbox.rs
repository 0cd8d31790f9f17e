//! The sandbox: an engine over the simulated bank.

use std::mem::MaybeUninit;

use engine::bank::PaymentStatus;
use engine::types::Machine;
use engine::{PopulationPlan, Sandbox, SandboxOptions};

use crate::abi::{self, xs2a_slice, xs2a_str, xs2a_text, Versioned};
use crate::bytes::xs2a_bytes;
use crate::engine::{answer, xs2a_engine};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{self, produce, required, run};
use crate::message::{xs2a_request, xs2a_response};
use crate::only_library::check_only_library;
use crate::time::instant;

/// An engine over the simulated bank with a manual clock and a test PKI. Owned by the caller: free it with
/// xs2a_sandbox_free(). Any function except that one may be called from any thread at the same time.
pub struct xs2a_sandbox(pub(crate) Sandbox);

const _: () = {
    const fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Sandbox>();
};

/// How to open a sandbox. Fill it with zeros, then set `size` and the members you need.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_sandbox_options {
    /// sizeof(xs2a_sandbox_options).
    size: usize,
    /// Path of an SQLite file. Absent: in memory.
    database: xs2a_str,
    /// Where the clock starts, by RFC 3339. Absent: the present, or the stored time of the file's clock.
    now: xs2a_str,
    /// The source of ids and serial numbers of certificates: the same seed, `now` and calls give the same bytes.
    /// The root and the key pairs of the test PKI are the same with every seed.
    seed: u64,
    /// What precedes `/v1/` in request paths, such as `/api-sandbox`.
    base_path: xs2a_str,
    /// The policy as a JSON object. Absent: the defaults.
    policy: xs2a_str,
}

// SAFETY: repr(C), begins with its size; integers and pointers are valid when zero.
unsafe impl Versioned for xs2a_sandbox_options {
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

impl xs2a_sandbox_options {
    fn convert(&self) -> Result<SandboxOptions, xs2a_error> {
        let now = self.now.optional("options.now")?;
        Ok(SandboxOptions {
            database: self.database.optional("options.database")?.map(Into::into),
            now: now.map(|text| instant(text, "options.now")).transpose()?,
            present: None,
            seed: self.seed,
            base_path: self.base_path.text("options.base_path")?.to_owned(),
            policy: self.policy.optional("options.policy")?.map(str::to_owned),
        })
    }
}

/// Opens a sandbox. The default data set is loaded where the database is new.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG, XS2A_STORE,
/// XS2A_MISUSE (now lies before the clock of the file, or outside of the years 1 to 9999; libxs2a is loaded too).
#[no_mangle]
pub unsafe extern "C" fn xs2a_sandbox_new(
    options: *const xs2a_sandbox_options,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_sandbox>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        check_only_library()?;
        // SAFETY: the header's contract on structs.
        let options = unsafe { abi::read(options, "options")? };
        Ok(guard::owned(xs2a_sandbox(Sandbox::open(&options.convert()?)?)))
    })
}

/// Closes a sandbox and its engine, after the engine has written evidence of reads that waits; that this fails is
/// logged. Every pointer from xs2a_sandbox_engine() becomes invalid. NULL does nothing.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_free(sandbox: Option<Box<xs2a_sandbox>>) {
    guard::total((), || {
        if let Some(sandbox) = sandbox {
            // A failure is logged; no caller gets it.
            drop(sandbox.0.engine().close());
        }
    });
}

/// The engine of the sandbox, borrowed: it is valid as long as `sandbox`; do not free it. NULL if `sandbox` is NULL.
/// Report the status of a payment with xs2a_sandbox_report_payment_status(): the simulated bank does not receive what
/// is reported to the engine.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_engine(sandbox: Option<&xs2a_sandbox>) -> *const xs2a_engine {
    guard::total(std::ptr::null(), || {
        sandbox.map_or(std::ptr::null(), |sandbox| std::ptr::from_ref(sandbox.0.engine()).cast())
    })
}

/// Gives the complete answer to one request, and to a browser that of the SCA site. An instant payment that the bank
/// exempts from its SCA is settled when this returns.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_sandbox_handle(
    sandbox: Option<&xs2a_sandbox>,
    request: *const xs2a_request,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_response>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        // SAFETY: the header's contract on structs.
        unsafe { answer(request, |request| sandbox.0.handle(request)) }
    })
}

/// The same for one HTTP/1.1 request as bytes, as xs2a_engine_handle_http(). A message that is no request is not in the
/// journal.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_handle_http(
    sandbox: Option<&xs2a_sandbox>,
    message: xs2a_slice,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_bytes>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(xs2a_bytes::owned(sandbox.0.handle_http(message.bytes("message")?).to_bytes()))
    })
}

/// Reports the status that a payment reached outside of this interface, such as `CANC` for one that the PSU cancelled
/// in the bank's app. A payment that is reported cancelled or rejected is not carried out. One that is reported settled
/// (ACSC) is booked at once, before its batch. For a bulk in PART and for a periodic payment only the status changes. A
/// bulk that is reported PART is not carried out any more: its entries were paid elsewhere.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (status), XS2A_MISUSE (no such payment; a status
/// that cannot follow; ACSC of what cannot be booked as a whole; ACWP of a bulk that is yet to be booked), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_report_payment_status(
    sandbox: Option<&xs2a_sandbox>,
    payment_id: xs2a_str,
    status: xs2a_str,
    funds_available: i8,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let sandbox = required(sandbox, "sandbox")?;
        let payment_id = payment_id.text("payment_id")?;
        let status = PaymentStatus::parse(status.text("status")?)
            .ok_or_else(|| xs2a_error::argument("status", "a status of a payment, such as CANC"))?;
        let funds = (funds_available >= 0).then_some(funds_available != 0);
        Ok(sandbox.0.report_payment_status(payment_id, status, funds)?)
    })
}

/// Puts a payment on hold: it is PDNG, with a psuMessage of its own that ends with `why`, and no batch settles it until
/// it is released, rejected or cancelled. `why` may be empty.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such payment; one that is not authorised, or settled; a
/// `why` of more than 400 characters), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_hold(
    sandbox: Option<&xs2a_sandbox>,
    payment_id: xs2a_str,
    why: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let sandbox = required(sandbox, "sandbox")?;
        let (payment_id, why) = (payment_id.text("payment_id")?, why.text("why")?);
        Ok(sandbox.0.hold(payment_id, (!why.is_empty()).then_some(why))?)
    })
}

/// Releases a payment that is on hold. If its day came before, it is settled in the next batch.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such payment, or not on hold), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_release(
    sandbox: Option<&xs2a_sandbox>,
    payment_id: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(sandbox.0.release(payment_id.text("payment_id")?)?)
    })
}

/// The whole state as bytes: for xs2a_sandbox_restore().
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_snapshot(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_bytes>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_bytes::owned(required(sandbox, "sandbox")?.0.snapshot()?)))
}

/// Restores a snapshot, the clock included.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (not a whole snapshot of this version), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_restore(
    sandbox: Option<&xs2a_sandbox>,
    image: xs2a_slice,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || Ok(required(sandbox, "sandbox")?.0.restore(image.bytes("image")?)?))
}

/// A second sandbox in memory with the state of this one; later changes of one do not affect the other.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_fork(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_sandbox>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(guard::owned(xs2a_sandbox(required(sandbox, "sandbox")?.0.fork()?))))
}

/// Restores the default data set: deletes customers, accounts, payments and authorisations; keeps registered TPPs,
/// trust anchors and the clock.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_initialize(
    sandbox: Option<&xs2a_sandbox>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || Ok(required(sandbox, "sandbox")?.0.initialize()?))
}

/// Gives a card account another status: enabled, blocked or deleted, which is final. The id is the resourceId of
/// the sandbox's own routes.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (unknown card account or status, or one that is
/// deleted already), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_set_card_status(
    sandbox: Option<&xs2a_sandbox>,
    card_account_id: xs2a_str,
    status: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(sandbox.0.set_card_status(card_account_id.text("card_account_id")?, status.text("status")?)?)
    })
}

/// The default data set as JSON: customers, accounts, the creditor with a KID agreement, the person engaged in
/// both corporations.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_default_data(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(required(sandbox, "sandbox")?.0.default_data()?)))
}

/// Adds generated customers with accounts, agreements and a history of bookings until yesterday; the same seed, clock
/// and earlier calls give the same customers. The plan is a JSON object: `{"persons":100,"companies":4,"months":12}`;
/// these are the defaults of absent members. With `"lives_on":true` the lives go on when the clock moves: at each
/// midnight in Oslo the bank books the day that ended. With `"cases":10` there are ten cases of fraud or money
/// laundering for a thousand persons, rounded up, and payments that look like cases come with them; 1000 at most. With
/// `"events":true` persons change jobs, move, have children, retire and die.
/// Their numbers belong to no real person: docs/guide/data.md describes how they are marked.
///
/// Gives JSON: `{"from":"2025-09-01","transactions":…,"cardTransactions":…,"customers":[…],"agreements":[…]}`, with
/// customers and agreements (those of companies) in the shapes of xs2a_sandbox_default_data and the balances after the
/// history; `from` is null without one.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such plan, one beyond the limits, `cases` together
/// with `lives_on`, a history that begins before the year 1, or no numbers left), XS2A_STORE. On a failure nothing is
/// changed.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_populate(
    sandbox: Option<&xs2a_sandbox>,
    plan: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        let plan = PopulationPlan::from_json(plan.text("plan")?)?;
        Ok(xs2a_text::owned(sandbox.0.populate(plan)?))
    })
}

/// The ledger of one account, by bban or iban, as JSON: `{"account":{…},"balance":{…},"bookings":[…]}`, the
/// newest booking first, amounts as exact signed strings.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such account), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_ledger(
    sandbox: Option<&xs2a_sandbox>,
    account: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(xs2a_text::owned(sandbox.0.ledger(account.text("account")?)?))
    })
}

/// The root certificate of the sandbox's test PKI, PEM: the trust anchor of the certificate that comes with the answers
/// of a sandbox whose policy has `sign_responses`. NULL with length 0 where `sandbox` is NULL. Lives as long as the
/// library.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_root_pem(sandbox: Option<&xs2a_sandbox>) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || {
        sandbox.map_or(xs2a_str::EMPTY, |sandbox| xs2a_str::of(sandbox.0.root_pem()))
    })
}
