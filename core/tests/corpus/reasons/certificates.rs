//! The family CRT: every certificate but the first three is signed with correctly.

use std::sync::Arc;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use rcgen::{
    date_time_ymd, BasicConstraints, CertificateParams, CustomExtension, DnType, IsCa, KeyUsagePurpose,
};
use xs2a::env::revocation::{IssuedCertificate, Revocation, RevocationStatus};
use xs2a::policy::{CertificateType, Environment, OnUnknownRevocation, Policy};
use xs2a::wire::der;

use crate::reasons::authority::{
    authority, named, root, tpp, unknown_extension, Issued, Key, UNKNOWN_EXTENSION,
};
use crate::reasons::case::{refused, Asker, Case, Earned};
use crate::reasons::seams::Seams;
use crate::world::draft::{Draft, Signer};
use crate::world::{straks, STRAKS};

const HEADER: &str = "TPP-Signature-Certificate";

pub(crate) fn cases() -> Vec<Case> {
    let cases = [
        refused("CRT-01", |ask| presenting(ask, "%%%")),
        refused("CRT-01", |ask| {
            let draft = ask.sign(Draft::creation(STRAKS, &straks()));
            let certificate = draft.header(HEADER).unwrap().to_vec();
            ask.refused_as_is(&draft.plus(HEADER, certificate))
        })
        .of_two_fields(),
        refused("CRT-02", |ask| {
            let leaf = root(|_| ()).issue(tpp(|_| ()), Key::numbered(0));
            presenting(ask, &leaf.pem().replace('\n', " ").repeat(9))
        })
        .saying(&["8"]),
        refused("CRT-03", |ask| presenting(ask, "bm8gY2VydGlmaWNhdGU=")),
        refused("CRT-04", |ask| {
            let root = trusted_root(ask);
            signed(ask, &root.issue(tpp(|_| ()), Key::numbered(0).said_to_be_short()).signer())
        })
        .saying(&["2048", "8192"]),
        refused("CRT-05", |ask| {
            let root = trusted_root(ask);
            let params = tpp(|params| params.custom_extensions.push(unknown_extension()));
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        })
        .saying(&[UNKNOWN_EXTENSION]),
        refused("CRT-06", |ask| {
            let root = trusted_root(ask);
            let params = tpp(|params| params.key_usages = vec![KeyUsagePurpose::KeyEncipherment]);
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        }),
        refused("CRT-07", |ask| {
            let root = trusted_root(ask);
            let anonymous = [(DnType::CountryName, "NO"), (DnType::CommonName, "Betaling AS")];
            let params = tpp(|params| params.distinguished_name = named(&anonymous));
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        }),
        refused("CRT-20", |ask| presenting(ask, &of_two_organisations(&trusted_root(ask)))),
        refused("CRT-21", |ask| {
            let root = trusted_root(ask);
            let unseen = [(DnType::CountryName, "NO"), (attribute(97), "PSDNO\nFSA")];
            let params = tpp(|params| params.distinguished_name = named(&unseen));
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        })
        .saying(&["128"]),
        refused("CRT-22", |ask| {
            let root = trusted_root(ask);
            let params = tpp(|params| change_statements(params, |statements| [statements, &[0]].concat()));
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        }),
        refused("CRT-23", |ask| {
            let root = trusted_root(ask);
            let twice = |statements: &[u8]| {
                let one = &der::read_all(statements).unwrap().content;
                der::encode(der::SEQUENCE, &[one, one])
            };
            let params = tpp(|params| change_statements(params, twice));
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        }),
        refused("CRT-08", |ask| signed(ask, &root(|_| ()).issue(tpp(|_| ()), Key::numbered(0)).signer())),
        refused("CRT-09", |ask| {
            let forged = trusted_root(ask).issue_with(tpp(|_| ()), Key::numbered(0), &Key::numbered(1));
            signed(ask, &forged.signer())
        }),
        refused("CRT-19", |ask| {
            let leaf = trusted_root(ask).issue(tpp(|_| ()), Key::numbered(0));
            presenting(ask, &by_sha1(&leaf.signer()))
        })
        .saying(&["SHA-1"]),
        refused("CRT-10", |ask| {
            let mut no_authority = authority("Mellommann");
            no_authority.is_ca = IsCa::ExplicitNoCa;
            by_way_of(ask, trusted_root(ask).issue(no_authority, Key::numbered(1)))
        }),
        refused("CRT-11", |ask| {
            let mut strange = authority("Mellommann");
            strange.custom_extensions.push(unknown_extension());
            by_way_of(ask, trusted_root(ask).issue(strange, Key::numbered(1)))
        })
        .saying(&[UNKNOWN_EXTENSION]),
        refused("CRT-12", |ask| {
            let root = root(|params| params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0)));
            ask.sandbox.trust(&root.pem()).unwrap();
            by_way_of(ask, root.issue(authority("Mellommann"), Key::numbered(1)))
        }),
        refused("CRT-13", |ask| {
            let root = trusted_root(ask);
            let params = tpp(|params| params.not_before = date_time_ymd(2026, 12, 24));
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        })
        .saying(&["2026-12-24T00:00:00Z"]),
        refused("CRT-14", |ask| {
            let root = trusted_root(ask);
            let params = tpp(|params| params.not_after = date_time_ymd(2026, 8, 31));
            signed(ask, &root.issue(params, Key::numbered(0)).signer())
        })
        .saying(&["2026-08-31T00:00:00Z"]),
        refused("CRT-15", |ask| where_all_is(ask, RevocationStatus::Revoked, |_| ())),
        refused("CRT-16", |ask| where_all_is(ask, RevocationStatus::Stale, |_| ())),
        refused("CRT-17", |ask| {
            where_all_is(ask, RevocationStatus::Unlisted, |policy| {
                policy.missing_crl = OnUnknownRevocation::Refuse
            })
        }),
        refused("CRT-18", |ask| {
            where_all_is(ask, RevocationStatus::Good, |policy| {
                policy.certificate_type = CertificateType::Qseal
            })
        })
        .saying(&["QSealC"]),
    ];
    cases.into_iter().map(|case| case.at(HEADER)).collect()
}

