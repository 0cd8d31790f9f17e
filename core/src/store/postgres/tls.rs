//! TLS to a server, by rustls.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::CertificateDer;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::sslmode::Trust;
use super::unnamed::Unnamed;
use crate::crypto::tls::provider;
use crate::error::{Error, Result};

/// What connects by TLS; `None` where nothing is encrypted. The authorities are read from their file now, once.
///
/// # Errors
/// [`Error::Config`] where their file holds none, or this library was built without TLS. The text does not repeat the
/// address.
pub(super) fn connector(trust: Trust) -> Result<Option<MakeRustlsConnect>> {
    let (roots, is_named) = match trust {
        Trust::Clear => return Ok(None),
        Trust::AnyServer => (None, false),
        Trust::Authority(file) => (Some(authorities(&file)?), false),
        Trust::AuthorityAndName(file) => (Some(authorities(&file)?), true),
    };
    let provider = Arc::new(provider().ok_or_else(|| {
        refused("this library was built without TLS to PostgreSQL (feature `aws-lc`)".to_owned())
    })?);
    let algorithms = provider.signature_verification_algorithms;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Internal(format!("TLS to PostgreSQL: {error}")))?;
    let builder = match roots {
        Some(roots) if is_named => builder.with_root_certificates(roots),
        roots => {
            let unnamed = Arc::new(Unnamed { roots, algorithms });
            builder.dangerous().with_custom_certificate_verifier(unnamed)
        }
    };
    let mut config = builder.with_no_client_auth();
    // The name of the protocol, which sslnegotiation=direct demands.
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(Some(MakeRustlsConnect::new(config)))
}

/// All certificates of a PEM file.
fn authorities(file: &Path) -> Result<RootCertStore> {
    let why = |why: &str| refused(format!("the file of sslrootcert {why}"));
    let unreadable = |error| match error {
        pem::Error::Io(error) => why(&format!("cannot be read: {error}")),
        _ => why("is no PEM"),
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(unreadable)? {
        let added = roots.add(certificate.map_err(unreadable)?);
        added.map_err(|_| why("holds a certificate that cannot be used"))?;
    }
    if roots.is_empty() {
        return Err(why("holds no certificate"));
    }
    Ok(roots)
}

fn refused(why: String) -> Error {
    Error::Config(format!("database: {why}"))
}

/// The text for the operator about a handshake that failed; `None` for another error.
pub(super) fn why(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let inner = error.downcast_ref::<io::Error>()?.get_ref()?;
    Some(match inner.downcast_ref::<rustls::Error>()? {
        rustls::Error::InvalidCertificate(fault) => format!("its certificate {}", fault_of(fault)),
        other => format!("TLS failed: {other}"),
    })
}

fn fault_of(fault: &CertificateError) -> String {
    use CertificateError as Fault;
    let known = match fault {
        Fault::UnknownIssuer => "is of none of the authorities in sslrootcert",
        Fault::NotValidForName | Fault::NotValidForNameContext { .. } => {
            "is for another name than the host of the address"
        }
        Fault::Expired | Fault::ExpiredContext { .. } => "has expired",
        Fault::NotValidYet | Fault::NotValidYetContext { .. } => "is not valid yet",
        Fault::InvalidPurpose | Fault::InvalidPurposeContext { .. } => {
            "is not for servers, by its extended key usage"
        }
        // A fault of the verifier beneath rustls, which has its name for a text.
        Fault::Other(other) if other.to_string() == "CaUsedAsEndEntity" => {
            "is that of an authority: make the server's with basicConstraints=CA:FALSE, or let an authority sign it"
        }
        other => return format!("cannot be used: {other}"),
    };
    known.to_owned()
}

#[cfg(all(test, feature = "aws-lc"))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_holds_no_authority_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        for (content, why) in [
            ("", "holds no certificate"),
            ("Rot CA", "holds no certificate"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "holds no certificate"),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "holds a certificate that cannot",
            ),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n", "is no PEM"),
        ] {
            std::fs::write(&file, content).unwrap();
            for trust in [Trust::Authority(file.clone()), Trust::AuthorityAndName(file.clone())] {
                match connector(trust).map(drop) {
                    Err(Error::Config(text)) => assert!(text.contains(why), "{content}: {text}"),
                    other => panic!("{content}: {other:?}"),
                }
            }
        }
    }
}
