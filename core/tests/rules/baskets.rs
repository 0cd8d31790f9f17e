//! Signing baskets: what may be in one, who sees it, and what its one SCA does to each payment.

mod creation;
mod isolation;
mod lifecycle;
mod signing;
