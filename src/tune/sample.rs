//! Positions with their score and the result of their game, 32 bytes each in a file.
//!
//! `docs/tuning.md` describes the format. A file is a header and the records of whole games, one
//! after the other. Writing ends with the last record that reached the disk: a reader takes what
//! is complete, [`SampleFile::resume`] goes on after the last complete game.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use thiserror::Error;

use crate::board::{Position, Setup};
use crate::types::score::EVAL_LIMIT;
use crate::types::{Color, Move, Piece, Score, Square};

/// Size of the header and of every record.
pub const RECORD_BYTES: usize = 32;

/// The first bytes of a file; the digit is the version of the format.
const MAGIC: &[u8; 16] = b"hanxin samples 1";

/// Flags of the last byte, beside the outcome in its two lowest bits.
const BLACK_TO_MOVE: u8 = 1 << 2;
const LAST_OF_GAME: u8 = 1 << 7;

/// How a game ended.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    BlackWins,
    Draw,
    RedWins,
}

impl Outcome {
    /// All outcomes, worst for Red first: the numbers in the file.
    pub const ALL: [Outcome; 3] = [Outcome::BlackWins, Outcome::Draw, Outcome::RedWins];

    /// This side has won.
    pub const fn win(winner: Color) -> Outcome {
        match winner {
            Color::Red => Outcome::RedWins,
            Color::Black => Outcome::BlackWins,
        }
    }

    /// Red's share of the point: 0, ½ or 1.
    pub const fn red_points(self) -> f64 {
        self as u8 as f64 / 2.0
    }
}

/// A position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position. The file does not keep its move number and at most 255 quiet plies.
    pub setup: Setup,
    /// What a search made of it, in centi-pieces from Red's side.
    pub score: i16,
    /// How the game ended.
    pub outcome: Outcome,
    /// The next sample is of another game.
    pub last_of_game: bool,
}

/// Is the static evaluation all there is to say? Not in check, with a capture to come, or when the score
/// is a mate or a verdict of the rules.
pub(super) fn is_quiet(position: &Position, best: Move, score: Score) -> bool {
    position.is_empty(best.to) && score.abs() < EVAL_LIMIT && !position.is_check()
}

/// The samples of one game: its positions with their scores from Red's side.
pub(super) fn of_game(positions: Vec<(Setup, i16)>, outcome: Outcome) -> Vec<Sample> {
    let sample = |(setup, score)| Sample { setup, score, outcome, last_of_game: false };
    let mut samples: Vec<Sample> = positions.into_iter().map(sample).collect();
    if let Some(last) = samples.last_mut() {
        last.last_of_game = true;
    }
    samples
}

/// What all records of a file have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Seed of the games.
    pub seed: u64,
    /// Nodes of each search.
    pub nodes: u64,
}

/// Why samples cannot be read or written.
#[derive(Debug, Error)]
pub enum SampleError {
    /// The file system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another kind of file, or another version of the format.
    #[error("not a file of samples of this version")]
    Magic,
    /// A file that other settings began.
    #[error("begun with seed {} and {} nodes a move, not with {} and {}", found.seed, found.nodes, wanted.seed, wanted.nodes)]
    OtherSettings {
        /// In the file.
        found: Header,
        /// Asked for.
        wanted: Header,
    },
    /// A record that holds no position.
    #[error("sample {0} is damaged")]
    Damaged(u64),
}

type Record = [u8; RECORD_BYTES];

impl Header {
    fn encode(self) -> Record {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..16].copy_from_slice(MAGIC);
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..].copy_from_slice(&self.nodes.to_le_bytes());
        bytes
    }

    fn decode(bytes: &Record) -> Option<Header> {
        let (magic, numbers) = bytes.split_first_chunk::<16>()?;
        let (seed, nodes) = numbers.split_first_chunk::<8>()?;
        let nodes = nodes.first_chunk::<8>()?;
        (magic == MAGIC)
            .then(|| Header { seed: u64::from_le_bytes(*seed), nodes: u64::from_le_bytes(*nodes) })
    }
}

