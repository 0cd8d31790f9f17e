//! The pages that are printed from the tables. A page that differs from its table fails here; `UPDATE=1` writes it
//! again.

mod bank;
mod bank_schema;
mod bodies;
mod configuration;
mod failures;
mod mistakes;
mod openapi;
mod sandbox_bodies;
#[cfg(feature = "arrow")]
mod tables;

use std::fmt::Write;

use crate::support::printed_page;
use xs2a::bank::{HeaderSet, Operation, PaymentStatus, RoleNeeded};
use xs2a::internal::sandbox_bodies::{Body, BODIES};
use xs2a::internal::{
    diagram, groups, matrix, CallHeaders, HeaderRules, Headers, CALLS_WITHOUT_PSU_PER_DAY, OPERATIONS,
    SANDBOX_OPERATIONS,
};
use xs2a::reason::{Case, Language, Reason};
use xs2a::store::{AuditKind, BasketState, ConsentStatus, ScaStatus, SessionState};
use xs2a::types::Machine;

#[test]
fn the_page_of_reasons_is_what_the_table_prints() {
    assert_current("docs/reasons.md", &reasons());
}

#[test]
fn the_page_of_machines_is_what_the_tables_print() {
    assert_current("docs/machines.md", &machines());
}

#[test]
fn the_page_of_operations_is_what_the_table_prints() {
    assert_current("docs/operations.md", &operations());
}

#[test]
fn the_page_of_the_limits_is_what_the_table_prints() {
    assert_current("docs/limits.md", &limits());
}

#[test]
fn the_page_of_the_audit_is_what_the_table_prints() {
    assert_current("docs/audit.md", &audit());
}

#[test]
fn the_page_of_the_bank_is_what_the_table_prints() {
    assert_current("docs/bank.md", &bank::page());
}

#[test]
fn the_schema_of_the_bank_is_what_the_tables_print() {
    assert_current("docs/bank.schema.json", &bank_schema::page());
}

#[test]
fn the_page_of_the_bodies_is_what_the_declarations_print() {
    assert_current("docs/bodies.md", &bodies::page());
}

#[test]
fn the_page_of_the_sandboxs_bodies_is_what_the_declarations_print() {
    assert_current("docs/sandbox-bodies.md", &sandbox_bodies::page());
}

#[test]
fn the_page_of_the_configuration_is_what_the_table_prints() {
    assert_current("docs/configuration.md", &configuration::page());
}

#[test]
fn the_page_of_mistakes_is_what_the_table_prints() {
    assert_current("docs/mistakes.md", &mistakes::page());
}

#[test]
fn the_openapi_document_is_what_the_tables_print() {
    assert_current("docs/openapi.json", &openapi::page());
}

#[test]
fn the_schema_of_the_configuration_is_what_the_table_prints() {
    assert_current("docs/configuration.schema.json", &configuration::schema());
}

#[cfg(feature = "arrow")]
#[test]
fn the_page_of_the_tables_is_what_their_list_prints() {
    assert_current("docs/tables.md", &tables::page());
}

fn assert_current(path: &str, wanted: &str) {
    printed_page::assert_current(path, "--test documents", wanted);
}

fn reasons() -> String {
    let mut page = heading(
        "Reasons",
        "Every cause for which a request is refused, or a warning is added to an answer. The order is the order of\n\
         precedence: where a request breaks several rules, the first one in the table answers (faults of one body,\n\
         or of the headers of one call, are answered together). Ids are stable and never reused; they are given to\n\
         the host (`response.reason`), not to the TPP. `{0}`, `{1}` are replaced by values of the case.",
        "core/src/reason.rs",
    );
    page.push_str("| id | code | status | text (en) | text (nb) | basis |\n|---|---|--:|---|---|---|\n");
    for reason in Reason::ALL {
        let cells = [
            reason.id(),
            reason.code().as_str(),
            &reason.status().to_string(),
            reason.template(Language::English),
            reason.template(Language::Bokmal),
            reason.basis(),
        ];
        page.push_str(&row(&cells));
    }
    page.push_str("\nTexts of cases that the text of their row would be wrong about:\n\n");
    page.push_str("| id | text (en) | text (nb) |\n|---|---|---|\n");
    for case in Case::ALL {
        let id = case.reason().id();
        page.push_str(&row(&[id, case.template(Language::English), case.template(Language::Bokmal)]));
    }
    page.push_str(&failures::section());
    page
}

