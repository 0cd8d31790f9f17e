//! Where rows stand in a table to which they are appended, by a key that is as good as random.
//!
//! An index by such a key would cost every commit a page of its own, somewhere in an index of all rows there ever were.
//! The table has none: who writes knows from memory in which rows a key stands, and reads on where it stopped for what
//! other processes appended. The memory says where to look, and no more; what stands in the table counts.

use std::marker::PhantomData;

use rusqlite::{Connection, Result};

use super::appended::{Appended, Line, Seen};
use super::places::{Key, Places};
use super::turn::Meanwhile;

/// How many rows come, beyond as many again as were kept, before those are dropped that are too old.
const WORTH_A_LOOK: usize = 4096;

/// What one writer knows of a table.
#[derive(Debug)]
pub(super) struct KnownRows<T> {
    /// Whether others may have written since the table was read.
    is_behind: bool,
    /// From which time on the rows are known, once the table was read.
    known_since: Option<i64>,
    /// Rows stand there unless their transactions were taken back.
    places: Places,
    /// A row that was read or kept. All before it are known.
    last: Option<Seen>,
    /// The last row that this writer added; its transaction may still be taken back. Every row before it is known,
    /// because others' rows were read before it was added.
    added: Option<Seen>,
    /// How many places were left when others were dropped.
    kept: usize,
    table: PhantomData<T>,
}

impl<T> Default for KnownRows<T> {
    fn default() -> Self {
        Self {
            is_behind: true,
            known_since: None,
            places: Places::default(),
            last: None,
            added: None,
            kept: 0,
            table: PhantomData,
        }
    }
}

impl<T: Appended> KnownRows<T> {
    /// To be told of each transaction before it writes, and of what happened since the last.
    pub(super) fn transaction_begins(&mut self, meanwhile: Meanwhile) {
        let added = self.added.take();
        if meanwhile.was_kept && added.is_some() {
            self.last = added;
        }
        self.is_behind |= meanwhile.others_wrote;
    }

    /// Knows all rows since a time, for questions about them.
    pub(super) fn catch_up(&mut self, connection: &Connection, since: i64) -> Result<()> {
        let from = since.saturating_sub(T::DISORDER_MAX);
        if self.known_since.is_none_or(|known| since < known) {
            return self.read_back(connection, from);
        }
        if self.is_behind {
            self.read_on_or_back(connection, from)?;
        }
        self.drop_before(from);
        Ok(())
    }

    /// Call before adding a row in a transaction that has not called [`Self::catch_up`]. Without it, if this
    /// transaction is taken back and another process takes the row number, that process's row would be missed when it
    /// is done again. Rows older than `since` may be dropped here, since no question may come that would drop them.
    pub(super) fn keep_up(&mut self, connection: &Connection, since: i64) -> Result<()> {
        let Some(known_since) = self.known_since else { return Ok(()) };
        if self.is_behind {
            self.read_on_or_back(connection, known_since)?;
        }
        self.drop_before(since.saturating_sub(T::DISORDER_MAX));
        Ok(())
    }

    /// The numbers of the rows at which a key stands, if they stand, the newest first.
    pub(super) fn numbers(&self, key: Key) -> Vec<i64> {
        self.places.numbers(key)
    }

    /// A row that this writer added.
    pub(super) fn add(&mut self, line: Line) {
        if self.known_since.is_some() {
            self.place(&line);
            self.added = Some(line.into_seen());
        }
    }

    /// A row is of no interest any more.
    pub(super) fn forget(&mut self, key: Key, number: i64) {
        self.places.remove(key, number);
    }

    fn read_on_or_back(&mut self, connection: &Connection, since: i64) -> Result<()> {
        if self.read_on(connection)? {
            self.is_behind = false;
            return Ok(());
        }
        self.read_back(connection, since)
    }

    /// Reads from the last known row on. `false` where that row is not there any more: it was forgotten, and its number
    /// may be another one's, or the whole database was replaced.
    fn read_on(&mut self, connection: &Connection) -> Result<bool> {
        let mut statement = connection.prepare_cached(T::ONWARD)?;
        let number = self.last.as_ref().map_or(i64::MIN, |row| row.number);
        let mut lines = statement.query_map([number], T::line)?;
        if self.last.is_some() && lines.next().transpose()?.map(Line::into_seen) != self.last {
            return Ok(false);
        }
        for line in lines {
            let line = line?;
            self.place(&line);
            self.last = Some(line.into_seen());
        }
        Ok(true)
    }

