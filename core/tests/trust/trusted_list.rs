//! A trusted list by the schema of ETSI TS 119 612.

use std::sync::Arc;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use proptest::prelude::*;
use xs2a::env::{LogRecord, Logger};
use xs2a::internal::{TRUSTED_LIST_BYTES_MAX, XML_DEPTH_MAX};
use xs2a::logged;
use xs2a::policy::CertificateType::{Any, Qseal, Qwac};
use xs2a::tools::trusted_list_anchors;
use xs2a::trust::{TrustedList, TrustedListFault};

use crate::workshop::{root, Workshop};

const SINCE: &str = "2016-06-30T22:00:00Z";

#[derive(Clone)]
struct Service {
    kind: &'static str,
    status: &'static str,
    since: &'static str,
    uses: &'static [&'static str],
    certificate: String,
}

impl Service {
    fn xml(&self) -> String {
        let uses = self.uses.iter().map(|name| {
            format!(
                "<Extension Critical=\"true\"><AdditionalServiceInformation><URI xml:lang=\"en\">\
                 http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/{name}</URI></AdditionalServiceInformation>\
                 </Extension>"
            )
        });
        format!(
            "<TSPService><ServiceInformation>\n<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/{}\
             </ServiceTypeIdentifier><ServiceName><Name xml:lang=\"en\">A &amp; B</Name></ServiceName>\
             <ServiceDigitalIdentity><DigitalId><X509Certificate>\n{}\n</X509Certificate></DigitalId><DigitalId>\
             <X509SubjectName>CN=Rot</X509SubjectName></DigitalId></ServiceDigitalIdentity>\
             <ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/{}</ServiceStatus>\
             <StatusStartingTime>{}</StatusStartingTime><ServiceInformationExtensions>{}\
             </ServiceInformationExtensions></ServiceInformation><ServiceHistory><ServiceHistoryInstance>\
             <ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/CA/QC</ServiceTypeIdentifier>\
             <ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted</ServiceStatus>\
             <StatusStartingTime>2003-01-01T00:00:00Z</StatusStartingTime></ServiceHistoryInstance></ServiceHistory>\
             </TSPService>",
            self.kind,
            self.certificate,
            self.status,
            self.since,
            uses.collect::<String>()
        )
    }
}

fn list(services: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TrustServiceStatusList \
         xmlns=\"http://uri.etsi.org/02231/v2#\" xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\" \
         TSLTag=\"http://uri.etsi.org/19612/TSLTag\"><SchemeInformation><TSLSequenceNumber>9</TSLSequenceNumber>\
         <SchemeTerritory>NO</SchemeTerritory><ListIssueDateTime>2026-06-01T10:00:00Z</ListIssueDateTime><NextUpdate>\
         <dateTime>2026-12-01T10:00:00Z</dateTime></NextUpdate></SchemeInformation><TrustServiceProviderList>\
         <TrustServiceProvider><TSPInformation/><TSPServices>{services}</TSPServices></TrustServiceProvider>\
         </TrustServiceProviderList><ds:Signature><ds:SignatureValue>AA==</ds:SignatureValue></ds:Signature>\
         </TrustServiceStatusList>"
    )
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn sound() -> Service {
    let shop = Workshop::open();
    let certificate = shop.make("root", "root", 1, &root());
    let certificate = STANDARD.encode(certificate.der());
    Service { kind: "CA/QC", status: "granted", since: SINCE, uses: &["ForeSeals"], certificate }
}

