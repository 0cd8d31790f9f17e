//! Where a callback writes its answer: a number in the place of a pointer, so that one which is kept too long does no
//! harm.

use std::collections::btree_map::{BTreeMap, Entry};
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::internal::BANK_ERROR_CHARS_MAX;
use engine::json_bank::AnswerWriter;
use parking_lot::{Mutex, MutexGuard};

use crate::abi::{xs2a_slice, xs2a_str};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::run;

/// Where a callback writes its answer. It belongs to the library and is valid until the callback returns.
pub struct xs2a_writer {
    /// C sees only pointers to it, and nothing is where they point: they are the numbers of a [`Table`].
    _opaque: [u8; 0],
}

/// Writes the answer, or a further piece of it. Beyond 16 MiB nothing more is taken, and the whole answer is
/// discarded. Pieces that several threads write at once are added one after the other, in any order. A writer is valid
/// until the callback that received it returns: later nothing is taken, from any thread, and no other answer changes.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback has returned), XS2A_BANK (too long).
#[no_mangle]
pub extern "C" fn xs2a_writer_write(
    writer: *mut xs2a_writer,
    json: xs2a_slice,
    error: Option<&mut mem::MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        if writer.is_null() {
            return Err(xs2a_error::null("writer"));
        }
        OPEN.write(writer.addr(), json.bytes("json")?)
    })
}

/// States why the callback has no answer, for one that then returns another number than 0: an error text of the bank's
/// core, such as `the core is closed for the night`. It is part of the engine's log, of the errors of xs2a_engine_…()
/// and of a dead letter, so name the fault and not the customer. Beyond 400 characters it is cut. A later text replaces
/// it. If the callback returns 0, it is ignored.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (the callback has returned).
#[no_mangle]
pub extern "C" fn xs2a_writer_fail(
    writer: *mut xs2a_writer,
    why: xs2a_str,
    error: Option<&mut mem::MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        if writer.is_null() {
            return Err(xs2a_error::null("writer"));
        }
        OPEN.fail(writer.addr(), why.text("why")?.chars().take(BANK_ERROR_CHARS_MAX).collect())
    })
}

/// Lends `answer` to `callback` under a number of its own, and takes it back when that returns. Also gives the text
/// with which the callback failed, if it stated one.
pub(crate) fn lent<T>(
    answer: &mut AnswerWriter,
    callback: impl FnOnce(*mut xs2a_writer) -> T,
) -> (T, Option<String>) {
    let number = OPEN.open(mem::take(answer));
    let done = callback(ptr::without_provenance_mut(number));
    let written = OPEN.close(number);
    *answer = written.answer;
    (done, written.why.filter(|why| !why.is_empty()))
}

/// The answers that are being written in this process. It cannot belong to an engine: a late write comes with nothing
/// but its number, and the engine may be gone.
static OPEN: Table = Table::beginning(NUMBERS_FROM);

/// Numbers below are passed over: they look like NULL and an offset. Go ends a program that has such an address on a
/// stack.
const NUMBERS_FROM: usize = 1 << 16;
/// The number of locks over which answers are spread, so that a long piece blocks few other writers.
const SHARDS: usize = 64;

type Shard = BTreeMap<usize, Written>;

/// What a callback has written.
#[derive(Default)]
struct Written {
    answer: AnswerWriter,
    why: Option<String>,
}

/// Answers by number. One lock is taken for each question, each piece and each return, and none while the bank works.
struct Table {
    next: AtomicUsize,
    shards: [Mutex<Shard>; SHARDS],
}

impl Table {
    const fn beginning(first: usize) -> Self {
        Self { next: AtomicUsize::new(first), shards: [const { Mutex::new(BTreeMap::new()) }; SHARDS] }
    }

    /// The number of `answer` from now on. No answer had it before: 64 bits are enough for ever. Where a pointer has
    /// 32, the numbers begin again after four thousand million questions; those still in use are skipped.
    fn open(&self, answer: AnswerWriter) -> usize {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number < NUMBERS_FROM {
                continue;
            }
            if let Entry::Vacant(place) = self.shard(number).entry(number) {
                place.insert(Written { answer, why: None });
                return number;
            }
        }
    }

    fn write(&self, number: usize, piece: &[u8]) -> Result<(), xs2a_error> {
        match self.shard(number).get_mut(&number) {
            Some(written) => Ok(written.answer.write(piece)?),
            None => Err(returned()),
        }
    }

    fn fail(&self, number: usize, why: String) -> Result<(), xs2a_error> {
        let mut shard = self.shard(number);
        shard.get_mut(&number).ok_or_else(returned)?.why = Some(why);
        Ok(())
    }

    /// What was written; from now on the number belongs to no answer.
    fn close(&self, number: usize) -> Written {
        self.shard(number).remove(&number).unwrap_or_default()
    }

    #[expect(clippy::indexing_slicing, reason = "the remainder is below the length")]
    fn shard(&self, number: usize) -> MutexGuard<'_, Shard> {
        self.shards[number % SHARDS].lock()
    }
}

