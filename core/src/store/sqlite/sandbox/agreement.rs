//! Agreements, and the engagements of persons under them (contract: Sandbox agreement).

use std::fmt::{self, Debug};

use rusqlite::{params, Row};

use super::books::Books;
use super::ledger_account::AccountKey;
use super::named_enum::named_enum;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{AgreementId, CustomerId, EngagementId};

named_enum! {
    /// What a person may do with an account (contract: Sandbox agreement, roles).
    Role {
        /// Owns it.
        Owner "OWNER",
        /// Disposes of it.
        Disposal "DISPOSAL",
        /// Sees it.
        View "VIEW",
        /// Registers payments from it.
        Register "REGISTER",
        /// Approves payments from it.
        Approve "APPROVE",
        /// Moves money between it and the owner's other accounts.
        InternalTransfer "INTERNAL_TRANSFER",
        /// Pays wages from it.
        Salary "SALARY",
    }
}

/// An agreement of a customer with the bank.
#[derive(Clone, PartialEq, Eq)]
pub struct Agreement {
    /// Its id.
    pub id: AgreementId,
    /// The customer whose accounts it is about.
    pub owner: CustomerId,
    /// What it is called.
    pub name: String,
}

/// What one person may do with one account under an agreement.
#[derive(Clone, PartialEq, Eq)]
pub struct Engagement {
    /// Its id.
    pub id: EngagementId,
    /// The agreement it belongs to.
    pub agreement: AgreementId,
    /// The person.
    pub person: CustomerId,
    /// The account, which belongs to the agreement's owner.
    pub account: AccountKey,
    /// What it is called.
    pub name: Option<String>,
    /// The roles the person holds, each once.
    pub roles: Vec<Role>,
    /// Whether the person may see the account.
    pub access_rights: bool,
    /// Whether the person may pay from it.
    pub payment_rights: bool,
    /// Whether the person may move money between it and the owner's other accounts.
    pub transfer_rights: bool,
    /// The largest payment the person registers, in whole units of the account's currency.
    pub register_limit: i32,
    /// The largest payment the person approves, in whole units of the account's currency.
    pub approval_limit: i32,
}

impl Engagement {
    /// Whether its account is offered to the person at SCA: it takes REGISTER and VIEW both.
    pub fn is_offered(&self) -> bool {
        [Role::Register, Role::View].iter().all(|role| self.roles.contains(role))
    }
}

/// Log-safe: the id alone.
impl Debug for Agreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Agreement").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Log-safe: the id alone.
impl Debug for Engagement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Engagement").field("id", &self.id).finish_non_exhaustive()
    }
}

const INSERT_ENGAGEMENT: &str =
    "INSERT INTO sandbox_engagement (id, agreement, person, account, name, roles, \
    access_rights, payment_rights, transfer_rights, register_limit, approval_limit) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

macro_rules! select_engagement {
    ($rest:literal) => {
        concat!(
            "SELECT id, agreement, person, account, name, roles, access_rights, payment_rights, \
             transfer_rights, register_limit, approval_limit FROM sandbox_engagement WHERE ",
            $rest
        )
    };
}

