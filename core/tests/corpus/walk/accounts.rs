//! Steps of a walk that ask for consents and read accounts, cards and transactions.

use super::{Walk, ROLES, UNUSED_ID, UNUSED_PSU};
use crate::recorder::Answer;
use crate::world::draft::Draft;
use crate::world::REDIRECT_URI;

const STATUSES: [&str; 6] = ["booked", "pending", "both", "all", "BOOKED", ""];
const PERIODS: [&str; 6] = [
    "&dateFrom=2026-08-01",
    "&dateFrom=2026-01-01&dateTo=2026-09-30",
    "&dateTo=2026-08-31",
    "&dateFrom=2026-09-30&dateTo=2026-09-01",
    "&dateFrom=yesterday",
    "",
];
const PAGES: [&str; 7] = [
    "&limit=1",
    "&limit=2&offset=1",
    "&offset=3",
    "&limit=0",
    "&limit=100000",
    "&offset=-1",
    "&limit=1&limit=2",
];

impl Walk {
    pub(super) fn start_consent(&mut self) {
        let tpp = self.some_tpp();
        let role = self.recorder.dice.below(ROLES.len());
        self.consent_of(tpp, role);
    }

    pub(super) fn consent_of(&mut self, tpp: usize, role: usize) {
        let path = self.recorder.dice.pick(&["/v1/bank-offered-consents", "/v1/consents"]);
        let psu = if self.recorder.dice.one_in(6) { self.some_psu(tpp) } else { None };
        let (draft, session) = self.draft_of("POST", path, psu, ROLES[role].context());
        let answer = self.send(tpp, "consent", draft);
        self.keep_link(tpp, &answer, role, session);
    }

    /// A GET as a PSU whom the TPP knows; sometimes without the PSU, under another session or as another person.
    fn get_as_psu(&mut self, at: usize, label: &str, path: &str) -> Answer {
        let psu = &self.psus[at];
        let (tpp, psu_id, corporate_id) = (psu.tpp, psu.psu_id.clone(), psu.corporate_id.clone());
        let session = psu.session.clone();
        let mut draft = Draft::new("GET", path)
            .with("x-accept-fix", "")
            .with("TPP-Redirect-URI", REDIRECT_URI)
            .with("PSU-ID", psu_id)
            .with("TPP-Session-ID", session);
        if let Some(id) = corporate_id {
            draft = draft.with("PSU-Corporate-ID", id);
        }
        let dice = &mut self.recorder.dice;
        if !dice.one_in(4) {
            draft = draft.with("PSU-IP-Address", "192.0.2.1");
        }
        match dice.below(24) {
            0 => draft = draft.with("TPP-Session-ID", "session-unknown"),
            1 => draft = draft.without("TPP-Session-ID"),
            2 => draft = draft.without("PSU-ID"),
            3 => draft = draft.with("PSU-ID", UNUSED_PSU),
            4 => draft = draft.without("PSU-Corporate-ID"),
            _ => {}
        }
        let draft = self.colour(draft);
        let answer = self.send(tpp, label, draft);
        // A refusal for want of an SCA has a link that can be answered.
        let session = self.psus[at].session.clone();
        let role = self.recorder.dice.below(ROLES.len());
        self.keep_link(tpp, &answer, role, session);
        answer
    }

