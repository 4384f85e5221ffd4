//! The books in use, and the draw of a move from them.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use super::{Book, BookError, Compiled, Entry};
use crate::board::Position;
use crate::random::SplitMix64;
use crate::search::Level;
use crate::types::MoveList;

/// What a person may set about books.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookOptions {
    /// Books are used at all.
    pub enabled: bool,
    /// Names of files with `;` between them, the first asked first; relative ones are looked for
    /// beside the binary. Empty means the book that the binary carries.
    pub files: String,
    /// Plies from the start of the game after which books are left.
    pub depth: u32,
}

impl Default for BookOptions {
    /// No book: equal searches are equal.
    fn default() -> BookOptions {
        BookOptions { enabled: false, files: String::new(), depth: 60 }
    }
}

/// The books that an engine plays from.
#[derive(Debug)]
pub struct Shelf {
    books: Vec<Book>,
    options: BookOptions,
    random: SplitMix64,
}

impl Default for Shelf {
    fn default() -> Shelf {
        let seed = RandomState::new().hash_one(());
        let options = BookOptions::default();
        Shelf { books: Vec::new(), options, random: SplitMix64::new(seed) }
    }
}

impl Shelf {
    /// Takes over settings. Files that cannot be used are left out and returned. They are read again
    /// where they may be others than before, or where nothing else is new in the settings.
    pub fn set_options(&mut self, options: &BookOptions) -> Vec<BookError> {
        let other_files = options.files != self.options.files || !self.options.enabled;
        let opens = options.enabled && (other_files || *options == self.options);
        self.options = options.clone();
        let mut faults = Vec::new();
        if opens {
            self.books.clear();
            for book in open(&options.files) {
                match book {
                    Ok(book) => self.books.push(book),
                    Err(fault) => faults.push(fault),
                }
            }
        } else if !options.enabled {
            self.books.clear();
        }
        faults
    }

    /// What is known in the position of the moves given, by the first book that knows any. Moves
    /// back to where the game has been before are left out: to repeat is for the search to decide.
    /// A book that turns out to be damaged is told of and from then on left out.
    pub fn probe(
        &mut self,
        pos: &Position,
        moves: &MoveList,
        mut on_fault: impl FnMut(BookError),
    ) -> Vec<Entry> {
        let mut known = Vec::new();
        if pos.game_ply() >= self.options.depth {
            return known;
        }
        self.books.retain(|book| {
            if !known.is_empty() {
                return true;
            }
            match book.probe(pos) {
                Ok(entries) => {
                    known = entries;
                    known.retain(|entry| moves.contains(&entry.mv) && !repeats(pos, *entry));
                    true
                }
                Err(fault) => {
                    on_fault(fault);
                    false
                }
            }
        });
        known
    }

    /// Draws one of the moves.
    pub fn draw(&mut self, entries: &[Entry], randomness: Level) -> Option<Entry> {
        draw(entries, randomness, &mut self.random)
    }
}

/// The books of a list of files. One that is named again would never be asked.
fn open(files: &str) -> Vec<Result<Book, BookError>> {
    let mut names: Vec<&str> = Vec::new();
    for name in files.split(';').map(str::trim) {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return vec![Ok(Book::Compiled(Compiled::embedded()))];
    }
    names.into_iter().map(|name| Book::open(&find(name))).collect()
}

/// The file of that name. One from an archive made in China may have its name in GBK on the disk.
fn find(name: &str) -> PathBuf {
    let path = beside_binary(name.as_ref());
    #[cfg(unix)]
    if !path.exists() {
        use std::os::unix::ffi::OsStrExt;
        let (bytes, _, _) = encoding_rs::GB18030.encode(name);
        let in_gbk = beside_binary(std::ffi::OsStr::from_bytes(&bytes).as_ref());
        if in_gbk.exists() {
            return in_gbk;
        }
    }
    path
}

/// A relative name means a file beside the binary: nobody knows where an interface starts it.
fn beside_binary(name: &Path) -> PathBuf {
    let binary = std::env::current_exe().unwrap_or_default();
    binary.parent().map_or_else(|| name.into(), |folder| folder.join(name))
}

fn repeats(pos: &Position, entry: Entry) -> bool {
    let mut after = pos.clone();
    after.play(entry.mv).is_ok() && pos.history().iter().any(|undo| undo.key == after.key())
}

