//! A walk: a sequence of calls that the seed chooses, each with what earlier answers gave.

mod accounts;
mod bank;
mod baskets;
mod payments;

use xs2a::{Context, ScaAnswer};

use crate::recorder::Recorder;
use crate::world::draft::Draft;
use crate::world::{
    parameter, COMPANY_ACCOUNT, COMPANY_AGREEMENT, OTHER_COMPANY_ACCOUNT, OTHER_COMPANY_AGREEMENT, PAYEE,
    PAYER, PROXY, REDIRECT_URI,
};

/// An id of the right form that nothing has.
const UNUSED_ID: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
const UNUSED_PSU: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

/// A person in the context in which they act.
struct Role {
    customer_number: &'static str,
    agreement: Option<&'static str>,
    accounts: &'static [&'static str],
}

const ROLES: [Role; 5] = [
    Role { customer_number: PAYER, agreement: None, accounts: &["95360573002", "95360573010"] },
    Role { customer_number: PAYER, agreement: None, accounts: &["95360573002"] },
    Role { customer_number: PAYEE, agreement: None, accounts: &["95360573037", "95360573045"] },
    Role { customer_number: PROXY, agreement: Some(COMPANY_AGREEMENT), accounts: &[COMPANY_ACCOUNT] },
    Role {
        customer_number: PROXY,
        agreement: Some(OTHER_COMPANY_AGREEMENT),
        accounts: &[OTHER_COMPANY_ACCOUNT],
    },
];

impl Role {
    fn context(&self) -> &'static str {
        if self.agreement.is_some() {
            "CORPORATE"
        } else {
            "PRIVATE"
        }
    }

    fn approval(&self) -> ScaAnswer {
        let context = if self.agreement.is_some() { Context::Corporate } else { Context::Private };
        let agreement = self.agreement.map(str::to_owned);
        ScaAnswer { context, agreement, ..ScaAnswer::approve(self.customer_number) }
    }
}

/// A PSU as one TPP knows them.
struct Psu {
    tpp: usize,
    role: usize,
    psu_id: String,
    corporate_id: Option<String>,
    session: String,
    account_paths: Vec<String>,
    card_paths: Vec<String>,
    transaction_paths: Vec<String>,
}

struct Payment {
    tpp: usize,
    /// The PSU whom the creation named.
    psu: Option<usize>,
    path: String,
    id: String,
    role: usize,
}

/// A link to an SCA that may still be open.
struct Link {
    tpp: usize,
    url: String,
    role: usize,
    session: String,
}

struct Basket {
    tpp: usize,
    path: String,
    role: usize,
}

/// A recorder with what its answers gave so far.
pub(crate) struct Walk {
    recorder: Recorder,
    psus: Vec<Psu>,
    payments: Vec<Payment>,
    baskets: Vec<Basket>,
    links: Vec<Link>,
    last_signed: Option<Draft>,
}

/// Walks that many steps.
pub(crate) fn walked(recorder: Recorder, steps: usize) -> Vec<String> {
    let walk = Walk {
        recorder,
        psus: Vec::new(),
        payments: Vec::new(),
        baskets: Vec::new(),
        links: Vec::new(),
        last_signed: None,
    };
    walk.take(steps).into_blocks()
}

/// Who answers how, in words that do not change with the library.
fn label_of(answer: &ScaAnswer) -> String {
    let verb = if answer.approve { "approves" } else { "cancels" };
    let chosen = answer.accounts.as_ref().map_or(String::new(), |accounts| format!(", of {accounts:?}"));
    let agreement = answer.agreement.as_deref().unwrap_or("no agreement");
    format!("{} {verb} {} by {agreement}{chosen}", answer.customer_number, answer.context.as_str())
}

type Step = fn(&mut Walk);

