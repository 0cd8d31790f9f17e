//! The forms that cross the wire: requests, responses, JSON, header values.

pub(crate) mod call_headers;
pub(crate) mod call_record;
pub(crate) mod canonical;
pub mod der;
pub(crate) mod described;
mod header_forms;
mod header_schemas;
pub(crate) mod headers;
pub(crate) mod http;
pub(crate) mod http_date;
pub(crate) mod json;
pub(crate) mod link;
pub(crate) mod message;
pub(crate) mod mime_word;
pub(crate) mod negotiation;
pub(crate) mod or_empty;
pub(crate) mod reader;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod schema;
pub(crate) mod target;
