//! The chapters of the corpus: each has a sandbox of its own with a seed and a policy of its own.

use xs2a::SandboxOptions;

use crate::recorder::Recorder;
use crate::walk::walked;
use crate::world::at;
use crate::{bodies, codes, management, reading, requests, site};

/// What a production bank sets: every check, the audit, signed answers.
const PRODUCTION: &str = r#"{"account_check_digit":"refuse","key_id_issuer":"exact","audit":true,
"sign_responses":true,"repertoire":"swift-x","structured_addresses_from":"2026-11-15"}"#;
/// The known issues of the contract, the other way round.
const QUIRKS: &str = r#"{"pending_unfiltered":false,"domestic_unreadable_before_approval":true}"#;
/// What eases a test.
const LENIENT: &str = r#"{"replay_protection":false,"require_session_headers":false,"repertoire":"bmp",
"calls_without_psu_per_day":6,"accept_foreign_debtor":true,"rates":{"EUR":"11.0"}}"#;

/// Name, and how it is recorded.
pub(crate) type Chapter = (&'static str, fn() -> Vec<String>);

pub(crate) const CHAPTERS: [Chapter; 25] = [
    ("walk-default", || walked(Recorder::new(101, "{}"), 560)),
    ("walk-default-2", || walked(Recorder::new(102, "{}"), 560)),
    ("walk-default-3", || walked(Recorder::new(103, "{}"), 560)),
    ("walk-production", || walked(Recorder::new(104, PRODUCTION), 500)),
    ("walk-production-2", || walked(Recorder::new(105, PRODUCTION), 500)),
    ("walk-quirks", || walked(Recorder::new(106, QUIRKS), 500)),
    ("walk-quirks-2", || walked(Recorder::new(107, QUIRKS), 500)),
    ("walk-lenient", || walked(Recorder::new(108, LENIENT), 500)),
    ("walk-lenient-2", || walked(Recorder::new(109, LENIENT), 500)),
    ("walk-audit", || walked(Recorder::new(110, r#"{"audit":true}"#), 400)),
    ("walk-below-a-path", || walked(below_a_path(), 330)),
    ("walk-summer-time-ends", || walked(starting("2026-10-24T21:30:00Z"), 400)),
    ("walk-leap-day", || walked(starting("2028-02-28T22:59:00Z"), 400)),
    ("bodies-one-member", || bodies::one_member_each(Recorder::new(201, "{}"))),
    ("bodies-several-members", || bodies::several_members(Recorder::new(202, "{}"), 250)),
    ("bodies-production", || bodies::several_members(Recorder::new(203, PRODUCTION), 250)),
    ("bodies-no-json", || bodies::no_json(Recorder::new(204, "{}"))),
    ("requests-operations", || requests::every_operation(Recorder::new(301, "{}"))),
    ("requests-headers", || requests::every_header(Recorder::new(302, "{}"))),
    ("requests-signatures", || requests::spoilt_signatures(Recorder::new(303, "{}"))),
    ("management-bodies", || management::every_body(Recorder::new(401, "{}"))),
    ("management-lists", || management::lists_and_deletions(Recorder::new(402, "{}"))),
    ("accounts", || reading::recorded(Recorder::new(501, "{}"))),
    ("sca-site", || {
        let mut blocks = site::every_link(Recorder::new(601, "{}"));
        blocks.extend(site::odd_requests(Recorder::new(602, "{}")));
        blocks
    }),
    ("codes", || {
        let mut blocks = codes::provoked(Recorder::new(701, "{}"));
        blocks.extend(codes::reasons(Recorder::new(702, "{}")));
        blocks.extend(codes::faults(Recorder::new(703, "{}")));
        blocks
    }),
];

fn below_a_path() -> Recorder {
    Recorder::with(111, SandboxOptions { base_path: "/api-sandbox".to_owned(), ..SandboxOptions::default() })
}

fn starting(now: &str) -> Recorder {
    Recorder::with(112, SandboxOptions { now: Some(at(now)), ..SandboxOptions::default() })
}
