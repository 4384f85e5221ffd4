//! What the books in SQLite have in common: how the file is opened, its rows, and their weights.

use std::fmt::Write;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Params};

use crate::book::BookFault;
use crate::types::Move;

/// How every SQLite file begins.
pub const HEADER: &[u8; 16] = b"SQLite format 3\0";

/// How many keys have to be found by an index before it is believed.
const INDEX_TRIALS: usize = 64;

/// A row of a book: a move, what its author thinks of it, and how its games went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub mv: Move,
    pub score: i64,
    pub wins: i64,
    pub draws: i64,
}

/// Opens a file so that SQLite neither writes nor locks it, nor leaves a journal beside it.
///
/// # Errors
/// SQLite cannot open the file, or some of the book is not in it yet.
pub fn open(path: &Path) -> Result<Connection, BookFault> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if std::fs::metadata(&log).is_ok_and(|found| found.len() > 0) {
        let name = Path::new(&log).file_name().unwrap_or_default();
        return Err(BookFault::Unmerged(name.to_string_lossy().into_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(immutable_uri(path), flags)?;
    // The file is a stranger's: its schema may run nothing, its pages are checked when read.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// The path as a URI that tells SQLite that nobody writes the file.
fn immutable_uri(path: &Path) -> String {
    let name = path.as_os_str().as_encoded_bytes();
    let mut uri = String::from("file:");
    if path.is_absolute() {
        // On Windows the name may begin with the letter of a drive.
        uri.push_str(if name.starts_with(b"/") || name.starts_with(b"\\") { "//" } else { "///" });
    }
    for &byte in name {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b':' | b'.' | b'-' | b'_' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => _ = write!(uri, "%{byte:02x}"),
        }
    }
    uri.push_str("?mode=ro&immutable=1");
    uri
}

/// The first of the tables that the database has.
///
/// # Errors
/// The database is damaged.
pub fn find_table(
    connection: &Connection,
    names: &[&'static str],
) -> Result<Option<&'static str>, BookFault> {
    for &name in names {
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE";
        if connection.prepare(sql)?.exists([name])? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The table in which keys are found fast: the book's own where an index of its finds them, else
/// a copy with an index, in a temporary file that goes away with the connection.
///
/// # Errors
/// The table lacks a column, or the database is damaged.
pub fn searchable(
    connection: &Connection,
    table: &'static str,
    key: &str,
    columns: &str,
) -> Result<&'static str, BookFault> {
    for column in columns.split(", ") {
        if !has_column(connection, table, column)? {
            return Err(BookFault::NoColumn { table, column: column.to_owned() });
        }
    }
    if has_index(connection, table, key)? && index_is_sound(connection, table, key)? {
        return Ok(table);
    }
    connection.execute_batch(&format!(
        "CREATE TEMP TABLE copy AS SELECT {columns} FROM {table}; \
         CREATE INDEX temp.by_key ON copy({key});"
    ))?;
    Ok("temp.copy")
}

fn has_column(connection: &Connection, table: &str, column: &str) -> Result<bool, BookFault> {
    let sql = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 COLLATE NOCASE";
    Ok(connection.prepare(sql)?.exists([table, column])?)
}

fn has_index(connection: &Connection, table: &str, key: &str) -> Result<bool, BookFault> {
    let sql = "SELECT 1 FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS info \
               WHERE NOT list.partial AND info.seqno = 0 AND info.name = ?2 COLLATE NOCASE";
    Ok(connection.prepare(sql)?.exists([table, key])?)
}

/// Does the index find the first rows of the table? Some writers of books leave one behind that is
/// in no order, see [`obk`](super::obk).
fn index_is_sound(connection: &Connection, table: &str, key: &str) -> Result<bool, BookFault> {
    let sql = format!("SELECT {key} FROM {table} NOT INDEXED LIMIT {INDEX_TRIALS}");
    let mut sample = connection.prepare(&sql)?;
    let mut find = connection.prepare(&format!("SELECT 1 FROM {table} WHERE {key} = ?1"))?;
    let mut keys = sample.query([])?;
    while let Some(row) = keys.next()? {
        let key: Value = row.get(0)?;
        if key != Value::Null && !find.exists([key])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The rows of a query for move, score, wins and draws; rows whose move is none are left out.
///
/// # Errors
/// The database is damaged, or something other than a number stands where a number should.
pub fn rows(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    decode: impl Fn(u16) -> Option<Move>,
) -> Result<Vec<Row>, BookFault> {
    let mut statement = connection.prepare(sql)?;
    let mut found = statement.query(params)?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let number = |column| row.get::<_, Option<i64>>(column).map(Option::unwrap_or_default);
        let (mv, score, wins, draws) = (number(0)?, number(1)?, number(2)?, number(3)?);
        if let Some(mv) = u16::try_from(mv).ok().and_then(&decode) {
            rows.push(Row { mv, score, wins, draws });
        }
    }
    Ok(rows)
}

/// How many rows of the table meet the condition.
///
/// # Errors
/// The database is damaged.
pub fn count(
    connection: &Connection,
    table: &str,
    condition: &str,
    params: impl Params,
) -> Result<u64, BookFault> {
    let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
    let count: i64 = connection.query_row(&sql, params, |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// Weights for the rows of one position.
///
/// Where any move has a score above zero, the scores are the weights. Else its games are: two for
/// a win, one for a draw, and at least one. A move whose score is below zero, or zero beside
/// better ones, is not to be played and has the weight 0.
pub fn weights(rows: &[Row]) -> impl Iterator<Item = (Move, u32)> {
    let scored = rows.iter().any(|row| row.score > 0);
    rows.iter().map(move |row| {
        let weight = match row.score {
            score if scored => score.max(0),
            0 => row.wins.max(0).saturating_mul(2).saturating_add(row.draws.max(0)).max(1),
            _ => 0,
        };
        (row.mv, u32::try_from(weight).unwrap_or(u32::MAX))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn paths_become_uris() {
        assert_eq!(immutable_uri(Path::new("a b.obk")), "file:a%20b.obk?mode=ro&immutable=1");
        #[cfg(unix)]
        assert_eq!(immutable_uri(Path::new("/x?#%")), "file:///x%3f%23%25?mode=ro&immutable=1");
    }

    #[test]
    fn an_index_is_used_when_it_finds_the_keys() {
        let searchable = |statements: &str| {
            let connection = Connection::open_in_memory().unwrap();
            connection.execute_batch("CREATE TABLE book(key, move INTEGER);").unwrap();
            connection.execute_batch(statements).unwrap();
            connection.execute_batch("INSERT INTO book VALUES (1, 2), (x'ff', 3);").unwrap();
            let table = searchable(&connection, "book", "key", "key, move").unwrap();
            let sql = format!("SELECT count(*) FROM {table} WHERE key IN (1, x'ff')");
            assert_eq!(connection.query_row(&sql, [], |row| row.get(0)), Ok(2));
            table
        };
        assert_eq!(searchable("CREATE INDEX a ON book(Key);"), "book");
        assert_eq!(searchable("CREATE INDEX a ON book(key, move);"), "book");
        assert_eq!(searchable(""), "temp.copy");
        assert_eq!(searchable("CREATE INDEX a ON book(move, key);"), "temp.copy");
        assert_eq!(searchable("CREATE INDEX a ON book(key) WHERE move > 2;"), "temp.copy");
    }

    #[test]
    fn weights_follow_scores_and_else_games() {
        let row =
            |score, wins, draws| Row { mv: Move::new(Square::H2, Square::E2), score, wins, draws };
        let weights = |rows: &[Row]| weights(rows).map(|(_, weight)| weight).collect::<Vec<_>>();
        assert_eq!(weights(&[row(30, 0, 0), row(0, 9, 9), row(-1, 9, 9)]), [30, 0, 0]);
        assert_eq!(weights(&[row(0, 3, 2), row(0, 0, 0), row(-1, 9, 9)]), [8, 1, 0]);
        assert_eq!(weights(&[row(i64::MAX, 0, 0), row(i64::MIN, 0, 0)]), [u32::MAX, 0]);
        assert_eq!(weights(&[row(0, i64::MAX, i64::MAX), row(0, -5, -5)]), [u32::MAX, 1]);
    }
}
