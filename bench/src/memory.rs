//! What sandboxes and payments take of memory, by what the kernel counts as this process's own.

use std::process::Command;

use xs2a::Sandbox;

use crate::payments::{options, Payer};
use crate::Outcome;

/// Sandboxes opened at once: a single one would drown in the allocator's rounding.
const SANDBOXES: usize = 16;
/// Payments before memory is first read: caches and the allocator have their size by then.
const PAYMENTS_BEFORE: usize = 1_000;
/// Payments between the two readings.
const PAYMENTS: usize = 4_000;

/// The two figures.
pub(crate) struct Memory {
    /// MiB of one sandbox that does nothing.
    pub(crate) idle_sandbox_mib: f64,
    /// KiB that one more payment adds, its authorisation and request id included.
    pub(crate) payment_kib: f64,
}

/// Measures in a process of its own. `None` where the system does not say what a process owns.
pub(crate) fn measure() -> Outcome<Option<Memory>> {
    if private_kib().is_none() {
        return Ok(None);
    }
    let output = Command::new(std::env::current_exe()?).arg("memory").output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let text = String::from_utf8(output.stdout)?;
    let mut figures = text.split_whitespace().map(str::parse::<f64>);
    let mut next = || figures.next().ok_or("a figure is missing");
    Ok(Some(Memory { idle_sandbox_mib: next()??, payment_kib: next()?? }))
}

/// The work of that process: prints MiB per sandbox and KiB per payment.
pub(crate) fn print_figures() -> Outcome<()> {
    let read = || private_kib().ok_or("the system does not say");
    let before = read()?;
    let sandboxes: Vec<Sandbox> =
        (0..SANDBOXES).map(|_| Ok(Sandbox::open(&options(None)?)?)).collect::<Outcome<_>>()?;
    let idle = read()? - before;
    let mut payer = Payer::open(None)?;
    create(&mut payer, PAYMENTS_BEFORE)?;
    let before = read()?;
    create(&mut payer, PAYMENTS)?;
    let payments = read()? - before;
    println!("{} {}", idle / sandboxes.len() as f64 / 1024.0, payments / PAYMENTS as f64);
    Ok(())
}

fn create(payer: &mut Payer, payments: usize) -> Outcome<()> {
    for _ in 0..payments {
        let signed = payer.creation()?;
        let status = signed.send(&payer.sandbox);
        if status != 201 {
            return Err(format!("answered {status} where 201 is right").into());
        }
    }
    Ok(())
}

/// Memory that is this process's own and in use, without code and files.
pub(crate) fn private_kib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace().next()?.parse().ok()
}
