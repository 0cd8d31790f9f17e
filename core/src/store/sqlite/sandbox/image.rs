//! A whole database as bytes: what a snapshot is, and what a fork starts from.
//!
//! An image is a database file in rollback mode, as the SQLite command line reads it.

use std::sync::OnceLock;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::serialize::Data;
use rusqlite::{Connection, MAIN_DB};

use super::schema::migrate;
use crate::error::{Error, Result};
use crate::store::sqlite::connection;
use crate::store::sqlite::database_role::DatabaseRole;
use crate::store::sqlite::failure::failed;
use crate::store::sqlite::schema::ENGINE;
use crate::store::sqlite::Database;

/// The largest piece of memory that SQLite allocates (SQLITE_MAX_ALLOCATION_SIZE).
const IMAGE_BYTES_MAX: i64 = 2_147_483_391;

const MAGIC: &[u8] = b"SQLite format 3\0";
/// Bytes of the header (SQLite file format, section 1.3).
const HEADER_BYTES: usize = 100;
/// Page size of every database of ours, SQLite's default.
const PAGE_BYTES: usize = 4096;
/// Where the header keeps the version for writing and the version for reading.
const WRITE_VERSION_AT: usize = 18;
const READ_VERSION_AT: usize = 19;
/// Both versions of a database with a rollback journal, the one form that lives in memory.
const ROLLBACK_JOURNAL: u8 = 1;

impl Database {
    /// The database of a sandbox, in memory, with the contents of an image.
    ///
    /// # Errors
    /// [`Error::Misuse`] for bytes that are no sound image of a sandbox, or of a newer schema.
    pub fn from_image(image: &[u8]) -> Result<Self> {
        open_checked(image).map(Self::in_memory)
    }

    /// An independent copy of the present contents, in memory.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn fork(&self) -> Result<Self> {
        let copied = match self.path() {
            None => self.read(|connection| Ok(copy(connection)))?,
            Some(_) => open(&self.image()?),
        };
        copied.map(Self::in_memory)
    }

    /// The present contents as bytes: a database file in rollback mode.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn image(&self) -> Result<Vec<u8>> {
        self.read(|connection| Ok(of(connection)))?
    }

    /// Replaces the whole contents by those of another database, which must be in memory.
    ///
    /// # Errors
    /// [`Error::Store`]; the present contents stay.
    pub fn replace_by(&self, incoming: Self) -> Result<()> {
        self.check_writable()?;
        let mut incoming = incoming.writer()?;
        let mut writer = self.writer()?;
        if self.path().is_none() {
            std::mem::swap(&mut *writer, &mut *incoming);
            return Ok(());
        }
        let backup = Backup::new(&incoming, &mut writer).map_err(failed)?;
        match backup.step(-1).map_err(failed)? {
            StepResult::Done => Ok(()),
            _ => Err(Error::Store("another process holds the database".into())),
        }
    }
}

/// All pages of a database as one consistent image.
fn of(connection: &Connection) -> Result<Vec<u8>> {
    let mut image = serialized(connection)?.to_vec();
    // The documentation of sqlite3_deserialize() names this patch as the way to bring a database in WAL
    // mode into memory. The pages are those a reader of the WAL sees.
    for at in [WRITE_VERSION_AT, READ_VERSION_AT] {
        if let Some(version) = image.get_mut(at) {
            *version = ROLLBACK_JOURNAL;
        }
    }
    Ok(image)
}

/// An empty database of the present schema, in memory.
pub(in crate::store::sqlite) fn open_empty() -> Result<Connection> {
    // A constant, made when first needed: copying its pages is ten times as fast as running the migrations.
    static EMPTY: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(image) = EMPTY.get() {
        return open(image);
    }
    let connection = connection::memory().map_err(failed)?;
    migrate(&connection)?;
    let image = of(&connection)?;
    open(EMPTY.get_or_init(|| image))
}

