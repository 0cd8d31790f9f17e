//! What payers do, one thing after the other, and what the bank makes of their orders.

use Trouble::{Away, Nonsense};

/// What is wrong with the bank when a process brings it an order for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It is away.
    Away,
    /// It carries the order out and says something that cannot be.
    Nonsense,
}

impl Trouble {
    /// Parses a reference that [`reference`] made.
    pub(crate) fn of(reference: &str) -> Option<Self> {
        match reference.split_once(':') {
            Some((_, "away")) => Some(Away),
            Some((_, "nonsense")) => Some(Nonsense),
            _ => None,
        }
    }
}

/// The text that identifies a payment, and that contains the fault for the bank.
pub(crate) fn reference(life: u64, number: u64, part: usize, trouble: Option<Trouble>) -> String {
    let trouble = match trouble {
        Some(Away) => ":away",
        Some(Nonsense) => ":nonsense",
        None => "",
    };
    format!("{life}-{number}.{part}{trouble}")
}

/// One of the things that payers do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A payment that its PSU approves.
    Pay(Option<Trouble>),
    /// A payment that its PSU does not approve.
    Abort,
    /// A basket of so many payments, approved.
    Sign(usize),
    /// A basket of two that its PSU does not approve.
    AbortBasket,
    /// A basket of two that is given up before its PSU answered; in a crowd, while they approve. The first of its
    /// payments is approved alone after that.
    DropBasket,
    /// A payment that is cancelled before its PSU answered; in a crowd, while they approve.
    Delete,
    /// An approved payment that is cancelled before this payer delivers it.
    CancelOrdered(Option<Trouble>),
    /// A payment for a later day that is cancelled when the bank has it.
    CancelTaken,
    /// A payment for a later day whose cancellation its PSU does not approve.
    Keep,
}

/// All of them, again and again.
const CYCLE: [Deed; 13] = [
    Deed::Pay(Some(Nonsense)),
    Deed::Sign(2),
    Deed::Abort,
    Deed::Delete,
    Deed::Pay(Some(Away)),
    Deed::CancelOrdered(None),
    Deed::AbortBasket,
    Deed::CancelTaken,
    Deed::DropBasket,
    Deed::Sign(3),
    Deed::Keep,
    Deed::Pay(None),
    Deed::CancelOrdered(Some(Away)),
];

/// What is wrong with the bank at the payments of a basket, in turn.
const BASKET_TROUBLES: [Option<Trouble>; 3] = [None, Some(Away), Some(Nonsense)];

impl Deed {
    /// What a process does as its so-manyth. Each begins at another.
    pub(crate) fn of(life: u64, number: u64) -> Self {
        let place = usize::try_from(life + number).unwrap() % CYCLE.len();
        CYCLE[place]
    }

    /// What is wrong with the bank at each payment of it.
    pub(crate) fn troubles(self) -> Vec<Option<Trouble>> {
        match self {
            Self::Sign(payments) => BASKET_TROUBLES[..payments].to_vec(),
            Self::AbortBasket | Self::DropBasket => vec![None; 2],
            Self::Pay(trouble) | Self::CancelOrdered(trouble) => vec![trouble],
            Self::Abort | Self::Delete | Self::CancelTaken | Self::Keep => vec![None],
        }
    }
}