/// What a step may be, and how often it is.
const STEPS: [(usize, Step); 18] = [
    (24, Walk::create_payment),
    (10, Walk::read_payment),
    (6, Walk::start_authorisation),
    (5, Walk::cancel_payment),
    (20, Walk::answer_link),
    (6, Walk::start_consent),
    (26, Walk::read_account),
    (8, Walk::read_card),
    (7, Walk::create_basket),
    (8, Walk::use_basket),
    (4, Walk::ask_who),
    (4, Walk::pass_minutes),
    (2, Walk::pass_days),
    (3, Walk::pass_to_next_event),
    (2, Walk::act_as_bank),
    (2, Walk::replay),
    (2, Walk::go_astray),
    (1, Walk::try_and_restore),
];

impl Walk {
    fn take(mut self, steps: usize) -> Recorder {
        // Without a PSU who is known most other steps end early.
        for role in 0..ROLES.len() {
            self.consent_of(0, role);
            self.answer_link();
        }
        for _ in 0..steps {
            self.some_step();
        }
        self.note_ledgers();
        self.recorder
    }

    fn some_step(&mut self) {
        let mut drawn = self.recorder.dice.below(STEPS.iter().map(|(weight, _)| weight).sum());
        for (weight, step) in STEPS {
            if drawn < weight {
                return step(self);
            }
            drawn -= weight;
        }
    }

    /// A draft with the headers of a creation or a start, some of them with other values or left out.
    fn draft_of(&mut self, method: &str, target: &str, psu: Option<usize>, context: &str) -> (Draft, String) {
        let session = format!("session-{}", self.recorder.dice.below(6));
        let mut draft = Draft::new(method, target)
            .with("x-accept-fix", "")
            .with("TPP-Session-ID", &session)
            .with("TPP-Redirect-URI", REDIRECT_URI)
            .with("PSU-IP-Address", self.recorder.dice.pick(&["192.0.2.1", "2001:db8::1"]));
        match psu.map(|psu| &self.psus[psu]) {
            Some(psu) => {
                draft = draft.with("PSU-ID", &psu.psu_id);
                if let Some(id) = &psu.corporate_id {
                    draft = draft.with("PSU-Context", "CORPORATE").with("PSU-Corporate-ID", id);
                }
            }
            None => draft = draft.with("PSU-Context", context),
        }
        (self.colour(draft), session)
    }

    /// Headers that change the form of an answer, or that a PSU's device sends.
    fn colour(&mut self, draft: Draft) -> Draft {
        let dice = &mut self.recorder.dice;
        let mut draft = draft;
        if dice.one_in(5) {
            let language = dice.pick(&["nb", "en", "no, en;q=0.5", "de", "nn-NO,nb;q=0.9", "*"]);
            draft = draft.with("Accept-Language", language);
        }
        if dice.one_in(6) {
            draft = draft.with("Accept-Encoding", dice.pick(&["gzip", "gzip;q=0", "br, gzip", "identity"]));
        }
        if dice.one_in(12) {
            let name = dice.pick(&["PSU-IP-Port", "PSU-User-Agent", "PSU-HTTP-Method", "PSU-Geo-Location"]);
            let value = dice.pick(&["443", "Mozilla/5.0", "GET", "GEO:59.9;10.7", "GEO:59.9,10.7"]);
            draft = draft.with(name, value);
        }
        if dice.one_in(14) {
            draft = draft.with("TPP-Redirect-Preferred", dice.pick(&["true", "false", "maybe"]));
        }
        if dice.one_in(40) {
            let left_out =
                dice.pick(&["TPP-Redirect-URI", "PSU-IP-Address", "TPP-Session-ID", "x-accept-fix"]);
            draft = draft.without(left_out);
        }
        draft
    }

    /// Signs, keeps the request for a replay, and sends.
    fn send(&mut self, tpp: usize, label: &str, draft: Draft) -> crate::recorder::Answer {
        let signed = self.recorder.sign_by(tpp, draft);
        let answer = self.recorder.send_as_is(label, &signed);
        self.last_signed = Some(signed);
        answer
    }

