//! The members of every payment body: one table with a column for each form of body, and what was read by it.
//!
//! Source: contract, "Payment initiation request" and "Payment and basket operations". A member that a form
//! does not have is an unknown member there.

use chrono::NaiveDate;

use super::members::{
    AnyAccount, AnyDebtor, Debtor, DomesticAccount, Entries, IbanAccount, ReadAccount, ReadAddress,
};
use super::order::{
    references, CreditTransfer, Order, Periodic, RegulatoryCode, RegulatoryInformation,
    RemittanceInformation, Schedule, StructuredReference,
};
use super::product::Product;
use crate::types::{AccountReference, DayOfExecution, ExecutionRule, Frequency};
use crate::types::{Amount, Bic, Currency, Name, PurposeCode, Reference, Remittance, ServiceLevel};
use crate::wire::described::{joined, Described};
use crate::wire::or_empty::{filled, OrEmpty};
use crate::wire::reader::{Each, Member, Members, Reader};
use crate::wire::schema::Schema;

/// Whether a form has a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must be there.
    Required,
    /// It may be there.
    Optional,
    /// It is an unknown member.
    Absent,
}

/// What is read: a column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A domestic payment.
    Domestic,
    /// A domestic payment that is settled at once.
    InstantDomestic,
    /// A SEPA payment.
    Sepa,
    /// A cross-border payment.
    CrossBorder,
    /// A cross-border payment with regulatory reporting.
    NorwegianCrossBorder,
    /// A domestic payment by a schedule.
    Periodic,
    /// What the payments of a bulk have in common.
    BulkHead,
    /// One payment of a bulk.
    BulkEntry,
    /// What this library itself wrote to the store. All its members are optional: an order that lacks one
    /// cannot be made of it.
    Stored,
}

impl Form {
    /// The form of a product's body.
    pub(super) fn of(product: Product) -> Self {
        match product {
            Product::Domestic => Self::Domestic,
            Product::InstantDomestic | Product::InstantDomesticStraks => Self::InstantDomestic,
            Product::Sepa => Self::Sepa,
            Product::CrossBorder => Self::CrossBorder,
            Product::NorwegianCrossBorder => Self::NorwegianCrossBorder,
            Product::PeriodicDomestic => Self::Periodic,
            Product::BulkDomestic => Self::BulkHead,
        }
    }

    /// The cell of its column in a row.
    fn presence(self, row: [Presence; 9]) -> Presence {
        let [domestic, instant, sepa, cross_border, norwegian, periodic, bulk_head, bulk_entry, stored] = row;
        match self {
            Self::Domestic => domestic,
            Self::InstantDomestic => instant,
            Self::Sepa => sepa,
            Self::CrossBorder => cross_border,
            Self::NorwegianCrossBorder => norwegian,
            Self::Periodic => periodic,
            Self::BulkHead => bulk_head,
            Self::BulkEntry => bulk_entry,
            Self::Stored => stored,
        }
    }
}

/// A member, in the columns that have it. Where columns differ in its form it has several rows.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What its value looks like, with its limits.
    pub form: String,
    /// The same as a schema.
    pub schema: Schema,
    /// What it says.
    pub note: String,
    /// Whether it is in the body, for each of [`columns`](super::bodies::columns).
    pub cells: Vec<Presence>,
}

macro_rules! presence {
    (R) => {
        Presence::Required
    };
    (O) => {
        Presence::Optional
    };
    (-) => {
        Presence::Absent
    };
}

