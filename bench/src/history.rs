//! Reading accounts: pages of short and of long lists, balances, many readers at once.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{params, Connection, OpenFlags};
use xs2a::bank::{Bank, TransactionQuery};
use xs2a::internal::{load_default_data, Database, SandboxBank};
use xs2a::types::{AccountId, ActingPsu, Context, Rates};

use crate::report::Figure;
use crate::rounds::{timed, Contender, Medians, Rounds};
use crate::rows::{micros, progress, Folder};
use crate::Outcome;

/// Pages of 200, which take a fraction of a millisecond.
const PAGES: Rounds = Rounds { warm_up: 2, count: 31, calls: 40 };
/// Pages that many read at once: so many that starting the threads does not count.
const SHARED: Rounds = Rounds { warm_up: 1, count: 11, calls: 800 };
/// Balances, which take microseconds.
const BALANCES: Rounds = Rounds { warm_up: 1, count: 31, calls: 400 };

/// What a page of the longest list may take against one of the shortest.
const PAGE_AIM: f64 = 1.2;
/// What eight readers may take for the work of one: they are 1.8 times as fast on two processors.
const READERS_AIM: f64 = 1.0 / 1.8;
const READERS: usize = 8;

/// How many transactions a page has, and how many it skips where it lies deep in the list.
const PAGE: u32 = 200;
const DEEP: u64 = 100_000;

/// The accounts of the first customer, by what they come to have.
const SHORT: u64 = 10_000;
const LONG: u64 = 1_000_000;
/// Loaded only where this variable is set: it takes some minutes and some gigabytes of disk.
const LONGEST: u64 = 10_000_000;
const LONGEST_VARIABLE: &str = "XS2A_BENCH_TEN_MILLION";

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let folder = Folder::make()?;
    let file = folder.path().join("accounts.db");
    let [short, long] = accounts(&file)?;
    let takes_longest = std::env::var_os(LONGEST_VARIABLE).is_some();
    load(&file, &short, SHORT)?;
    progress(if takes_longest {
        "loading ten million transactions"
    } else {
        "loading a million transactions"
    });
    let (time, loaded) = timed(|| load(&file, &long, if takes_longest { LONGEST } else { LONG }));
    loaded?;
    progress(&format!("loaded in {:.0} s", time.as_secs_f64()));
    let bank = Arc::new(open(&file)?);
    let mut rows = pages(&bank, &short, &long, takes_longest)?;
    rows.push(balance(&bank, &file, &short)?);
    rows.extend(readers(&bank, &file, &short)?);
    Ok(rows)
}

fn pages(
    bank: &Arc<SandboxBank>,
    short: &AccountId,
    long: &AccountId,
    longest: bool,
) -> Outcome<Vec<Figure>> {
    let page = |account: &AccountId, offset| Reading::new(bank, account, What::Page(offset), 1);
    let (mut first_of_short, mut first_of_long) = (page(short, 0), page(long, 0));
    let mut deep_in_long = page(long, DEEP);
    let mut contenders: [&mut dyn Contender; 3] =
        [&mut first_of_short, &mut first_of_long, &mut deep_in_long];
    let medians = PAGES.measure(&mut contenders)?;
    let base = "the first 200 of 10 thousand";
    let [first, deep] = if longest {
        ["the first 200 of 10 million transactions", "200 of 10 million transactions after 100 thousand"]
    } else {
        ["the first 200 of 1 million transactions", "200 of 1 million transactions after 100 thousand"]
    };
    Ok(vec![
        figure(&medians, first, 1, base, Some(PAGE_AIM)),
        figure(&medians, deep, 2, base, Some(PAGE_AIM)),
    ])
}

fn balance(bank: &Arc<SandboxBank>, file: &Path, account: &AccountId) -> Outcome<Figure> {
    let mut select = PreparedSelect::new(file, account)?;
    let mut balance = Reading::new(bank, account, What::Balance, 1);
    let medians = BALANCES.measure(&mut [&mut select, &mut balance])?;
    Ok(figure(&medians, "read the balances of an account", 1, "one prepared SELECT", None))
}

