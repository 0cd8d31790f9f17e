//! From the rows of the operation tables to paths.

use super::answers::table as answers;
use super::{bodies, parameters};
use crate::operation::{Operation, OperationId, OPERATIONS};
use crate::payment::product::Product;
use crate::policy::Environment;
#[cfg(feature = "sandbox")]
use crate::sandbox::management::OPERATIONS as SANDBOX_OPERATIONS;
use crate::wire::described::pascal;
use crate::wire::json::Json;
use crate::wire::schema::Schema;

/// An operation at one path.
pub(super) struct Listed {
    pub(super) row: &'static Operation,
    /// Unlike the row's name, of this path alone.
    name: String,
    path: String,
    summary: String,
    /// The parameters in the path.
    places: Vec<(String, Schema)>,
    body: Option<Schema>,
}

/// The operations of an environment, at each of their paths.
pub(super) fn of(environment: Environment) -> Vec<Listed> {
    let of_bank = match environment {
        #[cfg(feature = "sandbox")]
        Environment::Sandbox => SANDBOX_OPERATIONS,
        _ => &[],
    };
    OPERATIONS.iter().chain(of_bank).flat_map(listed).collect()
}

fn listed(row: &'static Operation) -> Vec<Listed> {
    match row.id {
        OperationId::CreatePayment => Product::ALL.iter().map(|product| creation(row, *product)).collect(),
        _ => spellings(row.path).into_iter().map(|(path, spelling)| at(row, path, spelling)).collect(),
    }
}

/// Each product has a body of its own, and so a path.
fn creation(row: &'static Operation, product: Product) -> Listed {
    Listed {
        row,
        name: format!("create{}", pascal(&product.path().replace('/', "-"))),
        path: format!("/v1/{}", product.path()),
        summary: format!("{} Its product: {}.", row.about.trim(), product.as_str()),
        places: Vec::new(),
        body: Some(bodies::of_product(product)),
    }
}

/// A path with a segment that has several spellings, as one path for each: without a template in its place no two paths
/// take the same target. The later ones come with their spelling, which distinguishes them.
fn spellings(path: &'static str) -> Vec<(String, Option<&'static str>)> {
    let Some(choice) = path.split('/').find(|segment| segment.contains('|')) else {
        return vec![(path.to_owned(), None)];
    };
    let named = choice.trim_matches(['{', '}']).split('|').enumerate();
    named.map(|(index, name)| (path.replace(choice, name), (index > 0).then_some(name))).collect()
}

fn at(row: &'static Operation, path: String, spelling: Option<&str>) -> Listed {
    Listed {
        row,
        name: format!("{}{}", row.name, spelling.map(pascal).unwrap_or_default()),
        places: path.split('/').filter_map(|segment| place(segment, &path)).collect(),
        body: row.takes_body.then(|| bodies::of_operation(row.name)).flatten(),
        summary: row.about.trim().to_owned(),
        path,
    }
}

/// A segment that is a parameter.
fn place(segment: &str, path: &str) -> Option<(String, Schema)> {
    let name = segment.strip_prefix('{')?.strip_suffix('}')?;
    let of_path = |product: &&Product| path.split('/').nth(2) == Some(product.service().as_str());
    let schema = match name {
        "payment-product" => {
            Schema::one_of(Product::ALL.iter().filter(of_path).map(|product| product.as_str()))
        }
        _ => Schema::text(),
    };
    Some((name.to_owned(), schema))
}

/// What groups the operations for a reader.
pub(super) fn tags(operations: &[Listed]) -> Json<'static> {
    let mut names: Vec<&'static str> = Vec::new();
    for operation in operations {
        if !names.contains(&tag(operation)) {
            names.push(tag(operation));
        }
    }
    Json::Array(names.into_iter().map(|name| Json::object([("name", name)])).collect())
}