/// A copy of a database in memory, without an image in between.
fn copy(connection: &Connection) -> Result<Connection> {
    open(&serialized(connection)?)
}

fn serialized(connection: &Connection) -> Result<Data<'_>> {
    const SQL: &str = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let bytes: i64 = connection.query_row(SQL, [], |row| row.get(0)).map_err(failed)?;
    check_size(bytes)?;
    connection.serialize(MAIN_DB).map_err(failed)
}

/// Fails for more bytes than SQLite serializes, which would report that memory runs out.
fn check_size(bytes: i64) -> Result<()> {
    if bytes <= IMAGE_BYTES_MAX {
        return Ok(());
    }
    Err(Error::Store(format!(
        "the sandbox has {bytes} bytes, and a snapshot or a fork at most {IMAGE_BYTES_MAX}: close the sandbox and copy \
         its file instead"
    )))
}

/// A database in memory with the contents of an image this process made.
///
/// Pages of such a database lie in one piece, so the next image is one copy of memory (measured: a hundred
/// times as fast as from a plain `:memory:` database; writing is equally fast).
fn open(image: &[u8]) -> Result<Connection> {
    let mut connection = connection::memory().map_err(failed)?;
    connection.deserialize_read_exact(MAIN_DB, image, image.len(), false).map_err(failed)?;
    Ok(connection)
}

/// A database in memory with the contents of an image from anywhere, brought to the present schema.
///
/// # Errors
/// [`Error::Misuse`] for bytes that are no sound image of ours.
fn open_checked(image: &[u8]) -> Result<Connection> {
    check_header(image)?;
    // Everything that fails on a database that no other process has comes from its bytes.
    open_present(image).map_err(|error| match error {
        Error::Store(text) | Error::Record(text) | Error::Config(text) => misuse(&text),
        other => other,
    })
}

fn open_present(image: &[u8]) -> Result<Connection> {
    let connection = open(image)?;
    if (ENGINE.version)(&connection, DatabaseRole::Sandbox)? == 0 {
        return Err(misuse("the database is empty"));
    }
    check_pages(&connection)?;
    migrate(&connection)?;
    if schema_text(&connection)? != schema_text(&open_empty()?)? {
        return Err(misuse("its tables are not those of this library"));
    }
    Ok(connection)
}

/// The text of the schema: equal for equal tables, indexes and triggers.
///
/// What SQLite adds for `ANALYZE` is left out. It is known by its text, because an image that was made by hand may have
/// any name for anything.
fn schema_text(connection: &Connection) -> Result<String> {
    const SQL: &str = "SELECT group_concat(sql, ';' ORDER BY name) FROM sqlite_schema WHERE sql NOT IN (
        'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
        'CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)',
        'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')";
    connection.query_row(SQL, [], |row| row.get(0)).map_err(failed)
}

fn check_header(image: &[u8]) -> Result<()> {
    if image.len() < HEADER_BYTES || !image.starts_with(MAGIC) {
        return Err(misuse("the bytes are not an SQLite database"));
    }
    if image.get(16..18) != Some([(PAGE_BYTES >> 8) as u8, PAGE_BYTES as u8].as_slice()) {
        return Err(misuse("its pages are not of 4096 bytes"));
    }
    if image.get(WRITE_VERSION_AT) != Some(&ROLLBACK_JOURNAL)
        || image.get(READ_VERSION_AT) != Some(&ROLLBACK_JOURNAL)
    {
        return Err(misuse("it is a copied file in WAL mode; take a snapshot of the open database instead"));
    }
    let pages = be_u32(image, 28);
    // The count holds only where both change counters agree (file format, section 1.3.7).
    let counted = be_u32(image, 24) == be_u32(image, 92) && pages != 0;
    if !image.len().is_multiple_of(PAGE_BYTES) || (counted && pages as usize != image.len() / PAGE_BYTES) {
        return Err(misuse("it is truncated, or something was added to it"));
    }
    Ok(())
}