/// The bare rows beside ours show what the processors and SQLite themselves give to threads.
fn readers(bank: &Arc<SandboxBank>, file: &Path, account: &AccountId) -> Outcome<[Figure; 2]> {
    let mut one = Reading::new(bank, account, What::Page(0), 1);
    let mut eight = Reading::new(bank, account, What::Page(0), READERS);
    let mut bare_one = BareReading::open(file, account, 1)?;
    let mut bare_eight = BareReading::open(file, account, READERS)?;
    let medians = SHARED.measure(&mut [&mut one, &mut eight, &mut bare_one, &mut bare_eight])?;
    let name = "read 200 transactions, eight threads at once";
    let bare = "the same rows by bare SQLite, eight threads with a connection each";
    Ok([
        figure(&medians, name, 1, "one thread", Some(READERS_AIM)),
        Figure {
            name: bare,
            measured: micros(medians.seconds_of(3)),
            against: format!("one thread: {}", micros(medians.seconds_of(2))),
            ratio: medians.ratio(3, 2),
            aim: None,
        },
    ])
}

fn figure(medians: &Medians, name: &'static str, contender: usize, base: &str, aim: Option<f64>) -> Figure {
    Figure {
        name,
        measured: micros(medians.seconds_of(contender)),
        against: format!("{base}: {}", micros(medians.seconds_of(0))),
        ratio: medians.ratio(contender, 0),
        aim,
    }
}

/// A bank in a file.
fn open(file: &Path) -> Outcome<SandboxBank> {
    let database = Arc::new(Database::open_file_for_sandbox(file, |_| Ok(()))?);
    load_default_data(&database)?;
    Ok(SandboxBank::new(database, Rates::default()))
}

/// A new bank in a file, and the two accounts of its first customer.
fn accounts(file: &Path) -> Outcome<[AccountId; 2]> {
    let bank = open(file)?;
    let psu = bank.person("13039319955")?.ok_or("no first customer")?;
    let accounts =
        bank.account_data().accounts(&ActingPsu { psu, context: Context::Private, corporate: None })?;
    let ids: Vec<_> = accounts.into_iter().map(|account| account.id).collect();
    <[AccountId; 2]>::try_from(ids).map_err(|_| "the first customer has not two accounts".into())
}

/// Books so many purchases over ten years, oldest first, past the bank, which would take one commit each.
fn load(file: &Path, account: &AccountId, count: u64) -> Outcome<()> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "synchronous", "OFF")?;
    let transaction = connection.transaction()?;
    transaction.execute(
        "INSERT INTO sandbox_transaction (id, account, booking_date, value_date, currency, amount, \
         counterpart_name, remittance, bank_transaction_code, proprietary_code, created_at) \
         WITH RECURSIVE line (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM line WHERE n + 1 < ?2) \
         SELECT printf('enc!!%012d%012d', ?2, n), ?1, date('2016-01-01', printf('%d days', n * 3650 / ?2)), \
         date('2016-01-01', printf('%d days', n * 3650 / ?2)), 'NOK', '-1.00', 'Kaffebar', 'Kaffe', \
         'PMNT-CCRD-POSD', 'VAREKJØP', 0 FROM line",
        params![account.as_str(), i64::try_from(count)?],
    )?;
    transaction.execute(
        "UPDATE sandbox_account SET booked = printf('%d.00', CAST(opening AS INTEGER) - ?2) WHERE id = ?1",
        params![account.as_str(), i64::try_from(count)?],
    )?;
    transaction.commit()?;
    connection.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    Ok(())
}

/// What is read.
#[derive(Clone, Copy)]
enum What {
    /// 200 transactions after so many.
    Page(u64),
    Balance,
}

/// Reads the same thing over and over, on so many threads.
struct Reading {
    bank: Arc<SandboxBank>,
    account: AccountId,
    what: What,
    threads: usize,
    calls: usize,
}

