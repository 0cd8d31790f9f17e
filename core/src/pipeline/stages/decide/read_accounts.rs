//! Account information: read from the bank, within what the PSU opened; and the SCAs that open it.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::new_authorisation::{authorisation_by, started};
use super::Outcome;
use crate::account::listing::{self, Listing};
use crate::account::query::ListQuery;
use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Transaction,
};
use crate::bank::Bank;
use crate::consent::record::Consent;
use crate::error::Result as EngineResult;
use crate::handler_error::HandlerError;
use crate::pipeline::bank_reply_checks;
use crate::pipeline::corporate_id::corporate_id;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::named_psu;
use crate::pipeline::stages::admit::{Admitted, Expected, Granted, Reading, ScaRequired};
use crate::policy::Policy;
use crate::reason::{Language, Reason};
use crate::sca::record::Purpose;
use crate::store::Write;
use crate::types::{ActingPsu, Context, Party};

/// Account data that was read.
pub(crate) enum AccountData {
    /// Accounts, each with its balances where they were asked for.
    Accounts(Vec<(Account, Option<Vec<Balance>>)>),
    /// One account, with its balances where they were asked for.
    Account(Account, Option<Vec<Balance>>),
    /// The balances of an account.
    Balances(Account, Vec<Balance>),
    /// A page of an account's transactions.
    Transactions { account: Account, context: Context, query: ListQuery, listing: Listing<Transaction> },
    /// One transaction of an account.
    Transaction { account: Account, context: Context, transaction: Box<Transaction> },
    /// Card accounts with their balances.
    CardAccounts(Vec<(CardAccount, Vec<Balance>)>),
    /// One card account with its balances.
    CardAccount(CardAccount, Vec<Balance>),
    /// The balances of a card account.
    CardBalances(CardAccount, Vec<Balance>),
    /// A page of a card account's transactions.
    CardTransactions { card: CardAccount, query: ListQuery, listing: Listing<CardTransaction> },
}

/// Reads what was granted. A call without the PSU counts where it comes to something.
pub(super) fn read(
    admitted: &Admitted<'_>,
    granted: Granted,
    engine: &EngineContext,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let Granted { psu, consent, reading, counted } = granted;
    let policy = admitted.parsed().policy();
    let data = ask(engine, policy, &psu, &consent, reading)?;
    let limit = policy.calls_without_psu_per_day;
    let writes = counted.map(|counted| Write::CountAccess { counted, limit });
    Ok((writes.into_iter().collect(), Outcome::AccountsRead(Box::new(data))))
}

fn ask(
    engine: &EngineContext,
    policy: &Policy,
    psu: &ActingPsu,
    consent: &Consent,
    reading: Reading,
) -> Result<AccountData, HandlerError> {
    let bank = engine.bank();
    let context = psu.context;
    Ok(match reading {
        Reading::Accounts { with_balance } => {
            AccountData::Accounts(opened_accounts(bank, psu, consent, with_balance)?)
        }
        Reading::Account { account, with_balance } => {
            let balances = with_balance.then(|| bank.balances(&account.id)).transpose()?;
            AccountData::Account(account, balances)
        }
        Reading::Balances { account } => {
            let balances = bank.balances(&account.id)?;
            AccountData::Balances(account, balances)
        }
        Reading::Transactions { account, query, begins } => {
            let unfiltered = policy.pending_unfiltered;
            let pending = || bank_reply_checks::pending(bank, &account);
            let listing = listing::read(&query.or_from(begins), unfiltered, pending, |part| {
                bank_reply_checks::booked(bank, &account, part)
            })?;
            AccountData::Transactions { account, context, query, listing }
        }
        Reading::Transaction { account, transaction } => {
            let found = match &transaction {
                Some(id) => bank_reply_checks::transaction(bank, &account, id)?,
                None => None,
            };
            let transaction = Box::new(found.ok_or(Reason::TransactionUnknown)?);
            AccountData::Transaction { account, context, transaction }
        }
        Reading::CardAccounts => AccountData::CardAccounts(opened_cards(bank, psu, consent)?),
        Reading::CardAccount { card } => {
            let balances = bank.card_balances(&card.id)?;
            AccountData::CardAccount(card, balances)
        }
        Reading::CardBalances { card } => {
            let balances = bank.card_balances(&card.id)?;
            AccountData::CardBalances(card, balances)
        }
        Reading::CardTransactions { card, query, begins } => {
            let pending = || bank_reply_checks::card_pending(bank, &card);
            let listing = listing::read(&query.or_from(begins), false, pending, |part| {
                bank_reply_checks::card_booked(bank, &card, part)
            })?;
            AccountData::CardTransactions { card, query, listing }
        }
    })
}

