//! The one table of operations.
//!
//! Router, header checks, roles and the documentation come from its rows. A route that has no row does not
//! exist: it is answered 404.

use std::borrow::Cow;

/// Which headers a call takes (contract: Headers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeaderSet {
    /// Creation of a payment: the instant product's set, used for every product.
    PaymentCreation,
    /// The basket's set: authorisations too.
    Basket,
    /// Every other production call.
    Plain,
}

/// Which role the TPP's certificate must have (ETSI TS 119 495).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoleNeeded {
    /// PSP_PI: payment initiation.
    PaymentInitiation,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationId {
    /// Creates a payment.
    CreatePayment,
    /// Reads what was ordered.
    ReadPayment,
    /// Reads where a payment stands.
    ReadPaymentStatus,
    /// Starts the authorisation of a payment.
    StartPaymentAuthorisation,
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// What it does.
    pub id: OperationId,
    /// Its name in documentation and logs.
    pub name: &'static str,
    /// Its method.
    pub method: &'static str,
    /// Its path after the base path; a segment in braces is a parameter.
    pub path: &'static str,
    /// The headers it takes.
    pub headers: HeaderSet,
    /// The role it needs.
    pub role: RoleNeeded,
    /// Whether it takes a JSON body.
    pub takes_body: bool,
}

/// Every operation there is.
pub const OPERATIONS: &[Operation] = &[
    Operation {
        id: OperationId::CreatePayment,
        name: "createPayment",
        method: "POST",
        path: "/v1/payments/{payment-product}",
        headers: HeaderSet::PaymentCreation,
        role: RoleNeeded::PaymentInitiation,
        takes_body: true,
    },
    Operation {
        id: OperationId::ReadPayment,
        name: "getPayment",
        method: "GET",
        path: "/v1/payments/{payment-product}/{payment-id}",
        headers: HeaderSet::Plain,
        role: RoleNeeded::PaymentInitiation,
        takes_body: false,
    },
    Operation {
        id: OperationId::ReadPaymentStatus,
        name: "getPaymentStatus",
        method: "GET",
        path: "/v1/payments/{payment-product}/{payment-id}/status",
        headers: HeaderSet::Plain,
        role: RoleNeeded::PaymentInitiation,
        takes_body: false,
    },
    Operation {
        id: OperationId::StartPaymentAuthorisation,
        name: "startPaymentAuthorisation",
        method: "POST",
        path: "/v1/payments/{payment-product}/{payment-id}/authorisations",
        headers: HeaderSet::Basket,
        role: RoleNeeded::PaymentInitiation,
        takes_body: false,
    },
];

/// Where a method and a path lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// To an operation, with the values of its path parameters in the order of the path.
    Found(&'static Operation, Vec<String>),
    /// To a path that takes other methods.
    OtherMethods(Vec<&'static str>),
    /// Nowhere.
    Unknown,
}

/// Looks a call up in the table. `segments` are those after the base path.
pub fn route(method: &str, segments: &[Cow<'_, str>]) -> Route {
    let mut others = Vec::new();
    for operation in OPERATIONS {
        let Some(parameters) = match_path(operation.path, segments) else { continue };
        if operation.method == method {
            return Route::Found(operation, parameters);
        }
        others.push(operation.method);
    }
    if others.is_empty() {
        Route::Unknown
    } else {
        Route::OtherMethods(others)
    }
}

fn match_path(template: &str, segments: &[Cow<'_, str>]) -> Option<Vec<String>> {
    let mut wanted = template.split('/').skip(1);
    let mut parameters = Vec::new();
    for segment in segments {
        let pattern = wanted.next()?;
        if pattern.starts_with('{') && !segment.is_empty() {
            parameters.push(segment.to_string());
        } else if pattern != segment {
            return None;
        }
    }
    wanted.next().is_none().then_some(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_up(method: &str, path: &str) -> Route {
        let segments: Vec<_> = path.split('/').skip(1).map(Cow::Borrowed).collect();
        route(method, &segments)
    }

    #[test]
    fn every_row_finds_itself() {
        for operation in OPERATIONS {
            match look_up(operation.method, operation.path) {
                Route::Found(found, _) => assert_eq!(found, operation),
                other => panic!("{}: {other:?}", operation.name),
            }
        }
    }

    #[test]
    fn parameters_come_in_the_order_of_the_path() {
        let Route::Found(_, parameters) = look_up("GET", "/v1/payments/product/id/status") else {
            panic!("found")
        };
        assert_eq!(parameters, ["product", "id"]);
    }

    #[test]
    fn another_method_is_told_the_right_ones_and_another_path_is_unknown() {
        assert_eq!(look_up("PUT", "/v1/payments/p"), Route::OtherMethods(vec!["POST"]));
        assert_eq!(look_up("HEAD", "/v1/payments/p/i"), Route::OtherMethods(vec!["GET"]));
        for path in [
            "/",
            "/v1",
            "/v1/payments",
            "/v1/payments/",
            "/v1/payments/p/i/",
            "/v1/payments/p/i/x",
            "/v2/payments/p",
        ] {
            assert_eq!(look_up("GET", path), Route::Unknown, "{path}");
        }
    }

    #[test]
    fn method_names_are_case_sensitive() {
        assert_eq!(look_up("post", "/v1/payments/p"), Route::OtherMethods(vec!["POST"]));
    }
}