#[test]
fn a_granted_service_is_an_anchor_for_what_it_was_granted_for() {
    let sound = sound();
    for (what, service, anchors) in [
        ("seals", sound.clone(), [1, 1, 0]),
        ("websites", Service { uses: &["ForWebSiteAuthentication"], ..sound.clone() }, [1, 0, 1]),
        ("both", Service { uses: &["ForWebSiteAuthentication", "ForeSeals"], ..sound.clone() }, [1, 1, 1]),
        ("signatures", Service { uses: &["ForeSignatures"], ..sound.clone() }, [0; 3]),
        ("no use", Service { uses: &[], ..sound.clone() }, [0; 3]),
        ("withdrawn", Service { status: "withdrawn", ..sound.clone() }, [0; 3]),
        ("granted nationally", Service { status: "recognisedatnationallevel", ..sound.clone() }, [0; 3]),
        ("time stamps", Service { kind: "TSA/QTST", ..sound.clone() }, [0; 3]),
        ("not qualified", Service { kind: "CA/PKC", ..sound.clone() }, [0; 3]),
        ("from now on", Service { since: "2026-09-01T10:00:00Z", ..sound.clone() }, [1, 1, 0]),
        ("from a second on", Service { since: "2026-09-01T10:00:01Z", ..sound.clone() }, [0; 3]),
        ("from no time on", Service { since: "soon", ..sound.clone() }, [0; 3]),
        ("no certificate", Service { certificate: "AQID".to_owned(), ..sound.clone() }, [0; 3]),
    ] {
        let list = TrustedList::from_verified_xml(list(&service.xml()).as_bytes()).unwrap();
        let found = [Any, Qseal, Qwac]
            .map(|kind| list.anchors(kind, at("2026-09-01T10:00:00Z")).unwrap().certificates().count());
        assert_eq!(found, anchors, "{what}");
    }
}

#[test]
fn services_do_not_run_into_each_other_and_prefixes_do_not_matter() {
    let sound = sound();
    let withdrawn = Service { status: "withdrawn", uses: &[], ..sound.clone() };
    let unreadable = Service { certificate: "AQID".to_owned(), ..sound.clone() };
    let text = list(&[sound.xml(), withdrawn.xml(), unreadable.xml()].concat());
    let list = TrustedList::from_verified_xml(text.as_bytes()).unwrap();
    let refusal = list
        .services()
        .iter()
        .map(|service| (service.granted, service.seals, service.certificates.len(), service.unreadable));
    let expected = [(true, true, 1, 0), (false, false, 1, 0), (true, true, 0, 1)];
    assert_eq!(refusal.collect::<Vec<_>>(), expected);

    let prefixed = text
        .replace("</", "</tsl:")
        .replace('<', "<tsl:")
        .replace("<tsl:/tsl:", "</tsl:")
        .replace("<tsl:?xml", "<?xml")
        .replace("tsl:ds:", "ds:")
        .replace("xmlns=", "xmlns:tsl=");
    assert_eq!(TrustedList::from_verified_xml(prefixed.as_bytes()).unwrap().services().len(), 3);
    let foreign = text.replace("http://uri.etsi.org/02231/v2#", "http://uri.etsi.org/02231/v3#");
    let fault = TrustedList::from_verified_xml(foreign.as_bytes()).unwrap_err();
    assert_eq!(fault, TrustedListFault::NotAList);
}

#[test]
fn references_to_characters_are_the_characters() {
    let plain = Service { certificate: sound().certificate.replacen('A', "&#65;", 1), ..sound() };
    let lines: Vec<String> = sound()
        .certificate
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    for (what, service) in [
        ("a letter", plain),
        ("line ends", Service { certificate: lines.join("&#13;\n"), ..sound() }),
        ("line ends in hex", Service { certificate: lines.join("&#xD;&#xA;"), ..sound() }),
        ("a time", Service { since: "2016&#45;06&#x2d;30T22:00:00Z", ..sound() }),
    ] {
        let read = TrustedList::from_verified_xml(list(&service.xml()).as_bytes()).unwrap();
        assert_eq!(read.services()[0].unreadable, 0, "{what}");
        assert_eq!(read.anchors(Qseal, at("2026-09-01T10:00:00Z")).unwrap().len(), 1, "{what}");
    }
    for entity in ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"] {
        let other = Service { certificate: format!("{entity}{}", sound().certificate), ..sound() };
        let read = TrustedList::from_verified_xml(list(&other.xml()).as_bytes()).unwrap();
        assert_eq!(read.services()[0].unreadable, 1, "{entity} is no base64");
    }
}