/// An attribute of names: of 2.5.4.97 it is organizationIdentifier.
fn attribute(number: u64) -> DnType {
    DnType::CustomDnType(vec![2, 5, 4, number])
}

/// A certificate with a second organizationIdentifier, written over another attribute: rcgen writes none twice.
fn of_two_organisations(root: &Issued) -> String {
    let names = [(attribute(97), "PSDNO-FSA-1"), (attribute(98), "PSDNO-FSA-2")];
    let leaf = root.issue(tpp(|params| params.distinguished_name = named(&names)), Key::numbered(0));
    let mut der = leaf.signer().certificate().der().to_vec();
    let place = der.windows(3).position(|oid| oid == [0x55, 4, 98]).unwrap();
    der[place + 2] = 97;
    STANDARD.encode(der)
}

/// Changes the one extension of [`tpp`].
fn change_statements(params: &mut CertificateParams, change: impl Fn(&[u8]) -> Vec<u8>) {
    let extension = &mut params.custom_extensions[0];
    *extension = CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 3], change(extension.content()));
}

/// The certificate, said to be signed over SHA-1: sha1WithRSAEncryption differs in its last byte.
fn by_sha1(signer: &Signer) -> String {
    const SHA256_WITH_RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11];
    let mut der = signer.certificate().der().to_vec();
    let places: Vec<usize> =
        (SHA256_WITH_RSA.len()..=der.len()).filter(|end| der[..*end].ends_with(SHA256_WITH_RSA)).collect();
    assert_eq!(places.len(), 2, "within what is signed, and beside it");
    places.into_iter().for_each(|end| der[end - 1] = 5);
    STANDARD.encode(der)
}

/// A payment at an engine that knows the same of every certificate.
fn where_all_is(ask: &Asker, status: RevocationStatus, change: fn(&mut Policy)) -> Earned {
    let seams = Seams::new(ask);
    let mut policy = Policy::new(Environment::Sandbox);
    change(&mut policy);
    let engine = seams.engine(|builder| builder.revocation(Arc::new(Everything(status))).policy(policy));
    ask.refused_by(&engine, &seams.database, Draft::creation(STRAKS, &straks()))
}

struct Everything(RevocationStatus);

impl Revocation for Everything {
    fn status(&self, _certificate: &IssuedCertificate<'_>) -> xs2a::Result<RevocationStatus> {
        Ok(self.0)
    }
}

/// A root that the sandbox trusts, and whose certificates it takes.
fn trusted_root(ask: &Asker) -> Issued {
    let root = root(|_| ());
    ask.sandbox.trust(&root.pem()).unwrap();
    let sound = root.issue(tpp(|_| ()), Key::numbered(0)).signer();
    let copy = ask.sandbox.fork().unwrap();
    let draft = sound.sign(Draft::creation(STRAKS, &straks()), copy.now());
    assert_eq!(draft.send(&copy).status(), 201, "an unspoilt certificate is taken");
    root
}

fn signed(ask: &Asker, signer: &Signer) -> Earned {
    let draft = ask.tongued(Draft::creation(STRAKS, &straks()));
    ask.refused_as_is(&signer.sign(draft, ask.sandbox.now()))
}

/// A leaf that an intermediate issued; both are sent.
fn by_way_of(ask: &Asker, intermediate: Issued) -> Earned {
    let leaf = intermediate.issue(tpp(|_| ()), Key::numbered(0));
    let both = (leaf.pem() + &intermediate.pem()).replace('\n', " ");
    signed(ask, &leaf.signer().presenting(both))
}

/// Sends another value of the header than what was signed with.
fn presenting(ask: &Asker, value: &str) -> Earned {
    let draft = ask.sign(Draft::creation(STRAKS, &straks()));
    ask.refused_as_is(&draft.with(HEADER, value))
}
