//! A TPP or a certificate is blocked until the end of the block, on every node.

use super::samples::{audited, time, OTHER_TPP, TPP};
use super::Backend;
use crate::store::{Block, BlockedKind, BlockedSubject, CommitOutcome, Store, Write};
use crate::types::CertificateHash;

fn hash(number: u8) -> CertificateHash {
    CertificateHash::new([number; 32])
}

fn tpp(id: &str) -> BlockedSubject {
    BlockedSubject::Tpp(id.to_owned())
}

fn put(store: &dyn Store, subject: BlockedSubject, since: i64, until: Option<i64>) -> Block {
    let why = "årsak \"A\"; '--".to_owned();
    let block = Block { subject, since: time(since), until: until.map(time), why };
    assert_eq!(store.commit(&[Write::Block(block.clone())]).unwrap(), CommitOutcome::Applied);
    block
}

fn found(store: &dyn Store, tpp: &str, certificate: u8, now: i64) -> Option<BlockedKind> {
    store.blocks().find_block(tpp, hash(certificate), time(now)).unwrap()
}

pub(crate) fn a_block_is_of_one_tpp_or_one_certificate(backend: &impl Backend) {
    let store = backend.node();
    put(&*store, tpp(TPP), 0, None);
    put(&*store, BlockedSubject::Certificate(hash(1)), 0, None);
    // On a node that opened the database before.
    for (id, certificate, expected) in [
        (TPP, 2, Some(BlockedKind::Tpp)),
        (TPP, 1, Some(BlockedKind::Tpp)),
        (OTHER_TPP, 1, Some(BlockedKind::Certificate)),
        (OTHER_TPP, 2, None),
        (&hash(1).to_string(), 2, None),
    ] {
        assert_eq!(found(&*store, id, certificate, 0), expected, "{id} {certificate}");
        assert_eq!(found(&*backend.node(), id, certificate, 0), expected, "{id} {certificate}");
    }
}

pub(crate) fn a_block_counts_until_its_end_and_on_a_clock_behind_it(backend: &impl Backend) {
    let store = backend.node();
    let ending = put(&*store, tpp(TPP), 0, Some(5));
    assert_eq!((found(&*store, TPP, 1, 4), found(&*store, TPP, 1, 5)), (Some(BlockedKind::Tpp), None));
    assert_eq!(store.blocks().list_blocks(time(4)).unwrap(), [ending]);
    assert_eq!(store.blocks().list_blocks(time(5)).unwrap(), []);
    let unblock = |at| Write::Unblock { subject: tpp(TPP), at: time(at) };
    assert_eq!(store.commit(&[unblock(5)]).unwrap(), CommitOutcome::VersionConflict);
    // A block that a node with a clock ahead adds ends no other.
    put(&*store, tpp(OTHER_TPP), 99, None);
    assert_eq!(found(&*store, TPP, 1, 4), Some(BlockedKind::Tpp));
    assert_eq!(store.commit(&[unblock(4)]).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn a_later_block_of_a_subject_replaces_the_earlier(backend: &impl Backend) {
    let store = backend.node();
    put(&*store, tpp(TPP), 0, Some(5));
    let later = put(&*store, tpp(TPP), 1, None);
    let certificate = put(&*store, BlockedSubject::Certificate(hash(7)), 2, Some(9));
    let other = put(&*store, tpp(OTHER_TPP), 3, Some(9));
    assert_eq!(store.blocks().list_blocks(time(8)).unwrap(), [later, other, certificate]);
}

pub(crate) fn a_block_is_removed_once(backend: &impl Backend) {
    let store = backend.node();
    put(&*store, tpp(TPP), 0, None);
    for expected in [CommitOutcome::Applied, CommitOutcome::VersionConflict] {
        let unblock = Write::Unblock { subject: tpp(TPP), at: time(1) };
        assert_eq!(store.commit(&[unblock, Write::AppendAudit(audited(1))]).unwrap(), expected);
        assert_eq!(found(&*store, TPP, 1, 1), None);
    }
    assert_eq!(store.audit().audit_lines(&(time(0)..time(9)), None, 9).unwrap().len(), 1);
}
