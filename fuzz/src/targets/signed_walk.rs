//! Walks through a sandbox with requests that are changed, signed and changed again. No answer is a 500, a refused
//! request changes nothing, a request that nothing signed does nothing, a request counts once, both cryptographic
//! backends agree, and money is conserved.

use arbitrary::{Arbitrary, Unstructured};

use crate::walk::{Step, Walk};

pub(super) fn check(input: &[u8]) {
    let Ok(steps) = Vec::<Step>::arbitrary_take_rest(Unstructured::new(input)) else { return };
    Walk::with(|walk| walk.run(&steps[..steps.len().min(24)]));
}
