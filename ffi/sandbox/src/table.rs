//! The tables of a sandbox, by the Arrow C stream interface.

use std::mem::MaybeUninit;

use engine::tables::ArrowArrayStream;

use crate::abi::xs2a_str;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required};
use crate::sandbox::xs2a_sandbox;

/// A table of what the bank holds, such as `transactions`, as a stream of Arrow's C stream interface; docs/tables.md
/// describes the tables and their columns. The stream reads some thousand rows at a time, each part in one state of the
/// sandbox; rows that are added after the first part are left out.
///
/// The caller owns the stream, and ends it by `out->release(out)`. It may outlive the sandbox: reading it then fails
/// with a text in get_last_error(). One thread at a time may read it.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such table).
#[no_mangle]
pub extern "C" fn xs2a_sandbox_table(
    sandbox: Option<&xs2a_sandbox>,
    name: xs2a_str,
    out: Option<&mut MaybeUninit<ArrowArrayStream>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(sandbox.0.table(name.text("name")?, None)?.arrow_stream())
    })
}
