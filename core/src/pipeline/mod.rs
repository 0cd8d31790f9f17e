//! The walk of a request, one stage per file:
//!
//! ```text
//! Request ─parse→ Parsed ─identify→ Identified ─authenticate→ Authentic ─authorise→ Authorised
//!    ─admit→ Admitted ─read_body→ Command ─decide→ Decision ─commit→ Committed ─respond→ Response
//!              any stage ──Stop──────────────────────────────────────────────────↗
//! ```
//!
//! Each stage takes the value that only the stage before it can make, so none can be left out.

pub(crate) mod stop;

pub(crate) mod admit;
pub(crate) mod authenticate;
pub(crate) mod authorise;
pub(crate) mod commit;
pub(crate) mod decide;
pub(crate) mod identify;
pub(crate) mod parse;
pub(crate) mod read_body;
pub(crate) mod respond;

pub(crate) mod asked_for;
pub(crate) mod audit;
pub(crate) mod by_number;
pub(crate) mod chain_cache;
pub(crate) mod change;
pub(crate) mod corporate_id;
pub(crate) mod interfere;
pub(crate) mod named_psu;
pub(crate) mod order;
pub(crate) mod parts;
pub(crate) mod recent;
pub(crate) mod replay;
pub(crate) mod risk;
pub(crate) mod sign_response;
pub(crate) mod trace;
