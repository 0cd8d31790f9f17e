//! Revocation lists: one that is accepted was signed by one of the authorities (checked by the second backend), and
//! counts until its end.

use crate::trust::{authorities, Signed};
use xs2a::trust::RevocationList;

pub(super) fn check(input: &[u8]) {
    let Ok(list) = RevocationList::from_der(input, authorities()) else { return };
    let signed = Signed::read(input).expect("a list that was accepted");
    assert_ne!(signed.is_signed_by(list.issuer_key()), Some(false), "a list that nothing signed");
    assert!(authorities().any(|authority| authority.public_key() == list.issuer_key()));
    assert!(!list.is_current(list.next_update() + chrono::TimeDelta::seconds(1)), "a list after its end");
}
