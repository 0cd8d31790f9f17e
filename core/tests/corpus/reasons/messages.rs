//! The message itself.

use crate::reasons::case::{refused, Case, Earned};
use crate::world::draft::{database, Draft};

pub(crate) fn cases() -> Vec<Case> {
    vec![refused("MSG-01", |ask| {
        let headers = ask.tongued(Draft::new("GET", "/v1/accounts")).headers;
        let mut message =
            b"GET /v1/accounts HTTP/1.1\r\nHost: bank.example\r\nTransfer-Encoding: chunked\r\n".to_vec();
        for (name, value) in headers {
            message.extend([name.as_bytes(), b": ", &value, b"\r\n"].concat());
        }
        let before = database(&ask.sandbox);
        let answer = ask.sandbox.handle_http(&[&message, &b"\r\n0\r\n\r\n"[..]].concat());
        assert!(database(&ask.sandbox) == before, "a refused message changed the database");
        Earned::Answered(answer.response().clone())
    })
    .saying(&["6.1", "47"])]
}
