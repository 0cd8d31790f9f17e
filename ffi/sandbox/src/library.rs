//! Which of the two libraries this is: `libxs2a_sandbox`, with everything.

/// What `xs2a_openapi` describes where the caller names no environment.
pub(crate) const INTERFACE: &str = "sandbox";

/// The shared library that must not be loaded beside this one, by its soname.
#[cfg(target_os = "linux")]
pub(crate) const OTHER: &std::ffi::CStr = c"libxs2a.so";
