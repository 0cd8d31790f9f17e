//! Whose agreements are listed.

use crate::handler_error::HandlerError;
use crate::pipeline::access::{Access, ExpectedPsu, ScaRequired};
use crate::pipeline::named_psu;
use crate::pipeline::stages::authorise::Authorised;
use crate::reason::{Reason, Refusal};
use crate::sca::record::Purpose;
use crate::store::Store;
use crate::types::{ActingPsu, Context, Party};

/// The agreements of a PSU need no consent: they say which customer a consent could be for. A PSU that is not known
/// yet is sent to an SCA that makes it known, and opens nothing.
pub(super) fn access(
    authorised: &Authorised<'_>,
    store: &dyn Store,
) -> Result<(Option<ActingPsu>, Access), HandlerError> {
    let headers = authorised.parsed().call_headers();
    Ok(match named_psu::psu(headers, authorised.tpp(), store)? {
        Some(psu) => (Some(ActingPsu { psu, context: Context::Private, corporate: None }), Access::Open),
        None => {
            let refusal = Refusal::at(Reason::PsuNotIdentified, "PSU-ID");
            let expected =
                ExpectedPsu { party: Party { context: headers.context, ..Party::default() }, identity: None };
            let required = ScaRequired { refusal, purpose: Purpose::Identification, expected };
            (None, Access::ScaRequired(Box::new(required)))
        }
    })
}
