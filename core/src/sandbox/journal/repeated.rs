//! Long values of headers that come again with every call, as certificates do: the entries of a journal share them.

use std::collections::VecDeque;
use std::sync::Arc;

/// How many are remembered: as many TPPs as take turns in a test, and more.
const KEPT_MAX: usize = 8;

/// The long values that were met last.
#[derive(Debug, Default)]
pub(super) struct Repeated(VecDeque<Arc<[u8]>>);

impl Repeated {
    /// A value to be kept: the one that is kept already, where there is one.
    pub(super) fn share(&mut self, value: &[u8]) -> Arc<[u8]> {
        if let Some(known) = self.0.iter().find(|known| ***known == *value) {
            return Arc::clone(known);
        }
        if self.0.len() == KEPT_MAX {
            self.0.pop_front();
        }
        let new: Arc<[u8]> = value.into();
        self.0.push_back(Arc::clone(&new));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_value_is_kept_once_among_the_last_eight() {
        let mut repeated = Repeated::default();
        let value = |number: u8| vec![number; 600];
        let first = repeated.share(&value(0));
        assert_eq!(*first, *value(0));
        assert!(Arc::ptr_eq(&first, &repeated.share(&value(0))));
        for number in 1..8 {
            repeated.share(&value(number));
        }
        assert!(Arc::ptr_eq(&first, &repeated.share(&value(0))));
        repeated.share(&value(8));
        assert!(!Arc::ptr_eq(&first, &repeated.share(&value(0))));
        assert_eq!(repeated.0.len(), KEPT_MAX);
    }
}