impl Reading {
    fn new(bank: &Arc<SandboxBank>, account: &AccountId, what: What, threads: usize) -> Self {
        Self { bank: Arc::clone(bank), account: account.clone(), what, threads, calls: 0 }
    }

    fn read(&self) -> Outcome<()> {
        let is_whole = match self.what {
            What::Balance => !self.bank.account_data().balances(&self.account)?.is_empty(),
            What::Page(offset) => {
                let query = TransactionQuery { from: None, to: None, offset, limit: PAGE };
                self.bank.account_data().booked(&self.account, &query)?.items.len() == PAGE as usize
            }
        };
        is_whole.then_some(()).ok_or_else(|| "a part of the answer is missing".into())
    }

    /// All calls, shared among the threads; whether all were answered.
    fn read_all(&self) -> bool {
        let share = || (0..self.calls / self.threads).all(|_| self.read().is_ok());
        if self.threads == 1 {
            return share();
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(share)).collect();
            threads.into_iter().all(|thread| thread.join().unwrap_or(false))
        })
    }
}

impl Contender for Reading {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        self.read()
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (time, all_answered) = timed(|| self.read_all());
        all_answered.then_some(time).ok_or_else(|| "a read failed".into())
    }
}

/// Reads the newest rows of an account past the library, on so many threads.
struct BareReading {
    account: AccountId,
    connections: Vec<Connection>,
    calls: usize,
}

impl BareReading {
    fn open(file: &Path, account: &AccountId, threads: usize) -> Outcome<Self> {
        let open = || {
            Connection::open_with_flags(
                file,
                OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )
        };
        let connections = (0..threads).map(|_| open()).collect::<rusqlite::Result<_>>()?;
        Ok(Self { account: account.clone(), connections, calls: 0 })
    }
}

/// So many pages; whether each was whole.
fn read_bare(connection: &Connection, account: &AccountId, calls: usize) -> rusqlite::Result<bool> {
    let query = "SELECT id, booking_date, value_date, currency, amount, counterpart_name, remittance, \
        bank_transaction_code, proprietary_code FROM sandbox_transaction \
        WHERE account = ? ORDER BY booking_date DESC, number DESC LIMIT 200";
    let mut select = connection.prepare_cached(query)?;
    for _ in 0..calls {
        let rows = select.query_map([account.as_str()], |row| {
            (0..9).map(|column| row.get::<_, String>(column)).collect::<rusqlite::Result<Vec<_>>>()
        })?;
        if rows.collect::<rusqlite::Result<Vec<_>>>()?.len() != PAGE as usize {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Contender for BareReading {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (account, calls) = (&self.account, self.calls / self.connections.len());
        let (time, all_whole) = timed(|| match self.connections.as_mut_slice() {
            [only] => matches!(read_bare(only, account, calls), Ok(true)),
            several => std::thread::scope(|scope| {
                let threads: Vec<_> = several
                    .iter_mut()
                    .map(|connection| {
                        scope.spawn(move || matches!(read_bare(connection, account, calls), Ok(true)))
                    })
                    .collect();
                threads.into_iter().all(|thread| thread.join().unwrap_or(false))
            }),
        });
        all_whole.then_some(time).ok_or_else(|| "a bare read failed".into())
    }
}

/// The bare cost of a balance: one row by its key.
struct PreparedSelect {
    connection: Connection,
    account: AccountId,
    calls: usize,
}

impl PreparedSelect {
    fn new(file: &Path, account: &AccountId) -> Outcome<Self> {
        Ok(Self { connection: Connection::open(file)?, account: account.clone(), calls: 0 })
    }
}

impl Contender for PreparedSelect {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let mut select = self.connection.prepare("SELECT booked FROM sandbox_account WHERE id = ?")?;
        let account = self.account.as_str();
        let (time, result) = timed(|| {
            (0..self.calls)
                .try_for_each(|_| select.query_row([account], |row| row.get::<_, String>(0)).map(drop))
        });
        result?;
        Ok(time)
    }
}
