//! Steps of a walk that create, read, authorise and cancel payments.

use super::{Payment, Walk, ROLES, UNUSED_ID};
use crate::orders::{pointers, replaced_at, replacements, varied, PRODUCTS};
use crate::world::draft::Draft;
use crate::world::REDIRECT_URI;

impl Walk {
    pub(super) fn create_payment(&mut self) {
        let tpp = self.some_tpp();
        let role = self.recorder.dice.below(ROLES.len());
        let product = self.recorder.dice.pick(&PRODUCTS);
        let psu = if self.recorder.dice.one_in(2) { self.some_psu(tpp) } else { None };
        // Mostly the PSU pays from an account of their own.
        let role = match psu {
            Some(psu) if !self.recorder.dice.one_in(8) => self.psus[psu].role,
            _ => role,
        };
        let mut body = varied(&mut self.recorder.dice, product, ROLES[role].accounts);
        if self.recorder.dice.one_in(9) {
            let places = pointers(&body);
            let at = self.recorder.dice.choose(&places).unwrap();
            let values = replacements(at, body.pointer(at).unwrap());
            let value = self.recorder.dice.choose(&values).unwrap();
            body = replaced_at(&body, at, value);
        }
        let query = match self.recorder.dice.below(6) {
            0 => "?allowLogicalDuplicate=true",
            1 => "?allowLogicalDuplicate=false&other=1",
            _ => "",
        };
        let (draft, session) =
            self.draft_of("POST", &format!("{product}{query}"), psu, ROLES[role].context());
        let draft =
            Draft { body: body.to_string().into_bytes(), ..draft.with("Content-Type", "application/json") };
        let draft = match self.recorder.dice.one_in(10) {
            true => {
                let fix = self.recorder.dice.pick(&["sandbox-no-fix", "SCA-redirect", "a,b"]);
                draft.with("x-accept-fix", fix)
            }
            false => draft,
        };
        let again = self.recorder.dice.one_in(9).then(|| draft.clone());
        let answer = self.send(tpp, "createPayment", draft);
        self.keep_link(tpp, &answer, role, session);
        if answer.status == 201 {
            let (path, id) = (answer.link("self"), answer.at("/paymentId").to_owned());
            self.payments.push(Payment { tpp, psu, path, id, role });
        }
        if let Some(again) = again {
            self.send(tpp, "createPayment again", again);
        }
    }

    /// A payment's path; sometimes of no payment.
    fn some_payment(&mut self) -> (usize, String, usize) {
        if self.payments.is_empty() || self.recorder.dice.one_in(20) {
            let product = self.recorder.dice.pick(&PRODUCTS);
            return (0, format!("{product}/{UNUSED_ID}"), 0);
        }
        let dice = &mut self.recorder.dice;
        // The newest ones have more ways to go.
        let newest = self.payments.len().saturating_sub(12);
        let start = if dice.one_in(4) { 0 } else { newest };
        let payment = dice.choose(&self.payments[start..]).unwrap();
        let tpp = if dice.one_in(15) { dice.below(4) } else { payment.tpp };
        (tpp, payment.path.clone(), payment.role)
    }

    pub(super) fn read_payment(&mut self) {
        let (tpp, path, _) = self.some_payment();
        let (path, label) = match self.recorder.dice.one_in(2) {
            true => (format!("{path}/status"), "getPaymentStatus"),
            false => (path, "getPayment"),
        };
        let draft = Draft::new("GET", &path).with("TPP-Redirect-URI", REDIRECT_URI);
        let draft = self.colour(draft);
        self.send(tpp, label, draft);
    }

    pub(super) fn start_authorisation(&mut self) {
        let (tpp, path, role) = self.some_payment();
        let psu = if self.recorder.dice.one_in(4) { self.some_psu(tpp) } else { None };
        let (draft, session) =
            self.draft_of("POST", &format!("{path}/authorisations"), psu, ROLES[role].context());
        let answer = self.send(tpp, "startPaymentAuthorisation", draft);
        self.keep_link(tpp, &answer, role, session);
    }

    pub(super) fn cancel_payment(&mut self) {
        let (tpp, path, role) = self.some_payment();
        let context = ROLES[role].context();
        if self.recorder.dice.one_in(2) {
            let (draft, _) = self.draft_of("DELETE", &path, None, context);
            let answer = self.send(tpp, "cancelPayment", draft);
            if answer.status != 202 {
                return;
            }
        }
        let target = format!("{path}/cancellation-authorisations");
        let (draft, session) = self.draft_of("POST", &target, None, context);
        let answer = self.send(tpp, "startCancellationAuthorisation", draft);
        self.keep_link(tpp, &answer, role, session);
    }
}
