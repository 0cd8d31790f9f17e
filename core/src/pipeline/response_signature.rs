//! The bank's signature on its answer (contract: Authentication, 8), over the bytes as they are sent.

use crate::tpp::response_key::ResponseKey;
use crate::wire::response::Response;

/// Signs an answer of any status. False where the key fails, which is logged.
pub(crate) fn sign_response(response: &mut Response, key: &ResponseKey) -> bool {
    match key.sign(&response.headers, &response.body) {
        Ok(signed) => {
            response.headers.extend(signed.map(|(name, value)| (name.into(), value.into())));
            true
        }
        Err(error) => {
            tracing::error!(%error, "an answer could not be signed");
            false
        }
    }
}
