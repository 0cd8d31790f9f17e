//! Routing, negotiation, header fields and the query.

use xs2a::reason::Case::{
    PsuNotNamed, RedirectUriNotAscii, RedirectUriParameter, RedirectUriScheme, RequestIdMalformed,
};

use crate::reasons::case::{refused, Asker, Case, Earned};
use crate::world::draft::Draft;
use crate::world::{straks, STRAKS};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = routing();
    cases.extend(negotiation());
    cases.extend(header_fields());
    cases.extend(header_forms());
    cases.extend(query());
    cases
}

fn routing() -> Vec<Case> {
    vec![
        refused("RTE-01", |ask| ask.refused(Draft::creation("v1/payments/x", &straks()))),
        refused("RTE-06", |ask| ask.refused(Draft::creation(&format!("/{}", "v".repeat(8192)), &straks())))
            .saying(&["8192"]),
        refused("RTE-02", |ask| ask.refused(Draft::creation("/v1/payment", &straks()))),
        refused("RTE-03", |ask| {
            let earned = ask.refused(Draft { method: "PUT".to_owned(), ..creation() });
            let Earned::Answered(response) = &earned else { panic!("an answer") };
            assert_eq!(response.header("Allow"), Some("POST"));
            earned
        }),
        refused("RTE-05", |ask| {
            ask.refused(Draft::creation("/v1/periodic-payments/sepa-credit-transfers", &straks()))
        }),
        refused("RTE-05", |ask| {
            let path = "/v1/bulk-payments/instant-norwegian-domestic-credit-transfers-straks";
            ask.refused(Draft::creation(path, &straks()))
        }),
        refused("RTE-04", |ask| ask.refused(Draft::creation("/v1/payments/no-such-product", &straks()))),
    ]
}

fn negotiation() -> Vec<Case> {
    vec![
        refused("NEG-01", |ask| {
            let mut draft = creation();
            draft.body.resize((1 << 20) + 1, b' ');
            ask.refused(draft)
        })
        .saying(&["1048576"]),
        refused("NEG-02", |ask| with(ask, "Accept", "text/html")).at("Accept"),
        refused("NEG-03", |ask| with(ask, "Content-Type", "text/plain")).at("Content-Type"),
        refused("NEG-04", |ask| {
            let earned = with(ask, "Content-Encoding", "gzip");
            let Earned::Answered(response) = &earned else { panic!("an answer") };
            assert_eq!(response.header("Accept-Encoding"), Some("identity"));
            earned
        })
        .at("Content-Encoding"),
    ]
}

fn header_fields() -> Vec<Case> {
    vec![
        refused("HDR-01", |ask| {
            let draft = (0..200).fold(creation(), |draft, _| draft.plus("X-Filler", "x"));
            ask.refused(draft)
        })
        .saying(&["200"]),
        refused("HDR-02", |ask| with(ask, "PSU-User-Agent", &"a".repeat((32 << 10) + 1)))
            .at("PSU-User-Agent")
            .saying(&["32768"]),
        // Repeated fields are one list, and the limit is the list's.
        refused("HDR-02", |ask| {
            let half = "a".repeat(16 << 10);
            ask.refused(creation().plus("PSU-User-Agent", &half).plus("psu-user-agent", &half))
        })
        .at("PSU-User-Agent")
        .saying(&["32768"])
        .of_two_fields(),
        refused("HDR-02", |ask| with(ask, "TPP-Session-ID", &"s".repeat(257)))
            .at("TPP-Session-ID")
            .saying(&["256"]),
        refused("HDR-03", |ask| with(ask, "PSU-User-Agent", "a\r\nX-Injected: b"))
            .at("PSU-User-Agent")
            .saying(&["2"]),
        refused("HDR-04", |ask| ask.refused(creation().without("TPP-Redirect-URI"))).at("TPP-Redirect-URI"),
        // No PSU is named, and no context in which one could be.
        refused("HDR-04", |ask| ask.refused(creation().without("PSU-Context")))
            .in_case(PsuNotNamed)
            .at("PSU-ID"),
    ]
}

