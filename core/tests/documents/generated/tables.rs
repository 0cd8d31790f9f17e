//! The page of the tables, with a dictionary of their columns.

use std::fmt::Write;

use xs2a::tables::{Column, Definition, EVENT_TABLES, LABEL_TABLES, SCHEMA_VERSION, TABLES};

use super::{heading, row};

pub(super) fn page() -> String {
    let mut page = heading(
        "Tables",
        &format!(
            "The tables of a sandbox as Arrow, Parquet and CSV, version {SCHEMA_VERSION} of their columns:\n\
             `sandbox.table(name)` in Python and Rust, `xs2a_sandbox_table` in C; how to use them:\n\
             [the guide](guide/data.md). The schema of each has the version as `xs2a.version`. A column that is\n\
             removed, renamed or changes its type or meaning raises the version; a new column, which comes last,\n\
             does not. Rows come in no order that you should rely on."
        ),
        "core/src/tables/catalog.rs",
    );
    page.push_str("| table | a row is |\n|---|---|\n");
    for table in TABLES {
        page.push_str(&row(&[&format!("[{0}](#{0})", table.name), table.meaning]));
    }
    page.push_str("\n`xs2a.Population(…, labels=True)` has these tables too, which no bank has:\n\n");
    page.push_str("| table | a row is |\n|---|---|\n");
    for table in LABEL_TABLES {
        page.push_str(&row(&[&format!("[{0}](#{0})", table.name), table.meaning]));
    }
    page.push_str("\nWith `events=True` beside it there is one more:\n\n| table | a row is |\n|---|---|\n");
    for table in EVENT_TABLES {
        page.push_str(&row(&[&format!("[{0}](#{0})", table.name), table.meaning]));
    }
    TABLES.iter().chain(LABEL_TABLES).chain(EVENT_TABLES).for_each(|table| push_table(&mut page, table));
    page
}

fn push_table(page: &mut String, table: &Definition) {
    write!(page, "\n## {}\n\n{}\n\n", table.name, table.meaning).expect("text takes text");
    page.push_str("| column | type | null | joins with | meaning |\n|---|---|---|---|---|\n");
    for column in table.columns {
        page.push_str(&line(column));
    }
}

fn line(column: &Column) -> String {
    let joins = column.refers_to.map(|to| format!("`{to}`")).unwrap_or_default();
    let null = if column.is_optional { "yes" } else { "" };
    row(&[&format!("`{}`", column.name), column.kind.name(), null, &joins, column.meaning])
}
