//! The rows of the table: what is measured, against what, and what is aimed at.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use xs2a::Sandbox;

use crate::authentication::Authentication;
use crate::baseline::RsaVerification;
use crate::data;
use crate::durable;
use crate::endurance;
use crate::evidence;
use crate::explain;
use crate::gateway;
use crate::history;
use crate::interface::{Call, ChildInterface, RustInterface};
use crate::lives;
use crate::loading;
use crate::memory;
use crate::operator;
use crate::payments::options;
use crate::postgres;
use crate::products::{Product, Validation};
use crate::report::{Figure, Figures};
use crate::rounds::{median, timed, Contender, Medians, Rounds};
use crate::same_rows::BareCreation;
use crate::served;
use crate::testing;
use crate::trust;
use crate::Outcome;

/// Calls that take microseconds. So many to a round that what the change from one process to the next costs, in caches
/// above all, is not what is measured.
pub(crate) const FAST: Rounds = Rounds { warm_up: 1, count: 15, calls: 1_000 };
/// Calls that are a thousand calls.
const THOUSANDS: Rounds = Rounds { warm_up: 1, count: 15, calls: 1 };
/// Sandboxes opened or forked, each timed alone.
const SANDBOXES: usize = 51;

/// What a payment through Python may cost where one in a Python stack costs 1.
const STACK_AIM: Option<f64> = Some(1.0 / 15.0);
/// What a payment of another product may cost where an instant one costs 1.
const PRODUCT_AIM: Option<f64> = Some(1.25);
/// What a new sandbox may take.
const OPEN_MS_AIM: f64 = 2.0;
/// What a fork may take.
const FORK_MS_AIM: f64 = 0.5;
/// What an idle sandbox may take.
const IDLE_MIB_AIM: f64 = 4.0;
/// What one more payment may take.
const PAYMENT_KIB_AIM: f64 = 4.0;

/// Measures every row.
pub(crate) fn measure_all() -> Outcome<Figures> {
    let mut rows = Vec::new();
    progress("signatures and payments in memory, through the three interfaces");
    rows.extend(interfaces()?);
    progress("chains");
    rows.extend(trust::measure()?);
    progress("every product");
    rows.extend(products()?);
    progress("validation alone");
    rows.extend(validation()?);
    progress("payments in a file");
    rows.extend(durable::measure()?);
    progress("payments in a file, with a slow bank and from two processes");
    rows.extend(gateway::measure()?);
    progress("payments on PostgreSQL");
    rows.extend(postgres::measure()?);
    progress("audit and signed answers");
    rows.extend(evidence::measure()?);
    progress("explained refusals");
    rows.extend(explain::measure()?);
    progress("accounts");
    rows.extend(history::measure()?);
    progress("what an operator asks");
    rows.extend(operator::measure()?);
    progress("loading by the API");
    rows.extend(loading::measure()?);
    progress("lives that go on");
    rows.extend(lives::measure()?);
    rows.extend(data::measure()?);
    progress("sandboxes");
    rows.extend(sandboxes()?);
    progress("sandboxes for tests, and served ones");
    rows.extend(testing::measure()?);
    rows.extend(served::measure()?);
    progress("memory");
    rows.extend(memory_rows()?);
    progress("endurance");
    rows.extend(endurance::measure()?);
    Ok(Figures { rows })
}

/// Measures signatures, and payments in memory through the three interfaces.
pub(crate) fn interfaces() -> Outcome<Vec<Figure>> {
    let mut verification = RsaVerification::new()?;
    let mut authentication = Authentication::new()?;
    let mut status = RustInterface::open(Call::StatusOfUnknown, None)?;
    let mut creation = RustInterface::open(Call::CreatePayment(Product::Straks), None)?;
    let mut bare_rows = BareCreation::new()?;
    let mut in_c =
        ChildInterface::start(&mut Command::new(program("XS2A_BENCH_C", "target/bench/c_interface")))?;
    let mut in_python = ChildInterface::start(&mut python("bench/python_interface.py"))?;
    let python_stack = |with: &str| {
        let mut command = python("bench/python_stack.py");
        ChildInterface::start(command.arg(with))
    };
    let (mut with_pyca, mut with_httpsig) = (python_stack("pyca")?, python_stack("httpsig")?);
    let mut contenders: [&mut dyn Contender; 9] = [
        &mut verification,
        &mut authentication,
        &mut status,
        &mut creation,
        &mut bare_rows,
        &mut in_c,
        &mut in_python,
        &mut with_pyca,
        &mut with_httpsig,
    ];
    let [bare, authenticate, status, create, rows, c, python, with_pyca, with_httpsig] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let medians = FAST.measure(&mut contenders)?;
    let figure = |name, contender, base_name, base, aim| Figure {
        name,
        measured: micros(medians.seconds_of(contender)),
        against: format!("{base_name}: {}", micros(medians.seconds_of(base))),
        ratio: medians.ratio(contender, base),
        aim,
    };
    let verification = "one bare RSA-2048 verification";
    let in_rust = "the same in Rust";
    Ok(vec![
        figure(
            "authenticate a signed request, certificate seen before",
            authenticate,
            verification,
            bare,
            Some(1.3),
        ),
        figure(
            "answer a signed question for a status, everything included",
            status,
            verification,
            bare,
            None,
        ),
        figure(
            "one verification and a bare commit of a payment's rows, in memory",
            rows,
            verification,
            bare,
            None,
        ),
        figure(
            "create an instant payment in memory, everything included",
            create,
            verification,
            bare,
            Some(3.0),
        ),
        figure("the same through C", c, in_rust, create, Some(1.05)),
        figure("the same through Python", python, in_rust, create, Some(1.25)),
        figure(
            "the same through Python, against a Python stack with pyca's cryptography",
            python,
            "that stack",
            with_pyca,
            STACK_AIM,
        ),
        figure(
            "the same through Python, against a Python stack with httpsig",
            python,
            "that stack",
            with_httpsig,
            STACK_AIM,
        ),
    ])
}

