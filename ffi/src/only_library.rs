//! Refuses a process that loads `libxs2a` and `libxs2a_sandbox`: their functions have the same names, and what one of
//! them made must not reach the other.

use crate::error::xs2a_error;

/// Fails where the other library is loaded too, by any way of `dlopen` or of linking.
#[cfg(target_os = "linux")]
pub(crate) fn check_only_library() -> Result<(), xs2a_error> {
    if crate::library::OTHER.into_iter().any(is_loaded) {
        let text =
            "libxs2a and libxs2a_sandbox are both loaded in this process: load libxs2a_sandbox alone, which \
                    has every function of libxs2a, or libxs2a alone";
        return Err(xs2a_error::misuse(text.to_owned()));
    }
    Ok(())
}

/// Elsewhere nothing can be asked by the name of a library alone.
#[cfg(not(target_os = "linux"))]
pub(crate) fn check_only_library() -> Result<(), xs2a_error> {
    Ok(())
}

/// Whether a shared library is loaded, by its soname. `RTLD_NOLOAD` loads nothing, and finds those too that were opened
/// with `RTLD_LOCAL`, whose symbols `dlsym` does not show.
#[cfg(target_os = "linux")]
fn is_loaded(soname: &std::ffi::CStr) -> bool {
    // SAFETY: the name ends with NUL, and the flags are those of the manual.
    let handle = unsafe { libc::dlopen(soname.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if handle.is_null() {
        return false;
    }
    // SAFETY: a handle that `dlopen` gave, closed once.
    unsafe { libc::dlclose(handle) };
    true
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn the_installed_library_is_looked_for_by_the_present_abi_version() {
        let [installed, _] = crate::library::OTHER;
        let version = installed.to_str().unwrap().rsplit('.').next();
        assert_eq!(version, Some(crate::version::XS2A_ABI_VERSION.to_string().as_str()));
    }

    #[test]
    fn a_library_of_the_process_is_found_and_another_is_not() {
        assert!(is_loaded(c"libc.so.6"));
        assert!(!is_loaded(c"libxs2a_unknown.so"));
    }
}
