//! Which of the two libraries this is: `libxs2a_sandbox`, with everything.

/// What `xs2a_openapi` describes where the caller names no environment.
pub(crate) const INTERFACE: &str = "sandbox";

/// The shared library that must not be loaded beside this one, by its sonames: as installed, and as Cargo builds it.
#[cfg(target_os = "linux")]
pub(crate) const OTHER: [&std::ffi::CStr; 2] = [c"libxs2a.so.1", c"libxs2a.so"];
