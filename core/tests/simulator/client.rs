//! What a TPP sends, and what it gets.

use std::sync::atomic::Ordering;

use serde_json::Value;
use xs2a::internal::{from_micros, sha256};
use xs2a::Request;

use crate::model::{Known, Sent, Span};
use crate::support::world::{creation_headers, replaced};
use crate::world::{Node, World};

/// How many answered requests are kept for those who send them again.
const KEPT_REQUESTS: usize = 24;

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) reason: &'static str,
    pub(crate) body: Value,
    pub(crate) span: Span,
    /// Whether the process ended before the answer left.
    pub(crate) is_lost: bool,
    /// Whether something went wrong within the call, or another call came in between.
    pub(crate) has_fired: bool,
}

impl Answer {
    pub(crate) fn is_accepted(&self) -> bool {
        !self.is_lost && (200..300).contains(&self.status)
    }

    /// Whether it is not known if the call changed something.
    pub(crate) fn is_unknown(&self) -> bool {
        self.is_lost || self.status >= 500
    }

    /// Whether the call changed what it was to change.
    pub(crate) fn known(&self) -> Known {
        match (self.is_unknown(), self.is_accepted()) {
            (true, _) => Known::Maybe,
            (false, true) => Known::Yes,
            (false, false) => Known::No,
        }
    }

    pub(crate) fn text(&self, pointer: &str) -> String {
        self.body.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// The id in the link to the SCA site.
    pub(crate) fn link(&self) -> String {
        let link = self.text("/_links/scaRedirect/href");
        link.rsplit('/').next().unwrap_or_default().to_owned()
    }
}

/// The headers of every call of the rules, with a session, and the PSU where it is named.
pub(crate) fn headers<'h>(session: &'h str, psu_id: Option<&'h str>) -> Vec<(&'h str, &'h str)> {
    let of_session = replaced(creation_headers(), &[("TPP-Session-ID", session)]);
    match psu_id {
        Some(psu_id) => replaced(of_session, &[("PSU-Context", ""), ("PSU-ID", psu_id)]),
        None => of_session,
    }
}

impl World {
    /// Signs a request by the true time and sends it to a node.
    pub(crate) fn call(
        &self,
        node: &Node,
        tpp: usize,
        method: &'static str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let number = u128::from(self.request_ids.fetch_add(1, Ordering::Relaxed));
        let headers = self.tpps[tpp].sign(method, target, headers, body, from_micros(self.now()), number);
        let at = self.now();
        let answer = self.send(node, method, target, &headers, body);
        self.require(answer.status < 500 || answer.has_fired, "every failure has a cause", || {
            format!("{method} {target}: {} {}", answer.status, answer.reason)
        });
        self.require(answer.reason != "SYS-03" || node.is_dead(), "nothing panics", || {
            format!("{method} {target}")
        });
        if answer.is_accepted() {
            let (target, body) = (target.to_owned(), body.to_vec());
            // A cancellation that needs an SCA is answered 202, and changes nothing.
            let is_change = method != "GET" && answer.status != 202;
            let sent = Sent { method, target, headers, body, at, process: node.process, is_change };
            let kept = &mut self.model.lock().sent;
            kept.push(sent);
            if kept.len() > KEPT_REQUESTS {
                kept.remove(0);
            }
        }
        answer
    }

    /// Sends a signed request.
    pub(crate) fn send(
        &self,
        node: &Node,
        method: &str,
        target: &str,
        headers: &[(String, String)],
        body: &[u8],
    ) -> Answer {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let request = Request { method, target, headers: &headers, body, correlation_id: None };
        let from = node.now();
        let response = node.engine.handle(&request);
        let span = Span { from, to: node.now() };
        let answer = Answer {
            status: response.status(),
            reason: response.reason().unwrap_or_default(),
            body: serde_json::from_slice(response.body()).unwrap_or_default(),
            span,
            is_lost: node.is_dead(),
            has_fired: self.has_fired(),
        };
        let latest = &mut self.model.lock().latest;
        *latest = (*latest).max(span.to);
        let mut tally = self.tally.lock();
        tally.calls += 1;
        tally.accepted += u64::from(answer.is_accepted());
        drop(tally);
        let fields: String = response.headers().map(|(name, value)| format!("{name}: {value}\n")).collect();
        let whole = sha256(&[fields.as_bytes(), response.body()].concat());
        self.log(&format!(
            "{} node {} {method} {target}: {} {}{} {:02x}{:02x}{:02x}{:02x}",
            self.now(),
            node.number,
            answer.status,
            answer.reason,
            if answer.is_lost { " lost" } else { "" },
            whole[0],
            whole[1],
            whole[2],
            whole[3],
        ));
        answer
    }
}
