//! Parameters of operations: those in the path, the headers and the query.

use crate::operation::{Operation, QueryValue};
use crate::wire::call_headers::{self, HeaderNeed, HeaderRow};
use crate::wire::described::without_links;
use crate::wire::json::Json;
use crate::wire::schema::Schema;

/// A parameter in the path.
pub(super) fn in_path(name: &str, schema: &Schema) -> Json<'static> {
    parameter("path", name, None, true, schema.clone())
}

/// The headers and the query of an operation.
pub(super) fn of(operation: &Operation) -> Vec<Json<'static>> {
    let headers = rows(operation)
        .into_iter()
        .map(|row| Json::object([("$ref", Json::from(format!("#/components/parameters/{}", key(&row))))]));
    let query = operation.query.iter().map(|row| {
        let about = Some(without_links(row.form));
        parameter("query", row.name, about, row.is_required, schema(row.value))
    });
    headers.chain(query).collect()
}

/// The headers of these operations, under the names by which [`of`] refers to them.
pub(super) fn components<'o>(operations: impl Iterator<Item = &'o Operation>) -> Json<'static> {
    let mut components: Vec<(String, Json<'static>)> = Vec::new();
    for row in operations.flat_map(rows) {
        let key = key(&row);
        if components.iter().all(|(seen, _)| *seen != key) {
            let HeaderRow { name, about, schema, need } = row;
            let is_required = need == HeaderNeed::Required;
            components.push((key, parameter("header", name, Some(about), is_required, schema)));
        }
    }
    Json::object(components)
}

/// The headers of an operation, and what chooses the language of an answer.
fn rows(operation: &Operation) -> Vec<HeaderRow> {
    let mut rows = call_headers::rows(operation.headers);
    rows.push(HeaderRow {
        name: "Accept-Language",
        about: "The language of texts: English, or Norwegian Bokmål where nb, no or nn is preferred."
            .to_owned(),
        schema: Schema::text(),
        need: HeaderNeed::Optional,
    });
    rows
}

/// The same header may be required by one set and not by another.
fn key(row: &HeaderRow) -> String {
    match row.need {
        HeaderNeed::Required => row.name.to_owned(),
        HeaderNeed::Conditional => format!("{}.conditional", row.name),
        HeaderNeed::Optional => format!("{}.optional", row.name),
    }
}

fn parameter(
    place: &'static str,
    name: &str,
    about: Option<String>,
    is_required: bool,
    schema: Schema,
) -> Json<'static> {
    let mut members = vec![("name", Json::from(name.to_owned())), ("in", place.into())];
    members.extend(about.map(|about| ("description", about.into())));
    members.push(("required", Json::Bool(is_required)));
    members.push(("schema", schema.into()));
    Json::object(members)
}

fn schema(value: QueryValue) -> Schema {
    match value {
        QueryValue::Switch => Schema::switch(),
        QueryValue::Day => Schema::day(),
        QueryValue::OneOf(values) => Schema::one_of(values.iter().copied()),
        QueryValue::Whole { from, to, default } => {
            let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
            let schema = Schema::whole(signed(from), signed(to));
            default.into_iter().fold(schema, |schema, default| schema.by_default(signed(default)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::openapi::operations;
    use crate::policy::Environment;

    #[test]
    fn headers_of_one_name_in_the_document_are_one() {
        let mut seen = BTreeMap::new();
        for operation in operations::of(Environment::Sandbox) {
            for row in rows(operation.row) {
                assert_eq!(*seen.entry(key(&row)).or_insert_with(|| row.clone()), row);
            }
        }
        for name in ["PSU-ID", "PSU-ID.conditional", "PSU-ID.optional", "TPP-Session-ID.optional"] {
            assert!(seen.contains_key(name), "{name}");
        }
    }
}
