//! What a bank is asked in JSON, and what it answers.

use xs2a::internal::{MemberRow, Shape, BANK_ANSWER_BYTES_MAX};
use xs2a::json_bank::BankMethod;

use crate::generated::{heading, row};

/// What `xs2a::payment::view` makes of it: details repeat it in the same form.
const ORDER: &str = "\
### order

[The body of the payment](bodies.md#createpayment), with the members that its product has there, as it was understood:

- members that are not listed, those that are null, and texts that may be empty and are, are absent; so are
  `debtorAccount` and `requestedExecutionDate` in the payments of a bulk, which has them itself;
- an IBAN is in upper case without spaces, a `bban` without dots and spaces; `preceeding` is `preceding`;
- all else is as it was sent: the town as `townName` or as `city` or as both, references as
  `remittanceInformationStructured` or as `remittanceInformationStructuredArray`, texts with every space.

";

const ACCOUNT_REFERENCE: &str = "\
### account-reference

An account by one of its numbers: `{bban, currency}`, `{iban, currency}` or, for a card account,
`{other: {identification, schemeNameProprietary}, currency}`, with `creditCardAccount` for the scheme.
[Their forms](bodies.md#sepa-debtor-account).

";

pub(crate) fn page() -> String {
    let deeds: Vec<_> = BankMethod::ALL.iter().filter(|method| method.is_deed()).collect();
    let deeds = deeds.iter().map(|method| format!("`{method}`")).collect::<Vec<_>>().join(" and ");
    let mut page = heading(
        "The bank behind an engine, in JSON",
        &format!(
            "An engine asks its bank these questions: a C program through `xs2a_bank_callbacks`, a Python object by\n\
             the methods of `xs2a.Bank`, Rust by `xs2a::json_bank` or, without JSON, by the trait `Bank`. In\n\
             Python the members of a question are arguments, their names have underscores, and an absent one is\n\
             `None`; objects in them, and answers, are as they are here. A request is an object, an answer an\n\
             object or, where a question says so, `null`. An answer\n\n\
             - has the listed members and no other; one that may be absent may be `null`;\n\
             - repeats the members that are named, as they were asked: an answer to another question is refused;\n\
             - has amounts, rates and days as text, and at most {BANK_ANSWER_BYTES_MAX} bytes.\n\n\
             [bank.schema.json](bank.schema.json) has all of this in JSON Schema, for generators of classes;\n\
             [questions.md](questions.md) which operation asks which questions. Test a bank before a TPP meets it:\n\
             [the guide](guide/gateway.md#test-your-core).\n\n\
             A question that a call of a TPP asks also has the ids of that call, where it has them:\n\
             `traceparent`, the header of W3C Trace Context, and `correlationId`, the gateway's own id. They are\n\
             no arguments in Python: call `xs2a.current_call()` there, and `xs2a::env::current_call()` in Rust.\n\n\
             Any other answer, an exception or an error code is an error of the bank: it is logged, the TPP is\n\
             answered SYSTEM_ERROR, and nothing is changed. So is one that took longer than the policy\n\
             `bank_seconds_max`, or after which all questions of the call took longer than\n\
             `call_bank_seconds_max`, but for {deeds}: what they did counts however late,\n\
             and a warning is logged. An order that could not be submitted is submitted again, or becomes\n\
             a dead letter if it keeps failing by its own fault."
        ),
        "core/src/json_bank",
    );
    for method in BankMethod::ALL {
        page.push_str(&question(*method));
    }
    page.push_str("## Objects\n\n");
    page.push_str(ORDER);
    page.push_str(ACCOUNT_REFERENCE);
    for shape in BankMethod::objects() {
        page.push_str(&format!("### {}\n\n{}\n", shape.name, table(&shape.members)));
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn question(method: BankMethod) -> String {
    let answer = method.answer();
    let name = method.name();
    let meaning = method.meaning().trim();
    let null = method.null().map(|null| format!(" `null`: {null}.")).unwrap_or_default();
    let names: Vec<_> = method.repeated().iter().map(|name| format!("`{name}`")).collect();
    let repeats = match names.is_empty() {
        true => String::new(),
        false => format!(" It repeats {}.", names.join(" and ")),
    };
    let is_object = BankMethod::objects().iter().any(|object| object.name == answer.name);
    let members = match is_object {
        true => format!("The answer is one {}.{repeats}{null}\n", link(&answer)),
        false => format!("The answer is an object.{repeats}{null}\n\n{}", table(&answer.members)),
    };
    format!("## {name}\n\n{meaning}\n\n{}\n{members}\n", table(&method.question()))
}

fn link(shape: &Shape) -> String {
    format!("[{0}](#{0})", shape.name)
}

fn table(members: &[MemberRow]) -> String {
    let mut table = "| member | value | | what it says |\n|---|---|---|---|\n".to_owned();
    for member in members {
        let presence = if member.is_required { "" } else { "may be absent" };
        table.push_str(&row(&[&format!("`{}`", member.name), &member.form, presence, member.meaning]));
    }
    table
}
