//! A TPP of the test PKI, as a test uses it.

use std::sync::Arc;

use super::file_clock::follow_file;
use super::sandbox::Sandbox;
use crate::env::clock::{Clock, ManualClock};
use crate::env::entropy::{Entropy, SeededEntropy};
use crate::error::{Error, Result};
use crate::sandbox::journal::Step;
use crate::sandbox::pki::{IssuedTpp, TestPki, TEST_KEYS_PEM};
use crate::sandbox::sign::Unsigned;
use crate::store::sqlite::sandbox::RegisteredTpp;
use crate::store::sqlite::Database;
use crate::tpp::role::{Role, Roles};
use crate::types::has_visible;

/// A registered TPP with its certificate and key. It signs by the clock of its sandbox.
#[derive(Clone)]
pub struct TestTpp {
    name: Arc<str>,
    organisation_id: Arc<str>,
    roles: Vec<&'static str>,
    certificate_pem: Arc<str>,
    issued: IssuedTpp,
    database: Arc<Database>,
    clock: Arc<ManualClock>,
    entropy: Arc<SeededEntropy>,
}

impl Sandbox {
    /// A new TPP with a certificate of the test PKI, registered. Roles are `AISP` and `PISP`, or the names
    /// of ETSI TS 119 495 (`PSP_AI`, `PSP_PI`, `PSP_AS`, `PSP_IC`).
    ///
    /// # Errors
    /// [`Error::Misuse`] for an unknown role and an empty name; [`Error::Store`]. A TPP without a role may only call
    /// operations that need none.
    pub fn register_tpp(&self, name: &str, roles: &[&str]) -> Result<TestTpp> {
        let begun = self.begin();
        let tpp = TestTpp::register(self, name, roles)?;
        let organisation_id = tpp.organisation_id().to_owned();
        let roles = tpp.roles().iter().map(|role| (*role).to_owned()).collect();
        self.note(begun, Step::RegisterTpp { organisation_id, name: name.to_owned(), roles });
        Ok(tpp)
    }

    /// A TPP that was registered before, by its authorisation number, such as `PSDNO-FSA-000001`. It signs by
    /// the clock of this sandbox, so a test can continue in a fork, after a restore, and in a file opened again.
    ///
    /// # Errors
    /// [`Error::Misuse`] where the sandbox has no such TPP; [`Error::Store`].
    pub fn tpp(&self, organisation_id: &str) -> Result<TestTpp> {
        TestTpp::find(self, organisation_id)
    }
}

impl TestTpp {
    fn register(sandbox: &Sandbox, name: &str, roles: &[&str]) -> Result<Self> {
        let roles = roles.iter().map(|role| known_role(role)).collect::<Result<Vec<_>>>()?;
        if !has_visible(name) {
            return Err(Error::Misuse("the name of a TPP has no character that can be seen".to_owned()));
        }
        let pki = TestPki::new()?;
        let entropy: &dyn Entropy = sandbox.entropy.as_ref();
        let serial = entropy.bytes()?;
        let _guard = sandbox.moving.write();
        let set: Roles = roles.iter().map(|(role, _)| *role).collect();
        // Counted and kept in one transaction: another sandbox on the same file may register too.
        let (registered, issued) = sandbox.database.write_books(|books| {
            let number = books.tpps()?.len();
            let organisation_id = format!("PSDNO-FSA-{:06}", number + 1);
            let issued = pki.issue(name, set, &organisation_id, serial, number)?;
            let registered = RegisteredTpp {
                organisation_id,
                name: name.to_owned(),
                roles: roles.iter().map(|(_, name)| (*name).to_owned()).collect(),
                certificate: issued.certificate().der().to_vec(),
                key_index: u32::try_from(number % TEST_KEYS_PEM.len()).unwrap_or_default(),
                serial: serial.to_vec(),
            };
            books.insert_tpp(&registered)?;
            Ok((registered, issued))
        })?;
        Ok(Self::of(sandbox, &registered, roles.into_iter().map(|(_, name)| name).collect(), issued))
    }

    /// The TPP of that authorisation number, as this sandbox keeps it.
    fn find(sandbox: &Sandbox, organisation_id: &str) -> Result<Self> {
        let unknown = || Error::Misuse(format!("the sandbox has no TPP `{organisation_id}`"));
        let found = sandbox.database.read_books(|books| books.tpp(organisation_id))?.ok_or_else(unknown)?;
        let key_index = usize::try_from(found.key_index).unwrap_or_default();
        let issued = IssuedTpp::reissue(&found.certificate, key_index)?;
        let roles = found.roles.iter().map(|role| known_role(role).map(|(_, name)| name));
        let roles = roles.collect::<Result<_>>()?;
        Ok(Self::of(sandbox, &found, roles, issued))
    }

    fn of(
        sandbox: &Sandbox,
        registered: &RegisteredTpp,
        roles: Vec<&'static str>,
        issued: IssuedTpp,
    ) -> Self {
        Self {
            name: registered.name.as_str().into(),
            organisation_id: registered.organisation_id.as_str().into(),
            roles,
            certificate_pem: issued.certificate().to_pem().into(),
            issued,
            database: Arc::clone(&sandbox.database),
            clock: Arc::clone(&sandbox.clock),
            entropy: Arc::clone(&sandbox.entropy),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its authorisation number, such as `PSDNO-FSA-000001`.
    pub fn organisation_id(&self) -> &str {
        &self.organisation_id
    }

    /// Its roles, as they were given.
    pub fn roles(&self) -> &[&'static str] {
        &self.roles
    }

    /// Its certificate.
    pub fn certificate_pem(&self) -> &str {
        &self.certificate_pem
    }

    /// Its private key (PKCS#8). One of the test keys that ship with this library: it protects nothing.
    pub fn private_key_pem(&self) -> &str {
        self.issued.private_key_pem()
    }

    /// The given headers and, where they are absent, `Date`, `X-Request-ID`, `Digest` (for a body, and for every POST,
    /// PUT and PATCH), `TPP-Signature-Certificate` and `Signature`.
    ///
    /// # Errors
    /// [`Error::Internal`] where signing fails.
    pub fn sign(
        &self,
        method: &str,
        target: &str,
        headers: &[(String, String)],
        body: &[u8],
    ) -> Result<Vec<(String, String)>> {
        let request_id = (self.entropy.as_ref() as &dyn Entropy).uuid()?;
        let unsigned = Unsigned { method, target, headers, body };
        follow_file(&self.database, &self.clock);
        self.issued.sign(unsigned, self.clock.now(), request_id)
    }
}

impl std::fmt::Debug for TestTpp {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TestTpp({}, {})", self.organisation_id, self.roles.join("+"))
    }
}

/// A role by the contract's word or by its name in ETSI TS 119 495.
pub(super) fn known_role(name: &str) -> Result<(Role, &'static str)> {
    match name {
        "AISP" => Ok((Role::AccountInformation, "AISP")),
        "PISP" => Ok((Role::PaymentInitiation, "PISP")),
        _ => match Role::parse(name) {
            Some(role) => Ok((role, role.as_str())),
            None => {
                Err(Error::Misuse(format!("`{name}` is no role: AISP, PISP, or a name of ETSI TS 119 495")))
            }
        },
    }
}
