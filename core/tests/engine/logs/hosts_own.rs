//! What the host has of its own: a subscriber, and a clock that cannot be right.

use std::process::Command;
use std::sync::Arc;

use chrono::TimeDelta;
use xs2a::env::{LogLevel, ManualClock};
use xs2a::trust::{ResponseKey, TrustAnchors};

use crate::logs::said_during;
use crate::setup::{Kept, Mood, Setup};
use crate::world::at;
use crate::world::authority::Authority;

#[test]
fn a_clock_of_the_host_that_cannot_be_right_is_the_hosts_fault_and_logged() {
    let last = at("9999-12-31T23:59:59.999999Z");
    for (shows, reason) in [(last, "CRT-14"), (last + TimeDelta::microseconds(1), "SYS-03")] {
        let kept = Arc::new(Kept::default());
        let setup = Setup::with(|builder| {
            builder.clock(Arc::new(ManualClock::new(shows))).logger(Arc::clone(&kept) as Arc<_>)
        });
        assert_eq!(setup.create().reason(), Some(reason));
        let lines = kept.0.lock();
        let says =
            |(_, _, line): &(LogLevel, String, String)| line.contains("a clock shows the years 1 to 9999");
        assert_eq!(lines.iter().any(says), reason == "SYS-03");
    }
}

#[test]
fn without_a_logger_the_hosts_own_subscriber_gets_the_lines() {
    let setup = Setup::new();
    *setup.store.mood.lock() = Mood::Failing;
    let said = said_during(|| assert_eq!(setup.create().status(), 500));
    assert!(said.contains("a request could not be processed"), "{said}");
}

#[test]
fn a_seal_that_tpps_refuse_is_logged_when_the_engine_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let shell = "set -e
        openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out leaf.pem -days 10 -subj /C=NO/CN=Bank \
            -addext keyUsage=digitalSignature -addext basicConstraints=CA:FALSE";
    let done = Command::new("sh").args(["-c", shell]).current_dir(folder.path()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let seal = || ResponseKey::new(&read("leaf.pem"), &read("key.pem")).unwrap();
    let ends = seal().certificate().not_after();
    let anchor = Authority::root("Rot", 1, ("2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z")).pem;
    for (now, reported) in [(ends, 0), (ends + TimeDelta::seconds(1), 1)] {
        let kept = Arc::new(Kept::default());
        Setup::with(|builder| {
            builder
                .clock(Arc::new(ManualClock::new(now)))
                .trust_anchors(TrustAnchors::from_bundle(anchor.as_bytes()).unwrap())
                .response_key(seal())
                .logger(Arc::clone(&kept) as Arc<_>)
        });
        let lines = kept.0.lock();
        assert_eq!(lines.len(), reported, "{lines:?}");
        assert!(lines.iter().all(|(_, _, line)| line.contains("answers are signed with a certificate")));
    }
}

#[test]
fn anchors_that_are_not_valid_now_are_logged_when_they_are_set() {
    let bundle = |validities: &[(&str, &str)]| {
        let pem: String = (1..)
            .zip(validities)
            .map(|(number, validity)| Authority::root(&format!("Rot {number}"), number, *validity).pem)
            .collect();
        TrustAnchors::from_bundle(pem.as_bytes()).unwrap()
    };
    let valid = ("2026-09-01T10:00:00Z", "2026-09-01T10:00:00Z");
    let over = ("2020-01-01T00:00:00Z", "2026-09-01T09:59:59Z");
    let early = ("2026-09-01T10:00:01Z", "2026-09-01T10:00:02Z");
    let long_over = ("2019-01-01T00:00:00Z", "2020-01-01T00:00:00Z");
    for (validities, reported) in [
        (&[valid][..], None),
        (&[valid, long_over, over], Some("anchors=2 among=3 subject=\"CN=Rot 3,O=Rot 3\"")),
        (&[over, early, valid], Some("anchors=2 among=3 subject=\"CN=Rot 2,O=Rot 2\"")),
    ] {
        let kept = Arc::new(Kept::default());
        let setup = Setup::with(|builder| {
            builder
                .clock(Arc::new(ManualClock::new(at("2026-09-01T10:00:00.999Z"))))
                .trust_anchors(bundle(validities))
                .logger(Arc::clone(&kept) as Arc<_>)
        });
        setup.engine.replace_trust_anchors(bundle(validities));
        let lines = std::mem::take(&mut *kept.0.lock());
        assert_eq!(lines.len(), if reported.is_some() { 2 } else { 0 }, "{lines:?}");
        for (_, _, line) in lines {
            assert!(line.contains(reported.unwrap()), "{line}");
        }
    }
}

#[test]
fn anchors_of_unsupported_keys_are_logged_when_they_are_set() {
    let folder = tempfile::tempdir().unwrap();
    let made = |key: &str, name: &str| {
        let line =
            format!("req -x509 {key} -nodes -keyout key.pem -out {name}.pem -days 10 -subj /CN={name}");
        let mut command = Command::new("openssl");
        let done = command.args(line.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        std::fs::read_to_string(folder.path().join(format!("{name}.pem"))).unwrap()
    };
    let supported = made("-newkey rsa:2048", "Sound");
    let brainpool = made("-newkey ec -pkeyopt ec_paramgen_curve:brainpoolP256r1", "Curve");
    let anchors = |pem: &str| TrustAnchors::from_bundle(pem.as_bytes()).unwrap();
    let now = anchors(&supported).certificates().next().unwrap().not_before() + TimeDelta::days(1);
    for (bundle, reported) in [
        (supported.clone(), None),
        (supported + &brainpool, Some("anchors=1 among=2 subject=\"CN=Curve\" key=\"brainpoolP256r1\"")),
    ] {
        let kept = Arc::new(Kept::default());
        let setup = Setup::with(|builder| {
            builder
                .clock(Arc::new(ManualClock::new(now)))
                .trust_anchors(anchors(&bundle))
                .logger(Arc::clone(&kept) as Arc<_>)
        });
        setup.engine.replace_trust_anchors(anchors(&bundle));
        let lines = std::mem::take(&mut *kept.0.lock());
        assert_eq!(lines.len(), if reported.is_some() { 2 } else { 0 }, "{lines:?}");
        for (_, _, line) in lines {
            assert!(
                line.contains("their keys are not supported") && line.contains(reported.unwrap()),
                "{line}"
            );
        }
    }
}
