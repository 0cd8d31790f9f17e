//! The pages of the bank's own site for strong customer authentication: values become HTML here, and what a
//! browser sends back becomes values again. Which page follows which is not decided here.

mod answer;
mod approve;
mod choice;
mod consent;
mod content_security;
mod form;
mod identify;
mod layout;
mod notice;
mod orders;
mod page_context;
mod role;
mod row;
mod schedule;
mod spelling;
mod texts;
mod token;

pub(crate) use answer::dated;
pub(crate) use approve::approve;
pub(crate) use choice::{ChosenRole, OfferedRole};
pub(crate) use consent::Offer;
pub(crate) use form::{Form, Malformed, Submission};
pub(crate) use identify::{identify, read_customer_number, TestCustomers};
pub(crate) use notice::{leave, Notice};
pub(crate) use orders::Ordered;
pub(crate) use page_context::{ApprovalPrompt, PageContext, SignedIn};
pub(crate) use role::{choose_role, no_role};
pub(crate) use token::{Step, TokenKey};
