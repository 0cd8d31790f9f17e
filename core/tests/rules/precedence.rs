//! A request that breaks several rules is answered with the first of their rows in the table.
//!
//! Each fault changes one part of a valid request; every two faults that can be distinguished are put into one request.

use crate::world::answer::assert_well_formed;
use crate::world::draft::{acquaint, database, request_id, Draft, Signer};
use crate::world::{self, straks, text, World, PAYEE_ACCOUNT, PAYER, PAYER_ACCOUNT, STRAKS};
use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::reason::Reason;
use xs2a::sandbox::pki::TestPki;
use xs2a::tpp::role::{Role, Roles};
use xs2a::wire::http_date::format_http_date;
use xs2a::{Sandbox, SandboxOptions, ScaAnswer};

/// The world that the faults need: a known PSU, a payment that was created before, a request id that was
/// used, and TPPs that may not do this.
struct Setting {
    sandbox: Sandbox,
    sound: Signer,
    unregistered: Signer,
    /// Unregistered, and without the role.
    outsider: Signer,
    account_information: Signer,
    /// Of an authority that is not trusted.
    untrusted: Signer,
    psu_id: String,
    used_request_id: String,
}

impl Setting {
    fn new() -> Self {
        Self::under("")
    }

    fn under(base_path: &str) -> Self {
        let World { sandbox, tpp } =
            World::with(SandboxOptions { base_path: base_path.to_owned(), ..SandboxOptions::default() });
        let sound = Signer::of(&tpp);
        let psu_id = match base_path {
            "" => acquaint(&sandbox, &sound, &ScaAnswer::approve(PAYER), PAYER_ACCOUNT).psu_id,
            _ => String::new(),
        };
        let used_request_id = request_id();
        let unregistered = |roles: &[Role], number: &str| {
            let issued = TestPki::new()
                .unwrap()
                .issue("Ukjent AS", roles.iter().copied().collect::<Roles>(), number, [9; 16], 2)
                .unwrap();
            Signer::new(issued.certificate().clone(), issued.private_key_pem())
        };
        let setting = Self {
            unregistered: unregistered(&Role::ALL, "PSDNO-FSA-999998"),
            outsider: unregistered(&[Role::AccountInformation], "PSDNO-FSA-999999"),
            account_information: Signer::of(&sandbox.register_tpp("Innsyn AS", &["AISP"]).unwrap()),
            untrusted: untrusted(&sound),
            sound,
            psu_id,
            used_request_id,
            sandbox,
        };
        setting.use_request_id(base_path);
        if base_path.is_empty() {
            setting.create_payment();
        }
        setting
    }

    fn create_payment(&self) {
        let mut body = payment();
        body["remittanceInformationUnstructured"] = json!(MADE_BEFORE);
        let draft = Draft::creation(STRAKS, &body).with("PSU-ID", &self.psu_id);
        assert_eq!(self.sound.sign(draft, self.sandbox.now()).send(&self.sandbox).status(), 201);
    }

    /// Every TPP that is known uses the id once, on a call that changes nothing.
    fn use_request_id(&self, base_path: &str) {
        for signer in [&self.sound, &self.unregistered, &self.outsider, &self.account_information] {
            let target = format!("{base_path}{STRAKS}/unknown");
            let draft = Draft::get(&target).with("X-Request-ID", &self.used_request_id);
            let refused = signer.sign(draft, self.sandbox.now()).send(&self.sandbox);
            assert!(
                matches!(refused.reason(), Some("PAY-01" | "TPP-01" | "TPP-02")),
                "{:?}",
                refused.reason()
            );
        }
    }

    fn send(&self, faults: &[&Fault]) -> Option<&'static str> {
        let mut request = Request {
            draft: Draft::creation(STRAKS, &payment()).with("PSU-ID", &self.psu_id),
            signer: &self.sound,
        };
        // From the last to the first, so that the part spoilt first is what it should be until then.
        for fault in faults.iter().rev() {
            (fault.before)(&mut request, self);
        }
        let mut signed = request.signer.sign(request.draft, self.sandbox.now());
        for fault in faults.iter().rev() {
            (fault.after)(&mut signed);
        }
        let before = database(&self.sandbox);
        let response = signed.send(&self.sandbox);
        assert_well_formed(&response);
        assert!(database(&self.sandbox) == before, "a refused request changed the database");
        response.reason()
    }
}

