//! The page of mistakes that clients make when they sign.

use xs2a::mistakes;

use super::heading;

pub(super) fn page() -> String {
    let mut page = heading(
        "Mistakes in signed requests",
        "What `xs2a.explain` names when a signature, Digest, keyId, certificate or Date is refused. A mistake is\n\
         named only if it is proven: `hash` (the signature holds the hash of the text that was found), `digest`\n\
         (the Digest is that of a text that was found), `key`, `form` or `clock`. Ids are stable. The order within\n\
         a section is that of likelihood, in which the mistakes are tried.",
        "core/src/explain/table",
    );
    for group in mistakes() {
        page.push_str(&format!("## {}\n\n", group.title));
        for row in group.rows {
            page.push_str(&format!(
                "### {}\n\n{} {}\n\n| wrong | right |\n|---|---|\n| {} | {} |\n\nSource: {}.\n\n",
                row.id,
                row.sentence,
                row.advice,
                code(row.wrong),
                code(row.right),
                row.source
            ));
        }
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// A line as code in a table.
fn code(line: &str) -> String {
    let line = line.replace('|', "\\|");
    // A code span with grave accents in it has two of them around it.
    match line.contains('`') {
        true => format!("`` {line} ``"),
        false => format!("`{line}`"),
    }
}
