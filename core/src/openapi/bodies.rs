//! What is sent.

use crate::basket;
use crate::payment::bodies as payment;
use crate::payment::product::Product;
use crate::policy::Environment;
#[cfg(feature = "sandbox")]
use crate::sandbox::management::bodies as sandbox;
use crate::types::{Country, Currency};
use crate::wire::described::{component, without_links, Object, COUNTRY, CURRENCY};
use crate::wire::schema::Schema;

/// The body that creates a payment of a product.
pub(super) fn of_product(product: Product) -> Schema {
    Schema::named(payment::schema_name(product))
}

/// The body of any other operation that takes one.
pub(super) fn of_operation(name: &str) -> Option<Schema> {
    #[cfg(feature = "sandbox")]
    if let Some(body) = sandbox::BODIES.iter().find(|body| body.operation == name) {
        let schema = named(body.object);
        return Some(if body.is_array { Schema::each(schema) } else { schema });
    }
    (name == "createSigningBasket").then(|| named(basket::body::object().name))
}

fn named(object: &str) -> Schema {
    Schema::named(&component(object))
}

/// Every schema that bodies are made of, by its name.
pub(super) fn schemas(environment: Environment) -> Vec<(String, Schema)> {
    let mut schemas = vec![
        (CURRENCY.to_owned(), Schema::one_of(Currency::LIST.iter().map(|code| code.code()))),
        (COUNTRY.to_owned(), Schema::one_of(Country::LIST.iter().map(|code| code.code()))),
    ];
    schemas.extend(payment::schemas());
    schemas.extend(payment::objects().into_iter().chain([basket::body::object()]).map(sent));
    match environment {
        #[cfg(feature = "sandbox")]
        Environment::Sandbox => schemas.extend(sandbox::objects().into_iter().map(sent)),
        _ => {}
    }
    schemas
}

fn sent(object: Object) -> (String, Schema) {
    let about = without_links(&object.about);
    (
        component(object.name),
        Schema::object(object.members.into_iter().map(|row| row.sent())).described(about),
    )
}