    /// Reads the rows added since a time, as if nothing was known.
    fn read_back(&mut self, connection: &Connection, since: i64) -> Result<()> {
        *self = Self::default();
        let mut statement = connection.prepare_cached(T::BACKWARD)?;
        for line in statement.query_map([], T::line)? {
            let line = line?;
            let is_old = line.at < since;
            if !is_old {
                self.place(&line);
            }
            if self.last.is_none() {
                self.last = Some(line.into_seen());
            }
            if is_old && T::IS_IN_ORDER {
                break;
            }
        }
        self.known_since = Some(since);
        self.kept = self.places.len();
        self.is_behind = false;
        Ok(())
    }

    fn place(&mut self, line: &Line) {
        if let Some(key) = line.key {
            self.places.insert(key, line.number, line.at);
        }
    }

    /// Drops what was added before a time, once that is worth a look at everything.
    fn drop_before(&mut self, since: i64) {
        if self.places.len() > 2 * self.kept + WORTH_A_LOOK {
            // A clock that was put back makes nothing known that was not read.
            let since = self.known_since.map_or(since, |known| known.max(since));
            self.places.drop_before(since);
            self.known_since = Some(since);
            self.kept = self.places.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    use proptest::prelude::*;
    use rusqlite::Row;

    use super::*;

    const HOUR: i64 = 60 * 60 * 1_000_000;

    /// A table of keys in one byte, and times.
    #[derive(Debug)]
    struct Bytes;

    impl Appended for Bytes {
        const ONWARD: &'static str = "SELECT rowid, id, key, at FROM bytes WHERE rowid >= ?1 ORDER BY rowid";
        const BACKWARD: &'static str = "SELECT rowid, id, key, at FROM bytes ORDER BY rowid DESC";
        const IS_IN_ORDER: bool = true;
        const DISORDER_MAX: i64 = HOUR;

        fn line(row: &Row<'_>) -> Result<Line> {
            LINES_READ.set(LINES_READ.get() + 1);
            Ok(Line { number: row.get(0)?, id: row.get(1)?, key: row.get(2)?, at: row.get(3)? })
        }
    }

    thread_local! {
        static LINES_READ: Cell<usize> = const { Cell::new(0) };
        /// Who had the last turn to write, and whether what they changed was kept.
        static LAST_TURN: Cell<(usize, bool)> = const { Cell::new((0, true)) };
    }

    type Known = KnownRows<Bytes>;

    /// A writer, by its number from 1 on.
    #[derive(Default)]
    struct Writer {
        number: usize,
        known: Known,
    }

    impl Writer {
        fn new(number: usize) -> Self {
            Self { number, known: Known::default() }
        }

        /// One transaction, kept or not.
        fn transaction(&mut self, connection: &Connection, is_kept: bool, work: impl FnOnce(&mut Known)) {
            let (last, was_kept) = LAST_TURN.replace((self.number, is_kept));
            let is_own = last == self.number;
            connection.execute_batch("BEGIN").unwrap();
            self.known.transaction_begins(Meanwhile { was_kept: is_own && was_kept, others_wrote: !is_own });
            work(&mut self.known);
            connection.execute_batch(if is_kept { "COMMIT" } else { "ROLLBACK" }).unwrap();
        }

        fn add_all(&mut self, connection: &Connection, is_kept: bool, rows: &[New]) {
            self.transaction(connection, is_kept, |known| {
                rows.iter().for_each(|row| add(connection, known, row, 0));
            });
        }

        /// Where a key stands, by the writer's own view.
        fn numbers(&mut self, connection: &Connection, key: u8) -> Vec<i64> {
            let mut found = Vec::new();
            self.transaction(connection, true, |known| found = numbers(connection, known, key, 0));
            found
        }
    }

    /// A row before it is added.
    #[derive(Debug, Clone)]
    struct New {
        id: Vec<u8>,
        key: u8,
        at: i64,
        /// Whether its writer asks for its key before it adds it.
        is_asked_for: bool,
    }

    fn new(key: u8, at: i64, is_asked_for: bool) -> New {
        static MADE: AtomicU64 = AtomicU64::new(0);
        New { id: MADE.fetch_add(1, Ordering::Relaxed).to_be_bytes().to_vec(), key, at, is_asked_for }
    }

    fn table(rows: &[(u8, i64)]) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE bytes (id BLOB, key INTEGER, at INTEGER)").unwrap();
        for (key, at) in rows {
            insert(&connection, &new(*key, *at, false));
        }
        connection
    }

    fn insert(connection: &Connection, New { id, key, at, .. }: &New) -> i64 {
        connection.execute("INSERT INTO bytes VALUES (?1, ?2, ?3)", (id, key, at)).unwrap();
        connection.last_insert_rowid()
    }

    /// Where the keys stand, by a writer's own view, for a question about rows since a time.
    fn numbers(connection: &Connection, known: &mut Known, key: u8, since: i64) -> Vec<i64> {
        known.catch_up(connection, since).unwrap();
        known.numbers(key.into())
    }

    /// What a writer does with each row, for questions about rows since a time.
    fn add(connection: &Connection, known: &mut Known, row: &New, since: i64) {
        if row.is_asked_for {
            known.catch_up(connection, since).unwrap();
        } else {
            known.keep_up(connection, since).unwrap();
        }
        let number = insert(connection, row);
        known.add(Line { number, id: row.id.clone(), key: Some(row.key.into()), at: row.at });
    }

    #[test]
    fn the_first_question_reads_back_to_its_time_and_an_hour_more() {
        let rows = [(1, 0), (2, HOUR - 1), (1, HOUR), (1, 3 * HOUR), (1, 2 * HOUR)];
        let connection = table(&rows);
        let mut known = Known::default();
        assert_eq!(numbers(&connection, &mut known, 1, 2 * HOUR), [5, 4, 3]);
        assert_eq!(numbers(&connection, &mut known, 2, 2 * HOUR), [0; 0]);
    }

    #[test]
    fn a_question_that_looks_back_further_reads_again() {
        let connection = table(&[(1, 0), (1, 5 * HOUR)]);
        let mut known = Known::default();
        assert_eq!(numbers(&connection, &mut known, 1, 2 * HOUR), [2]);
        assert_eq!(numbers(&connection, &mut known, 1, HOUR), [2], "known since");
        assert_eq!(numbers(&connection, &mut known, 1, HOUR - 1), [2, 1]);
    }

    #[test]
    fn old_rows_are_not_read_with_every_transaction() {
        let connection = table(&[(1, 0), (1, 1)]);
        let mut writer = Writer::new(1);
        for _ in 0..2 {
            writer.transaction(&connection, true, |known| {
                assert_eq!(numbers(&connection, known, 1, 9 * HOUR), [0; 0]);
            });
        }
    }

    #[test]
    fn rows_that_one_has_added_oneself_are_not_read_again() {
        let connection = table(&[]);
        let (mut here, mut there) = (Writer::new(1), Writer::new(2));
        for _ in 0..2 {
            here.add_all(&connection, true, &[new(1, 0, true), new(1, 0, false), new(1, 0, true)]);
        }
        LINES_READ.set(0);
        assert_eq!(here.numbers(&connection, 1), [6, 5, 4, 3, 2, 1]);
        assert_eq!(LINES_READ.get(), 0, "nobody else wrote");
        there.transaction(&connection, true, |_| ());
        assert_eq!(here.numbers(&connection, 1), [6, 5, 4, 3, 2, 1]);
        assert_eq!(LINES_READ.get(), 1, "the last one, which still stands");
    }

    #[test]
    fn a_row_of_another_between_two_attempts_is_found() {
        let connection = table(&[]);
        let (mut here, mut there) = (Writer::new(1), Writer::new(2));
        here.add_all(&connection, true, &[new(0, 0, true)]);
        for is_asked_for in [true, false] {
            let rows = [new(1, 0, is_asked_for), new(1, 0, false), new(1, 0, true)];
            here.add_all(&connection, false, &rows);
            there.add_all(&connection, true, &[new(2, 0, true)]);
            here.add_all(&connection, true, &rows[1..]);
        }
        assert_eq!(here.numbers(&connection, 2), [5, 2]);
    }

    #[test]
    fn a_row_of_another_in_the_place_of_one_that_was_taken_back_is_found() {
        let connection = table(&[]);
        let (mut here, mut there) = (Writer::new(1), Writer::new(2));
        here.transaction(&connection, true, |known| {
            add(&connection, known, &new(0, 0, true), 0);
            connection.execute_batch("SAVEPOINT part").unwrap();
            (0..2).for_each(|_| add(&connection, known, &new(1, 0, true), 0));
            connection.execute_batch("ROLLBACK TO part; RELEASE part").unwrap();
        });
        there.add_all(&connection, true, &[new(2, 0, true), new(2, 0, true)]);
        assert_eq!(here.numbers(&connection, 2), [3, 2]);
    }

    #[test]
    fn a_row_that_was_taken_back_and_is_another_ones_now_hides_none_before_it() {
        let connection = table(&[]);
        let (mut here, mut there) = (Writer::new(1), Writer::new(2));
        here.add_all(&connection, true, &[new(0, 0, true)]);
        let (first, second) = (new(1, 0, true), new(1, 0, true));
        here.add_all(&connection, false, &[first, second.clone()]);
        // The same as the second, by its number and id, comes from elsewhere, too.
        there.add_all(&connection, true, &[new(2, 0, true), second]);
        assert_eq!(here.numbers(&connection, 2), [2]);
    }

    #[test]
    fn what_is_too_old_does_not_fill_the_memory_whether_somebody_asks_or_not() {
        for is_asked_for in [true, false] {
            let connection = table(&[]);
            let mut writer = Writer::new(1);
            let mut most = 0;
            for hour in 0..50 {
                writer.transaction(&connection, true, |known| {
                    let row = new(1, hour * HOUR, is_asked_for || hour == 0);
                    (0..1000).for_each(|_| add(&connection, known, &row, (hour - 1) * HOUR));
                });
                most = most.max(writer.known.places.len());
            }
            assert!((3000..14_000).contains(&most), "{most}");
            let known = &mut writer.known;
            assert_eq!(numbers(&connection, known, 1, 48 * HOUR).len(), known.places.len());
        }
    }

    /// What happens to the table.
    #[derive(Debug, Clone)]
    enum Event {
        Adds {
            writer: usize,
            rows: Vec<New>,
            is_kept: bool,
        },
        /// A writer's transaction is taken back and, after one of the other, done again without some of its rows.
        Retries {
            writer: usize,
            rows: Vec<New>,
            between: Vec<New>,
            left_out: usize,
        },
        /// The rows up to some quarters of all are forgotten.
        Forgets {
            quarters: i64,
        },
    }

    fn some_rows() -> impl Strategy<Value = Vec<New>> {
        // The times are one: clocks of tests stand still.
        let row = (0..3_u8, any::<bool>()).prop_map(|(key, is_asked_for)| new(key, 0, is_asked_for));
        prop::collection::vec(row, 0..4)
    }

    fn an_event() -> impl Strategy<Value = Event> {
        prop_oneof![
            3 => (0..2_usize, some_rows(), any::<bool>())
                .prop_map(|(writer, rows, is_kept)| Event::Adds { writer, rows, is_kept }),
            3 => (0..2_usize, some_rows(), some_rows(), 0..4_usize)
                .prop_map(|(writer, rows, between, left_out)| Event::Retries { writer, rows, between, left_out }),
            1 => (0..5_i64).prop_map(|quarters| Event::Forgets { quarters }),
        ]
    }

    proptest! {
        #[test]
        fn every_row_that_stands_is_found(events in prop::collection::vec(an_event(), 0..30)) {
            let connection = table(&[]);
            let mut writers = [Writer::new(1), Writer::new(2)];
            for event in events {
                match event {
                    Event::Adds { writer, rows, is_kept } => {
                        writers[writer].add_all(&connection, is_kept, &rows);
                    }
                    Event::Retries { writer, mut rows, between, left_out } => {
                        writers[writer].add_all(&connection, false, &rows);
                        writers[1 - writer].add_all(&connection, true, &between);
                        if left_out < rows.len() {
                            rows.remove(left_out);
                        }
                        writers[writer].add_all(&connection, true, &rows);
                    }
                    Event::Forgets { quarters } => {
                        let sql = "DELETE FROM bytes WHERE rowid <= (SELECT max(rowid) * ?1 / 4 FROM bytes)";
                        connection.execute(sql, [quarters]).unwrap();
                        LAST_TURN.set((0, true));
                    }
                }
            }
            for writer in &mut writers {
                for key in 0..3 {
                    let found = writer.numbers(&connection, key);
                    let mut statement = connection.prepare("SELECT rowid FROM bytes WHERE key = ?1").unwrap();
                    for number in statement.query_map([key], |row| row.get::<_, i64>(0)).unwrap() {
                        prop_assert!(found.contains(&number.unwrap()), "{key}: {found:?}");
                    }
                }
            }
        }
    }
}
