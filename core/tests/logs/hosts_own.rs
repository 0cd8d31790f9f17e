//! What the host has of its own: a subscriber, and a clock that cannot be right.

use std::sync::Arc;

use chrono::TimeDelta;
use xs2a::env::clock::ManualClock;
use xs2a::env::logger::LogLevel;

use crate::house::{House, Kept, Mood};
use crate::said_during;
use crate::world::at;

#[test]
fn a_clock_of_the_host_that_cannot_be_right_is_the_hosts_fault_and_logged() {
    let last = at("9999-12-31T23:59:59.999999Z");
    for (shows, reason) in [(last, "CRT-14"), (last + TimeDelta::microseconds(1), "SYS-03")] {
        let kept = Arc::new(Kept::default());
        let house = House::with(|builder| {
            builder.clock(Arc::new(ManualClock::new(shows))).logger(Arc::clone(&kept) as Arc<_>)
        });
        assert_eq!(house.create().reason(), Some(reason));
        let lines = kept.0.lock();
        let says =
            |(_, _, line): &(LogLevel, String, String)| line.contains("a clock shows the years 1 to 9999");
        assert_eq!(lines.iter().any(says), reason == "SYS-03");
    }
}

#[test]
fn without_a_logger_the_hosts_own_subscriber_is_told() {
    let house = House::new();
    *house.store.mood.lock() = Mood::Failing;
    let said = said_during(|| assert_eq!(house.create().status(), 500));
    assert!(said.contains("a request could not be processed"), "{said}");
}
