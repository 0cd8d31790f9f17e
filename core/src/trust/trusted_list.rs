//! A trusted list of the EU (ETSI TS 119 612): the authorities that issue qualified certificates.
//!
//! The list's own signature (XAdES) is not verified here: the program that fetched the list verifies it, against the
//! certificate that the list of the lists names. Of the list are taken the services that issue qualified certificates
//! and are granted; of their history, of other services and of `Qualifications` nothing.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use quick_xml::name::{Namespace, ResolveResult};
use quick_xml::NsReader;
use thiserror::Error;

use crate::crypto::pem;
use crate::limits::{TRUSTED_LIST_BYTES_MAX, XML_DEPTH_MAX};
use crate::policy::CertificateType;
use crate::tpp::certificate::Certificate;
use crate::tpp::trust::TrustAnchors;

const NAMESPACE: &[u8] = b"http://uri.etsi.org/02231/v2#";
const QUALIFIED_AUTHORITY: &str = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const GRANTED: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
const FOR_SEALS: &str = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals";
const FOR_WEBSITES: &str = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication";

/// Why a list is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum TrustedListFault {
    /// Larger than [`TRUSTED_LIST_BYTES_MAX`].
    #[error("it is larger than {TRUSTED_LIST_BYTES_MAX} bytes")]
    TooLarge,
    /// Not XML, nested too deep, or with a document type or an entity that needs one.
    #[error("it is not the XML that a trusted list is")]
    Malformed,
    /// Another document.
    #[error("its root is not the TrustServiceStatusList of ETSI TS 119 612")]
    NotAList,
    /// A list that is not replaced any more (closed) or whose NextUpdate is no time.
    #[error("it does not say when the next list comes (NextUpdate)")]
    NoNextUpdate,
    /// Its NextUpdate is over.
    #[error("the next list is overdue (NextUpdate)")]
    Expired,
}

/// A service of the list that issues qualified certificates.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct TrustedService {
    /// Its certificates: roots or issuing authorities.
    pub certificates: Vec<Arc<Certificate>>,
    /// Certificates that could not be read.
    pub unreadable: usize,
    /// Whether its status is granted.
    pub granted: bool,
    /// From when the status counts.
    pub since: Option<DateTime<Utc>>,
    /// For electronic seals.
    pub seals: bool,
    /// For website authentication.
    pub websites: bool,
}

impl TrustedService {
    /// Whether it may issue certificates of the type at a time.
    pub fn issues(&self, kind: CertificateType, at: DateTime<Utc>) -> bool {
        let use_fits = match kind {
            CertificateType::Any => self.seals || self.websites,
            CertificateType::Qseal => self.seals,
            CertificateType::Qwac => self.websites,
        };
        use_fits && self.granted && self.since.is_some_and(|since| since <= at)
    }
}

/// A trusted list.
#[derive(Debug, Clone)]
pub struct TrustedList {
    next_update: DateTime<Utc>,
    services: Vec<TrustedService>,
}