/// The sound certificate with a damaged signature of its authority.
fn untrusted(sound: &Signer) -> Signer {
    let mut der = sound.certificate().der().to_vec();
    *der.last_mut().unwrap() ^= 1;
    let header = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, der);
    sound.presenting(header)
}

const MADE_BEFORE: &str = "A payment that was made before";

fn payment() -> Value {
    let mut body = straks();
    body["remittanceInformationUnstructured"] = json!("A payment that was not made before");
    body
}

struct Request<'s> {
    draft: Draft,
    signer: &'s Signer,
}

/// One broken rule. Faults of one part cannot be put into one request.
struct Fault {
    id: &'static str,
    part: &'static str,
    before: for<'s> fn(&mut Request<'s>, &'s Setting),
    after: fn(&mut Draft),
}

impl Fault {
    fn new(id: &'static str, part: &'static str, before: for<'s> fn(&mut Request<'s>, &'s Setting)) -> Self {
        Self { id, part, before, after: |_| () }
    }

    fn spoilt(id: &'static str, part: &'static str, after: fn(&mut Draft)) -> Self {
        Self { id, part, before: |_, _| (), after }
    }
}

fn faults() -> Vec<Fault> {
    let mut faults = faults_of_the_frame();
    faults.extend(faults_of_the_signature());
    faults.extend(faults_of_the_payment());
    faults
}

fn set(request: &mut Request<'_>, name: &str, value: impl AsRef<[u8]>) {
    let draft = std::mem::replace(&mut request.draft, Draft::new("", ""));
    request.draft = draft.with(name, value);
}

fn faults_of_the_frame() -> Vec<Fault> {
    vec![
        Fault::new("RTE-06", "target's length", |request, _| {
            request.draft.target.push_str(&"a".repeat(8192));
        }),
        Fault::new("RTE-01", "target's form", |request, _| {
            request.draft.target.remove(0);
        }),
        Fault::new("RTE-02", "version", |request, _| {
            request.draft.target = request.draft.target.replace("/v1/", "/v9/");
        }),
        Fault::new("RTE-03", "method", |request, _| request.draft.method = "PATCH".to_owned()),
        Fault::new("RTE-04", "product", |request, _| {
            request.draft.target = request.draft.target.replace("instant", "distant");
        }),
        Fault::new("NEG-01", "size", |request, _| request.draft.body.resize((1 << 20) + 1, b' ')),
        Fault::new("NEG-02", "accept", |request, _| set(request, "Accept", "text/html")),
        Fault::new("NEG-03", "content type", |request, _| set(request, "Content-Type", "text/html")),
        Fault::new("NEG-04", "content encoding", |request, _| set(request, "Content-Encoding", "gzip")),
        Fault::spoilt("HDR-01", "number of headers", |draft| {
            draft.headers.extend((0..200).map(|_| ("X-Filler".to_owned(), Vec::new())));
        }),
        Fault::new("HDR-02", "long header", |request, _| {
            set(request, "PSU-Accept", "a".repeat((32 << 10) + 1))
        }),
        // In front of the long one: the order in the request does not matter.
        Fault::spoilt("HDR-03", "control character", |draft| {
            draft.headers.insert(0, ("PSU-User-Agent".to_owned(), b"\0".to_vec()));
        }),
        Fault::new("HDR-04", "session", |request, _| {
            request.draft.headers.retain(|(name, _)| name != "TPP-Session-ID");
        }),
        Fault::new("HDR-06", "address", |request, _| set(request, "PSU-IP-Address", "localhost")),
        Fault::new("QRY-02", "query", |request, _| request.draft.target.push_str("?allowLogicalDuplicate=1")),
    ]
}