fn returned() -> xs2a_error {
    xs2a_error::misuse("the callback of this writer has returned".to_owned())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::error::xs2a_result::*;

    fn write(writer: *mut xs2a_writer, text: &str) -> xs2a_result {
        xs2a_writer_write(writer, xs2a_slice::of(text.as_bytes()), None)
    }

    /// The answer itself is for the core; its length is shown.
    #[track_caller]
    fn assert_length(answer: &AnswerWriter, bytes: usize) {
        assert_eq!(format!("{answer:?}"), format!("AnswerWriter {{ bytes: {bytes}, .. }}"));
    }

    #[test]
    fn only_what_is_written_before_the_callback_returns_is_the_answer() {
        let mut answer = AnswerWriter::default();
        let (kept, _) = lent(&mut answer, |writer| {
            assert_eq!(write(writer, "nu"), XS2A_OK);
            assert_eq!(write(writer, "ll"), XS2A_OK);
            writer
        });
        assert_eq!(write(kept, "late"), XS2A_MISUSE);
        assert_length(&answer, 4);
    }

    #[test]
    fn a_late_write_reaches_no_other_answer() {
        let (mut first, mut second) = (AnswerWriter::default(), AnswerWriter::default());
        let (kept, _) = lent(&mut first, |writer| writer.addr());
        lent(&mut second, |writer| {
            let kept = || ptr::without_provenance_mut(kept);
            assert_eq!(write(kept(), "late"), XS2A_MISUSE);
            assert_eq!(thread::scope(|s| s.spawn(|| write(kept(), "late")).join().unwrap()), XS2A_MISUSE);
            assert_eq!(write(writer, "null"), XS2A_OK);
        });
        assert_length(&first, 0);
        assert_length(&second, 4);
    }

    #[test]
    fn a_question_within_a_question_has_its_own_answer() {
        let (mut outer, mut inner) = (AnswerWriter::default(), AnswerWriter::default());
        lent(&mut outer, |outer| {
            assert_eq!(write(outer, "1"), XS2A_OK);
            lent(&mut inner, |inner| assert_eq!(write(inner, "22"), XS2A_OK));
            assert_eq!(write(outer, "33"), XS2A_OK);
        });
        assert_length(&outer, 3);
        assert_length(&inner, 2);
    }

    fn fail(writer: *mut xs2a_writer, why: &str) -> xs2a_result {
        xs2a_writer_fail(writer, xs2a_str::of(why), None)
    }

    #[test]
    fn the_last_error_text_is_kept_up_to_its_limit() {
        let mut answer = AnswerWriter::default();
        for (texts, kept) in [
            (vec![], None),
            (vec![String::new()], None),
            (
                vec!["closed".to_owned(), "closed for the night".to_owned()],
                Some("closed for the night".to_owned()),
            ),
            (vec!["æ".repeat(BANK_ERROR_CHARS_MAX)], Some("æ".repeat(BANK_ERROR_CHARS_MAX))),
            (vec!["æ".repeat(BANK_ERROR_CHARS_MAX + 1)], Some("æ".repeat(BANK_ERROR_CHARS_MAX))),
        ] {
            let ((), why) = lent(&mut answer, |writer| {
                assert!(texts.iter().all(|text| fail(writer, text) == XS2A_OK));
            });
            assert_eq!(why, kept);
        }
        let (late, _) = lent(&mut answer, |writer| writer);
        assert_eq!(fail(late, "late"), XS2A_MISUSE);
        assert_eq!(fail(ptr::null_mut(), "no writer"), XS2A_NULL_ARGUMENT);
    }

    #[test]
    fn a_pointer_that_is_no_writer_is_refused_without_a_look_at_it() {
        assert_eq!(write(ptr::null_mut(), "null"), XS2A_NULL_ARGUMENT);
        for number in [usize::MAX, usize::MAX / 2] {
            assert_eq!(write(ptr::without_provenance_mut(number), "null"), XS2A_MISUSE);
        }
    }

    #[test]
    fn pieces_of_several_threads_all_arrive() {
        let mut answer = AnswerWriter::default();
        lent(&mut answer, |writer| {
            let number = writer.addr();
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..1000 {
                            assert_eq!(write(ptr::without_provenance_mut(number), "piece"), XS2A_OK);
                        }
                    });
                }
            });
        });
        assert_length(&answer, 4 * 1000 * 5);
    }

    #[test]
    fn the_last_byte_that_fits_is_taken_and_one_more_is_not() {
        let (mut answer, most) = (AnswerWriter::default(), " ".repeat(16 << 20));
        lent(&mut answer, |writer| {
            assert_eq!(write(writer, &most), XS2A_OK);
            assert_eq!(write(writer, " "), XS2A_BANK);
            assert_eq!(write(writer, ""), XS2A_BANK);
        });
        assert_length(&answer, 0);
    }

    #[test]
    fn numbers_that_begin_again_pass_over_the_low_ones_and_who_still_answers() {
        let table = Table::beginning(usize::MAX);
        assert_eq!(table.open(AnswerWriter::default()), usize::MAX);
        assert_eq!(table.open(AnswerWriter::default()), NUMBERS_FROM);
        table.write(NUMBERS_FROM, b"null").unwrap();
        table.next.store(0, Ordering::Relaxed);
        assert_eq!(table.open(AnswerWriter::default()), NUMBERS_FROM + 1);
        assert_length(&table.close(NUMBERS_FROM).answer, 4);
        assert_eq!(table.write(NUMBERS_FROM, b"late").unwrap_err().code(), XS2A_MISUSE);
    }
}
