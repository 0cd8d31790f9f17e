//! Imported states: one that is refused changes nothing; one that is taken is exported as it was taken, its books
//! balance, and the sandbox goes on. The input is changes of an exported state (`Walk::changed_state`), or a whole one.

use crate::walk::Walk;

pub(super) fn check(input: &[u8]) {
    Walk::with(|walk| {
        let before = walk.lived_in();
        let Some(text) = Walk::changed_state(&before, input) else { return };
        if walk.sandbox.import_json(&text).is_err() {
            assert!(walk.sandbox.export_json().expect("a state") == before, "changed by a refused state");
            return;
        }
        let taken = walk.sandbox.export_json().expect("a state");
        walk.sandbox.import_json(&taken).expect("a state that was exported");
        assert!(walk.sandbox.export_json().expect("a state") == taken, "another state than was taken");
        assert_eq!(walk.sandbox.reconcile_json().expect("the books"), "[]", "books that do not balance");
        walk.sandbox.advance(chrono::TimeDelta::days(1)).ok();
        walk.read_accounts();
        walk.leave();
    });
}