macro_rules! payment_members {
    ($( $(#[doc = $note:literal])+ $field:ident: $type:ty = $wire:literal [$($presence:tt)+]; )+) => {
        /// What could be read; a faulty member is `None` and has left its finding.
        pub(super) struct Draft { $( $(#[doc = $note])+ pub(super) $field: Option<$type>, )+ }

        impl Draft {
            pub(super) fn read(members: &Members<'_>, form: Form, reader: &mut Reader) -> Self {
                Self { $( $field: read_member::<$type>(members, $wire, [$(presence!($presence)),+], form, reader), )+ }
            }
        }

        /// Whether the form has a member of that name.
        pub(super) fn is_member(name: &str, form: Form) -> bool {
            match name {
                $( $wire if form.presence([$(presence!($presence)),+]) != Presence::Absent => true, )+
                _ => false,
            }
        }

        /// The rows for the docs, those columns of each.
        pub(super) fn rows(forms: &[Form]) -> Vec<Row> {
            let cells = |row| forms.iter().map(|form| form.presence(row)).collect();
            vec![ $( Row {
                name: $wire,
                form: <$type as Described>::form(),
                schema: <$type as Described>::schema(),
                note: joined(&[$( $note ),+]),
                cells: cells([$(presence!($presence)),+]),
            }, )+ ]
        }
    };
}

// R: required. O: optional. -: unknown.
payment_members! {
    // domestic, instant, SEPA, cross-border, Norwegian cross-border, periodic, bulk head, bulk entry, stored
    /// The TPP's own name for the bulk.
    payment_information_id: Reference = "paymentInformationId"                          [- - - - - - O - O];
    /// How much the creditor gets; on SEPA in EUR.
    instructed_amount: Amount = "instructedAmount"                                      [R R R R R R - R O];
    /// The payee.
    creditor_name: Name = "creditorName"                                                [R R R R R R - R O];
    /// The payee's account.
    domestic_creditor: DomesticAccount = "creditorAccount"                              [R R - - - R - R -];
    /// The payee's account.
    iban_creditor: IbanAccount = "creditorAccount"                                      [- - R - - - - - -];
    /// The payee's account.
    creditor: AnyAccount = "creditorAccount"                                            [- - - R R - - - O];
    /// The payee's bank.
    creditor_agent: Bic = "creditorAgent"                                               [- - O R R - - - O];
    /// The payee's address. On SEPA it is required where [the rule on structured
    /// addresses](guide/rules.md#structured-addresses) is in force.
    creditor_address: ReadAddress = "creditorAddress"                                   [R R O R R R - R O];
    /// The account that pays.
    debtor: Debtor = "debtorAccount"                                                    [R R - R R R R - -];
    /// The account that pays.
    any_debtor: AnyDebtor = "debtorAccount"                                             [- - R - - - - - O];
    /// On whose behalf the debtor pays.
    ultimate_debtor: OrEmpty<Name> = "ultimateDebtor"                                   [O O O O O O - O O];
    /// Why, as a code.
    purpose_code: PurposeCode = "purposeCode"                                           [O O O O O O - O O];
    /// Why, for the payee: a message. Of the three `remittanceInformation…` one at most.
    unstructured: Remittance = "remittanceInformationUnstructured"                      [O O O O O O - O O];
    /// Why, for the payee: one reference; deprecated.
    structured: StructuredReference = "remittanceInformationStructured"                 [O O O O O O - O O];
    /// Why, for the payee: references.
    structured_array: Each<StructuredReference> = "remittanceInformationStructuredArray" [O O O O O O - O O];
    /// For the authorities: their code. Required on `norwegian-cross-border-credit-transfers` from
    /// NOK 100 000 on.
    regulatory_code: RegulatoryCode = "regulatoryReportingCode"                         [- - O - O - - - O];
    /// For the authorities: what the payment is for. Required as the code is.
    regulatory_information: RegulatoryInformation = "regulatoryReportingInformation"    [- - O - O - - - O];
    /// How urgent it is.
    service_level: ServiceLevel = "serviceLevel"                                        [- - - O O - - - O];
    /// The day it is to be executed: today to 365 days ahead.
    requested_execution_date: NaiveDate = "requestedExecutionDate"                      [O - O O O - O - O];
    /// The first day: today to 365 days ahead.
    start_date: NaiveDate = "startDate"                                                 [- - - - - R - - O];
    /// The last day, not before the first; without it, until it is cancelled.
    end_date: NaiveDate = "endDate"                                                     [- - - - - O - - O];
    /// Where a day goes that is no banking day. `preceeding` is taken for `preceding`.
    execution_rule: ExecutionRule = "executionRule"                                     [- - - - - O - - O];
    /// How often.
    frequency: Frequency = "frequency"                                                  [- - - - - R - - O];
    /// The day of the month; in a shorter month its last day.
    day_of_execution: DayOfExecution = "dayOfExecution"                                 [- - - - - O - - O];
    /// The payments.
    entries: Entries = "payments"                                                       [- - - - - - R - O];
}

fn read_member<T: Member>(
    members: &Members<'_>,
    name: &'static str,
    row: [Presence; 9],
    form: Form,
    reader: &mut Reader,
) -> Option<T> {
    match form.presence(row) {
        Presence::Required => reader.required(members, name),
        Presence::Optional => reader.optional(members, name),
        Presence::Absent => None,
    }
}

impl Draft {
    /// The currency of the creditor's account, for every form of account reference.
    pub(super) fn creditor_currency(&self) -> Option<Currency> {
        self.creditor_account()?.currency
    }

    fn creditor_account(&self) -> Option<&ReadAccount> {
        let domestic = self.domestic_creditor.as_ref().map(|account| &account.0);
        let iban = self.iban_creditor.as_ref().map(|account| &account.0);
        domestic.or(iban).or(self.creditor.as_ref().map(|account| &account.0))
    }

    /// The currency of the account that pays.
    pub(super) fn debtor_currency(&self) -> Option<Currency> {
        self.read_debtor()?.currency
    }

    /// The debtor account, for every form of account reference, if it is complete.
    pub(super) fn debtor_account(&self) -> Option<AccountReference> {
        self.read_debtor()?.whole()
    }

    /// The debtor account as far as it could be read.
    pub(super) fn read_debtor(&self) -> Option<&ReadAccount> {
        let any = self.any_debtor.as_ref().map(|debtor| &debtor.0);
        self.debtor.as_ref().map(|debtor| &debtor.0).or(any)
    }

    /// Its structured references, each with its pointer.
    pub(super) fn references(&self) -> impl Iterator<Item = (String, &StructuredReference)> {
        let array = self.structured_array.iter().flat_map(|each| &each.0);
        references(self.structured.as_ref(), array.map(Option::as_ref))
    }

    /// The order of one credit transfer, periodic where it has a schedule.
    pub(super) fn into_order(self) -> Option<Order> {
        let debtor = self.debtor_account()?;
        let schedule = self.schedule();
        let transfer = self.into_transfer(debtor)?;
        Some(match schedule {
            Some(schedule) => Order::Periodic(Periodic { transfer, schedule }),
            None => Order::Single(transfer),
        })
    }

    fn schedule(&self) -> Option<Schedule> {
        Some(Schedule {
            start_date: self.start_date?,
            end_date: self.end_date,
            execution_rule: self.execution_rule,
            frequency: self.frequency?,
            day_of_execution: self.day_of_execution,
        })
    }

    /// The credit transfer, where it is whole, paid by that account.
    pub(super) fn into_transfer(self, debtor_account: AccountReference) -> Option<CreditTransfer> {
        let creditor_account = self.creditor_account()?.whole()?;
        let creditor_address = match self.creditor_address {
            Some(address) => Some(address.whole()?),
            None => None,
        };
        let remittance = match (self.unstructured, self.structured, self.structured_array) {
            (Some(text), ..) => Some(RemittanceInformation::Unstructured(text)),
            (_, Some(reference), _) => Some(RemittanceInformation::Structured(reference)),
            (.., Some(references)) => Some(RemittanceInformation::StructuredArray(references.whole()?)),
            (None, None, None) => None,
        };
        Some(CreditTransfer {
            instructed_amount: self.instructed_amount?,
            creditor_name: self.creditor_name?,
            creditor_account,
            creditor_agent: self.creditor_agent,
            creditor_address,
            debtor_account,
            ultimate_debtor: filled(self.ultimate_debtor),
            purpose_code: self.purpose_code,
            remittance,
            regulatory_reporting_code: self.regulatory_code,
            regulatory_reporting_information: self.regulatory_information,
            service_level: self.service_level,
            requested_execution_date: self.requested_execution_date,
        })
    }
}