#[test]
fn what_a_list_has_that_cannot_be_read_is_logged() {
    let refusal = |service: Service| {
        let kept = Arc::new(Kept::default());
        let text = list(&[sound().xml(), service.xml()].concat());
        let anchors = logged(Arc::clone(&kept) as Arc<dyn Logger>, || {
            trusted_list_anchors(text.as_bytes(), "any", at("2026-09-01T10:00:00Z"))
        });
        assert!(anchors.unwrap().contains("BEGIN CERTIFICATE"));
        let lines = kept.0.lock();
        lines.clone()
    };
    assert!(refusal(sound()).is_empty());
    assert_eq!(
        refusal(Service { certificate: "AQID".to_owned(), ..sound() }),
        ["warn: certificates of a trusted list cannot be read and are no trust anchors service=2 certificates=1"]
    );
    assert_eq!(
        refusal(Service { since: "soon", ..sound() }),
        ["warn: a service of a trusted list has no start of its status, and is ignored service=2"]
    );
}

#[derive(Default)]
struct Kept(Mutex<Vec<String>>);

impl Logger for Kept {
    fn log(&self, record: &LogRecord) {
        self.0.lock().push(format!("{}: {record}", record.level()));
    }
}

#[test]
fn a_list_counts_until_its_next_update() {
    let list = TrustedList::from_verified_xml(list(&sound().xml()).as_bytes()).unwrap();
    assert_eq!(list.next_update(), at("2026-12-01T10:00:00Z"));
    assert_eq!(list.anchors(Any, at("2026-12-01T10:00:00Z")).unwrap().len(), 1);
    assert_eq!(list.anchors(Any, at("2026-12-01T10:00:01Z")).unwrap_err(), TrustedListFault::Expired);
}

#[test]
fn what_is_no_list_is_refused() {
    let sound = list("");
    let deep = |depth: usize| {
        let inner = "<x>".repeat(depth - 1) + &"</x>".repeat(depth - 1);
        sound.replace("<ds:Signature>", &format!("{inner}<ds:Signature>"))
    };
    assert!(TrustedList::from_verified_xml(sound.as_bytes()).unwrap().services().is_empty());
    assert!(TrustedList::from_verified_xml(deep(XML_DEPTH_MAX).as_bytes()).is_ok());
    let entities = "<!DOCTYPE a [<!ENTITY e \"x\">]><TrustServiceStatusList";
    for (what, xml, expected) in [
        ("nothing", String::new(), TrustedListFault::NotAList),
        ("another root", "<html/>".to_owned(), TrustedListFault::NotAList),
        ("two roots", sound.clone() + "<a/>", TrustedListFault::NotAList),
        ("too deep", deep(XML_DEPTH_MAX + 1), TrustedListFault::Malformed),
        ("a document type", sound.replace("<TrustServiceStatusList", entities), TrustedListFault::Malformed),
        ("cut off", sound[..sound.len() - 1].to_owned(), TrustedListFault::Malformed),
        ("not closed", sound.replace("</TrustServiceStatusList>", ""), TrustedListFault::Malformed),
        ("crossed", sound.replace("</NextUpdate></Sch", "</Sch"), TrustedListFault::Malformed),
        ("no next update", sound.replace("2026-12-01T10:00:00Z", ""), TrustedListFault::NoNextUpdate),
        (
            "an entity that is not declared",
            sound.replace("2026-12-01", "2026&dash;12-01"),
            TrustedListFault::Malformed,
        ),
        (
            "no character of XML",
            sound.replace("<SchemeTerritory>NO", "<SchemeTerritory>&#1;"),
            TrustedListFault::Malformed,
        ),
        (
            "half a pair",
            sound.replace("<SchemeTerritory>NO", "<SchemeTerritory>&#xD800;"),
            TrustedListFault::Malformed,
        ),
        ("too large", " ".repeat(TRUSTED_LIST_BYTES_MAX + 1), TrustedListFault::TooLarge),
    ] {
        let fault = TrustedList::from_verified_xml(xml.as_bytes()).map(|list| list.services().len());
        assert_eq!(fault, Err(expected), "{what}");
    }
}

proptest! {
    #[test]
    fn no_input_panics(start in 0usize..2_000, junk in proptest::collection::vec(any::<u8>(), 0..40)) {
        let service = Service {
            kind: "CA/QC",
            status: "granted",
            since: SINCE,
            uses: &["ForeSeals"],
            certificate: "AQID".to_owned(),
        };
        let mut xml = list(&service.xml()).into_bytes();
        let start = start % xml.len();
        let end = xml.len().min(start + junk.len());
        xml.splice(start..end, junk);
        let _ = TrustedList::from_verified_xml(&xml);
    }
}