fn audit() -> String {
    let mut page = heading(
        "Audit",
        "The lines that an engine keeps of what it did and of whom it turned away, as they are exported: one JSON\n\
         object a line, oldest first. How to switch the audit on and read it: [the guide](guide/audit.md).",
        "core/src/audit/kind.rs",
    );
    page.push_str("| event | id | meaning |\n|---|---|---|\n");
    for kind in AuditKind::ALL {
        page.push_str(&row(&[kind.as_str(), kind.subject(), kind.meaning()]));
    }
    page
}

fn machines() -> String {
    let mut page = heading(
        "State machines",
        "What may follow what. The tables hold what depends on nothing but the two states; rules that need money,\n\
         time or an owner are checked where the decision is made.",
        "the `machine!` tables in core/src",
    );
    page.push_str(&machine::<PaymentStatus>());
    page.push_str(&machine::<BasketState>());
    page.push_str(&machine::<ScaStatus>());
    page.push_str(&machine::<SessionState>());
    page.push_str(&machine::<ConsentStatus>());
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn machine<M: Machine>() -> String {
    let mut section = format!("## {}\n\n| state | meaning | final |\n|---|---|---|\n", M::NAME);
    for state in M::STATES {
        section.push_str(&row(&[state.as_str(), state.meaning(), if state.is_final() { "yes" } else { "" }]));
    }
    write!(section, "\n{}\n```mermaid\n{}```\n\n", matrix::<M>(), diagram::<M>()).expect("text takes text");
    section
}

fn operations() -> String {
    let mut page = heading(
        "Operations",
        "Every call an engine answers. Paths follow the configured base path. What is not listed is answered 404, or\n\
         405 where the path takes another method.",
        "core/src/operation.rs",
    );
    page.push_str(
        "| operation | method | path | role | header set | JSON body | query | note |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    page.push_str(&rows(OPERATIONS));
    page.push_str(
        "\n## The sandbox's own\n\nThey exist where the bank behind the engine is the sandbox's, and nowhere else.\n\n\
         | operation | method | path | role | header set | JSON body | query | note |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    page.push_str(&rows(SANDBOX_OPERATIONS));
    page.push_str(&queries());
    page.push_str(
        "\n## Header sets\n\nHeaders a call must carry. With the policy `require_session_headers` off, the ones in \
         the last column\nmay be missing. PSU-ID may be missing where PSU-Context is sent, but for the creation of \
         a basket.\n\n\
         | header set | required | required by default |\n|---|---|---|\n",
    );
    for set in [
        HeaderSet::PaymentCreation,
        HeaderSet::BasketCreation,
        HeaderSet::Basket,
        HeaderSet::TransactionDetails,
        HeaderSet::Plain,
        HeaderSet::Sandbox,
        HeaderSet::SandboxWithDigest,
    ] {
        let always = required(set, false);
        let by_policy: Vec<_> =
            required(set, true).into_iter().filter(|name| !always.contains(name)).collect();
        page.push_str(&row(&[header_set(set), &always.join(", "), &by_policy.join(", ")]));
    }
    page
}

fn rows(operations: &[Operation]) -> String {
    let cells = |operation: &Operation| {
        row(&[
            operation.name,
            operation.method,
            &format!("`{}`", operation.path),
            role(operation.role),
            header_set(operation.headers),
            &body(operation),
            &operation.query.iter().map(|row| format!("`{}`", row.name)).collect::<Vec<_>>().join(", "),
            &note(operation),
        ])
    };
    operations.iter().map(cells).collect()
}

/// Whether it takes a body: a link to what that is.
fn body(operation: &Operation) -> String {
    let is_of_sandbox = |body: &&Body| body.operation == operation.name;
    match (operation.takes_body, BODIES.iter().find(is_of_sandbox)) {
        (false, _) => String::new(),
        (true, Some(body)) => format!("[yes](sandbox-bodies.md#{})", body.object),
        (true, None) => format!("[yes](bodies.md#{})", operation.name.to_lowercase()),
    }
}

/// What the parameters of queries may be.
fn queries() -> String {
    let mut section =
        "\n## Queries\n\nOther parameters are not looked at; one that occurs twice is an error.\n\n\
                       | parameter | value | operations |\n|---|---|---|\n"
            .to_owned();
    let operations = || OPERATIONS.iter().chain(SANDBOX_OPERATIONS);
    let mut named = Vec::new();
    for parameter in operations().flat_map(|operation| operation.query) {
        if !named.contains(&parameter) {
            named.push(parameter);
            let taking = operations().filter(|operation| operation.query.contains(parameter));
            let taking: Vec<_> = taking.map(|operation| operation.name).collect();
            section.push_str(&row(&[&format!("`{}`", parameter.name), parameter.form, &taking.join(", ")]));
        }
    }
    section
}

fn limits() -> String {
    let mut page = heading(
        "Limits",
        "The numbers by which the engine and the sandbox bound what they take and keep. The unit is in the name;\n\
         what a policy changes says so.",
        "core/src/limits.rs",
    );
    for group in groups() {
        page.push_str(&format!("## {}\n\n| limit | value | what it bounds |\n|---|--:|---|\n", group.title));
        for limit in group.limits {
            page.push_str(&row(&[&format!("`{}`", limit.name), &limit.value, &limit.meaning]));
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn note(operation: &Operation) -> String {
    match operation.successor() {
        Some(path) => format!("deprecated: use `{path}`"),
        None if operation.is_counted() => {
            format!("without the PSU {CALLS_WITHOUT_PSU_PER_DAY} times a day, or as often as the policy says")
        }
        None => String::new(),
    }
}

/// The headers of a set that are reported as missing if a call has none.
fn required(set: HeaderSet, require_session: bool) -> Vec<String> {
    let none = Headers::parse(&[]).expect("no header breaks no rule");
    let rules = HeaderRules { require_session, needs_uuid: false, redirect_schemes: &[] };
    let refusal = CallHeaders::read(&none, set, rules).expect_err("every set requires some");
    refusal.findings().filter_map(|finding| finding.path.clone()).collect()
}

fn role(role: RoleNeeded) -> &'static str {
    match role {
        RoleNeeded::AccountInformation => "PSP_AI",
        RoleNeeded::PaymentInitiation => "PSP_PI",
        RoleNeeded::Either => "PSP_AI or PSP_PI",
        RoleNeeded::Any => "any",
    }
}

fn header_set(set: HeaderSet) -> &'static str {
    match set {
        HeaderSet::PaymentCreation => "payment creation",
        HeaderSet::Basket => "basket",
        HeaderSet::BasketCreation => "basket creation",
        HeaderSet::TransactionDetails => "transaction details",
        HeaderSet::Plain => "plain",
        HeaderSet::Sandbox => "sandbox",
        HeaderSet::SandboxWithDigest => "sandbox, POST",
    }
}

fn heading(title: &str, text: &str, source: &str) -> String {
    format!(
        "<!-- Printed from {source} by core/tests/documents/generated.rs; do not edit. -->\n\n# {title}\n\n{text}\n\n"
    )
}

/// One row of a Markdown table.
fn row(cells: &[&str]) -> String {
    let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}