impl Sample {
    /// The bytes of the record.
    pub fn encode(&self) -> [u8; RECORD_BYTES] {
        let (mut occupied, mut pieces) = (0u128, 0u128);
        let men = Square::ALL.iter().filter_map(|s| Some((s, self.setup.board[s.index()]?)));
        for (n, (square, piece)) in men.enumerate() {
            occupied |= 1 << square.index();
            pieces |= (piece.index() as u128) << (4 * n);
        }
        let mut bytes = [0; RECORD_BYTES];
        bytes[..16].copy_from_slice(&occupied.to_le_bytes());
        // The occupancy has ninety bits: its last four bytes are free.
        bytes[12..28].copy_from_slice(&pieces.to_le_bytes());
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30] = self.setup.quiet_plies.min(255) as u8;
        bytes[31] = self.outcome as u8
            | (BLACK_TO_MOVE * u8::from(self.setup.side == Color::Black))
            | (LAST_OF_GAME * u8::from(self.last_of_game));
        bytes
    }

    /// The sample of a record; `None` when the bytes cannot be one. Whether the position is
    /// possible is not asked.
    pub fn decode(bytes: &[u8; RECORD_BYTES]) -> Option<Sample> {
        let (occupied, rest) = bytes.split_first_chunk::<12>()?;
        let (pieces, rest) = rest.split_first_chunk::<16>()?;
        let &[score_low, score_high, quiet_plies, flags] = rest.first_chunk::<4>()?;
        let mut wide = [0; 16];
        wide[..12].copy_from_slice(occupied);
        let occupied = u128::from_le_bytes(wide);
        let mut pieces = u128::from_le_bytes(*pieces);
        if occupied >> 90 != 0 || occupied.count_ones() > 32 {
            return None;
        }

        let mut setup = Setup::empty();
        for square in Square::ALL {
            if occupied >> square.index() & 1 == 1 {
                setup.board[square.index()] = Some(*Piece::ALL.get(pieces as usize & 15)?);
                pieces >>= 4;
            }
        }
        if flags & BLACK_TO_MOVE != 0 {
            setup.side = Color::Black;
        }
        setup.quiet_plies = u32::from(quiet_plies);
        Some(Sample {
            setup,
            score: i16::from_le_bytes([score_low, score_high]),
            outcome: *Outcome::ALL.get(usize::from(flags & 3))?,
            last_of_game: flags & LAST_OF_GAME != 0,
        })
    }
}

/// Reads the samples of a file in order. A torn last record ends them like the end of the file.
#[derive(Debug)]
pub struct SampleReader<R> {
    input: R,
    read: u64,
}

impl SampleReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read or is none of samples.
    pub fn open(path: &Path) -> Result<SampleReader<BufReader<File>>, SampleError> {
        Ok(SampleReader::new(BufReader::new(File::open(path)?))?.1)
    }
}

impl<R: Read> SampleReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// The input cannot be read or does not begin like samples.
    pub fn new(mut input: R) -> Result<(Header, SampleReader<R>), SampleError> {
        let header = read_record(&mut input)?.and_then(|bytes| Header::decode(&bytes));
        Ok((header.ok_or(SampleError::Magic)?, SampleReader { input, read: 0 }))
    }
}

impl<R: Read> Iterator for SampleReader<R> {
    type Item = Result<Sample, SampleError>;

    fn next(&mut self) -> Option<Result<Sample, SampleError>> {
        let bytes = read_record(&mut self.input).transpose()?;
        self.read += 1;
        Some(
            bytes
                .map_err(SampleError::Io)
                .and_then(|bytes| Sample::decode(&bytes).ok_or(SampleError::Damaged(self.read))),
        )
    }
}

