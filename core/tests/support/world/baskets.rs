//! Short ways to cancel payments and to sign baskets of them.

use serde_json::{json, Value};
use xs2a::{Response, ScaAnswer};

use super::{accepted, creation_headers, parameter, replaced, straks, text, World, STRAKS};

pub const BASKETS: &str = "/v1/signing-baskets";

pub fn own(answered: &Value) -> &str {
    text(answered, "/_links/self/href")
}

pub fn names(ids: &[&str]) -> Value {
    json!({ "paymentIds": ids })
}

impl World {
    /// A call of the basket's header set, without a PSU-ID.
    pub fn act(&self, method: &str, target: &str) -> Response {
        self.act_with(method, target, &[])
    }

    pub fn act_with(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Response {
        self.call(method, target, &replaced(creation_headers(), headers), b"")
    }

    /// The call is answered 204 with nothing in it.
    #[track_caller]
    pub fn gives_up(&self, target: &str) {
        let response = self.act("DELETE", target);
        let reported = String::from_utf8_lossy(response.body());
        assert_eq!((response.status(), response.reason(), &*reported), (204, None, ""));
        assert_eq!((response.header("Content-Type"), response.header("Content-Language")), (None, None));
    }

    /// Starts the authorisation of a cancellation.
    pub fn start_cancelling(&self, created: &Value) -> Value {
        accepted(&self.act("POST", &format!("{}/cancellation-authorisations", own(created))))
    }

    /// A unique payment of that number, with a single SCA that is not answered.
    pub fn numbered(&self, number: usize) -> Value {
        self.numbered_from(number, super::PAYER_ACCOUNT)
    }

    pub fn numbered_from(&self, number: usize, account: &str) -> Value {
        accepted(&self.create(STRAKS, &numbered_order(number, account)))
    }

    /// As [`World::numbered`], of an identified PSU.
    pub fn numbered_of(&self, psu_id: &str, number: usize, account: &str) -> Value {
        accepted(&self.create_for(psu_id, STRAKS, &numbered_order(number, account)))
    }

    /// The PSU-ID of the payer, from one more krone out of an account that no basket here pays from.
    pub fn known_payer(&self) -> String {
        let order = numbered_order(1, "95360573010");
        let created = accepted(&self.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &order));
        parameter(&self.answer(&created, &ScaAnswer::approve(super::PAYER)), "psu-id").unwrap()
    }

    pub fn ask_for_basket(&self, payments: &[&Value]) -> Response {
        let ids: Vec<_> = payments.iter().map(|created| text(created, "/paymentId")).collect();
        self.name(&names(&ids))
    }

    /// Creates a basket of these members, for the payer.
    pub fn name(&self, sent: &Value) -> Response {
        self.create_for(&self.known_payer(), BASKETS, sent)
    }

    /// A new basket of these payments.
    pub fn basket(&self, payments: &[&Value]) -> Value {
        accepted(&self.ask_for_basket(payments))
    }

    /// Starts the authorisation of a basket and lets its PSU answer. The call-back's URL.
    pub fn sign(&self, basket: &Value, answer: &ScaAnswer) -> String {
        let started = accepted(&self.start(basket));
        self.answer(&started, answer)
    }
}

fn numbered_order(number: usize, account: &str) -> Value {
    let mut order = straks();
    order["debtorAccount"]["bban"] = account.into();
    order["instructedAmount"]["amount"] = format!("{number}.00").into();
    if account == super::PAYEE_ACCOUNT {
        order["creditorAccount"]["bban"] = super::PAYER_ACCOUNT.into();
    }
    order
}