fn check_pages(connection: &Connection) -> Result<()> {
    let verdict: rusqlite::Result<String> =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
    match verdict.as_deref() {
        Ok("ok") => Ok(()),
        _ => Err(misuse("its pages are damaged")),
    }
}

fn be_u32(image: &[u8], at: usize) -> u32 {
    image.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_be_bytes)
}

fn misuse(why: &str) -> Error {
    Error::Misuse(format!("the image cannot be loaded: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Vec<u8> {
        of(&open_empty().unwrap()).unwrap()
    }

    /// An image of a database that these statements have changed.
    fn changed(sql: &str) -> Vec<u8> {
        let connection = open_empty().unwrap();
        connection.execute_batch(sql).unwrap();
        of(&connection).unwrap()
    }

    fn refusal(image: &[u8]) -> String {
        match open_checked(image) {
            Err(Error::Misuse(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_database_beyond_two_gib_is_refused_with_both_sizes() {
        check_size(IMAGE_BYTES_MAX).unwrap();
        let refused = check_size(IMAGE_BYTES_MAX + 1).unwrap_err().to_string();
        assert!(
            refused.contains("has 2147483392 bytes") && refused.contains("at most 2147483391"),
            "{refused}"
        );
        // A header that claims more pages than the file has, which no query reads.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.db");
        std::fs::write(&path, sound()).unwrap();
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(0x8000_0000).unwrap();
        use std::os::unix::fs::FileExt as _;
        file.write_all_at(&0x8_0000_u32.to_be_bytes(), 28).unwrap();
        drop(file);
        let refused = of(&Connection::open(&path).unwrap()).unwrap_err().to_string();
        assert!(refused.contains("has 2147483648 bytes"), "{refused}");
    }

    #[test]
    fn an_image_of_ours_opens() {
        open_checked(&sound()).unwrap();
        open_checked(&changed("INSERT INTO sandbox_fact VALUES ('key', x'00')")).unwrap();
    }

    #[test]
    fn an_image_of_an_analysed_file_opens() {
        open_checked(&changed("INSERT INTO sandbox_fact VALUES ('key', 1); ANALYZE")).unwrap();
        // As a build of SQLite makes it that keeps samples.
        let samples = "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT type, 'sqlite_stat4',
            'sqlite_stat4', rootpage, 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'
            FROM sqlite_schema WHERE name = 'sqlite_stat1'";
        let text = |sql: &str| {
            let connection = Connection::open_in_memory().unwrap();
            connection.execute_batch(sql).unwrap();
            schema_text(&connection).unwrap()
        };
        let table = "CREATE TABLE t (x); ANALYZE;";
        assert_eq!(text(&format!("{table}{samples}")), "CREATE TABLE t (x)");
        // Under the same name, but another thing.
        assert!(text(&format!("{table}{}", samples.replace("neq,nlt", "neq"))).contains("sqlite_stat4"));
    }

    #[test]
    fn an_image_cut_anywhere_is_refused() {
        let image = sound();
        for length in [0, 1, 15, 16, 99, 100, 4095, 4096, 8192, image.len() - 4096, image.len() - 1] {
            refusal(&image[..length]);
        }
    }

    #[test]
    fn an_image_with_something_added_is_refused() {
        for added in [1, 4096] {
            let mut image = sound();
            image.resize(image.len() + added, 0);
            assert!(refusal(&image).contains("truncated, or something was added"), "{added}");
        }
    }

    #[test]
    fn other_bytes_and_other_databases_are_refused() {
        assert!(refusal(&[0; 8192]).contains("not an SQLite database"));
        assert!(refusal(b"not a database").contains("not an SQLite database"));
        assert!(refusal(&changed("PRAGMA application_id = 7")).contains("another application"));
        assert!(refusal(&changed("PRAGMA user_version = 99")).contains("schema version 99"));
        let empty = Connection::open_in_memory().unwrap();
        empty.execute_batch("VACUUM").unwrap();
        assert!(refusal(&of(&empty).unwrap()).contains("empty"));
    }

    #[test]
    fn other_tables_under_our_name_are_refused() {
        for sql in [
            "DROP TABLE outbox",
            "CREATE TABLE more (x)",
            "CREATE TRIGGER t AFTER INSERT ON payment BEGIN DELETE FROM event; END",
        ] {
            assert!(refusal(&changed(sql)).contains("its tables"), "{sql}");
        }
    }

    #[test]
    fn a_copied_file_in_wal_mode_is_refused_with_advice() {
        let mut image = sound();
        image[WRITE_VERSION_AT] = 2;
        image[READ_VERSION_AT] = 2;
        assert!(refusal(&image).contains("snapshot"));
    }

    #[test]
    fn damaged_pages_are_refused_and_no_damage_panics() {
        let image = changed("INSERT INTO sandbox_fact VALUES ('key', zeroblob(9000))");
        for page in 0..image.len() / PAGE_BYTES {
            let mut damaged = image.clone();
            let header = if page == 0 { HEADER_BYTES } else { 0 };
            damaged[page * PAGE_BYTES + header..(page + 1) * PAGE_BYTES].fill(0xA5);
            refusal(&damaged);
        }
    }

    fn open_file(path: std::path::PathBuf) -> Database {
        Database::open_file_for_sandbox(path, |_| Ok(())).unwrap()
    }

    fn kept(database: &Database, key: &str) -> bool {
        database.fact(key).unwrap() != 0
    }

    #[test]
    fn an_image_replaces_everything_in_memory_and_in_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = open_file(directory.path().join("bank.db"));
        let beside = open_file(directory.path().join("bank.db"));
        for database in [&Database::open_memory_for_sandbox().unwrap(), &file] {
            database.set_fact("before", 1).unwrap();
            let image = database.image().unwrap();
            database.set_fact("after", 1).unwrap();
            database.replace_by(Database::from_image(&image).unwrap()).unwrap();
            assert_eq!((kept(database, "before"), kept(database, "after")), (true, false));
            assert_eq!(database.image().unwrap().len(), image.len());
            database.set_fact("later", 1).unwrap();
        }
        assert!(kept(&beside, "later") && !kept(&beside, "after"), "other nodes see the new contents");
        beside.set_fact("beside", 1).unwrap();
        assert!(kept(&file, "beside"));
    }

    #[test]
    fn an_unsound_image_is_refused() {
        let image = Database::open_memory_for_sandbox().unwrap().image().unwrap();
        for bytes in [&image[..image.len() - 1], &[]] {
            assert!(matches!(Database::from_image(bytes), Err(Error::Misuse(_))));
        }
    }

    #[test]
    fn images_go_from_files_to_memory_and_back() {
        let directory = tempfile::tempdir().unwrap();
        let file = open_file(directory.path().join("one.db"));
        file.set_fact("key", 1).unwrap();
        let memory = Database::from_image(&file.image().unwrap()).unwrap();
        assert!(kept(&memory, "key"));
        let path = directory.path().join("two.db");
        std::fs::write(&path, memory.image().unwrap()).unwrap();
        assert!(kept(&open_file(path), "key"), "an image is a database file");
    }

    #[test]
    fn a_fork_and_its_origin_go_apart() {
        let directory = tempfile::tempdir().unwrap();
        let file = open_file(directory.path().join("bank.db"));
        for origin in [&Database::open_memory_for_sandbox().unwrap(), &file] {
            origin.set_fact("common", 1).unwrap();
            let fork = origin.fork().unwrap();
            fork.set_fact("fork", 1).unwrap();
            origin.set_fact("origin", 1).unwrap();
            assert!(kept(&fork, "common") && !kept(&fork, "origin") && !kept(origin, "fork"));
            assert_eq!(fork.path(), None);
        }
    }
}