/// Draws one of the moves, each as often as its weight says. With `randomness` heavy moves have less
/// of an advantage, up to none at all.
pub fn draw(entries: &[Entry], randomness: Level, random: &mut SplitMix64) -> Option<Entry> {
    let weights = entries.iter().map(|entry| flattened(entry.weight, randomness));
    let total: u64 = weights.clone().sum();
    if total == 0 {
        return None;
    }
    let mut drawn = random.next_u64() % total;
    entries.iter().zip(weights).find_map(|(&entry, weight)| {
        let is_it = drawn < weight;
        drawn = drawn.wrapping_sub(weight);
        is_it.then_some(entry)
    })
}

/// The weight itself, its powers 3/4 and 1/2 (in parts of 65536, so that small weights differ
/// too), or the same for all.
fn flattened(weight: u32, randomness: Level) -> u64 {
    let weight = u64::from(weight);
    let root = (weight << 32).isqrt();
    match randomness {
        Level::None => weight,
        Level::Small => ((u128::from(root) * u128::from((root << 16).isqrt())) >> 16) as u64,
        Level::Medium => root,
        Level::Large => 1,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    const WEIGHTS: [u32; 4] = [50, 30, 15, 5];

    fn entries() -> Vec<Entry> {
        let moves = Position::startpos().legal_moves();
        moves.iter().zip(WEIGHTS).map(|(&mv, weight)| Entry { mv, weight }).collect()
    }

    /// How often each of the moves comes in 10,000 draws.
    fn count(randomness: Level) -> [u32; 4] {
        let entries = entries();
        let mut random = SplitMix64::new(2024);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            let drawn = draw(&entries, randomness, &mut random).unwrap();
            counts[entries.iter().position(|entry| *entry == drawn).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn draws_follow_the_weights() {
        let expected: [(Level, [f64; 4]); 4] = [
            (Level::None, WEIGHTS.map(f64::from)),
            (Level::Small, WEIGHTS.map(|weight| f64::from(weight).powf(0.75))),
            (Level::Medium, WEIGHTS.map(|weight| f64::from(weight).sqrt())),
            (Level::Large, [1.0; 4]),
        ];
        for (randomness, shares) in expected {
            let total: f64 = shares.iter().sum();
            let chi_square: f64 = count(randomness)
                .into_iter()
                .zip(shares)
                .map(|(count, share)| {
                    let expected = 10_000.0 * share / total;
                    (f64::from(count) - expected).powi(2) / expected
                })
                .sum();
            // Three degrees of freedom: beyond this lies one seed in a thousand.
            assert!(chi_square < 16.27, "{randomness:?}: {chi_square}");
        }
    }

    #[test]
    fn weights_of_any_size_can_be_drawn() {
        for randomness in Level::NAMED.map(|row| row.1) {
            for weight in [1, 2, u32::MAX] {
                let mv = Position::startpos().legal_moves()[0];
                let entries = [Entry { mv, weight }; 3];
                assert!(draw(&entries, randomness, &mut SplitMix64::new(7)).is_some());
            }
            assert_eq!(draw(&[], randomness, &mut SplitMix64::new(7)), None);
        }
    }

    #[test]
    fn books_are_left_at_their_depth_and_not_for_a_repetition() {
        let mut shelf = Shelf::default();
        let mut builder = super::super::Builder::default();
        let mut pos = Position::startpos();
        let known = ["h2e2", "i0i1"].map(|mv| mv.parse().unwrap());
        known.iter().for_each(|&mv| builder.add(&pos, mv, 0, 1));
        shelf.books.push(Book::Compiled(builder.build()));
        let probe = |shelf: &mut Shelf, pos: &Position| {
            shelf.probe(pos, &pos.legal_moves(), |fault| panic!("{fault}")).len()
        };
        assert_eq!(probe(&mut shelf, &pos), 2);
        for mv in "i0i1 i9i8 i1i0 i8i9".split(' ') {
            pos.play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!(probe(&mut shelf, &pos), 1, "i0i1 was played here before");
        shelf.options.depth = 4;
        assert_eq!(probe(&mut shelf, &pos), 0);
        assert_eq!(probe(&mut shelf, &Position::startpos()), 2);
    }
}
