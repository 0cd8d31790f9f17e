//! Bytes that the caller owns: answers as HTTP, snapshots.

use crate::abi::xs2a_slice;
use crate::guard;

/// Bytes the caller owns: free them with xs2a_bytes_free().
pub struct xs2a_bytes(Vec<u8>);

impl xs2a_bytes {
    pub(crate) fn owned(bytes: Vec<u8>) -> Option<Box<Self>> {
        guard::owned(Self(bytes))
    }
}

/// The bytes themselves. Live as long as `bytes`; none where that is NULL.
#[no_mangle]
pub extern "C" fn xs2a_bytes_slice(bytes: Option<&xs2a_bytes>) -> xs2a_slice {
    guard::total(xs2a_slice::EMPTY, || bytes.map_or(xs2a_slice::EMPTY, |bytes| xs2a_slice::of(&bytes.0)))
}

/// Frees bytes. NULL is fine.
#[no_mangle]
pub extern "C" fn xs2a_bytes_free(bytes: Option<Box<xs2a_bytes>>) {
    guard::total((), || drop(bytes));
}
