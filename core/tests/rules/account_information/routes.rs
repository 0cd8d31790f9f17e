//! Paths, methods, roles and headers of account information.

use xs2a::ScaAnswer;

use crate::aisp::{answered, assert_refused, Aisp, SESSION};
use crate::world::draft::{Draft, Signer};
use crate::world::{body, link, parameter, send, World, PAYER, REDIRECT_URI};

const STARTS: [(&str, &str, u16); 4] = [
    ("POST", "/v1/bank-offered-consents", 201),
    ("POST", "/v1/consents", 201),
    ("GET", "/v1/user", 200),
    ("GET", "/v1/users", 200),
];

fn plain(path: &str) -> String {
    path.split('?').next().unwrap().to_owned()
}

#[test]
fn another_method_is_405_and_a_trailing_slash_another_path() {
    let aisp = Aisp::with_history();
    let reads = aisp.paths().into_iter().map(|path| ("GET", plain(&path)));
    let starts = STARTS.iter().map(|(method, path, _)| (*method, (*path).to_owned()));
    for (taken, path) in reads.chain(starts).chain([("GET", "/v1/agreements".to_owned())]) {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] {
            if method == taken {
                continue;
            }
            let response = aisp.world.call(method, &path, &aisp.headers(), b"");
            assert_eq!((response.status(), response.header("Allow")), (405, Some(taken)), "{method} {path}");
        }
        let slashed = aisp.world.call(taken, &format!("{path}/"), &aisp.headers(), b"");
        assert_refused(&slashed, 404, "NOT_FOUND");
    }
}

#[test]
fn an_id_is_the_same_in_every_spelling() {
    let aisp = Aisp::with_history();
    for path in aisp.paths() {
        let escaped =
            plain(&path).replace('!', "%21").replace('=', "%3D").replace('-', "%2D").replace('_', "%5F");
        let query = path.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        let escaped = escaped.replace("/v1/card%2Daccounts", "/v1/card-accounts");
        let spelt = answered(&aisp.get(&format!("{escaped}{query}")));
        assert_eq!(spelt, answered(&aisp.get(&path)), "{escaped}");
    }
}

#[test]
fn accounts_need_the_aisp_role_and_the_user_route_the_pisp_role() {
    let world = World::new();
    let aisp = world.sandbox.register_tpp("Aisp", &["AISP"]).unwrap();
    let pisp = world.sandbox.register_tpp("Pisp", &["PISP"]).unwrap();
    let none = world.sandbox.register_tpp("None", &["PSP_IC"]).unwrap();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("x-accept-fix", ""), ("TPP-Session-ID", SESSION)];
    let id = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
    let mut information = vec![
        ("POST", "/v1/bank-offered-consents".to_owned()),
        ("POST", "/v1/consents".to_owned()),
        ("GET", format!("/v1/accounts/{id}/transactions/{id}")),
    ];
    for root in ["accounts", "card-accounts"] {
        for rest in [String::new(), format!("/{id}"), format!("/{id}/balances")] {
            information.push(("GET", format!("/v1/{root}{rest}")));
        }
        information.push(("GET", format!("/v1/{root}/{id}/transactions?bookingStatus=both")));
    }
    let users = ["/v1/user", "/v1/users"].map(|path| ("GET", path.to_owned()));
    let agreements = [("GET", "/v1/agreements".to_owned())];
    for (tpp, information_passes, user_passes, agreements_pass) in
        [(&aisp, true, false, true), (&pisp, false, true, true), (&none, false, false, false)]
    {
        for (calls, passes) in [
            (&information[..], information_passes),
            (&users[..], user_passes),
            (&agreements[..], agreements_pass),
        ] {
            for (method, path) in calls {
                let response = world.call_by(tpp, method, path, &headers, b"");
                let is_forbidden = response.status() == 403 && response.reason() == Some("TPP-02");
                assert_eq!(is_forbidden, !passes, "{method} {path}: {}", body(&response));
            }
        }
    }
}

#[test]
fn an_sca_is_started_without_body_digest_psu_and_session() {
    let world = World::new();
    let signer = Signer::of(&world.tpp);
    for (method, path, status) in STARTS {
        // Signed as a GET is: without a Digest.
        let signed = signer.sign(Draft::get(path), world.sandbox.now());
        let draft = Draft { method: method.to_owned(), ..signed };
        assert_eq!(draft.header("Digest"), None);
        let response = draft.send(&world.sandbox);
        let started = body(&response);
        assert_eq!(response.status(), status, "{started}");
        assert_eq!(started.as_object().unwrap().len(), 1, "{started}");
        assert_eq!(started["_links"].as_object().unwrap().len(), 1, "{started}");
        assert!(link(&started).starts_with("https://sca.bank.example/sca/enc!!"), "{started}");
        let callback = world.answer(&started, &ScaAnswer::approve(PAYER));
        assert!(parameter(&callback, "psu-id").is_some());
    }
}