impl TrustedList {
    /// Reads a list whose signature the caller has verified.
    ///
    /// # Errors
    /// Every [`TrustedListFault`] but `Expired`.
    pub fn from_verified_xml(xml: &[u8]) -> Result<Self, TrustedListFault> {
        if xml.len() > TRUSTED_LIST_BYTES_MAX {
            return Err(TrustedListFault::TooLarge);
        }
        let mut reading = Reading::default();
        let mut reader = NsReader::from_reader(xml);
        reader.config_mut().expand_empty_elements = true;
        loop {
            let (namespace, event) = reader.read_resolved_event().map_err(|_| TrustedListFault::Malformed)?;
            let own = matches!(namespace, ResolveResult::Bound(Namespace(NAMESPACE)));
            match event {
                Event::Start(start) => reading.open(own, start.local_name().as_ref())?,
                Event::End(_) => reading.close()?,
                Event::Text(text) => {
                    reading.text.push_str(&text.decode().map_err(|_| TrustedListFault::Malformed)?)
                }
                Event::CData(text) => {
                    reading.text.push_str(&text.decode().map_err(|_| TrustedListFault::Malformed)?)
                }
                Event::GeneralRef(reference) => reading.text.push(resolve(&reference)?),
                Event::DocType(_) => return Err(TrustedListFault::Malformed),
                Event::Eof => break,
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
        }
        reading.finish()
    }

    /// When the next list comes at the latest: at this second it still counts.
    pub fn next_update(&self) -> DateTime<Utc> {
        self.next_update
    }

    /// The services that issue qualified certificates, granted or not.
    pub fn services(&self) -> &[TrustedService] {
        &self.services
    }

    /// The certificates of the services that may issue certificates of the type: `Any` is seals and websites.
    ///
    /// # Errors
    /// [`TrustedListFault::Expired`] after NextUpdate.
    pub fn anchors(
        &self,
        kind: CertificateType,
        at: DateTime<Utc>,
    ) -> Result<TrustAnchors, TrustedListFault> {
        let mut anchors = TrustAnchors::new();
        for certificate in self.counting(kind, at)? {
            anchors.add(Arc::clone(certificate));
        }
        Ok(anchors)
    }

    /// As [`TrustedList::anchors`], as PEM: each certificate once, in the order of the list.
    ///
    /// # Errors
    /// As [`TrustedList::anchors`].
    pub fn anchors_pem(&self, kind: CertificateType, at: DateTime<Utc>) -> Result<String, TrustedListFault> {
        let mut seen = TrustAnchors::new();
        let once = self.counting(kind, at)?.filter(|certificate| seen.add(Arc::clone(certificate)));
        Ok(once.map(|certificate| certificate.to_pem()).collect())
    }

    fn counting(
        &self,
        kind: CertificateType,
        at: DateTime<Utc>,
    ) -> Result<impl Iterator<Item = &Arc<Certificate>>, TrustedListFault> {
        if at.timestamp() > self.next_update.timestamp() {
            return Err(TrustedListFault::Expired);
        }
        let services = self.services.iter().filter(move |service| service.issues(kind, at));
        Ok(services.flat_map(|service| &service.certificates))
    }
}

/// The character that a reference denotes: one by its number, or one of the five entities that XML has without a
/// document type.
fn resolve(reference: &BytesRef<'_>) -> Result<char, TrustedListFault> {
    let malformed = |_| TrustedListFault::Malformed;
    let by_number = reference.resolve_char_ref().map_err(malformed)?;
    let name = reference.decode().map_err(|_| TrustedListFault::Malformed)?;
    let by_name = || resolve_xml_entity(&name)?.chars().next();
    by_number.or_else(by_name).filter(|found| is_xml(*found)).ok_or(TrustedListFault::Malformed)
}

/// Whether XML may have the character (XML 1.0, Char).
fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The position of the reader: the names of the open elements, empty for those of other namespaces.
#[derive(Default)]
struct Reading {
    open: Vec<String>,
    text: String,
    is_list: bool,
    next_update: Option<DateTime<Utc>>,
    service: Service,
    services: Vec<TrustedService>,
}

#[derive(Default)]
struct Service {
    is_authority: bool,
    found: TrustedService,
}

impl Reading {
    fn open(&mut self, own: bool, name: &[u8]) -> Result<(), TrustedListFault> {
        if self.open.len() == XML_DEPTH_MAX {
            return Err(TrustedListFault::Malformed);
        }
        let name = if own { String::from_utf8_lossy(name).into_owned() } else { String::new() };
        if self.open.is_empty() {
            if self.is_list || name != "TrustServiceStatusList" {
                return Err(TrustedListFault::NotAList);
            }
            self.is_list = true;
        }
        self.open.push(name);
        self.text.clear();
        Ok(())
    }

    fn close(&mut self) -> Result<(), TrustedListFault> {
        let path: Vec<&str> = self.open.iter().skip(1).map(String::as_str).collect();
        let text = self.text.trim();
        match path.as_slice() {
            ["SchemeInformation", "NextUpdate", "dateTime"] => self.next_update = time(text),
            ["TrustServiceProviderList", "TrustServiceProvider", "TSPServices", "TSPService", within @ ..] => {
                match within {
                    [] => {
                        let service = std::mem::take(&mut self.service);
                        self.services.extend(service.is_authority.then_some(service.found));
                    }
                    ["ServiceInformation", within @ ..] => self.service.take(within, text),
                    // The history: what the service was.
                    _ => {}
                }
            }
            _ => {}
        }
        self.text.clear();
        self.open.pop().map(drop).ok_or(TrustedListFault::Malformed)
    }

    fn finish(self) -> Result<TrustedList, TrustedListFault> {
        match (self.is_list, self.open.is_empty(), self.next_update) {
            (true, true, Some(next_update)) => Ok(TrustedList { next_update, services: self.services }),
            (true, true, None) => Err(TrustedListFault::NoNextUpdate),
            (true, false, _) => Err(TrustedListFault::Malformed),
            (false, ..) => Err(TrustedListFault::NotAList),
        }
    }
}

impl Service {
    /// A value below ServiceInformation.
    fn take(&mut self, within: &[&str], text: &str) {
        match within {
            ["ServiceTypeIdentifier"] => self.is_authority = text == QUALIFIED_AUTHORITY,
            ["ServiceStatus"] => self.found.granted = text == GRANTED,
            ["StatusStartingTime"] => self.found.since = time(text),
            ["ServiceDigitalIdentity", "DigitalId", "X509Certificate"] => self.take_certificate(text),
            ["ServiceInformationExtensions", "Extension", "AdditionalServiceInformation", "URI"] => {
                match text {
                    FOR_SEALS => self.found.seals = true,
                    FOR_WEBSITES => self.found.websites = true,
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// An unreadable certificate is only counted, so that the rest of the list stays usable.
    fn take_certificate(&mut self, text: &str) {
        let read = pem::decode_base64(text.as_bytes()).and_then(|der| Certificate::from_der(&der).ok());
        match read.map(Arc::new) {
            // Some lists name a certificate once for each form of its subject.
            Some(certificate) if self.found.certificates.contains(&certificate) => {}
            Some(certificate) => self.found.certificates.push(certificate),
            None => self.found.unreadable += 1,
        }
    }
}

fn time(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc())
}
