//! The replay window: an X-Request-ID of one TPP counts once within 120 seconds.
//!
//! The engine remembers every authenticated call in memory, so a replay is refused without a query. The memory is
//! bounded for each TPP, so that the calls of one make it forget none of another. Calls that change something also
//! write their id with the change itself: a change is never repeated, also on another node, after a restart, or where
//! the memory was too small. Reading twice through two nodes changes nothing and is let pass.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use uuid::Uuid;

use super::recent::Recent;
use crate::crypto::sha256;
use crate::limits::{DATE_DEVIATION_SECONDS_MAX, REPLAY_IDS_MAX, REPLAY_WINDOW_SECONDS};
use crate::reason::{Reason, Refusal, Violation};
use crate::types::RequestId;

/// The request ids of one engine.
#[derive(Debug)]
pub(crate) struct ReplayWindow(Mutex<Windows>);

/// The ids by TPP (hashed, so that an entry has a fixed size), and when all of them were last looked at, in
/// microseconds.
#[derive(Debug, Default)]
struct Windows {
    tpps: HashMap<[u8; 16], Ids>,
    swept_micros: i64,
}

impl Windows {
    /// Once a window, forgets the old ids of every TPP, also of those that do not call any more.
    fn sweep(&mut self, now_micros: i64) {
        if is_over(self.swept_micros, now_micros) {
            self.swept_micros = now_micros;
            self.tpps.retain(|_, ids| {
                ids.forget(now_micros);
                !ids.recent.is_empty()
            });
        }
    }

    fn of(&mut self, tpp: [u8; 16]) -> &mut Ids {
        self.tpps.entry(tpp).or_insert_with(Ids::new)
    }
}

/// The ids of one TPP, and since when those of the young generation have been noted, in microseconds.
#[derive(Debug)]
struct Ids {
    recent: Recent<Uuid, i64>,
    generation: u64,
    since_micros: i64,
}

impl Ids {
    fn new() -> Self {
        Self { recent: Recent::new(REPLAY_IDS_MAX), generation: 0, since_micros: 0 }
    }

    /// Begins a new generation where the young one is as old as an id counts at most: what the old one held counts no
    /// longer by then, and quiet hours keep no ids of busy ones.
    fn forget(&mut self, now_micros: i64) {
        if is_over(self.since_micros, now_micros) {
            self.recent.age();
        }
        self.mark(now_micros);
    }

    /// Notes when a generation began, for any cause.
    fn mark(&mut self, now_micros: i64) {
        if self.generation != self.recent.generation() {
            self.generation = self.recent.generation();
            self.since_micros = now_micros;
        }
    }
}

/// Whether an id that was noted at the first time counts no longer at the second.
fn is_over(since_micros: i64, now_micros: i64) -> bool {
    now_micros.saturating_sub(since_micros) >= (REPLAY_WINDOW_SECONDS + 1).saturating_mul(MICROS)
}

const MICROS: i64 = 1_000_000;

impl ReplayWindow {
    pub(crate) fn new() -> Self {
        Self(Mutex::default())
    }

    /// Notes a use, from [`used_at`] on. `false`: the id was used within the window.
    pub(crate) fn note(
        &self,
        tpp: &str,
        request_id: RequestId,
        used_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> bool {
        let request_id = key(&request_id);
        let now_micros = now.timestamp_micros();
        let earliest = window_start(now).timestamp_micros();
        let mut windows = self.0.lock();
        windows.sweep(now_micros);
        let ids = windows.of(short_hash(tpp));
        ids.forget(now_micros);
        let is_new = ids.recent.get(&request_id).is_none_or(|used| used < earliest);
        if is_new {
            ids.recent.insert(request_id, used_at.timestamp_micros());
        }
        ids.mark(now_micros);
        is_new
    }

    /// The uses that still count, oldest first: equal windows give equal lists.
    pub(crate) fn used(&self, now: DateTime<Utc>) -> Vec<UsedId> {
        let earliest = window_start(now).timestamp_micros();
        let windows = self.0.lock();
        let all = windows.tpps.iter().flat_map(|(&tpp, ids)| {
            ids.recent.iter().map(move |(&request_id, &used_micros)| UsedId { used_micros, tpp, request_id })
        });
        let mut used: Vec<_> = all.filter(|id| id.used_micros >= earliest).collect();
        used.sort_unstable();
        used
    }

    /// Remembers these uses and no others: only sandboxes that are restored or forked do that.
    pub(crate) fn replace(&self, used: &[UsedId]) {
        let mut windows = self.0.lock();
        windows.tpps.clear();
        for id in used {
            windows.of(id.tpp).recent.insert(id.request_id, id.used_micros);
        }
    }
}

/// A remembered use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UsedId {
    pub(crate) used_micros: i64,
    /// The TPP, hashed.
    pub(crate) tpp: [u8; 16],
    /// The id, hashed if it is no UUID.
    pub(crate) request_id: Uuid,
}

