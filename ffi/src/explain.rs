//! Explained refusals: which mistake a client made.

use std::mem::MaybeUninit;
use std::time::Duration;

use engine::explain::Mistake;
use engine::{ExplainOptions, Request};

use crate::abi::{self, xs2a_str, xs2a_text, Versioned};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::produce;
use crate::json::written;
use crate::message::{xs2a_request, Pieces};
use crate::time::instant;

/// What an explanation may use beside the request. Fill it with zeros, then set `size` and what there is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_explain_options {
    /// sizeof(xs2a_explain_options).
    size: usize,
    /// The bank's clock when the request was refused, by RFC 3339. Absent: the present.
    now: xs2a_str,
    /// A PEM bundle of certificates of other TPPs, and of earlier ones of this TPP. Absent: none.
    certificates: xs2a_str,
    /// A JSON object as an engine's `policy`, such as `{"key_id_issuer":"exact"}`. Absent: the defaults.
    policy: xs2a_str,
    /// What a gateway may add to the path or strip from it, such as `/psd2`.
    base_paths: *const xs2a_str,
    /// How many base paths.
    base_path_count: usize,
    /// Calls before this one, the oldest first.
    earlier: *const *const xs2a_request,
    /// How many calls before.
    earlier_count: usize,
    /// How long the search may take. 0: 50.
    budget_milliseconds: u32,
}

// SAFETY: repr(C), begins with its size; integers and pointers are valid when zero.
unsafe impl Versioned for xs2a_explain_options {
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

impl xs2a_explain_options {
    const ABSENT: Self = Self {
        size: size_of::<Self>(),
        now: xs2a_str::EMPTY,
        certificates: xs2a_str::EMPTY,
        policy: xs2a_str::EMPTY,
        base_paths: std::ptr::null(),
        base_path_count: 0,
        earlier: std::ptr::null(),
        earlier_count: 0,
        budget_milliseconds: 0,
    };

    /// # Safety
    /// As [`abi::read`], but NULL is every default.
    unsafe fn read(options: *const Self) -> Result<Self, xs2a_error> {
        if options.is_null() {
            return Ok(Self::ABSENT);
        }
        // SAFETY: this function's contract is the same.
        unsafe { abi::read(options, "options") }
    }

    /// Those of the core, without the earlier calls.
    fn without_earlier<'a>(&self) -> Result<ExplainOptions<'a>, xs2a_error> {
        let mut options = ExplainOptions::default();
        let now = self.now.optional("options.now")?;
        options.now = now.map(|text| instant(text, "options.now")).transpose()?;
        let pem = self.certificates.text("options.certificates")?;
        if !pem.is_empty() {
            options.add_certificates(pem)?;
        }
        if let Some(policy) = self.policy.optional("options.policy")? {
            options.set_policy(policy)?;
        }
        // SAFETY: the fields are private, so they came from C, whose contract the header states.
        let paths = unsafe { abi::elements(self.base_paths, self.base_path_count, "options.base_paths")? };
        for path in paths {
            options.base_paths.push(path.text("options.base_paths")?.to_owned());
        }
        if self.budget_milliseconds > 0 {
            options.budget = Duration::from_millis(self.budget_milliseconds.into());
        }
        Ok(options)
    }

    fn earlier(&self) -> Result<Vec<xs2a_request>, xs2a_error> {
        // SAFETY: the fields are private, so they came from C, whose contract the header states.
        let earlier = unsafe { abi::elements(self.earlier, self.earlier_count, "options.earlier")? };
        // SAFETY: the same, of each call.
        let read = |request: &*const xs2a_request| unsafe { abi::read(*request, "options.earlier") };
        earlier.iter().map(read).collect()
    }
}

/// Finds the mistake that made a signature, Digest, keyId, certificate or Date fail. A mistake is named only if it is
/// proven. `options` NULL: every default.
///
/// Gives JSON: `{"ok":false,"reason":"SIG-13","mistake":"trailing-newline","text":"…","proof":"hash","expected":"…",
/// "signed":"…","hypotheses":12}`. text says what was done and what to do instead; expected is the signing string as
/// the bank builds it, signed the one that was signed, bytes that are not UTF-8 as \xNN; null where there is none.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (certificates,
/// policy).
#[no_mangle]
pub unsafe extern "C" fn xs2a_explain(
    request: *const xs2a_request,
    options: *const xs2a_explain_options,
    json: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(json, error, || {
        // SAFETY: the header's contract on structs.
        let request = unsafe { xs2a_request::read(request)? };
        // SAFETY: the header's contract on structs.
        let given = unsafe { xs2a_explain_options::read(options)? };
        let earlier = given.earlier()?;
        let earlier: Vec<Pieces<'_>> =
            earlier.iter().map(xs2a_request::received).collect::<Result<_, _>>()?;
        let fields: Vec<_> = earlier.iter().map(Pieces::fields).collect();
        let mut options = given.without_earlier()?;
        let calls = earlier.iter().zip(&fields);
        options.earlier = calls.map(|(call, fields)| call.with_fields(fields)).collect::<Vec<Request<'_>>>();
        let found = request.received()?.with(|request| engine::explain(request, &options));
        written(&found)
    })
}

/// Every mistake that xs2a_explain() may name, as a JSON array, those of one part of a request together:
/// `[{"id":"trailing-newline","sentence":"…","advice":"…","source":"…","wrong":"…","right":"…"}]`.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_mistakes(
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let rows: Vec<&Mistake> = engine::mistakes().iter().flat_map(|group| group.rows).copied().collect();
        written(&rows)
    })
}
