//! A database belongs to a production engine or to a sandbox, from its creation on, and the other refuses it.
//!
//! A sandbox settles everything that is due in its database, by a clock of its own; a production engine would take a
//! sandbox's payments for payments of its customers. The application id in the header of the file keeps the role, so
//! that it is known before anything else is read.

use crate::error::{Error, Result};

/// The application id of development versions, whose schemas no library migrates.
const APPLICATION_ID_OF_DEVELOPMENT: i32 = i32::from_be_bytes(*b"XS2A");

/// Why a database of such a version is refused.
pub(super) const OF_DEVELOPMENT: &str =
    "the database was written by a development version of this library and cannot be migrated: create a new file";

/// What a database is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DatabaseRole {
    /// The records of a production engine.
    Production,
    /// The records and the simulated bank of a sandbox.
    Sandbox,
}

impl DatabaseRole {
    /// The application id in the header of a database of this role.
    pub(super) fn application_id(self) -> i32 {
        i32::from_be_bytes(match self {
            Self::Production => *b"X2AP",
            Self::Sandbox => *b"X2AS",
        })
    }

    /// Fails unless a database with that application id has this role.
    ///
    /// # Errors
    /// [`Error::Config`] for the other role, [`Error::Store`] for all other databases.
    pub(super) fn check(self, application_id: i32) -> Result<()> {
        let is_of = |role: Self| application_id == role.application_id();
        if is_of(self) {
            Ok(())
        } else if is_of(Self::Production) {
            Err(Error::Config(
                "database: it belongs to a production engine, whose payments a sandbox would settle by itself"
                    .to_owned(),
            ))
        } else if is_of(Self::Sandbox) {
            Err(Error::Config(
                "database: it belongs to a sandbox, whose customers and payments are simulated".to_owned(),
            ))
        } else if application_id == APPLICATION_ID_OF_DEVELOPMENT {
            Err(Error::Store(OF_DEVELOPMENT.into()))
        } else {
            Err(Error::Store(
                format!(
                    "the database belongs to another application \
                 (application id {application_id:#010x}, not {:#010x})",
                    self.application_id()
                )
                .into(),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DatabaseRole::{Production, Sandbox};

    #[test]
    fn each_role_refuses_the_other_and_its_own_opens() {
        for (role, other, says) in
            [(Production, Sandbox, "a sandbox"), (Sandbox, Production, "a production engine")]
        {
            role.check(role.application_id()).unwrap();
            match role.check(other.application_id()) {
                Err(Error::Config(text)) => assert!(text.contains(says), "{text}"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn files_of_development_versions_and_other_applications_are_refused() {
        for role in [Production, Sandbox] {
            for (application_id, says) in
                [(0x5853_3241, "create a new file"), (0x1234, "0x00001234"), (0, "another")]
            {
                let refused = role.check(application_id).unwrap_err();
                assert!(matches!(&refused, Error::Store(fault) if fault.text().contains(says)), "{refused}");
            }
        }
    }
}
