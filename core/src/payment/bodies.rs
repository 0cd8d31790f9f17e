//! What the docs print of the bodies of payments.

use super::draft::{rows, Form};
pub use super::draft::{Presence, Row};
use super::members::{
    AddressBody, AnyPayingBody, BbanBody, BbanOrIbanBody, CardAccount, IbanBody, PayingBody, ReferenceBody,
    ENTRY,
};
use super::product::Product;
use crate::types::Amount;
use crate::wire::described::Tabled;
pub use crate::wire::described::{MemberRow, Object};
use crate::wire::schema::Schema;

/// A form of body: what one or more products take.
#[derive(Debug)]
pub struct Column {
    /// What the docs call it.
    pub title: &'static str,
    /// The products that take it. None: it is a payment of a bulk.
    pub products: Vec<Product>,
}

/// What the docs call each, and what the schemas do.
const FORMS: [(Form, &str, &str); 8] = [
    (Form::Domestic, "domestic", "DomesticPaymentBody"),
    (Form::InstantDomestic, "instant", "InstantPaymentBody"),
    (Form::Sepa, "SEPA", "SepaPaymentBody"),
    (Form::CrossBorder, "cross-border", "CrossBorderPaymentBody"),
    (Form::NorwegianCrossBorder, "Norwegian cross-border", "NorwegianCrossBorderPaymentBody"),
    (Form::Periodic, "periodic", "PeriodicPaymentBody"),
    (Form::BulkHead, "bulk", "BulkPaymentBody"),
    (Form::BulkEntry, "payment of a bulk", ENTRY),
];

/// The forms of body that a TPP sends.
pub fn columns() -> Vec<Column> {
    let taking = |form| Product::ALL.iter().copied().filter(move |product| Form::of(*product) == form);
    FORMS.map(|(form, title, _)| Column { title, products: taking(form).collect() }).into()
}

/// The members, in their order.
pub fn members() -> Vec<Row> {
    rows(&FORMS.map(|(form, ..)| form))
}

/// What the schemas call the body of a product.
pub(crate) fn schema_name(product: Product) -> &'static str {
    let form = Form::of(product);
    FORMS.iter().find(|(listed, ..)| *listed == form).map_or("", |(.., name)| name)
}

/// The schema of each form of body, by its name.
pub(crate) fn schemas() -> Vec<(String, Schema)> {
    FORMS.map(|(form, title, name)| (name.to_owned(), schema(form, title))).into()
}

fn schema(form: Form, title: &str) -> Schema {
    let members = rows(&[form]).into_iter().filter_map(|Row { name, form, schema, note, cells }| {
        let is_required = match cells.first()? {
            Presence::Absent => return None,
            presence => *presence == Presence::Required,
        };
        Some(MemberRow { name, form, schema, is_required, note }.sent())
    });
    Schema::object(members).described(format!("What orders a payment: {title}."))
}

/// Every object that bodies hold.
pub fn objects() -> Vec<Object> {
    vec![
        Amount::object(),
        BbanBody::object(),
        IbanBody::object(),
        BbanOrIbanBody::object(),
        PayingBody::object(),
        AnyPayingBody::object(),
        CardAccount::object(),
        AddressBody::object(),
        ReferenceBody::object(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_is_in_one_column() {
        let columns = columns();
        for product in Product::ALL {
            let taking = columns.iter().filter(|column| column.products.contains(product));
            assert_eq!(taking.count(), 1, "{product:?}");
        }
    }

    #[test]
    fn every_object_that_is_named_has_a_table() {
        let objects = objects();
        let forms = objects.iter().flat_map(|object| &object.members).map(|row| row.form.clone());
        for form in forms.chain(members().into_iter().map(|row| row.form)) {
            let linked = form.split_once("](#").and_then(|(_, rest)| rest.split_once(')'));
            assert!(
                linked.is_none_or(|(name, _)| objects.iter().any(|object| object.name == name)),
                "{form}"
            );
        }
    }
}
