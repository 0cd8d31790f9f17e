//! Digest, Date, Signature, the replay window, and the authority of the TPP.

use std::sync::Arc;

use chrono::TimeDelta;
use xs2a::env::{Applicant, Registration, TppRegistry};
use xs2a::internal::{format_http_date, Role, Roles, TestPki};
use xs2a::reason::Case::{DateFarOff, DigestNotBase64, SignatureNotUtf8};
use xs2a::store::BlockedSubject;
use xs2a::types::CertificateHash;

use crate::reasons::case::{refused, refused_and_warned, Asker, Case, Earned};
use crate::reasons::seams::Seams;
use crate::world::draft::{request_id, Draft, Signer};
use crate::world::{straks, STRAKS};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = digest_and_date();
    cases.extend(signature_form().into_iter().map(|case| case.at("Signature")));
    cases.extend(signature_meaning().into_iter().map(|case| case.at("Signature")));
    cases.extend(authority());
    cases.push(explained());
    cases
}

/// The mistake beside the refusal, of a sandbox whose policy shows it.
fn explained() -> Case {
    let rows = xs2a::mistakes().iter().flat_map(|group| group.rows);
    let row = rows.into_iter().find(|row| row.id == "trailing-newline").expect("a row of the table");
    let text = format!("{} {}", row.sentence, row.advice);
    refused_and_warned("WRN-05", |ask| {
        let ask = ask.under(r#"{"explain_to_tpp":true}"#);
        let draft = ask.tongued(Draft::get("/v1/accounts"));
        let end = |text: Vec<u8>| [&text[..], b"\n"].concat();
        ask.refused_as_is(&ask.signer.sign_changed(draft, ask.sandbox.now(), end))
    })
    .at("Signature")
    .saying(&[row.id, &text])
}

fn digest_and_date() -> Vec<Case> {
    vec![
        refused("DIG-01", |ask| ask.refused(creation().with("Digest", "SHA-256"))).at("Digest"),
        refused("DIG-01", |ask| ask.refused(creation().with("Digest", "sha-256=:AAAA:")))
            .in_case(DigestNotBase64)
            .at("Digest"),
        refused("DIG-02", |ask| ask.refused(creation().with("Digest", "MD5=AAAA"))).at("Digest"),
        refused("DIG-03", |ask| {
            let mut draft = ask.sign(creation());
            draft.body.push(b' ');
            ask.refused_as_is(&draft)
        })
        .at("Digest")
        .saying(&["SHA-256"]),
        refused("DAT-01", |ask| ask.refused(creation().with("Date", "2026-09-01T10:00:00Z"))).at("Date"),
        refused("DAT-01", |ask| {
            let date = format_http_date(ask.sandbox.now());
            ask.refused(creation().with("Date", &date).plus("date", &date))
        })
        .at("Date")
        .of_two_fields(),
        refused("DAT-02", |ask| {
            let late = format_http_date(ask.sandbox.now() - TimeDelta::seconds(61));
            ask.refused(creation().with("Date", late))
        })
        .at("Date")
        .saying(&["61", "60"]),
        // In seconds as many digits as an identity number has.
        refused("DAT-02", |ask| ask.refused(creation().with("Date", "Fri, 31 Dec 9999 23:59:59 GMT")))
            .at("Date")
            .in_case(DateFarOff)
            .saying(&["", "60"]),
    ]
}

fn signature_form() -> Vec<Case> {
    vec![
        refused("SIG-01", |ask| spoilt(ask, |_| "=?utf-8?B?a!?=".to_owned())),
        refused("SIG-02", |ask| spoilt(ask, |signature| signature.replace("keyId=\"", "keyId="))),
        refused("SIG-02", |ask| {
            let draft = ask.sign(creation());
            let latin1 = [draft.header("Signature").unwrap(), b",x=\"\xe5\""].concat();
            ask.refused_as_is(&draft.with("Signature", latin1))
        })
        .in_case(SignatureNotUtf8),
        refused("SIG-03", |ask| spoilt(ask, |signature| signature.replace("algorithm=", "algorithms=")))
            .saying(&["algorithm"]),
        refused("SIG-04", |ask| spoilt(ask, |signature| format!("algorithm=\"rsa-sha256\",{signature}")))
            .saying(&["algorithm"]),
        refused("SIG-04", |ask| {
            let draft = ask.sign(creation());
            let signature = draft.header("Signature").unwrap().to_vec();
            ask.refused_as_is(&draft.plus("Signature", signature))
        })
        .saying(&["keyId"])
        .of_two_fields(),
        refused("SIG-05", |ask| spoilt(ask, |signature| signature.replace("signature=\"", "signature=\"!"))),
        refused("SIG-06", |ask| spoilt(ask, |signature| signature.replace("rsa-sha256", "rsa-sha512"))),
    ]
}

fn signature_meaning() -> Vec<Case> {
    vec![
        refused("SIG-14", |ask| spoilt(ask, |signature| signature.replace("date digest ", "date,digest,")))
            .saying(&["date,digest,x-request-id"]),
        refused("SIG-07", |ask| over(ask, &["date", "digest", "x-request-id"])).saying(&["tpp-redirect-uri"]),
        refused("SIG-08", |ask| {
            spoilt(ask, |signature| signature.replace("headers=\"date", "headers=\"psu-id date"))
        })
        .saying(&["psu-id"]),
        refused("SIG-09", |ask| {
            spoilt(ask, |signature| signature.replace("headers=\"date", "headers=\"date date"))
        })
        .saying(&["date"]),
        refused("SIG-10", |ask| spoilt(ask, |signature| signature.replace("SN=", "NS="))),
        refused("SIG-15", |ask| spoilt(ask, |signature| signature.replace("SN=", "SN=0x"))),
        refused("SIG-16", |ask| spoilt(ask, |signature| signature.replace("O=xs2a", "ORG=xs2a")))
            .saying(&["25"]),
        refused("SIG-11", |ask| spoilt(ask, |signature| signature.replace("SN=", "SN=A"))),
        refused("SIG-12", |ask| spoilt(ask, |signature| signature.replace("O=xs2a", "O=xs2b"))),
        refused("SIG-13", |ask| {
            // Signed as it should be, for another target.
            let names = ["(request-target)", "date", "digest", "x-request-id", "tpp-redirect-uri"];
            let signed = sign_names(ask, &names);
            let elsewhere = Draft { target: format!("{STRAKS}?allowLogicalDuplicate=true"), ..signed };
            ask.refused_as_is(&elsewhere)
        }),
    ]
}

/// A register that has the same of every TPP.
struct Everyone(Registration);

impl TppRegistry for Everyone {
    fn is_registered(&self, _applicant: &Applicant<'_>) -> xs2a::Result<bool> {
        Ok(true)
    }

    fn registration(&self, _applicant: &Applicant<'_>) -> xs2a::Result<Option<Registration>> {
        Ok(Some(self.0.clone()))
    }
}

fn authority() -> Vec<Case> {
    vec![
        refused("RPL-01", |ask| {
            let id = request_id();
            let first = ask.asked(Draft::get("/v1/payments/x/y").with("X-Request-ID", &id));
            assert_eq!(first.status(), 404, "a path without a product does not reach the window");
            let first = ask.asked(Draft::get(&format!("{STRAKS}/unknown")).with("X-Request-ID", &id));
            assert_eq!(first.reason(), Some("PAY-01"));
            ask.refused(creation().with("X-Request-ID", &id))
        })
        .at("X-Request-ID")
        .saying(&["120"]),
        refused("TPP-01", |ask| {
            let stranger = TestPki::new()
                .unwrap()
                .issue("Fremmed AS", Roles::from_iter(Role::ALL), "PSDNO-FSA-999999", [7; 16], 1)
                .unwrap();
            by(ask, &Signer::new(stranger.certificate().clone(), stranger.private_key_pem()))
        }),
        refused("TPP-03", |ask| {
            let tpp = ask.sandbox.register_tpp("Sperret AS", &["AISP", "PISP"]).unwrap();
            let subject = BlockedSubject::Tpp(tpp.organisation_id().to_owned());
            ask.sandbox.engine().block(subject, None, "").unwrap();
            by(ask, &Signer::of(&tpp))
        }),
        refused("TPP-04", |ask| {
            let tpp = ask.sandbox.register_tpp("Sperret sertifikat AS", &["AISP", "PISP"]).unwrap();
            let signer = Signer::of(&tpp);
            let hash = CertificateHash::new(*signer.certificate().fingerprint());
            ask.sandbox.engine().block(BlockedSubject::Certificate(hash), None, "").unwrap();
            by(ask, &signer)
        }),
        refused("TPP-05", |ask| {
            let seams = Seams::new(ask);
            let registered = Registration { payment_initiation: false, ..Registration::UNRESTRICTED };
            let engine = seams.engine(|builder| builder.registry(Arc::new(Everyone(registered))));
            ask.refused_by(&engine, &seams.database, creation())
        })
        .saying(&["PSP_PI"]),
        refused("TPP-02", |ask| {
            by(ask, &Signer::of(&ask.sandbox.register_tpp("Bare innsyn AS", &["AISP"]).unwrap()))
        })
        .saying(&["PSP_PI"]),
    ]
}

fn creation() -> Draft {
    Draft::creation(STRAKS, &straks())
}

fn spoilt(ask: &Asker, change: fn(&str) -> String) -> Earned {
    let draft = ask.sign(creation());
    let signature = String::from_utf8(draft.header("Signature").unwrap().to_vec()).unwrap();
    let changed = change(&signature);
    assert_ne!(changed, signature);
    ask.refused_as_is(&draft.with("Signature", changed))
}

fn over(ask: &Asker, names: &[&str]) -> Earned {
    ask.refused_as_is(&sign_names(ask, names))
}

fn sign_names(ask: &Asker, names: &[&str]) -> Draft {
    ask.signer.sign_names(ask.tongued(creation()), ask.sandbox.now(), names)
}

fn by(ask: &Asker, signer: &Signer) -> Earned {
    ask.refused_as_is(&signer.sign(ask.tongued(creation()), ask.sandbox.now()))
}
