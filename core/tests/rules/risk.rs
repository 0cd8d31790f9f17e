//! SCA by risk: the bank may demand one that the rules do not ask for, and exempt from one that they do.

mod accounts;
mod control;
mod payments;
mod questions;
