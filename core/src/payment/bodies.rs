//! What the docs print of the bodies of payments.

pub use super::draft::Presence;
use super::draft::{rows, Form};
use super::members::{
    AddressBody, AnyPayingBody, BbanBody, BbanOrIbanBody, CardAccount, IbanBody, PayingBody, ReferenceBody,
};
use super::product::Product;
use crate::types::Amount;
use crate::wire::described::Tabled;
pub use crate::wire::described::{MemberRow, Object};

/// A form of body: what one or more products take.
#[derive(Debug)]
pub struct Column {
    /// What the docs call it.
    pub title: &'static str,
    /// The products that take it. None: it is a payment of a bulk.
    pub products: Vec<Product>,
}

/// A member, in the columns that have it. Where columns differ in its form it has several rows.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What its value looks like, with its limits.
    pub form: String,
    /// What it says.
    pub note: String,
    /// Whether it is in the body, for each of [`columns`].
    pub cells: Vec<Presence>,
}

const FORMS: [(Form, &str); 8] = [
    (Form::Domestic, "domestic"),
    (Form::InstantDomestic, "instant"),
    (Form::Sepa, "SEPA"),
    (Form::CrossBorder, "cross-border"),
    (Form::NorwegianCrossBorder, "Norwegian cross-border"),
    (Form::Periodic, "periodic"),
    (Form::BulkHead, "bulk"),
    (Form::BulkEntry, "payment of a bulk"),
];

/// The forms of body that a TPP sends.
pub fn columns() -> Vec<Column> {
    let taking = |form| Product::ALL.iter().copied().filter(move |product| Form::of(*product) == form);
    FORMS.map(|(form, title)| Column { title, products: taking(form).collect() }).into()
}

/// The members, in their order.
pub fn members() -> Vec<Row> {
    rows(&FORMS.map(|(form, _)| form))
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
