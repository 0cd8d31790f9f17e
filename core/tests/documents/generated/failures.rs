//! The failures on the bank's side, with their causes and what an operator does.

use xs2a::reason::Reason;

/// A failure, what causes it, and what to do.
const FAILURES: [(Reason, &str, &str); 4] = [
    (
        Reason::StoreFailed,
        "the database cannot be reached, is locked, full or read-only, lost a file, has a newer schema, or holds a \
         record that cannot be read; nothing was changed",
        "read the engine's log line with the same `request_id`: it names the file, the host or the table, and the \
         cause; the TPP may send the call again when the cause is gone",
    ),
    (
        Reason::BankFailed,
        "the core, or the register of TPPs, failed, answered later than `bank_seconds_max` or \
         `call_bank_seconds_max`, or gave an answer that cannot be used",
        "read the log line: it names the method and the fault; repair the core or its adapter",
    ),
    (
        Reason::Internal,
        "a callback or the library itself panicked, or broke a rule of its own",
        "report the log line to the maintainers of the part that it names",
    ),
    (
        Reason::OutcomeUnknown,
        "the database was lost during the commit, gave up waiting for its synchronous standby, or lost a file during \
         the commit: the change may be stored or not, and a payment that needs no SCA may be executed",
        "look for the call's `X-Request-ID` in the audit when the database is back, and report the result to the TPP; \
         a payment that is stored is refused as PAY-04 when it is sent again",
    ),
];

/// The section of the page of reasons.
pub(super) fn section() -> String {
    let mut section =
        "\nFailures on the bank's side, for its operators. The TPP gets the text above alone.\n\n".to_owned();
    section.push_str("| id | cause | what to do |\n|---|---|---|\n");
    for (reason, cause, remedy) in FAILURES {
        section.push_str(&super::row(&[reason.id(), cause, remedy]));
    }
    section
}

#[test]
fn every_failure_of_the_table_of_reasons_is_explained() {
    let ids: Vec<_> =
        Reason::ALL.iter().map(|reason| reason.id()).filter(|id| id.starts_with("SYS-")).collect();
    assert_eq!(FAILURES.map(|(reason, ..)| reason.id()).as_slice(), ids);
}
