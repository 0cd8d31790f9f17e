//! The journal of a sandbox, and what it has seen of all there is.

use std::mem::MaybeUninit;

use engine::{Coverage, JournalExport, JournalForm};

use crate::abi::{self, xs2a_str, xs2a_text, Versioned};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required, run};
use crate::sandbox::xs2a_sandbox;

/// How a journal is written. Fill it with zeros, then set `size`, `form` and the members you need.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_journal_options {
    /// sizeof(xs2a_journal_options).
    size: usize,
    /// `text`: a line or two for each entry. `har`: an HTTP Archive 1.2. `curl`: a shell script. `pytest`: a test for
    /// pytest that repeats every step.
    form: xs2a_str,
    /// Scheme and host that HAR and curl address. Absent: those of the links to the SCA site.
    origin: xs2a_str,
    /// The number of newest entries to write; 0: all. A pytest file always has all.
    last: usize,
    /// 1 where identity numbers are shown as they are; 0 where they are masked. A pytest file is never masked.
    unmasked: u8,
}

// SAFETY: repr(C), begins with its size; integers and pointers are valid when zero.
unsafe impl Versioned for xs2a_journal_options {
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

impl xs2a_journal_options {
    fn convert(&self) -> Result<JournalExport, xs2a_error> {
        let form = JournalForm::parse(self.form.text("options.form")?);
        Ok(JournalExport {
            number: None,
            form: form.ok_or_else(|| xs2a_error::argument("options.form", "text, har, curl or pytest"))?,
            redact: self.unmasked == 0,
            last: (self.last > 0).then_some(self.last),
            origin: self.origin.optional("options.origin")?.map(str::to_owned),
        })
    }
}

/// The calls and control steps of the sandbox since it was opened or forked, as text: the newest 10,000 entries, at
/// most 16 MiB of them. It has the calls by xs2a_sandbox_handle(), not those by xs2a_engine_handle().
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (form), XS2A_CONFIG (origin),
/// XS2A_MISUSE (a pytest file that cannot repeat the steps: the database file existed before, entries were dropped, a
/// fault was added before the fork, or a snapshot or an exported state was read), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_sandbox_journal(
    sandbox: Option<&xs2a_sandbox>,
    options: *const xs2a_journal_options,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        // SAFETY: the header's contract on structs.
        let options = unsafe { abi::read(options, "options")? };
        Ok(xs2a_text::owned(sandbox.0.export_journal(&options.convert()?)?))
    })
}

/// Empties the journal.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_clear_journal(
    sandbox: Option<&xs2a_sandbox>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        required(sandbox, "sandbox")?.0.clear_journal();
        Ok(())
    })
}

/// Which operations, reasons, states and transitions were seen, as JSON: `operations`, `sandboxRoutes`, `reasons`,
/// `states` and `transitions`, each `{"touched","total","rows":[…]}` with every row of the table, and `unrouted`
/// `{"calls","statuses"}`. `family`: 0 for what this sandbox saw, 1 for what it saw with the one it was forked from
/// and all other forks of that.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_coverage(
    sandbox: Option<&xs2a_sandbox>,
    family: u8,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        let coverage = if family == 0 { sandbox.0.coverage() } else { sandbox.0.family_coverage() };
        Ok(xs2a_text::owned(coverage.to_json()?))
    })
}

/// Adds up two coverages, such as those of two processes.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no coverage of this version).
#[no_mangle]
pub extern "C" fn xs2a_coverage_merge(
    one: xs2a_str,
    other: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let mut sum = Coverage::from_json(one.text("one")?)?;
        sum.merge(&Coverage::from_json(other.text("other")?)?);
        Ok(xs2a_text::owned(sum.to_json()?))
    })
}

/// A coverage in words, a line for each kind. `untouched`: 1 to list below each what was not seen.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no coverage of this version).
#[no_mangle]
pub extern "C" fn xs2a_coverage_text(
    coverage: xs2a_str,
    untouched: u8,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let coverage = Coverage::from_json(coverage.text("coverage")?)?;
        Ok(xs2a_text::owned(coverage.text(untouched != 0)))
    })
}