/// The creation of every product against that of the instant one.
fn products() -> Outcome<Vec<Figure>> {
    let open = |product| RustInterface::open(Call::CreatePayment(product), None);
    let mut interfaces = vec![open(Product::Straks)?];
    for product in Product::OTHERS {
        interfaces.push(open(product)?);
    }
    let mut contenders: Vec<&mut dyn Contender> = Vec::with_capacity(interfaces.len());
    contenders.extend(interfaces.iter_mut().map(|interface| interface as &mut dyn Contender));
    let medians = FAST.measure(&mut contenders)?;
    let figure = |(place, product): (usize, Product)| Figure {
        name: product.row(),
        measured: micros(medians.seconds_of(place)),
        against: format!("an instant payment: {}", micros(medians.seconds_of(0))),
        ratio: medians.ratio(place, 0),
        aim: PRODUCT_AIM.filter(|_| !matches!(product, Product::BulkOfTen)),
    };
    Ok((1..).zip(Product::OTHERS).map(figure).collect())
}

/// What reading and judging a body costs, without anything around it.
fn validation() -> Outcome<Vec<Figure>> {
    let in_python = |with: &str| {
        let mut command = python("bench/python_validation.py");
        ChildInterface::start(command.arg(with))
    };
    let (mut ours, mut pydantic) = (in_python("xs2a")?, in_python("pydantic")?);
    let by_python = FAST.measure(&mut [&mut ours, &mut pydantic])?;
    let (mut bulk, mut singles) = (Validation::of_a_bulk(), Validation::of_single_payments());
    let in_bulk = THOUSANDS.measure(&mut [&mut bulk, &mut singles])?;
    let figure = |name, medians: &Medians, base: &str, aim| Figure {
        name,
        measured: micros(medians.seconds_of(0)),
        against: format!("{base}: {}", micros(medians.seconds_of(1))),
        ratio: medians.ratio(0, 1),
        aim: Some(aim),
    };
    Ok(vec![
        figure(
            "validate the body of an instant payment from Python",
            &by_python,
            "a pydantic model of that product",
            0.5,
        ),
        figure("validate a bulk of 1000 payments", &in_bulk, "1000 payments one by one", 1.0),
    ])
}

fn sandboxes() -> Outcome<Vec<Figure>> {
    let options = options(None)?;
    let open = median_ms(|| Sandbox::open(&options))?;
    let original = Sandbox::open(&options)?;
    let fork = median_ms(|| original.fork())?;
    Ok(vec![
        against_fixed("open a sandbox with the default data", open, OPEN_MS_AIM, "ms"),
        against_fixed("fork a sandbox", fork, FORK_MS_AIM, "ms"),
    ])
}

/// Closing is not part of the time: the sandbox is dropped after it.
fn median_ms(make: impl Fn() -> xs2a::Result<Sandbox>) -> Outcome<f64> {
    let mut times = Vec::with_capacity(SANDBOXES);
    for _ in 0..SANDBOXES {
        let (time, made) = timed(&make);
        made?;
        times.push(millis(time));
    }
    Ok(median(times))
}

fn memory_rows() -> Outcome<Vec<Figure>> {
    let Some(memory) = memory::measure()? else {
        progress("this system does not say what memory a process owns: no memory rows");
        return Ok(Vec::new());
    };
    Ok(vec![
        against_fixed("memory of an idle sandbox", memory.idle_sandbox_mib, IDLE_MIB_AIM, "MiB"),
        against_fixed("memory of each further payment", memory.payment_kib, PAYMENT_KIB_AIM, "KiB"),
    ])
}

/// A figure that has no bare cost: its aim is an amount.
pub(crate) fn against_fixed(name: &'static str, measured: f64, allowed: f64, unit: &str) -> Figure {
    Figure {
        name,
        measured: format!("{measured:.2} {unit}"),
        against: format!("{allowed} {unit}"),
        ratio: measured / allowed,
        aim: Some(1.0),
    }
}

pub(crate) fn micros(seconds: f64) -> String {
    format!("{:.1} µs", seconds * 1e6)
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub(crate) fn progress(text: &str) {
    eprintln!("measuring: {text}");
}

pub(crate) fn python(script: &str) -> Command {
    let mut command = interpreter();
    command.arg(repository().join(script));
    command
}

/// The interpreter that has xs2a and what it is measured against.
pub(crate) fn interpreter() -> Command {
    Command::new(program("XS2A_BENCH_PYTHON", ".venv/bin/python"))
}

/// A program by its variable, or where `make bench` puts it.
fn program(variable: &str, default: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| repository().join(default), PathBuf::from)
}

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// A folder on the disk that builds go to, gone when this is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new one.
    pub(crate) fn make() -> Outcome<Self> {
        let path = repository().join(format!("target/bench/{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            eprintln!("xs2a-bench: {}: {error}", self.0.display());
        }
    }
}