/// From when on the id of a request counts as used: from its call on, or up to a second later where its Date lies so
/// far ahead that the same request would be taken after the window. A Date counts for the whole of its last second.
pub(crate) fn used_at(date: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    const COUNTS_FOR: TimeDelta = TimeDelta::seconds(DATE_DEVIATION_SECONDS_MAX as i64 + 1);
    let late_enough = date.checked_add_signed(COUNTS_FOR - TimeDelta::seconds(REPLAY_WINDOW_SECONDS));
    late_enough.map_or(now, |at| at.max(now))
}

/// The first microsecond whose uses still count: at exactly 120 seconds an id is free again.
pub(crate) fn window_start(now: DateTime<Utc>) -> DateTime<Utc> {
    let reach = TimeDelta::seconds(REPLAY_WINDOW_SECONDS) - TimeDelta::microseconds(1);
    now.checked_sub_signed(reach).unwrap_or(DateTime::<Utc>::MIN_UTC)
}

/// The refusal of a request id that was used.
pub(crate) fn replayed() -> Refusal {
    Refusal::at(Violation::with(Reason::RequestReplayed, &[&REPLAY_WINDOW_SECONDS]), "X-Request-ID")
}

/// 16 bytes for any id: a UUID itself, and of another text its hash.
fn key(request_id: &RequestId) -> Uuid {
    request_id.uuid().unwrap_or_else(|| Uuid::from_bytes(short_hash(request_id.as_str())))
}

