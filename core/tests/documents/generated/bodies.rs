//! What a TPP sends.

use xs2a::basket::body;
use xs2a::operation::{Operation, OPERATIONS};
use xs2a::payment::bodies::{columns, members, objects, MemberRow, Object, Presence};

use crate::generated::{heading, row};

pub(crate) fn page() -> String {
    let mut page = heading(
        "Bodies of a TPP's calls",
        "What is sent, member by member. The calls, their headers and queries: [operations](operations.md). What else\n\
         holds of a payment: [the rules](guide/rules.md). All faults of a body are reported at once. null counts as\n\
         absent where a member may be absent; one that occurs twice is an error; one that is not listed is ignored,\n\
         in a payment with a warning. Texts are counted in characters, and held to the policy `repertoire`.",
        "core/src/payment/draft.rs and the `described!` declarations in core/src",
    );
    for operation in OPERATIONS.iter().filter(|operation| operation.takes_body) {
        page.push_str(&format!("## {}\n\n`{} {}`\n\n", operation.name, operation.method, operation.path));
        page.push_str(&body_of(operation));
    }
    page.push_str("## Objects\n\n");
    for object in objects() {
        page.push_str(&format!("### {}\n\n{}", object.name, section(&object)));
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn body_of(operation: &Operation) -> String {
    match operation.name {
        "createPayment" => payment(),
        "createSigningBasket" => section(&body::object()),
        name => panic!("nothing here prints the body of {name}"),
    }
}

/// Which product has which column, then the members.
fn payment() -> String {
    let mut section = "| column | service and product |\n|---|---|\n".to_owned();
    let columns = columns();
    for column in &columns {
        let paths: Vec<_> = column.products.iter().map(|product| format!("`{}`", product.path())).collect();
        let paths =
            if paths.is_empty() { "each of a bulk's `payments`".to_owned() } else { paths.join(", ") };
        section.push_str(&row(&[column.title, &paths]));
    }
    section.push_str("\nR: must be there. O: may be there. Empty: a member that is not listed.\n\n");
    let mut titles = vec!["member", "form"];
    titles.extend(columns.iter().map(|column| column.title));
    titles.push("note");
    section.push_str(&row(&titles));
    section.push_str(&format!("|---|---|{}---|\n", ":-:|".repeat(columns.len())));
    for member in members() {
        let (name, note) = (format!("`{}`", member.name), member.note);
        let mut cells = vec![name.as_str(), &member.form];
        cells.extend(member.cells.iter().map(|presence| letter(*presence)));
        cells.push(&note);
        section.push_str(&row(&cells));
    }
    section.push('\n');
    section
}

fn letter(presence: Presence) -> &'static str {
    match presence {
        Presence::Required => "R",
        Presence::Optional => "O",
        Presence::Absent => "",
    }
}

/// What an object is, and its members.
pub(crate) fn section(object: &Object) -> String {
    format!("{}\n\n{}\n", object.about, table(&object.members))
}

/// The members of an object that is sent.
pub(crate) fn table(members: &[MemberRow]) -> String {
    let mut table = "| member | form | required | note |\n|---|---|---|---|\n".to_owned();
    for member in members {
        let required = if member.is_required { "yes" } else { "" };
        table.push_str(&row(&[&format!("`{}`", member.name), &member.form, required, &member.note]));
    }
    table
}
