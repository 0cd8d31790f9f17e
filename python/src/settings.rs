//! The configuration of an engine of the host's own.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use xs2a::trust::AnswerAges;

use crate::convert::{json_text, json_value, Pem};
use crate::text::Text;

/// What an engine of the host's own is given beside its bank: the configuration, as Python spells it.
pub(crate) struct Settings {
    pub(crate) database: Text,
    pub(crate) trust_anchors: Pem,
    pub(crate) bank_id: Option<Text>,
    pub(crate) policy: Option<String>,
    pub(crate) ages: Option<AnswerAges>,
    pub(crate) order_lease_seconds: Option<i64>,
}

impl Settings {
    pub(crate) fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let settings = PyDict::new(py);
        settings.set_item("database", &*self.database)?;
        settings.set_item("trust_anchors", &*self.trust_anchors)?;
        if let Some(id) = &self.bank_id {
            settings.set_item("bank_id", &**id)?;
        }
        if let Some(policy) = &self.policy {
            settings.set_item("policy", json_value(py, policy)?)?;
        }
        if let Some(ages) = self.ages {
            let values = PyDict::new(py);
            values.set_item("registered_seconds", ages.registered_seconds)?;
            values.set_item("unknown_seconds", ages.unknown_seconds)?;
            settings.set_item("registry_ages", values)?;
        }
        if let Some(seconds) = self.order_lease_seconds {
            settings.set_item("order_lease_seconds", seconds)?;
        }
        json_text(&settings)?.extract()
    }
}
