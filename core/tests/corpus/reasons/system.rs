//! The bank's own faults: the answer is neutral and does not name the cause.

use xs2a::Error;

use crate::reasons::case::{refused, Case};
use crate::reasons::seams::{down, Seams};
use crate::world::draft::Draft;
use crate::world::{straks, STRAKS};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        refused("SYS-01", |ask| {
            let seams = Seams::new(ask);
            let engine = seams.engine(|builder| builder.store(seams.store(|| Err(down()))));
            ask.refused_by(&engine, &seams.database, Draft::creation(STRAKS, &straks()))
        }),
        refused("SYS-02", |ask| {
            let seams = Seams::new(ask);
            let bank = seams.fee(|| Err(Error::Bank("no price for 13039319955".to_owned())));
            let engine = seams.engine(|builder| builder.bank(bank));
            ask.refused_by(&engine, &seams.database, Draft::creation(STRAKS, &straks()))
        }),
        refused("SYS-03", |ask| {
            let seams = Seams::new(ask);
            let engine =
                seams.engine(|builder| builder.bank(seams.fee(|| panic!("a bug in the bank's part"))));
            ask.refused_by(&engine, &seams.database, Draft::creation(STRAKS, &straks()))
        }),
        refused("SYS-04", |ask| {
            let seams = Seams::new(ask);
            let lost = || Err(Error::OutcomeUnknown("the connection was lost during a commit".into()));
            let engine = seams.engine(|builder| builder.store(seams.store(lost)));
            ask.refused_by(&engine, &seams.database, Draft::creation(STRAKS, &straks()))
        }),
    ]
}
