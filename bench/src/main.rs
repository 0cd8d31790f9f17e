//! `make bench`: what xs2a costs, as ratios.
//!
//! Every figure is set against a bare cost that is measured in the same run, round by round in turn, so that a
//! busy or a slow machine touches both sides. The table goes to standard output, to `docs/performance.md` and,
//! for programs, to `target/bench.json`.

mod authentication;
mod baseline;
mod data;
mod durable;
mod endurance;
mod evidence;
mod explain;
mod gateway;
mod history;
mod interface;
mod lives;
mod loading;
mod memory;
mod operator;
mod payments;
mod postgres;
#[path = "../../core/tests/postgres_server/mod.rs"]
mod postgres_server;
mod products;
mod report;
mod rounds;
mod rows;
mod same_rows;
mod served;
mod testing;
mod trust;

use std::error::Error;
use std::process::ExitCode;

use report::Figures;

/// What a measurement gives, or why it could not be made.
type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let result = match std::env::args().nth(1).as_deref() {
        // These want a process of their own: what the other rows leave behind would count.
        Some("memory") => memory::print_figures(),
        Some("endurance") => endurance::print_figures(),
        Some("durable") => durable::print_figures(),
        Some(gateway::NODE) => gateway::run_node(),
        Some("gateway") => gateway::measure().map(|rows| report::print(&Figures { rows })),
        Some("interfaces") => rows::interfaces().map(|rows| report::print(&Figures { rows })),
        Some("postgres") => postgres::measure().map(|rows| report::print(&Figures { rows })),
        Some("accounts") => history::measure().map(|rows| report::print(&Figures { rows })),
        Some("evidence") => evidence::measure().map(|rows| report::print(&Figures { rows })),
        Some("trust") => trust::measure().map(|rows| report::print(&Figures { rows })),
        Some("testing") => testing::measure().map(|rows| report::print(&Figures { rows })),
        Some("served") => served::measure().map(|rows| report::print(&Figures { rows })),
        Some("explain") => explain::measure().map(|rows| report::print(&Figures { rows })),
        Some("operator") => operator::measure().map(|rows| report::print(&Figures { rows })),
        Some("lives") => lives::measure().map(|rows| report::print(&Figures { rows })),
        Some("data") => data::measure().map(|rows| report::print(&Figures { rows })),
        Some("loading") => loading::measure().map(|rows| report::print(&Figures { rows })),
        Some(unknown) => {
            let known =
                "`memory`, `endurance`, `durable`, `gateway`, `interfaces`, `postgres`, `accounts`, `evidence`, \
                `trust`, `testing`, `served`, `lives`, `data`, `loading`, `explain`, `operator`";
            Err(format!("unknown argument `{unknown}`; there are {known}").into())
        }
        None => rows::measure_all().and_then(|figures| report::publish(&figures)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xs2a-bench: {error}");
            ExitCode::FAILURE
        }
    }
}
