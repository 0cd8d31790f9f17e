//! A payment as its creation writes it: what the same commit says beside it stands in its row where it fits there.
//!
//! Each row in a table of its own would cost the commit a page.

use chrono::{DateTime, Utc};

use crate::payment::record::Payment;
use crate::sca::machine::ScaStatus;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::seam::{UsedRequestId, Write};

/// A new payment, and what its row keeps of the writes around it.
pub(super) struct Creation<'w> {
    pub(super) payment: &'w Payment,
    pub(super) refuse_like_since: Option<DateTime<Utc>>,
    pub(super) also_like: &'w [[u8; 32]],
    /// The use of the request id of the call.
    pub(super) used: Option<&'w UsedRequestId>,
    /// The link that the call is answered with.
    pub(super) link: Option<&'w Authorisation>,
}

impl<'w> Creation<'w> {
    /// A payment of which nothing else stands in its row.
    pub(super) fn bare(
        payment: &'w Payment,
        refuse_like_since: Option<DateTime<Utc>>,
        also_like: &'w [[u8; 32]],
    ) -> Self {
        Self { payment, refuse_like_since, also_like, used: None, link: None }
    }

    /// The creation that these writes begin with, if it takes in another of them, and the writes behind it.
    pub(super) fn at_the_head_of(writes: &'w [Write]) -> Option<(Self, &'w [Write])> {
        let (used, writes) = match writes {
            [Write::UseRequestId(used), rest @ ..] => (Some(used), rest),
            _ => (None, writes),
        };
        let [Write::InsertPayment { payment, refuse_like_since, also_like }, rest @ ..] = writes else {
            return None;
        };
        if used.is_some_and(|used| !is_use_of(used, payment)) {
            return None;
        }
        let (link, rest) = match rest {
            [Write::InsertAuthorisation(link), rest @ ..] if is_told_by(payment, link) => (Some(link), rest),
            _ => (None, rest),
        };
        let takes_in_another = used.is_some() || link.is_some();
        let bare = Self::bare(payment, *refuse_like_since, also_like);
        takes_in_another.then_some((Self { used, link, ..bare }, rest))
    }
}

/// Whether a request id was used by that payment's TPP at the time of its creation.
fn is_use_of(used: &UsedRequestId, payment: &Payment) -> bool {
    used.tpp == payment.tpp && used.at == payment.created_at
}

/// Whether a link is one that nobody answered, to a payment that nobody changed, and says of itself what the payment
/// says, too; and whether its id leads to the payment.
fn is_told_by(payment: &Payment, link: &Authorisation) -> bool {
    let Authorisation {
        id,
        version,
        tpp,
        purpose,
        redirect_uri: _,
        session_id: _,
        psu,
        identity,
        context,
        corporate,
        brand: _,
        language: _,
        created_at,
        status,
    } = link;
    id.rank() == payment.id.rank()
        && matches!(purpose, Purpose::Payment(of) if *of == payment.id)
        && (*version, payment.version) == (1, 1)
        && *status == ScaStatus::Started
        && (tpp, created_at) == (&payment.tpp, &payment.created_at)
        && (psu, identity) == (&payment.psu, &payment.identity)
        && (context, corporate) == (&payment.context, &payment.corporate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::conformance::samples::{
        basket_id, corporate, full_payment, insert, opening_link, payment, payment_id, psu, request_id, time,
        OTHER_TPP, TPP,
    };
    use crate::types::{AuthorisationId, Context, IdentityNumber};

    /// Whether the row of a new payment takes in the use and the link, and how many writes are left.
    fn taken_in(writes: &[Write]) -> Option<(bool, bool, usize)> {
        let (creation, rest) = Creation::at_the_head_of(writes)?;
        Some((creation.used.is_some(), creation.link.is_some(), rest.len()))
    }

    fn link(of: &Payment) -> Write {
        Write::InsertAuthorisation(opening_link(of))
    }

    #[test]
    fn what_fits_is_taken_in_and_nothing_behind_it() {
        let (used, new, link) = (request_id(TPP, 1, 0), insert(payment(1)), link(&payment(1)));
        let all = [used.clone(), new.clone(), link.clone(), link.clone(), used.clone()];
        assert_eq!(taken_in(&all), Some((true, true, 2)));
        assert_eq!(taken_in(&all[1..]), Some((false, true, 2)));
        assert_eq!(taken_in(&[used.clone(), new.clone()]), Some((true, false, 0)));
        assert_eq!(
            taken_in(&[used.clone(), new.clone(), used.clone(), link.clone()]),
            Some((true, false, 2))
        );
        for others in
            [vec![], vec![new.clone()], vec![used.clone()], vec![used, link.clone()], vec![link, new]]
        {
            assert_eq!(taken_in(&others), None, "{others:?}");
        }
    }

    #[test]
    fn a_use_by_another_or_at_another_time_has_a_row_of_its_own() {
        for used in [request_id(OTHER_TPP, 1, 0), request_id(TPP, 1, 1), request_id(TPP, 1, -1)] {
            assert_eq!(taken_in(&[used, insert(payment(1)), link(&payment(1))]), None);
        }
    }

    #[test]
    fn a_link_that_says_something_else_than_its_payment_has_a_row_of_its_own() {
        let fits = || opening_link(&payment(1));
        let others = [
            Authorisation { id: AuthorisationId::parse("enc!!AQEBAQEBBAQEBAQEBAQEBAQE").unwrap(), ..fits() },
            Authorisation { version: 2, ..fits() },
            Authorisation { tpp: OTHER_TPP.into(), ..fits() },
            Authorisation { purpose: Purpose::Payment(payment_id(2)), ..fits() },
            Authorisation { purpose: Purpose::Cancellation(payment_id(1)), ..fits() },
            Authorisation { purpose: Purpose::Basket(basket_id(1)), ..fits() },
            Authorisation { purpose: Purpose::Consent, ..fits() },
            Authorisation { psu: Some(psu(1)), ..fits() },
            Authorisation { identity: IdentityNumber::parse("18129215603").ok(), ..fits() },
            Authorisation { context: Some(Context::Private), ..fits() },
            Authorisation { corporate: Some(corporate(1)), ..fits() },
            Authorisation { created_at: time(1), ..fits() },
            Authorisation { status: ScaStatus::Failed, ..fits() },
        ];
        for other in others {
            assert!(!is_told_by(&payment(1), &other), "{other:?}");
        }
        let later = Payment { version: 2, ..payment(1) };
        assert!(!is_told_by(&later, &opening_link(&later)));
        for payment in [payment(1), Payment { version: 1, ..full_payment(1) }] {
            assert!(is_told_by(&payment, &opening_link(&payment)));
        }
    }

    #[test]
    fn what_has_the_rank_of_its_payment_is_taken_in_whatever_comes_behind_that() {
        let random = AuthorisationId::parse("enc!!AQEBAQEBAzzzzzzzzzzzzzzz").unwrap();
        let ranked = random.ranked_as(&payment(1).id);
        assert_eq!(payment(1).id.as_str(), "enc!!AQEBAQEBAQEBAQEBAQEBAQEB");
        assert_eq!(ranked.as_str(), "enc!!AQEBAQEBAzzzzzzzzzzzzzzz");
        assert!(is_told_by(&payment(1), &Authorisation { id: ranked, ..opening_link(&payment(1)) }));
    }
}