    /// Mostly the TPP of both roles.
    fn some_tpp(&mut self) -> usize {
        if self.recorder.dice.one_in(14) {
            self.recorder.dice.below(4)
        } else {
            0
        }
    }

    /// A PSU whom the TPP knows.
    fn some_psu(&mut self, tpp: usize) -> Option<usize> {
        let known: Vec<_> = (0..self.psus.len()).filter(|at| self.psus[*at].tpp == tpp).collect();
        self.recorder.dice.choose(&known).copied()
    }

    fn keep_link(&mut self, tpp: usize, answer: &crate::recorder::Answer, role: usize, session: String) {
        if let Some(url) = answer.sca_link() {
            self.links.push(Link { tpp, url, role, session });
        }
    }

    /// The PSU of a link approves, cancels, or another person answers.
    fn answer_link(&mut self) {
        if self.links.is_empty() {
            return;
        }
        let dice = &mut self.recorder.dice;
        let at = if dice.one_in(3) { dice.below(self.links.len()) } else { self.links.len() - 1 };
        let Link { tpp, url, role, session } = match dice.one_in(10) {
            true => {
                let Link { tpp, url, role, session } = &self.links[at];
                Link { tpp: *tpp, url: url.clone(), role: *role, session: session.clone() }
            }
            false => self.links.remove(at),
        };
        let approval = ROLES[role].approval();
        let answer = match self.recorder.dice.below(14) {
            0 => ScaAnswer { approve: false, ..approval },
            1 => ScaAnswer::approve(self.recorder.dice.pick(&[PAYER, PAYEE, PROXY])),
            2 => ScaAnswer::approve("00000000000"),
            3 => ScaAnswer { accounts: Some(vec![ROLES[role].accounts[0].to_owned()]), ..approval },
            4 => ScaAnswer { context: Context::Corporate, agreement: None, ..approval },
            _ => approval,
        };
        let callback = self.recorder.authorise(&label_of(&answer), &url, &answer);
        let Some(callback) = callback else { return };
        if let Some(psu_id) = parameter(&callback, "psu-id") {
            let corporate_id = parameter(&callback, "psu-corporate-id");
            self.meet(tpp, role, psu_id, corporate_id, session);
        }
    }

    /// Notes a PSU that a call-back made known, or the newer session of a known one.
    fn meet(
        &mut self,
        tpp: usize,
        role: usize,
        psu_id: String,
        corporate_id: Option<String>,
        session: String,
    ) {
        let is_same =
            |psu: &&mut Psu| (psu.tpp, &psu.psu_id, &psu.corporate_id) == (tpp, &psu_id, &corporate_id);
        if let Some(known) = self.psus.iter_mut().find(is_same) {
            known.session = session;
            return;
        }
        self.psus.push(Psu {
            tpp,
            role,
            psu_id,
            corporate_id,
            session,
            account_paths: Vec::new(),
            card_paths: Vec::new(),
            transaction_paths: Vec::new(),
        });
    }

    /// The last request as it was, byte for byte.
    fn replay(&mut self) {
        if let Some(signed) = self.last_signed.clone() {
            self.recorder.send_as_is("replay", &signed);
        }
    }

    /// A path, method or TPP that no operation takes.
    fn go_astray(&mut self) {
        let dice = &mut self.recorder.dice;
        let method = dice.pick(&["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]);
        let path = dice.pick(&[
            "/v1/accounts",
            "/v1/payments/sepa-credit-transfers",
            "/v1/signing-baskets",
            "/v1/card-accounts/x/y/z",
            "/v2/accounts",
            "/v1/user",
            "/v1/",
            "/sca/unknown",
            "/v1/accounts/%zz",
        ]);
        let draft = Draft::new(method, path).with("TPP-Redirect-URI", REDIRECT_URI);
        let tpp = self.some_tpp();
        self.send(tpp, "astray", draft);
    }
}
