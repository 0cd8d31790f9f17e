//! Mock customers (contract: Sandbox customer).

use super::customer_view::{customer_path, CustomerView, CustomersView, Shown};
use super::engaging;
use super::handler_context::{created, found, gone, quiet, HandlerContext};
use super::listing;
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::{Reason, Refusal, Violation};
use crate::store::sqlite::sandbox::{Books, Customer, CustomerNumber, CustomerType};
use crate::types::{CustomerId, Name};
use crate::wire::described::described;
use crate::wire::json::Json;
use crate::wire::reader::{Member, Reader};

described! {
    /// A customer. Type and name are sent under one of their two names each; scripts that the operator publishes call
    /// them `type` and `name`.
    CustomerBody "customer" {
        /// Its number, of no other customer.
        customer_number: CustomerNumber = required "customerNumber";
        /// What it is; this or `type` must be there.
        customer_type: CustomerType = optional "customerType";
        /// The same as `customerType`.
        other_type: CustomerType = optional "type";
        /// Its name; this or `name` must be there.
        customer_name: Name = optional "customerName";
        /// The same as `customerName`.
        other_name: Name = optional "name";
    }
}

/// A customer to be made.
struct NewCustomer {
    number: CustomerNumber,
    kind: CustomerType,
    name: Name,
}

impl Member for NewCustomer {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let read = CustomerBody::read(value, reader);
        if value.is_object() {
            one_spelling(value, reader, "customerType", "type");
            one_spelling(value, reader, "customerName", "name");
        }
        let body = read?;
        Some(Self {
            number: body.customer_number,
            kind: body.customer_type.or(body.other_type)?,
            name: body.customer_name.or(body.other_name)?,
        })
    }
}

/// A member under exactly one of its two names.
fn one_spelling(value: &Json<'_>, reader: &mut Reader, name: &'static str, other: &'static str) {
    match (value.has_member(name), value.has_member(other)) {
        (false, false) => drop(reader.missing::<()>(name)),
        (true, true) => {
            let names = format!("{name}, {other}");
            reader.within(other, |reader| {
                reader.error(Violation::with(Reason::MembersExclusive, &[&names]));
            });
        }
        _ => {}
    }
}

/// Makes a customer; a private one gets an agreement of its own.
pub(super) fn create(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let new: NewCustomer = context.body()?;
    context.write(|books| {
        if books.customer_by_number(new.number.as_str())?.is_some() {
            return Err(Refusal::at(Reason::CustomerNumberTaken, "/customerNumber").into());
        }
        let customer = Customer {
            id: CustomerId::from_bytes(context.fresh()?),
            number: new.number,
            kind: new.kind,
            name: new.name.into_string(),
        };
        books.insert_customer(&customer)?;
        if customer.kind == CustomerType::Private {
            engaging::own_agreement(context, books, &customer.id)?;
        }
        created(&CustomerView::of(books, &customer, Shown::ALL)?, Some(customer_path(&customer.id)))
    })
}

/// The customer whose number a body names must be there.
pub(super) fn check_member(books: &Books<'_>, body: &Json<'_>, reader: &mut Reader) -> Outcome<()> {
    let Some(number) = quiet::<CustomerNumber>(body, "customerNumber", reader) else { return Ok(()) };
    if books.customer_by_number(number.as_str())?.is_none() {
        reader.error_at("/customerNumber", Reason::CustomerNumberUnknown);
    }
    Ok(())
}

/// That customer.
pub(super) fn of_number(books: &Books<'_>, number: &CustomerNumber) -> Outcome<Customer> {
    let unknown = || Refusal::at(Reason::CustomerNumberUnknown, "/customerNumber");
    Ok(books.customer_by_number(number.as_str())?.ok_or_else(unknown)?)
}

/// Every customer; what is theirs where the query asks for it.
pub(super) fn list(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let shown = listing::read_of_customers(context.call.target)?;
    context.read(|books| found(&CustomersView::of(books, shown)?))
}

/// One customer with all that is theirs.
pub(super) fn show(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let id = context.id(0, CustomerId::parse, Reason::MockCustomerUnknown)?;
    context.read(|books| {
        let customer = books.customer(&id)?.ok_or(Reason::MockCustomerUnknown)?;
        found(&CustomerView::of(books, &customer, Shown::ALL)?)
    })
}

/// Removes a customer with all that is theirs.
pub(super) fn delete(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let id = context.id(0, CustomerId::parse, Reason::MockCustomerUnknown)?;
    context.write(|books| gone(books.delete_customer(&id)?, Reason::MockCustomerUnknown))
}
