//! The forms that cross the wire: requests, responses, JSON, header values.

pub mod call_headers;
pub mod canonical;
pub mod der;
pub mod described;
mod header_schemas;
pub mod headers;
pub mod http;
pub mod http_date;
pub mod json;
pub mod link;
pub mod message;
pub mod mime_word;
pub mod negotiation;
pub mod or_empty;
pub mod reader;
pub mod request;
pub mod response;
pub mod schema;
pub mod target;
