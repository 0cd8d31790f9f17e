//! Requests changed in transit, and requests of random bytes.

use proptest::prelude::*;

use crate::bad_input::bench::{decked, Bench};
use crate::world::draft::Draft;
use crate::world::{body, cross_border, straks, CROSS_BORDER, STRAKS};

/// A change of one part of a request.
#[derive(Debug, Clone)]
enum Mutation {
    SetByte(Part, prop::sample::Index, u8),
    InsertByte(Part, prop::sample::Index, u8),
    RemoveByte(Part, prop::sample::Index),
    Truncate(Part, prop::sample::Index),
    RemoveHeader(prop::sample::Index),
    RepeatHeader(prop::sample::Index),
    SwapValues(prop::sample::Index, prop::sample::Index),
    Method(String),
}

#[derive(Debug, Clone)]
enum Part {
    Header(prop::sample::Index),
    Body,
    Target,
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        4 => any::<prop::sample::Index>().prop_map(Part::Header),
        3 => Just(Part::Body),
        2 => Just(Part::Target),
    ]
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        8 => (part(), index(), any::<u8>()).prop_map(|(part, at, byte)| Mutation::SetByte(part, at, byte)),
        4 => (part(), index(), any::<u8>()).prop_map(|(part, at, byte)| Mutation::InsertByte(part, at, byte)),
        4 => (part(), index()).prop_map(|(part, at)| Mutation::RemoveByte(part, at)),
        2 => (part(), index()).prop_map(|(part, at)| Mutation::Truncate(part, at)),
        1 => index().prop_map(Mutation::RemoveHeader),
        1 => index().prop_map(Mutation::RepeatHeader),
        1 => (index(), index()).prop_map(|(one, other)| Mutation::SwapValues(one, other)),
        1 => "(GET|PUT|DELETE|post|[A-Z]{0,8})".prop_map(Mutation::Method),
    ]
}

impl Mutation {
    fn apply(&self, draft: &mut Draft) {
        match self {
            Self::SetByte(part, at, byte) => change(draft, part, |bytes| {
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                }
            }),
            Self::InsertByte(part, at, byte) => {
                change(draft, part, |bytes| bytes.insert(at.index(bytes.len() + 1), *byte));
            }
            Self::RemoveByte(part, at) => change(draft, part, |bytes| {
                if !bytes.is_empty() {
                    bytes.remove(at.index(bytes.len()));
                }
            }),
            Self::Truncate(part, at) => {
                change(draft, part, |bytes| bytes.truncate(at.index(bytes.len() + 1)))
            }
            Self::RemoveHeader(at) => {
                draft.headers.remove(at.index(draft.headers.len()));
            }
            Self::RepeatHeader(at) => {
                let repeated = draft.headers[at.index(draft.headers.len())].clone();
                draft.headers.push(repeated);
            }
            Self::SwapValues(one, other) => {
                let (one, other) = (one.index(draft.headers.len()), other.index(draft.headers.len()));
                let value = draft.headers[one].1.clone();
                draft.headers[one].1 = std::mem::replace(&mut draft.headers[other].1, value);
            }
            Self::Method(method) => draft.method.clone_from(method),
        }
    }
}

fn change(draft: &mut Draft, part: &Part, change: impl FnOnce(&mut Vec<u8>)) {
    match part {
        Part::Header(at) => {
            let at = at.index(draft.headers.len());
            change(&mut draft.headers[at].1);
        }
        Part::Body => change(&mut draft.body),
        Part::Target => {
            let mut bytes = draft.target.clone().into_bytes();
            change(&mut bytes);
            draft.target = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
}

thread_local! {
    static BENCH: Bench = Bench::new();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    /// A good request with any change on its way: it is refused, or it does what was signed.
    #[test]
    fn a_changed_request_is_refused_or_does_what_was_signed(
        abroad in any::<bool>(),
        mutations in prop::collection::vec(mutation(), 1..4),
    ) {
        BENCH.with(|bench| {
            let (target, signed_body) = if abroad { (CROSS_BORDER, cross_border()) } else { (STRAKS, straks()) };
            let sandbox = bench.sandbox.fork().unwrap();
            let bench = Bench { sandbox, signer: bench.signer.clone(), private_key: bench.private_key.clone() };
            let mut draft = bench.sign(Draft { headers: decked().headers, ..Draft::creation(target, &signed_body) });
            for mutation in &mutations {
                mutation.apply(&mut draft);
            }
            let response = bench.judge(&draft);
            if response.status() < 300 {
                assert_eq!(response.status(), 201);
                let location = response.header("Location").unwrap();
                // The target is not signed here: cut short, it may name another product.
                let path = draft.target.split('?').next().unwrap();
                assert!(location.starts_with(&format!("{path}/")), "{location}");
                let mut stored = body(&bench.ask(Draft::get(location)));
                let members = stored.as_object_mut().unwrap();
                members.remove("paymentId");
                members.remove("_links");
                assert_eq!(stored, signed_body);
            }
        });
    }

    #[test]
    fn no_request_at_all_is_a_500(
        method in "(GET|POST|[A-Z]{0,6}|\\PC{0,4})",
        target in "(/v1/payments/instant-norwegian-domestic-credit-transfers-straks)?(/\\PC{0,8}){0,3}(\\?\\PC{0,20})?",
        headers in prop::collection::vec(
            (
                "(\\PC{0,10}|Date|Digest|Signature|PSU-ID|TPP-[A-Z]{2,10}|Accept(-[A-Z]{4,9})?)",
                prop::collection::vec(any::<u8>(), 0..60),
            ),
            0..30,
        ),
        body in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        BENCH.with(|bench| {
            let draft = Draft { method, target, headers, body };
            prop_assert!(bench.judge(&draft).status() >= 400);
            prop_assert!(bench.judge(&bench.sign(draft)).status() >= 400);
            Ok(())
        })?;
    }

    #[test]
    fn no_body_at_all_is_a_500(text in "\\PC{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        BENCH.with(|bench| {
            bench.body(text);
            bench.body(bytes);
        });
    }
}