fn tag(operation: &Listed) -> &'static str {
    match operation.row.path.split('/').nth(2).unwrap_or_default() {
        "sandbox" => "The sandbox's own",
        "accounts" => "Accounts",
        "card-accounts" => "Card accounts",
        "signing-baskets" => "Signing baskets",
        "bank-offered-consents" | "consents" | "agreements" | "{user|users}" => "PSU and consent",
        _ => "Payments",
    }
}

/// Every path with its operations, in the order of the tables.
pub(super) fn paths(operations: &[Listed]) -> Json<'static> {
    let mut paths: Vec<(String, Vec<(String, Json<'static>)>)> = Vec::new();
    for operation in operations {
        let method = (operation.row.method.to_ascii_lowercase(), item(operation));
        match paths.iter_mut().find(|(path, _)| *path == operation.path) {
            Some((_, methods)) => methods.push(method),
            None => paths.push((operation.path.clone(), vec![method])),
        }
    }
    Json::object(paths.into_iter().map(|(path, methods)| (path, Json::object(methods))))
}

fn item(operation: &Listed) -> Json<'static> {
    let row = operation.row;
    let mut members = vec![
        ("operationId", Json::from(operation.name.clone())),
        ("tags", vec![tag(operation).into()].into()),
        ("summary", operation.summary.clone().into()),
    ];
    if row.successor().is_some() {
        members.push(("deprecated", Json::Bool(true)));
    }
    let parameters = operation.places.iter().map(|(name, schema)| parameters::in_path(name, schema));
    members.push(("parameters", parameters.chain(parameters::of(row)).collect::<Vec<_>>().into()));
    if let Some(body) = &operation.body {
        let content = Json::object([("application/json", Json::object([("schema", body.clone())]))]);
        members.push(("requestBody", Json::object([("required", Json::Bool(true)), ("content", content)])));
    }
    members.push(("responses", answers::of(row)));
    Json::object(members)
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_is_at_its_paths_under_names_of_their_own() {
        let listed = of(Environment::Sandbox);
        let rows: BTreeSet<_> = listed.iter().map(|operation| operation.row.name).collect();
        assert_eq!(rows.len(), OPERATIONS.len() + SANDBOX_OPERATIONS.len());
        let names: BTreeSet<_> = listed.iter().map(|operation| &operation.name).collect();
        let places: BTreeSet<_> =
            listed.iter().map(|operation| (operation.row.method, &operation.path)).collect();
        assert_eq!((names.len(), places.len()), (listed.len(), listed.len()));
        let spelt: usize = OPERATIONS.iter().map(|row| row.path.matches('|').count()).sum();
        // Of the creation there is one for each product instead.
        assert_eq!(listed.len(), rows.len() + spelt - 3 + Product::ALL.len());
    }

    #[test]
    fn no_target_is_of_two_paths() {
        let listed = of(Environment::Sandbox);
        let is_open = |segment: &str| segment.starts_with('{');
        for (index, one) in listed.iter().enumerate() {
            for other in listed.iter().skip(index + 1).filter(|other| other.path != one.path) {
                let (left, right): (Vec<_>, Vec<_>) =
                    (one.path.split('/').collect(), other.path.split('/').collect());
                let mut pairs = left.iter().zip(&right);
                let meet = left.len() == right.len()
                    && pairs.all(|(left, right)| left == right || is_open(left) || is_open(right));
                assert!(!meet, "{} {}", one.path, other.path);
            }
        }
    }

    #[test]
    fn a_row_that_takes_a_body_says_which() {
        for operation in of(Environment::Sandbox) {
            assert_eq!(operation.body.is_some(), operation.row.takes_body, "{}", operation.name);
        }
    }

    #[test]
    fn production_has_none_of_the_sandboxs_own() {
        let listed = of(Environment::Production);
        assert!(listed.iter().all(|operation| !operation.path.starts_with("/v1/sandbox")));
        assert_eq!(listed.len(), of(Environment::Sandbox).len() - SANDBOX_OPERATIONS.len());
    }
}
