//! Which library this is, for the compiler and at run time.

use crate::abi::xs2a_str;
use crate::guard;

/// Major version of the header.
pub const XS2A_VERSION_MAJOR: u32 = 0;
/// Minor version of the header.
pub const XS2A_VERSION_MINOR: u32 = 1;
/// Patch version of the header.
pub const XS2A_VERSION_PATCH: u32 = 0;
/// Version of the binary interface. It changes when a program built with an older header would no longer
/// work with the library; compare it with xs2a_abi_version() where the library is loaded at run time.
pub const XS2A_ABI_VERSION: u32 = 1;

/// The version of the library, such as `0.1.0`. Lives as long as the library.
#[no_mangle]
pub extern "C" fn xs2a_version() -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || xs2a_str::of(env!("CARGO_PKG_VERSION")))
}

/// The version of the library's binary interface; see XS2A_ABI_VERSION.
#[no_mangle]
pub extern "C" fn xs2a_abi_version() -> u32 {
    XS2A_ABI_VERSION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_macros_say_the_package_version() {
        let macros = format!("{XS2A_VERSION_MAJOR}.{XS2A_VERSION_MINOR}.{XS2A_VERSION_PATCH}");
        assert_eq!(macros, env!("CARGO_PKG_VERSION"));
    }
}
