//! Rounds: every contender works once per round, in turn, so that noise falls on all of them alike.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::Outcome;

/// Something whose time is taken.
pub(crate) trait Contender {
    /// What goes before the measured part of a round of `calls`, such as signing requests.
    fn prepare(&mut self, calls: usize) -> Outcome<()>;
    /// The measured part: all calls prepared. Gives the time they took.
    fn run(&mut self) -> Outcome<Duration>;
}

/// Median times per call, and how they relate.
pub(crate) struct Medians {
    /// Per contender, in the order given: seconds per call.
    pub(crate) seconds: Vec<f64>,
    /// Per contender, one entry per round.
    samples: Vec<Vec<f64>>,
}

impl Medians {
    /// The median over the rounds of one contender's time against another's in the same round.
    pub(crate) fn ratio(&self, contender: usize, base: usize) -> f64 {
        let pairs = self.samples.get(contender).into_iter().flatten();
        let pairs = pairs.zip(self.samples.get(base).into_iter().flatten());
        median(pairs.map(|(mine, theirs)| mine / theirs).collect())
    }

    /// A contender's median time per call, in seconds.
    pub(crate) fn seconds_of(&self, contender: usize) -> f64 {
        self.seconds.get(contender).copied().unwrap_or(f64::NAN)
    }
}

/// How many rounds, of how many calls.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    /// Rounds that come before and do not count: they warm caches and let files reach their size.
    pub(crate) warm_up: usize,
    /// Rounds that count.
    pub(crate) count: usize,
    /// Calls of one round.
    pub(crate) calls: usize,
}

impl Rounds {
    /// Lets the contenders work in turn, in an order of its own in each round.
    pub(crate) fn measure(self, contenders: &mut [&mut dyn Contender]) -> Outcome<Medians> {
        let mut samples = vec![Vec::with_capacity(self.count); contenders.len()];
        for round in 0..self.warm_up + self.count {
            for contender in contenders.iter_mut() {
                contender.prepare(self.calls)?;
            }
            for index in order(round, contenders.len()) {
                let Some(contender) = contenders.get_mut(index) else { continue };
                let per_call = contender.run()?.as_secs_f64() / self.calls as f64;
                if let Some(kept) = samples.get_mut(index).filter(|_| round >= self.warm_up) {
                    kept.push(per_call);
                }
            }
        }
        let seconds = samples.iter().map(|times| median(times.clone())).collect();
        Ok(Medians { seconds, samples })
    }
}

/// The order of some contenders in a round. In twice as many rounds as there are contenders, each is at each place, and
/// behind each other one, equally often (Williams' design): the machine is in another state after a contender with
/// sixteen threads than after one with a single thread.
fn order(round: usize, contenders: usize) -> Vec<usize> {
    // 0, 1, last, 2, last but one, and so on.
    let zigzag = (0..contenders).map(|place| match place % 2 {
        0 => contenders - place / 2,
        _ => place.div_ceil(2),
    });
    let mut order: Vec<usize> = zigzag.map(|index| (index + round / 2) % contenders).collect();
    if !round.is_multiple_of(2) {
        order.reverse();
    }
    order
}

/// How long a piece of work takes.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the machine's clock")]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// The middle of some values, between two of them where their number is even; not a number where there is none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let above = values.get(values.len() / 2);
    let below = values.get(values.len().saturating_sub(1) / 2);
    above.zip(below).map_or(f64::NAN, |(above, below)| f64::midpoint(*above, *below))
}

/// Runs shares of the calls in threads, and gives the time of all. Each says how many it did well.
pub(crate) fn in_threads<T: Send>(
    shares: Vec<T>,
    calls: usize,
    work: impl Fn(T) -> usize + Sync,
) -> Outcome<Duration> {
    let done = AtomicUsize::new(0);
    let (time, ()) = timed(|| {
        std::thread::scope(|scope| {
            for share in shares {
                let (work, done) = (&work, &done);
                scope.spawn(move || done.fetch_add(work(share), Ordering::Relaxed));
            }
        });
    });
    match done.into_inner() == calls {
        true => Ok(time),
        false => Err("a payment was refused, or its rows".into()),
    }
}