impl Books<'_> {
    /// Adds an agreement.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn insert_agreement(&self, agreement: &Agreement) -> Result<()> {
        let values = [agreement.id.as_str(), agreement.owner.as_str(), &agreement.name];
        self.change("INSERT INTO sandbox_agreement (id, owner, name) VALUES (?, ?, ?)", values)?;
        Ok(())
    }

    /// Adds an engagement.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn insert_engagement(&self, engagement: &Engagement) -> Result<()> {
        let roles: Vec<_> = engagement.roles.iter().map(|role| role.as_str()).collect();
        let values = params![
            engagement.id.as_str(),
            engagement.agreement.as_str(),
            engagement.person.as_str(),
            engagement.account.as_str(),
            engagement.name,
            roles.join(" "),
            engagement.access_rights,
            engagement.payment_rights,
            engagement.transfer_rights,
            engagement.register_limit,
            engagement.approval_limit,
        ];
        self.change(INSERT_ENGAGEMENT, values)?;
        Ok(())
    }

    /// The agreement of that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn agreement(&self, id: &AgreementId) -> Result<Option<Agreement>> {
        self.row("SELECT id, owner, name FROM sandbox_agreement WHERE id = ?", [id.as_str()], read_agreement)
    }

    /// Every agreement, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn agreements(&self) -> Result<Vec<Agreement>> {
        self.rows("SELECT id, owner, name FROM sandbox_agreement ORDER BY number", [], read_agreement)
    }

    /// The agreements of a customer, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn agreements_of(&self, owner: &CustomerId) -> Result<Vec<Agreement>> {
        let query = "SELECT id, owner, name FROM sandbox_agreement WHERE owner = ? ORDER BY number";
        self.rows(query, [owner.as_str()], read_agreement)
    }

    /// Removes an agreement with its engagements; whether there was one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn delete_agreement(&self, id: &AgreementId) -> Result<bool> {
        Ok(self.change("DELETE FROM sandbox_agreement WHERE id = ?", [id.as_str()])? > 0)
    }

    /// Removes an engagement under that agreement; whether there was one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn delete_engagement(&self, agreement: &AgreementId, id: &EngagementId) -> Result<bool> {
        let statement = "DELETE FROM sandbox_engagement WHERE agreement = ? AND id = ?";
        Ok(self.change(statement, [agreement.as_str(), id.as_str()])? > 0)
    }

    /// The engagements under an agreement, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn engagements_under(&self, agreement: &AgreementId) -> Result<Vec<Engagement>> {
        self.rows(select_engagement!("agreement = ? ORDER BY number"), [agreement.as_str()], read_engagement)
    }

    /// The engagements of a person, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn engagements_of(&self, person: &CustomerId) -> Result<Vec<Engagement>> {
        self.rows(select_engagement!("person = ? ORDER BY number"), [person.as_str()], read_engagement)
    }

    /// Those under agreements of other persons, such as the joint account of a couple, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn joint_engagements_of(&self, person: &CustomerId) -> Result<Vec<Engagement>> {
        const SQL: &str = select_engagement!(
            "person = ?1 AND EXISTS (
                SELECT 1 FROM sandbox_agreement AS agreed JOIN sandbox_customer AS owner ON owner.id = agreed.owner
                WHERE agreed.id = agreement AND owner.id <> ?1 AND owner.type = 'PRIVATE'
            ) ORDER BY number"
        );
        self.rows(SQL, [person.as_str()], read_engagement)
    }

    /// The engagements of a person with one account, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn engagements_with(&self, person: &CustomerId, account: &AccountKey) -> Result<Vec<Engagement>> {
        let values = [person.as_str(), account.as_str()];
        self.rows(select_engagement!("person = ? AND account = ? ORDER BY number"), values, read_engagement)
    }
}

fn read_agreement(row: &Row<'_>) -> rusqlite::Result<Agreement> {
    let mut columns = Columns::of(row);
    Ok(Agreement {
        id: columns.text(AgreementId::parse)?,
        owner: columns.text(CustomerId::parse)?,
        name: columns.value()?,
    })
}

fn read_engagement(row: &Row<'_>) -> rusqlite::Result<Engagement> {
    let mut columns = Columns::of(row);
    Ok(Engagement {
        id: columns.text(EngagementId::parse)?,
        agreement: columns.text(AgreementId::parse)?,
        person: columns.text(CustomerId::parse)?,
        account: columns.text(AccountKey::parse)?,
        name: columns.value()?,
        roles: columns.text(|text| text.split_ascii_whitespace().map(Role::parse).collect())?,
        access_rights: columns.value()?,
        payment_rights: columns.value()?,
        transfer_rights: columns.value()?,
        register_limit: columns.value()?,
        approval_limit: columns.value()?,
    })
}