    pub(super) fn read_account(&mut self) {
        if self.psus.is_empty() {
            return;
        }
        let at = self.recorder.dice.below(self.psus.len());
        let choice = self.recorder.dice.below(12);
        if self.psus[at].account_paths.is_empty() || choice == 0 {
            let query =
                self.recorder.dice.pick(&["", "?withBalance=true", "?withBalance=false", "?withBalance=1"]);
            let answer = self.get_as_psu(at, "getAccounts", &format!("/v1/accounts{query}"));
            self.psus[at].account_paths = paths(&answer, "accounts", "/v1/accounts");
            return;
        }
        let path = self.some_path(|psu| &psu.account_paths, at, "/v1/accounts");
        match choice {
            1 | 2 => {
                let query = self.recorder.dice.pick(&["", "?withBalance=true"]);
                self.get_as_psu(at, "getAccount", &format!("{path}{query}"));
            }
            3 => {
                self.get_as_psu(at, "getBalances", &format!("{path}/balances"));
            }
            4 | 5 if !self.psus[at].transaction_paths.is_empty() => {
                let transaction =
                    self.some_path(|psu| &psu.transaction_paths, at, &format!("{path}/transactions"));
                self.get_as_psu(at, "getTransactionDetails", &transaction);
            }
            _ => {
                let target = self.list_target(&path);
                let answer = self.get_as_psu(at, "getTransactions", &target);
                let found = transaction_paths(&answer, &path);
                self.psus[at].transaction_paths.extend(found);
            }
        }
    }

    pub(super) fn read_card(&mut self) {
        if self.psus.is_empty() {
            return;
        }
        let at = self.recorder.dice.below(self.psus.len());
        if self.psus[at].card_paths.is_empty() {
            let answer = self.get_as_psu(at, "getCardAccounts", "/v1/card-accounts");
            self.psus[at].card_paths = paths(&answer, "cardAccounts", "/v1/card-accounts");
            return;
        }
        let path = self.some_path(|psu| &psu.card_paths, at, "/v1/card-accounts");
        match self.recorder.dice.below(4) {
            0 => self.get_as_psu(at, "getCardAccount", &path),
            1 => self.get_as_psu(at, "getCardBalances", &format!("{path}/balances")),
            _ => {
                let target = self.list_target(&path);
                self.get_as_psu(at, "getCardTransactions", &target)
            }
        };
    }

    pub(super) fn ask_who(&mut self) {
        let path = self.recorder.dice.pick(&["/v1/user", "/v1/users", "/v1/agreements", "/v1/agreements"]);
        if self.psus.is_empty() {
            return;
        }
        let at = self.recorder.dice.below(self.psus.len());
        self.get_as_psu(at, "who", path);
    }

    fn list_target(&mut self, path: &str) -> String {
        let dice = &mut self.recorder.dice;
        let status = if dice.one_in(4) { dice.pick(&STATUSES) } else { dice.pick(&STATUSES[..4]) };
        let period = if dice.one_in(2) { dice.pick(&PERIODS) } else { "" };
        let page = if dice.one_in(3) { dice.pick(&PAGES) } else { "" };
        match status {
            "" => format!("{path}/transactions?x=1{period}{page}"),
            status => format!("{path}/transactions?bookingStatus={status}{period}{page}"),
        }
    }

    /// One of a PSU's paths; sometimes one of another PSU, or one that nothing has.
    fn some_path(&mut self, of: fn(&super::Psu) -> &Vec<String>, at: usize, list: &str) -> String {
        let dice = &mut self.recorder.dice;
        let owner = if dice.one_in(14) { dice.below(self.psus.len()) } else { at };
        let found = dice.choose(of(&self.psus[owner])).cloned();
        match dice.one_in(30) {
            true => format!("{list}/{UNUSED_ID}"),
            false => found.unwrap_or_else(|| format!("{list}/{UNUSED_ID}")),
        }
    }
}

/// The paths of what a list shows.
fn paths(answer: &Answer, list: &str, below: &str) -> Vec<String> {
    let items = answer.json().get(list).and_then(serde_json::Value::as_array);
    let ids = items.into_iter().flatten().filter_map(|item| item["resourceId"].as_str());
    ids.map(|id| format!("{below}/{id}")).collect()
}

fn transaction_paths(answer: &Answer, account: &str) -> Vec<String> {
    let booked = answer.json().pointer("/transactions/booked").and_then(serde_json::Value::as_array);
    let ids = booked.into_iter().flatten().filter_map(|item| item["transactionId"].as_str());
    ids.map(|id| format!("{account}/transactions/{id}")).take(3).collect()
}
