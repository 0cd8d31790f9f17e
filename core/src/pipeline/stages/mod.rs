//! The nine stages of the walk, one file each:
//!
//! ```text
//! Request ─parse→ Parsed ─identify→ Identified ─authenticate→ Authentic ─authorise→ Authorised
//!    ─admit→ Admitted ─read_body→ Command ─decide→ Decision ─commit→ Committed ─respond→ Response
//!              any stage ──HandlerError──────────────────────────────────────────↗
//! ```
//!
//! Each stage takes the value that only the stage before it can make, so none can be left out. What only one stage uses
//! is in the folder of its name.

pub(crate) mod admit;
pub(crate) mod authenticate;
pub(crate) mod authorise;
pub(crate) mod commit;
pub(crate) mod decide;
pub(crate) mod identify;
pub(crate) mod parse;
pub(crate) mod read_body;
pub(crate) mod respond;
