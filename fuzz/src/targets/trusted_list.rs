//! EU trusted lists: the certificates of a list can be used as anchors, each once, and none after the list's end.

use xs2a::policy::CertificateType;
use xs2a::trust::{TrustAnchors, TrustedList};

pub(super) fn check(xml: &[u8]) {
    let Ok(list) = TrustedList::from_verified_xml(xml) else { return };
    let end = list.next_update();
    let after = end + chrono::TimeDelta::seconds(1);
    for kind in [CertificateType::Any, CertificateType::Qseal, CertificateType::Qwac] {
        assert!(list.anchors(kind, after).is_err(), "a list that ended at {end}");
        let anchors = list.anchors(kind, end).expect("a list that has not ended");
        let pem = list.anchors_pem(kind, end).expect("a list that has not ended");
        assert_eq!(pem.matches("-----BEGIN CERTIFICATE-----").count(), anchors.len());
        if !anchors.is_empty() {
            let again = TrustAnchors::from_bundle(pem.as_bytes()).expect("PEM that was written");
            assert_eq!(again.len(), anchors.len());
        }
    }
    for service in list.services().iter().filter(|service| !service.granted) {
        assert!(!service.issues(CertificateType::Any, end), "a service that is not granted");
    }
}
