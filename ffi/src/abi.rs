//! The plain shapes of the interface: borrowed and owned text and bytes, and structs that know their size.

use std::ffi::{c_char, CStr};
use std::mem::MaybeUninit;
use std::{ptr, slice, str};

use crate::error::xs2a_error;
use crate::guard;

/// Borrowed text: UTF-8, not NUL-terminated. As an argument it must be valid until the call returns. NULL with
/// length 0 is the empty text, and means "absent" where an argument is optional.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_str {
    /// The first byte.
    data: *const c_char,
    /// How many bytes.
    len: usize,
}

/// Borrowed bytes. As an argument they must be valid until the call returns. NULL with length 0 is empty.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_slice {
    /// The first byte.
    data: *const u8,
    /// How many bytes.
    len: usize,
}

/// Text the caller owns: free it with xs2a_text_free().
pub struct xs2a_text(String);

impl xs2a_str {
    pub(crate) const EMPTY: Self = Self { data: ptr::null(), len: 0 };

    /// The function that passes it on states how long `text` lives.
    pub(crate) fn of(text: &str) -> Self {
        Self { data: start(text.as_bytes()).cast(), len: text.len() }
    }

    pub(crate) fn bytes(&self, argument: &str) -> Result<&[u8], xs2a_error> {
        // SAFETY: the fields are private, so this came from `of` or from C, whose contract the header states.
        unsafe { elements(self.data.cast(), self.len, argument) }
    }

    pub(crate) fn text(&self, argument: &str) -> Result<&str, xs2a_error> {
        str::from_utf8(self.bytes(argument)?).map_err(|_| xs2a_error::not_utf8(argument))
    }

    /// `None` where the caller gave NULL.
    pub(crate) fn optional(&self, argument: &str) -> Result<Option<&str>, xs2a_error> {
        let text = self.text(argument)?;
        Ok((!self.data.is_null()).then_some(text))
    }
}

impl xs2a_slice {
    pub(crate) const EMPTY: Self = Self { data: ptr::null(), len: 0 };

    /// The function that passes it on states how long `bytes` live.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { data: start(bytes), len: bytes.len() }
    }

    pub(crate) fn bytes(&self, argument: &str) -> Result<&[u8], xs2a_error> {
        // SAFETY: as in `xs2a_str::bytes`.
        unsafe { elements(self.data, self.len, argument) }
    }
}

/// Where bytes begin. Empty ones begin nowhere in Rust, at address 1: Go ends a program that has such an address on a
/// stack. NULL would say that there are none.
fn start(bytes: &[u8]) -> *const u8 {
    static NOTHING: &CStr = c"";
    match bytes {
        [] => NOTHING.as_ptr().cast(),
        bytes => bytes.as_ptr(),
    }
}

impl xs2a_text {
    pub(crate) fn owned(text: String) -> Option<Box<Self>> {
        guard::owned(Self(text))
    }
}

/// An array of the caller.
///
/// # Safety
/// `data` is NULL, or points to `len` initialised elements that live and stay unchanged through `'a`.
pub(crate) unsafe fn elements<'a, T>(
    data: *const T,
    len: usize,
    argument: &str,
) -> Result<&'a [T], xs2a_error> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(xs2a_error::null(argument));
    }
    let fits = len.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    if !fits || !data.is_aligned() {
        return Err(xs2a_error::size(argument));
    }
    // SAFETY: not NULL, aligned and of a possible length as checked; the rest is this function's contract.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// A plain struct of the caller that begins with its own size, so that it can grow: a program built with an
/// older header gives a smaller one, whose missing members count as zero.
///
/// # Safety
/// The type is `repr(C)`, begins with a `usize` that is its size, and is valid with every byte zero.
pub(crate) unsafe trait Versioned: Copy {
    /// The sizes it has had, the present one included.
    const SIZES: &'static [usize];
}

