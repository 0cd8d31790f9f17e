//! What the test binaries share; each includes this tree once, as `support`.
#![allow(
    clippy::allow_attributes,
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_macros,
    reason = "each test binary uses its own part"
)]

#[cfg(feature = "sandbox")]
pub(crate) mod aisp;
#[cfg(feature = "sandbox")]
pub(crate) mod fakes;
pub(crate) mod memory_folder;
#[cfg(feature = "postgres")]
#[path = "../postgres_server/mod.rs"]
pub(crate) mod postgres_server;
pub(crate) mod printed_page;
pub(crate) mod repository_root;
pub(crate) mod sandbox_examples;
#[cfg(feature = "sandbox")]
pub(crate) mod setup;
#[cfg(feature = "sandbox")]
pub(crate) mod world;