#[test]
fn the_body_of_a_consent_is_ignored() {
    let world = World::new();
    for (method, path, status) in STARTS.into_iter().filter(|(method, ..)| *method == "POST") {
        for (sent, content_type) in [
            (&b"{\"access\":{}}"[..], "application/json"),
            (b"<x/>", "application/xml"),
            (b"\xFF{", "text/plain"),
        ] {
            let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("Content-Type", content_type)];
            let response = world.call(method, path, &headers, sent);
            assert_eq!(response.status(), status, "{}", body(&response));
        }
    }
}

#[test]
fn the_old_path_of_a_consent_says_that_it_is_deprecated() {
    for (base, successor) in [
        ("", "</v1/bank-offered-consents>; rel=\"successor-version\""),
        ("/api", "</api/v1/bank-offered-consents>; rel=\"successor-version\""),
    ] {
        let options = xs2a::SandboxOptions { base_path: base.to_owned(), ..Default::default() };
        let world = World::with(options);
        let start = |path: &str| {
            world.call("POST", &format!("{base}{path}"), &[("TPP-Redirect-URI", REDIRECT_URI)], b"")
        };
        let notices = |response: &xs2a::Response| {
            [response.header("Deprecation"), response.header("Link")].map(|value| value.map(str::to_owned))
        };
        let deprecated = [Some("@1767225600".to_owned()), Some(successor.to_owned())];
        assert_eq!(notices(&start("/v1/consents")), deprecated);
        assert_eq!(notices(&start("/v1/bank-offered-consents")), [None, None]);
        // Refusals of every stage say it too.
        let path = format!("{base}/v1/consents");
        let unsigned =
            xs2a::Request { method: "POST", target: &path, headers: &[], body: b"", correlation_id: None };
        let refused = [
            (400, world.sandbox.handle(&unsigned)),
            (400, world.call("POST", &path, &[], b"")),
            (405, world.call("GET", &path, &[], b"")),
            (406, world.call("POST", &path, &[("Accept", "text/html")], b"")),
            (413, world.call("POST", &path, &[], &vec![b' '; 1 << 21])),
        ];
        for (status, response) in refused {
            assert_eq!((response.status(), notices(&response)), (status, deprecated.clone()));
        }
        assert_eq!(notices(&world.call("GET", &format!("{path}/x"), &[], b"")), [None, None]);
    }
}

#[test]
fn details_take_the_headers_of_their_own_set() {
    let aisp = Aisp::with_history();
    let detail = aisp.transaction_path();
    for name in ["x-accept-fix", "TPP-Session-ID", "TPP-Redirect-URI", "X-Request-ID"] {
        let signed = aisp.world.signed("GET", &detail, &aisp.headers(), b"");
        let left: Vec<_> =
            signed.into_iter().filter(|(found, _)| !found.eq_ignore_ascii_case(name)).collect();
        let response = send(&aisp.world.sandbox, "GET", &detail, &left, b"");
        assert_refused(&response, 400, "HTTP_HEADER_REQUIRED");
        assert_eq!(body(&response)["tppMessages"][0]["path"], name);
    }
    for name in ["PSU-IP-Address", "PSU-Context"] {
        answered(&aisp.get_with(&detail, &[(name, "")]));
    }
    let balances = format!("{}/balances", aisp.account_path());
    answered(&aisp.get_with(&balances, &[("x-accept-fix", ""), ("TPP-Session-ID", "")]));
}

/// Every production call says who asks, signs it, and where its PSU is to come back to.
#[test]
fn every_call_needs_the_signature_headers_and_a_redirect_uri() {
    let aisp = Aisp::with_history();
    let reads = aisp.paths().into_iter().map(|path| ("GET", path));
    let starts = STARTS.iter().map(|(method, path, _)| (*method, (*path).to_owned()));
    for (method, path) in reads.chain(starts).chain([("GET", "/v1/agreements".to_owned())]) {
        for name in ["X-Request-ID", "Date", "TPP-Signature-Certificate", "Signature", "TPP-Redirect-URI"] {
            let mut signed = aisp.world.signed(method, &path, &aisp.headers(), b"");
            signed.retain(|(found, _)| !found.eq_ignore_ascii_case(name));
            let response = send(&aisp.world.sandbox, method, &path, &signed, b"");
            assert_refused(&response, 400, "HTTP_HEADER_REQUIRED");
            assert_eq!(body(&response)["tppMessages"][0]["path"], name, "{method} {path}");
        }
    }
}

#[test]
fn unknown_names_in_a_query_are_ignored() {
    let aisp = Aisp::with_history();
    for path in aisp.paths() {
        let mark = if path.contains('?') { '&' } else { '?' };
        let spelt = answered(&aisp.get(&format!("{path}{mark}deltaList=x&deltaList=y&%20=&=")));
        assert_eq!(spelt, answered(&aisp.get(&path)), "{path}");
    }
}

#[test]
fn session_headers_may_be_missing_on_details_where_the_policy_says_so() {
    let lenient = World::with_policy(r#"{"require_session_headers": false}"#);
    lenient.pay(crate::world::STRAKS, &crate::world::straks(), PAYER);
    let aisp = Aisp::of(lenient, &ScaAnswer::approve(PAYER));
    let detail = aisp.transaction_path();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("PSU-ID", aisp.psu_id.as_str())];
    answered(&aisp.world.call("GET", &detail, &headers, b""));
}
