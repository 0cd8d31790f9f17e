//! TPPs of the sandbox's test PKI.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use engine::TestTpp;

use crate::abi::{xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{self, produce, required, run};
use crate::headers::xs2a_headers;
use crate::message::{xs2a_request, Pieces};
use crate::sandbox::xs2a_sandbox;
use crate::tools::listed;

/// A TPP with certificate and key from the test PKI. It signs by the clock of its sandbox and may outlive it.
/// Owned by the caller: free it with xs2a_tpp_free().
pub struct xs2a_tpp(TestTpp);

/// Registers a TPP with a certificate of the test PKI. `roles`: `AISP`, `PISP` or both, with a comma between;
/// the names of ETSI TS 119 495 (`PSP_AI`, …) are accepted too. An empty text gives no role: such a TPP is refused by
/// each call that needs one.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such role, an empty name), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_register_tpp(
    sandbox: Option<&xs2a_sandbox>,
    name: xs2a_str,
    roles: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_tpp>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        let tpp = sandbox.0.register_tpp(name.text("name")?, &listed(roles.text("roles")?))?;
        Ok(guard::owned(xs2a_tpp(tpp)))
    })
}

/// A TPP that was registered before, by its authorisation number. It signs by the clock of this sandbox, so a test
/// can continue in a fork, after a restore, and in a file that is opened again.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such TPP), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_tpp(
    sandbox: Option<&xs2a_sandbox>,
    organisation_id: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_tpp>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(guard::owned(xs2a_tpp(sandbox.0.tpp(organisation_id.text("organisation_id")?)?)))
    })
}

/// Adds trust anchors (PEM, bundles too): TPPs with a certificate under them count as registered. Another process with
/// a sandbox on the same file reads them when it opens the file again.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (no usable certificate), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_trust(
    sandbox: Option<&xs2a_sandbox>,
    pem: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || Ok(required(sandbox, "sandbox")?.0.trust(pem.text("pem")?)?))
}

/// The name the TPP was registered with. Lives as long as `tpp`, as do the other texts of it.
#[no_mangle]
pub extern "C" fn xs2a_tpp_name(tpp: Option<&xs2a_tpp>) -> xs2a_str {
    view(tpp, TestTpp::name)
}

/// The authorisation number in the certificate (organizationIdentifier, 2.5.4.97).
#[no_mangle]
pub extern "C" fn xs2a_tpp_organisation_id(tpp: Option<&xs2a_tpp>) -> xs2a_str {
    view(tpp, TestTpp::organisation_id)
}

/// The certificate as PEM.
#[no_mangle]
pub extern "C" fn xs2a_tpp_certificate_pem(tpp: Option<&xs2a_tpp>) -> xs2a_str {
    view(tpp, TestTpp::certificate_pem)
}

/// The private key as PEM (PKCS #8). A test key: never use it elsewhere.
#[no_mangle]
pub extern "C" fn xs2a_tpp_private_key_pem(tpp: Option<&xs2a_tpp>) -> xs2a_str {
    view(tpp, TestTpp::private_key_pem)
}

fn view(tpp: Option<&xs2a_tpp>, part: fn(&TestTpp) -> &str) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || tpp.map_or(xs2a_str::EMPTY, |tpp| xs2a_str::of(part(&tpp.0))))
}

/// The roles as registered, with a comma between: `AISP,PISP`.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_tpp_roles(
    tpp: Option<&xs2a_tpp>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(required(tpp, "tpp")?.0.roles().join(","))))
}

/// Signs a request. Gives its header fields plus Date, X-Request-ID, Digest, TPP-Signature-Certificate and
/// Signature if they are absent. Date is by the clock of its sandbox. X-Request-ID is derived from the sandbox's seed,
/// so every program begins with the same ids: for another engine than this sandbox, pass your own Date and
/// X-Request-ID.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8 (header values too), XS2A_MISUSE, XS2A_INTERNAL.
#[no_mangle]
pub unsafe extern "C" fn xs2a_tpp_sign(
    tpp: Option<&xs2a_tpp>,
    request: *const xs2a_request,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_headers>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let tpp = required(tpp, "tpp")?;
        // SAFETY: the header's contract on structs.
        let request = unsafe { xs2a_request::read(request)? };
        let given = request.given()?;
        let headers = given.headers.iter().map(text_field).collect::<Result<Vec<_>, _>>()?;
        Ok(xs2a_headers::owned(sign(tpp, &given, &headers)?))
    })
}

fn sign(
    tpp: &xs2a_tpp,
    given: &Pieces<'_>,
    headers: &[(String, String)],
) -> engine::Result<Vec<(String, String)>> {
    tpp.0.sign(&given.method, &given.target, headers, given.body)
}

fn text_field((name, value): &(Cow<'_, str>, &[u8])) -> Result<(String, String), xs2a_error> {
    let value = std::str::from_utf8(value).map_err(|_| xs2a_error::not_utf8("header.value"))?;
    Ok((name.to_string(), value.to_owned()))
}

/// Frees a TPP; its registration stays. NULL is fine.
#[no_mangle]
pub extern "C" fn xs2a_tpp_free(tpp: Option<Box<xs2a_tpp>>) {
    guard::total((), || drop(tpp));
}