/// What is both the PSU's and opened: an account may have been closed since.
fn opened_accounts(
    bank: &dyn Bank,
    psu: &ActingPsu,
    consent: &Consent,
    with_balance: bool,
) -> EngineResult<Vec<(Account, Option<Vec<Balance>>)>> {
    let mut accounts = bank_reply_checks::accounts(bank, psu)?;
    accounts.retain(|account| consent.accounts.contains(&account.id));
    let with_balances = |account: Account| {
        let balances = with_balance.then(|| bank.balances(&account.id)).transpose()?;
        Ok((account, balances))
    };
    accounts.into_iter().map(with_balances).collect()
}

fn opened_cards(
    bank: &dyn Bank,
    psu: &ActingPsu,
    consent: &Consent,
) -> EngineResult<Vec<(CardAccount, Vec<Balance>)>> {
    let mut cards = bank_reply_checks::card_accounts(bank, psu)?;
    cards.retain(|card| consent.card_accounts.contains(&card.id));
    let with_balances = |card: CardAccount| {
        let balances = bank.card_balances(&card.id)?;
        Ok((card, balances))
    };
    cards.into_iter().map(with_balances).collect()
}

/// Starts an SCA in which the PSU opens accounts.
pub(super) fn start_consent(
    admitted: &Admitted<'_>,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let expected = named(admitted, engine)?;
    let authorisation = authorisation_by(admitted, expected, Purpose::Consent, engine, language, now)?;
    let successor = admitted.parsed().operation().successor();
    Ok(started(authorisation, |sca| Outcome::ConsentStarted { sca, successor }))
}

/// Starts an SCA that makes the PSU known, and opens nothing.
pub(super) fn identify_psu(
    admitted: &Admitted<'_>,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let expected = named(admitted, engine)?;
    let authorisation = authorisation_by(admitted, expected, Purpose::Identification, engine, language, now)?;
    Ok(started(authorisation, Outcome::IdentificationStarted))
}

/// Whom a call names that starts an SCA. Ids that the TPP was not given name nobody: the SCA gives the right
/// ones. Where no context is named, the PSU chooses it.
fn named(admitted: &Admitted<'_>, engine: &EngineContext) -> EngineResult<Expected> {
    let headers = admitted.parsed().call_headers();
    let (tpp, store) = (admitted.tpp(), engine.store());
    let psu = named_psu::psu(headers, tpp, store)?;
    let corporate_id = headers.psu_corporate_id.filter(|_| headers.context != Some(Context::Private));
    let corporate = named_psu::corporate(corporate_id, psu.as_ref(), tpp, store)?;
    let context = headers.context.or(corporate.as_ref().map(|_| Context::Corporate));
    Ok(Expected { party: Party { psu, context, corporate }, identity: None })
}

/// Makes a refusal's cure: a link to an SCA.
pub(super) fn require_sca(
    admitted: &Admitted<'_>,
    required: ScaRequired,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let ScaRequired { refusal, purpose, expected } = required;
    let authorisation = authorisation_by(admitted, expected, purpose, engine, language, now)?;
    Ok(started(authorisation, |sca| Outcome::ScaRequired { refusal, sca }))
}

/// The agreements of the PSU. A customer that the TPP sees for the first time gets its id here.
pub(crate) fn agreements(
    admitted: &Admitted<'_>,
    engine: &EngineContext,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let psu = &admitted.psu().ok_or(Reason::Internal)?.psu;
    let mut writes = Vec::new();
    let mut listed: Vec<(Uuid, CorporateAgreement)> = Vec::new();
    for agreement in engine.bank().agreements(psu)? {
        let seen = listed.iter().find(|(_, other)| other.corporate == agreement.corporate);
        let corporate_id = match seen {
            Some((corporate_id, _)) => *corporate_id,
            None => corporate_id(engine, admitted.tpp(), psu, &agreement.corporate, &mut writes)?,
        };
        listed.push((corporate_id, agreement));
    }
    Ok((writes, Outcome::Agreements(listed)))
}