/// Copies a struct of the caller. A size that is not known is refused, a larger one too: its further members
/// would be ignored in silence.
///
/// # Safety
/// `at` is NULL, or points to a struct that is as large as its first member says.
pub(crate) unsafe fn read<T: Versioned>(at: *const T, argument: &str) -> Result<T, xs2a_error> {
    if at.is_null() {
        return Err(xs2a_error::null(argument));
    }
    // SAFETY: not NULL, and by contract the struct begins with its size.
    let size = unsafe { at.cast::<usize>().read_unaligned() };
    if !T::SIZES.contains(&size) {
        return Err(xs2a_error::size(argument));
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the source has `size` bytes by contract, the target at least as many by `SIZES`.
    unsafe { ptr::copy_nonoverlapping(at.cast::<u8>(), value.as_mut_ptr().cast(), size) };
    // SAFETY: `Versioned` is valid with every byte zero, and the caller's members are of its types.
    Ok(unsafe { value.assume_init() })
}

/// The text up to the terminating NUL, without it: for literals. NULL gives the empty text.
#[no_mangle]
pub unsafe extern "C" fn xs2a_str_of(nul_terminated: *const c_char) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || {
        if nul_terminated.is_null() {
            return xs2a_str::EMPTY;
        }
        // SAFETY: not NULL, and the header asks for a terminating NUL.
        let text = unsafe { CStr::from_ptr(nul_terminated) };
        xs2a_str { data: nul_terminated, len: text.count_bytes() }
    })
}

/// The bytes up to the terminating NUL, without it: for literals. NULL gives none.
#[no_mangle]
pub unsafe extern "C" fn xs2a_slice_of(nul_terminated: *const c_char) -> xs2a_slice {
    // SAFETY: the same contract.
    let text = unsafe { xs2a_str_of(nul_terminated) };
    xs2a_slice { data: text.data.cast(), len: text.len }
}

/// The text itself. Lives as long as `text`; empty where that is NULL.
#[no_mangle]
pub extern "C" fn xs2a_text_str(text: Option<&xs2a_text>) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || text.map_or(xs2a_str::EMPTY, |text| xs2a_str::of(&text.0)))
}

/// Frees a text. NULL is fine.
#[no_mangle]
pub extern "C" fn xs2a_text_free(text: Option<Box<xs2a_text>>) {
    guard::total((), || drop(text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::xs2a_result::*;

    #[repr(C)]
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Grown {
        size: usize,
        first: usize,
        second: usize,
    }

    // SAFETY: three integers, the first being the size.
    unsafe impl Versioned for Grown {
        const SIZES: &'static [usize] = &[16, 24];
    }

    fn read_with_size(size: usize) -> Result<Grown, xs2a_error> {
        let given = Grown { size, first: 1, second: 2 };
        // SAFETY: points to a struct of at least every known size.
        unsafe { read(&raw const given, "given") }
    }

    #[test]
    fn members_an_older_header_did_not_know_are_zero() {
        assert_eq!(read_with_size(16).unwrap(), Grown { size: 16, first: 1, second: 0 });
        assert_eq!(read_with_size(24).unwrap(), Grown { size: 24, first: 1, second: 2 });
    }

    #[test]
    fn an_unknown_size_is_refused_smaller_or_larger() {
        for size in [0, 8, 15, 17, 23, 25, usize::MAX] {
            assert_eq!(read_with_size(size).unwrap_err().code(), XS2A_BAD_SIZE, "{size}");
        }
    }

    #[test]
    fn null_is_empty_without_a_length_and_refused_with_one() {
        assert_eq!(xs2a_str { data: ptr::null(), len: 0 }.text("text").unwrap(), "");
        assert_eq!(xs2a_str { data: ptr::null(), len: 0 }.optional("text").unwrap(), None);
        assert_eq!(xs2a_str::of("").optional("text").unwrap(), Some(""));
        let torn = xs2a_str { data: ptr::null(), len: 1 };
        assert_eq!(torn.text("text").unwrap_err().code(), XS2A_NULL_ARGUMENT);
    }

    #[test]
    fn a_length_beyond_memory_is_refused() {
        let endless = xs2a_slice { data: [0_u8].as_ptr(), len: usize::MAX };
        assert_eq!(endless.bytes("bytes").unwrap_err().code(), XS2A_BAD_SIZE);
    }

    #[test]
    fn text_that_is_not_utf_8_is_refused() {
        let latin = xs2a_str { data: b"\xE6".as_ptr().cast(), len: 1 };
        assert_eq!(latin.text("text").unwrap_err().code(), XS2A_NOT_UTF8);
    }
}
