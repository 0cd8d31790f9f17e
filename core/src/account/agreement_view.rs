//! What a TPP is shown of corporate agreements.

use serde::Serialize;
use uuid::Uuid;

use super::record::CorporateAgreement;

/// `{"agreements":[…]}`
#[derive(Debug, Serialize)]
pub(crate) struct AgreementsView<'a> {
    agreements: Vec<AgreementView<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AgreementView<'a> {
    psu_corporate_id: String,
    name: &'a str,
    owner: &'a str,
}

impl<'a> AgreementsView<'a> {
    /// These agreements in their order, each with the PSU-Corporate-ID of its customer.
    pub(crate) fn new(agreements: &'a [(Uuid, CorporateAgreement)]) -> Self {
        let view = |(corporate_id, agreement): &'a (Uuid, CorporateAgreement)| AgreementView {
            psu_corporate_id: corporate_id.to_string(),
            name: &agreement.name,
            owner: &agreement.owner,
        };
        Self { agreements: agreements.iter().map(view).collect() }
    }
}