fn header_forms() -> Vec<Case> {
    vec![
        refused("HDR-05", |ask| with(ask, "PSU-ID", "{67e55044-10b1-426f-9247-bb680e5fe0c8}")).at("PSU-ID"),
        refused("HDR-05", |ask| {
            let id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
            ask.refused(creation().with("X-Request-ID", id).plus("x-request-id", id))
        })
        .at("X-Request-ID")
        .of_two_fields(),
        refused("HDR-05", |ask| with(ask, "X-Request-ID", "a b"))
            .in_case(RequestIdMalformed)
            .at("X-Request-ID"),
        refused("HDR-07", |ask| with(ask, "TPP-Redirect-URI", "myapp://back"))
            .in_case(RedirectUriScheme)
            .at("TPP-Redirect-URI")
            .saying(&["2048"]),
        refused("HDR-07", |ask| with(ask, "TPP-Redirect-URI", "https://tpp.example/?psu-id=1"))
            .in_case(RedirectUriParameter)
            .at("TPP-Redirect-URI")
            .saying(&["2048", "psu-id"]),
        refused("HDR-06", |ask| with(ask, "PSU-IP-Address", "192.0.2.256")).at("PSU-IP-Address"),
        refused("HDR-07", |ask| with(ask, "TPP-Redirect-URI", "http://tpp.example/"))
            .at("TPP-Redirect-URI")
            .saying(&["2048"]),
        refused("HDR-07", |ask| {
            let of = |bytes: usize| format!("https://tpp.example/{}", "a".repeat(bytes - 20));
            let again = Draft::creation(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks());
            assert_eq!(ask.asked(again.with("TPP-Redirect-URI", of(2048))).status(), 201);
            with(ask, "TPP-Redirect-URI", &of(2049))
        })
        .at("TPP-Redirect-URI")
        .saying(&["2048"]),
        refused("HDR-07", |ask| with(ask, "TPP-Redirect-URI", "https://tpp.example/å"))
            .in_case(RedirectUriNotAscii)
            .at("TPP-Redirect-URI"),
        refused("HDR-08", |ask| with(ask, "TPP-Redirect-Preferred", "True")).at("TPP-Redirect-Preferred"),
        refused("HDR-09", |ask| with(ask, "PSU-Context", "private")).at("PSU-Context"),
        refused("HDR-10", |ask| with(ask, "PSU-HTTP-Method", "HEAD")).at("PSU-HTTP-Method"),
        refused("HDR-11", |ask| with(ask, "PSU-Geo-Location", "GEO:90.1,10")).at("PSU-Geo-Location"),
        refused("HDR-12", |ask| with(ask, "PSU-IP-Port", "65536")).at("PSU-IP-Port"),
        refused("HDR-13", |ask| with(ask, "X-PSU-IDENTITY", "1303931995")).at("X-PSU-IDENTITY"),
        refused("HDR-14", |ask| with(ask, "TPP-Session-ID", " ")).at("TPP-Session-ID"),
        refused("HDR-15", |ask| {
            let psu_id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
            ask.refused(creation().with("PSU-ID", psu_id).with("PSU-Context", "CORPORATE"))
        })
        .at("PSU-Corporate-ID"),
    ]
}

fn query() -> Vec<Case> {
    const SWITCH: &str = "allowLogicalDuplicate";
    vec![
        refused("QRY-01", |ask| {
            let target = format!("{STRAKS}?{SWITCH}=true&{SWITCH}=true");
            ask.refused(Draft::creation(&target, &straks()))
        })
        .at(SWITCH),
        refused("QRY-02", |ask| ask.refused(Draft::creation(&format!("{STRAKS}?{SWITCH}=yes"), &straks())))
            .at(SWITCH),
    ]
}

fn creation() -> Draft {
    Draft::creation(STRAKS, &straks())
}

fn with(ask: &Asker, name: &str, value: &str) -> Earned {
    ask.refused(creation().with(name, value))
}