fn short_hash(text: &str) -> [u8; 16] {
    let mut short = [0; 16];
    for (to, from) in short.iter_mut().zip(sha256(text.as_bytes())) {
        *to = from;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::clock::from_micros;

    const SECOND: i64 = 1_000_000;

    fn note(window: &ReplayWindow, tpp: &str, request_id: Uuid, now: DateTime<Utc>) -> bool {
        window.note(tpp, request_id.into(), now, now)
    }

    #[test]
    fn an_id_counts_until_a_date_far_ahead_does_no_longer() {
        let now = from_micros(1_000 * SECOND);
        for (ahead, later) in [(-60, 0), (0, 0), (59, 0), (60, 1)] {
            assert_eq!(
                used_at(now + TimeDelta::seconds(ahead), now),
                now + TimeDelta::seconds(later),
                "{ahead}"
            );
        }
        let within_a_second = from_micros(1_000 * SECOND + 999_999);
        assert_eq!(used_at(now + TimeDelta::seconds(60), within_a_second), now + TimeDelta::seconds(1));
        let window = ReplayWindow::new();
        let id = Uuid::from_u128(1);
        assert!(window.note("a", id.into(), now + TimeDelta::seconds(1), now));
        assert!(!note(&window, "a", id, from_micros(1_121 * SECOND - 1)));
        assert!(note(&window, "a", id, from_micros(1_121 * SECOND)));
    }

    #[test]
    fn an_id_counts_once_within_120_seconds_and_again_after() {
        let window = ReplayWindow::new();
        let id = Uuid::from_u128(1);
        assert!(note(&window, "PSDNO-FSA-1", id, from_micros(0)));
        assert!(!note(&window, "PSDNO-FSA-1", id, from_micros(120 * SECOND - 1)));
        assert!(note(&window, "PSDNO-FSA-1", id, from_micros(120 * SECOND)));
    }

    #[test]
    fn ids_of_two_windows_ago_are_forgotten_and_none_before() {
        let window = ReplayWindow::new();
        let held = || window.0.lock().tpps.values().map(|ids| ids.recent.iter().count()).sum::<usize>();
        let id = |second: i64| Uuid::from_u128(u128::from(second.unsigned_abs()));
        for second in 0..1_000 {
            assert!(note(&window, "a", id(second), from_micros(second * SECOND)));
            let oldest = (second - 119).max(0);
            assert!(!note(&window, "a", id(oldest), from_micros(second * SECOND)), "{oldest} at {second}");
            // Two windows of new ids, and as many that were asked for again.
            assert!(held() <= 484, "{} at {second}", held());
        }
        assert!(note(&window, "a", id(2_000), from_micros(2_000 * SECOND)));
        assert!(note(&window, "a", id(3_000), from_micros(3_000 * SECOND)));
        assert_eq!(held(), 2);
        // A TPP that does not call any more is forgotten by the calls of others.
        assert!(note(&window, "b", id(1), from_micros(4_000 * SECOND)));
        assert!(note(&window, "b", id(2), from_micros(5_000 * SECOND)));
        assert_eq!(window.0.lock().tpps.len(), 1);
    }

    #[test]
    fn ids_of_one_tpp_push_out_their_own_and_none_of_another() {
        let window = ReplayWindow::new();
        let (id, now) = (Uuid::from_u128, from_micros(0));
        assert!(note(&window, "quiet", id(0), now));
        (0..=2 * REPLAY_IDS_MAX as u128).for_each(|number| assert!(note(&window, "busy", id(number), now)));
        assert!(!note(&window, "quiet", id(0), now));
        let held = window.used(now).len();
        assert!(held <= 2 * REPLAY_IDS_MAX + 1, "{held}");
        // The newest half stays.
        assert!(!note(&window, "busy", id(REPLAY_IDS_MAX as u128 + 1), now));
        assert!(note(&window, "busy", id(0), now));
    }

    #[test]
    fn a_clock_that_is_set_back_frees_no_id() {
        let window = ReplayWindow::new();
        let id = Uuid::from_u128;
        assert!(note(&window, "a", id(1), from_micros(1_000 * SECOND)));
        assert!(note(&window, "a", id(2), from_micros(500 * SECOND)));
        assert!(!note(&window, "a", id(1), from_micros(620 * SECOND)));
        assert!(!note(&window, "a", id(1), from_micros(1_119 * SECOND)));
        assert!(note(&window, "a", id(1), from_micros(1_120 * SECOND)));
    }

    #[test]
    fn ids_that_are_no_uuids_count_too() {
        let window = ReplayWindow::new();
        let note =
            |text: &str| window.note("a", RequestId::parse(text).unwrap(), from_micros(0), from_micros(0));
        assert!(note("TEST_1") && note("TEST_2") && note("test_1"));
        assert!(!note("TEST_1") && !note("test_1"));
    }

    #[test]
    fn two_tpps_may_use_the_same_id() {
        let window = ReplayWindow::new();
        let id = Uuid::from_u128(1);
        assert!(note(&window, "PSDNO-FSA-1", id, from_micros(0)));
        assert!(note(&window, "PSDNO-FSA-2", id, from_micros(0)));
    }

    #[test]
    fn uses_are_listed_oldest_first_and_no_longer_than_they_count() {
        let window = ReplayWindow::new();
        for second in [3_u8, 1, 2] {
            note(&window, "a", Uuid::from_u128(u128::from(second)), from_micros(i64::from(second) * SECOND));
        }
        let listed = |micros| {
            let used = window.used(from_micros(micros));
            used.iter().map(|id| id.request_id.as_u128()).collect::<Vec<_>>()
        };
        assert_eq!(listed(121 * SECOND - 1), [1, 2, 3]);
        assert_eq!(listed(121 * SECOND), [2, 3]);
    }

    #[test]
    fn a_copy_remembers_and_is_independent() {
        let window = ReplayWindow::new();
        note(&window, "a", Uuid::from_u128(1), from_micros(0));
        let copy = ReplayWindow::new();
        copy.replace(&window.used(from_micros(0)));
        note(&copy, "a", Uuid::from_u128(2), from_micros(0));
        assert!(!note(&copy, "a", Uuid::from_u128(1), from_micros(1)));
        assert!(note(&window, "a", Uuid::from_u128(2), from_micros(1)));
    }
}