fn faults_of_the_signature() -> Vec<Fault> {
    vec![
        Fault::spoilt("CRT-01", "certificate header", |draft| {
            draft.headers.retain(|(name, _)| name != "TPP-Signature-Certificate");
            draft.headers.push(("TPP-Signature-Certificate".to_owned(), b"-".to_vec()));
        }),
        Fault::new("CRT-09", "signer", |request, setting| request.signer = &setting.untrusted),
        Fault::new("DIG-01", "digest", |request, _| set(request, "Digest", "nonsense")),
        Fault::new("DIG-03", "digest", |request, _| {
            set(request, "Digest", "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        }),
        Fault::new("DAT-01", "date", |request, _| set(request, "Date", "yesterday")),
        Fault::new("DAT-02", "date", |request, setting| {
            let early = setting.sandbox.now() + TimeDelta::seconds(61);
            set(request, "Date", format_http_date(early));
        }),
        Fault::spoilt("SIG-02", "signature's form", |draft| {
            change_signature(draft, |text| text.replace('=', ":"))
        }),
        Fault::spoilt("SIG-06", "algorithm", |draft| {
            change_signature(draft, |text| text.replace("rsa-sha256", "hs2019"));
        }),
        Fault::spoilt("SIG-14", "names", |draft| {
            change_signature(draft, |text| text.replace("date digest", "date,digest"));
        }),
        Fault::spoilt("SIG-07", "coverage", |draft| {
            change_signature(draft, |text| text.replace(" x-request-id", ""));
        }),
        Fault::spoilt("SIG-16", "issuer", |draft| {
            change_signature(draft, |text| text.replace("O=xs2a", "/O=xs2a"));
        }),
        Fault::spoilt("SIG-11", "serial number", |draft| {
            change_signature(draft, |text| text.replace("SN=", "SN=1"));
        }),
        Fault::spoilt("SIG-13", "signed bytes", |draft| {
            let moved = draft.headers.iter_mut().find(|(name, _)| name == "TPP-Redirect-URI").unwrap();
            moved.1.push(b'1');
        }),
        Fault::new("RPL-01", "request id", |request, setting| {
            set(request, "X-Request-ID", &setting.used_request_id);
        }),
        Fault::new("TPP-01", "signer", |request, setting| request.signer = &setting.unregistered),
        Fault::new("TPP-01", "signer", |request, setting| request.signer = &setting.outsider),
        Fault::new("TPP-02", "signer", |request, setting| request.signer = &setting.account_information),
    ]
}

fn change_signature(draft: &mut Draft, change: fn(&str) -> String) {
    let (_, value) = draft.headers.iter_mut().find(|(name, _)| name == "Signature").unwrap();
    let text = String::from_utf8(value.clone()).unwrap();
    *value = change(&text).into_bytes();
    assert_ne!(text.as_bytes(), value);
}

fn faults_of_the_payment() -> Vec<Fault> {
    vec![
        Fault::new("PSU-01", "PSU", |request, _| set(request, "PSU-ID", request_id())),
        Fault::new("PSU-02", "PSU", |request, _| {
            set(request, "PSU-Corporate-ID", request_id());
            set(request, "PSU-Context", "CORPORATE");
        }),
        Fault::new("JSN-01", "text", |request, _| request.draft.body.push(0xFF)),
        Fault::new("JSN-02", "text", |request, _| {
            request.draft.body.pop();
        }),
        Fault::new("JSN-04", "members", |request, _| {
            let body = String::from_utf8(request.draft.body.clone()).unwrap();
            request.draft.body =
                body.replacen('{', "{\"purposeCode\":\"CASH\",\"purposeCode\":\"CASH\",", 1).into();
        }),
        // Two faults of one body are answered together, so these two are one part.
        Fault::new("BOD-01", "member", |request, _| change_body(request, |body| body["creditorName"].take())),
        Fault::new("AMT-02", "member", |request, _| {
            change_body(request, |body| {
                std::mem::replace(&mut body["instructedAmount"]["amount"], json!("0.00"))
            });
        }),
        Fault::new("KID-01", "creditor account", |request, _| {
            change_body(request, |body| {
                std::mem::replace(&mut body["creditorAccount"]["bban"], json!("91351631959"))
            });
        }),
        Fault::new("PAY-02", "debtor", |request, _| {
            change_body(request, |body| {
                std::mem::replace(&mut body["debtorAccount"]["bban"], json!(PAYEE_ACCOUNT))
            });
        }),
        Fault::new("PAY-04", "novelty", |request, _| {
            change_body(request, |body| {
                std::mem::replace(&mut body["remittanceInformationUnstructured"], json!(MADE_BEFORE))
            });
        }),
    ]
}

fn change_body(request: &mut Request<'_>, change: fn(&mut Value) -> Value) {
    let mut body: Value = serde_json::from_slice(&request.draft.body).unwrap();
    change(&mut body);
    if body["creditorName"].is_null() {
        body.as_object_mut().unwrap().remove("creditorName");
    }
    request.draft.body = body.to_string().into_bytes();
}

/// The faults are listed in the order of the table, so the first of two decides. Violations of the header
/// set are answered together, and so are those of one body.
#[test]
fn the_list_of_faults_is_in_the_order_of_the_table() {
    let place = |fault: &Fault| Reason::ALL.iter().position(|reason| reason.id() == fault.id).unwrap();
    let faults = faults();
    assert!(faults.windows(2).all(|pair| place(&pair[0]) <= place(&pair[1])));
}

#[test]
fn each_fault_alone_earns_its_row() {
    let setting = Setting::new();
    for fault in faults() {
        assert_eq!(setting.send(&[&fault]), Some(fault.id), "{}", fault.part);
    }
}

#[test]
fn of_any_two_faults_the_first_row_answers() {
    let setting = Setting::new();
    let faults = faults();
    let mut pairs = 0;
    let mut wrong = Vec::new();
    for (index, first) in faults.iter().enumerate() {
        for second in faults.iter().skip(index + 1).filter(|second| second.part != first.part) {
            let earned = setting.send(&[first, second]);
            pairs += 1;
            if earned != Some(first.id) {
                wrong.push(format!("{} + {}: {earned:?}", first.id, second.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(pairs > 600, "{pairs}");
}

#[test]
fn a_request_with_every_fault_sheds_them_in_the_order_of_the_table() {
    let setting = Setting::new();
    let faults = faults();
    for start in 0..faults.len() {
        let mut parts = std::collections::HashSet::new();
        let rest: Vec<&Fault> = faults[start..].iter().filter(|fault| parts.insert(fault.part)).collect();
        assert_eq!(setting.send(&rest), Some(faults[start].id), "from {} on", faults[start].id);
    }
}

#[test]
fn faults_of_the_header_set_and_of_one_body_are_answered_together() {
    let setting = Setting::new();
    let mut payment = payment();
    payment["purposeCode"] = json!("GIFT");
    payment["instructedAmount"]["amount"] = json!("1");
    let draft = Draft::creation(STRAKS, &payment).with("PSU-ID", &setting.psu_id);
    let send = |draft: Draft| {
        let response = setting.sound.sign(draft, setting.sandbox.now()).send(&setting.sandbox);
        let list = world::body(&response)["tppMessages"].as_array().unwrap().clone();
        (response.reason(), list.iter().map(|message| text(message, "/path").to_owned()).collect::<Vec<_>>())
    };
    let (reason, paths) = send(draft.clone());
    assert_eq!(reason, Some("AMT-03"), "in the order of reading");
    assert_eq!(paths, ["/instructedAmount/amount", "/purposeCode"]);
    let (reason, paths) =
        send(draft.with("PSU-IP-Port", "0").without("TPP-Redirect-URI").with("PSU-ID", "1"));
    assert_eq!(reason, Some("HDR-04"));
    assert_eq!(paths, ["TPP-Redirect-URI", "PSU-ID", "PSU-IP-Port"]);
}

#[test]
fn with_a_base_path_a_malformed_target_precedes_an_unknown_one() {
    let setting = Setting::under("/api");
    let earned = |target: &str| {
        let draft = setting.sound.sign(Draft::creation(target, &payment()), setting.sandbox.now());
        draft.send(&setting.sandbox).reason()
    };
    assert_eq!(earned("*"), Some("RTE-01"));
    assert_eq!(earned("api/v1/payments"), Some("RTE-01"));
    assert_eq!(earned("/v1/payments%"), Some("RTE-01"));
    assert_eq!(earned(STRAKS), Some("RTE-02"));
    assert_eq!(earned(&format!("/apix{STRAKS}")), Some("RTE-02"));
    assert_eq!(earned(&format!("/api{STRAKS}")), None);
}