/// The next record, or `None` where less than a whole one is left.
fn read_record(input: &mut impl Read) -> io::Result<Option<Record>> {
    let mut bytes = [0; RECORD_BYTES];
    match input.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// A file that grows by whole games.
#[derive(Debug)]
pub struct SampleFile {
    file: File,
    games: u64,
    samples: u64,
}

impl SampleFile {
    /// Creates the file, or goes on after the last complete game of one that the same settings
    /// began.
    ///
    /// # Errors
    /// The file cannot be opened, or it holds something else.
    pub fn resume(path: &Path, header: Header) -> Result<SampleFile, SampleError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let (mut games, mut samples) = (0, 0);
        if file.metadata()?.len() < RECORD_BYTES as u64 {
            file.set_len(0)?;
            file.write_all(&header.encode())?;
        } else {
            let (found, reader) = SampleReader::new(BufReader::new(&file))?;
            if found != header {
                return Err(SampleError::OtherSettings { found, wanted: header });
            }
            for (sample, number) in reader.zip(1..) {
                if sample?.last_of_game {
                    games += 1;
                    samples = number;
                }
            }
            let end = (samples + 1) * RECORD_BYTES as u64;
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end))?;
        }
        Ok(SampleFile { file, games, samples })
    }

    /// Complete games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Samples in the file.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Appends one game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, game: &[Sample]) -> io::Result<()> {
        let bytes: Vec<u8> = game.iter().flat_map(Sample::encode).collect();
        self.file.write_all(&bytes)?;
        self.games += 1;
        self.samples += game.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    const HEADER: Header = Header { seed: 7, nodes: 5000 };

    fn sample(fen: &str, score: i16, outcome: Outcome, last_of_game: bool) -> Sample {
        let mut setup = Setup::parse(fen).unwrap();
        setup.move_number = 1;
        Sample { setup, score, outcome, last_of_game }
    }

    fn game() -> Vec<Sample> {
        vec![
            sample(crate::board::START_FEN, 12, Outcome::RedWins, false),
            sample("4kab2/4a4/b8/9/9/9/9/4B4/9/3AKA3 b - - 97 1", -1, Outcome::RedWins, true),
        ]
    }

    #[test]
    fn records_round_trip() {
        for fen in crate::bench::POSITIONS {
            for outcome in Outcome::ALL {
                for (score, last) in [(0, false), (i16::MIN, true), (i16::MAX, true)] {
                    let sample = sample(fen, score, outcome, last);
                    assert_eq!(Sample::decode(&sample.encode()), Some(sample));
                }
            }
        }
        let start = Position::startpos().to_setup();
        let bytes = sample(crate::board::START_FEN, 0, Outcome::Draw, false).encode();
        assert_eq!(Sample::decode(&bytes).unwrap().setup, start);
    }

    #[test]
    fn bytes_that_are_no_sample_are_refused() {
        let good = sample(crate::board::START_FEN, 0, Outcome::Draw, false).encode();
        let spoiled = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            Sample::decode(&bytes)
        };
        assert_eq!(spoiled(11, 0xff), None, "a bit beyond the ninetieth square");
        assert_eq!(spoiled(3, 0xff), None, "more than 32 men");
        assert_eq!(spoiled(12, 0x0e), None, "a fifteenth piece");
        assert_eq!(spoiled(31, 3), None, "a fourth outcome");
    }

    #[test]
    fn files_resume_after_the_last_complete_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples");
        let mut file = SampleFile::resume(&path, HEADER).unwrap();
        file.append(&game()).unwrap();
        file.append(&game()).unwrap();
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(whole.len(), 5 * RECORD_BYTES);
        for torn in [1, RECORD_BYTES, RECORD_BYTES + 5] {
            std::fs::write(&path, &whole[..whole.len() - torn]).unwrap();
            let mut file = SampleFile::resume(&path, HEADER).unwrap();
            assert_eq!((file.games(), file.samples()), (1, 2), "{torn}");
            file.append(&game()).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        let read: Result<Vec<Sample>, _> = SampleReader::open(&path).unwrap().collect();
        assert_eq!(read.unwrap(), [game(), game()].concat());

        let other = SampleFile::resume(&path, Header { seed: 8, ..HEADER });
        assert!(matches!(other, Err(SampleError::OtherSettings { .. })));
        std::fs::write(&path, [0; 64]).unwrap();
        assert!(matches!(SampleFile::resume(&path, HEADER), Err(SampleError::Magic)));
    }

    #[test]
    fn readers_stop_before_a_torn_record_and_name_a_damaged_one() {
        let mut bytes = HEADER.encode().to_vec();
        bytes.extend(game()[0].encode());
        bytes.extend([0xff; RECORD_BYTES]);
        bytes.extend([0; 5]);
        let (header, mut reader) = SampleReader::new(bytes.as_slice()).unwrap();
        assert_eq!(header, HEADER);
        assert_eq!(reader.next().unwrap().unwrap(), game()[0]);
        assert!(matches!(reader.next(), Some(Err(SampleError::Damaged(2)))));
        assert!(reader.next().is_none());
    }
}
