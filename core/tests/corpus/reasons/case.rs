//! A case: a request, and what its answer must say.

use std::sync::Arc;

use xs2a::internal::Database;
use xs2a::reason::{Language, Reason};
use xs2a::{Engine, Response, Sandbox, ScaAnswer};

use crate::world::answer::{assert_well_formed, messages, Message};
use crate::world::draft::{database, without_request_ids, Draft, Signer};
use crate::world::{body, text, World};

/// What a case comes to.
pub(crate) enum Earned {
    /// An answer.
    Answered(Response),
    /// The URL of a failed SCA, and the status of its payment.
    CalledBack { url: String, payment_status: String },
}

/// How the reason shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Refusal,
    Warning,
    /// A warning beside a refusal.
    WarningOfRefusal,
    CallBack,
}

pub(crate) struct Case {
    pub(crate) id: &'static str,
    pub(crate) kind: Kind,
    path: &'static str,
    case: Option<xs2a::reason::Case>,
    arguments: Vec<String>,
    /// The text that follows, in each language.
    ending: [&'static str; 2],
    earn: fn(&Asker) -> Earned,
}

impl Case {
    fn new(id: &'static str, kind: Kind, earn: fn(&Asker) -> Earned) -> Self {
        Self { id, kind, path: "", case: None, arguments: Vec::new(), ending: [""; 2], earn }
    }

    /// The message's path.
    pub(crate) fn at(self, path: &'static str) -> Self {
        Self { path, ..self }
    }

    /// The values for `{0}`, `{1}`, … in the text; an empty one where the text of a case leaves it out.
    pub(crate) fn saying(self, arguments: &[&str]) -> Self {
        Self { arguments: arguments.iter().map(ToString::to_string).collect(), ..self }
    }

    /// Of a header whose value was joined of two fields.
    pub(crate) fn of_two_fields(self) -> Self {
        Self { ending: [" (sent 2 times)", " (sendt 2 ganger)"], ..self }
    }

    /// Of the row this case, which has a text of its own.
    pub(crate) fn in_case(self, case: xs2a::reason::Case) -> Self {
        Self { case: Some(case), ..self }
    }

    pub(crate) fn earn(&self, world: &World, language: Language) -> Earned {
        let signer = Signer::of(&world.tpp);
        (self.earn)(&Asker { sandbox: world.sandbox.fork().unwrap(), signer, language })
    }

    /// Provokes the reason, and compares every part of the answer with the table.
    pub(crate) fn check(&self, world: &World, language: Language) {
        let reason = Reason::ALL.iter().find(|reason| reason.id() == self.id).expect("a row of the table");
        match self.earn(world, language) {
            Earned::Answered(response) => self.check_answer(*reason, language, &response),
            Earned::CalledBack { url, payment_status } => {
                assert_eq!(payment_status, "RCVD", "{}: the payment can be authorised again", self.id);
                self.check_call_back(*reason, language, &url);
            }
        }
    }

    fn check_answer(&self, reason: Reason, language: Language, response: &Response) {
        assert_well_formed(response);
        let shown = String::from_utf8_lossy(response.body());
        let (status, own, category) = match self.kind {
            Kind::Warning => (201, None, "WARNING"),
            Kind::WarningOfRefusal => (400, Some("SIG-13"), "WARNING"),
            _ => (reason.status(), Some(self.id), "ERROR"),
        };
        assert_eq!((response.status(), response.reason()), (status, own), "{}: {shown}", self.id);
        assert_eq!(response.header("Content-Language"), Some(language.tag()), "{}", self.id);
        let expected = Message {
            category: category.to_owned(),
            code: reason.code().as_str().to_owned(),
            path: self.path.to_owned(),
            text: self.text(reason, language),
        };
        let beside = usize::from(self.kind == Kind::WarningOfRefusal);
        assert_eq!(messages(response)[beside..], [expected], "{}", self.id);
    }

    fn check_call_back(&self, reason: Reason, language: Language, url: &str) {
        let (base, query) = url.split_once("?state=42&").expect("the TPP's own query stays");
        assert_eq!(base, "https://tpp.example/callback", "{}", self.id);
        let decode =
            |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned();
        let parameters: Vec<(String, String)> = query
            .split('&')
            .map(|pair| pair.split_once('=').unwrap())
            .map(|(name, value)| (name.to_owned(), decode(value)))
            .collect();
        let expected = [
            ("system", "xs2a".to_owned()),
            ("status", reason.status().to_string()),
            ("code", reason.code().as_str().to_owned()),
            ("message", self.text(reason, language)),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        assert_eq!(parameters, expected, "{}", self.id);
    }

    /// The template of the table with the arguments of this case.
    fn text(&self, reason: Reason, language: Language) -> String {
        let filled = self.arguments.iter().enumerate().fold(
            self.case.map_or(reason.template(language), |case| case.template(language)).to_owned(),
            |text, (index, argument)| {
                let place = format!("{{{index}}}");
                let is_reported = text.contains(&place);
                assert!(is_reported != argument.is_empty(), "{}: nothing to say {argument} in", self.id);
                text.replace(&place, argument)
            },
        );
        assert!(!filled.contains('{'), "{}: {filled}", self.id);
        let [english, bokmal] = self.ending;
        filled + if language == Language::English { english } else { bokmal }
    }
}

/// A refused request.
pub(crate) fn refused(id: &'static str, earn: fn(&Asker) -> Earned) -> Case {
    Case::new(id, Kind::Refusal, earn)
}

/// A request that is answered 201 with a warning.
pub(crate) fn warned(id: &'static str, earn: fn(&Asker) -> Earned) -> Case {
    Case::new(id, Kind::Warning, earn)
}

/// A request whose signature does not verify, answered with a warning beside.
pub(crate) fn refused_and_warned(id: &'static str, earn: fn(&Asker) -> Earned) -> Case {
    Case::new(id, Kind::WarningOfRefusal, earn)
}

/// An SCA that fails.
pub(crate) fn called_back(id: &'static str, earn: fn(&Asker) -> Earned) -> Case {
    Case::new(id, Kind::CallBack, earn)
}

/// Asks a sandbox of its own in one language.
pub(crate) struct Asker {
    pub(crate) sandbox: Sandbox,
    pub(crate) signer: Signer,
    language: Language,
}

impl Asker {
    /// The same, over a sandbox with another policy.
    pub(crate) fn under(&self, policy: &str) -> Self {
        let world = World::with_policy(policy);
        Self { signer: Signer::of(&world.tpp), sandbox: world.sandbox, language: self.language }
    }

    /// Signs and sends a request that must be refused, and must leave the database as it was.
    pub(crate) fn refused(&self, draft: Draft) -> Earned {
        self.refused_as_is(&self.sign(draft))
    }

    /// As [`Asker::refused`], for a request that is signed, and spoilt, already.
    pub(crate) fn refused_as_is(&self, draft: &Draft) -> Earned {
        let before = database(&self.sandbox);
        let response = draft.send(&self.sandbox);
        let after = database(&self.sandbox);
        // The sandbox stores the request id of an operation of its own before the bank performs it.
        let is_unchanged = after == before || without_request_ids(&after) == without_request_ids(&before);
        assert!(is_unchanged, "a refused request changed the database");
        Earned::Answered(response)
    }

    /// As [`Asker::refused`], for a request that an SCA would cure: the answer has a link to one.
    pub(crate) fn refused_with_link(&self, draft: Draft) -> Earned {
        let response = self.asked(draft);
        let answer = body(&response);
        let link = text(&answer, "/_links/scaRedirect/href");
        let id = link.rsplit('/').next().unwrap();
        assert!(self.sandbox.engine().authorisation(id).unwrap().is_some(), "{answer}");
        Earned::Answered(response)
    }

    /// As [`Asker::refused`], of an engine with seams of its own. The database may be the failing one.
    pub(crate) fn refused_by(&self, engine: &Engine, database: &Arc<Database>, draft: Draft) -> Earned {
        let before = database.image().unwrap();
        let response = self.sign(draft).ask(|request| engine.handle(request));
        assert!(database.image().unwrap() == before, "a refused request changed the database");
        Earned::Answered(response)
    }

    /// Signs and sends.
    pub(crate) fn asked(&self, draft: Draft) -> Response {
        self.sign(draft).send(&self.sandbox)
    }

    pub(crate) fn warned(&self, draft: Draft) -> Earned {
        Earned::Answered(self.asked(draft))
    }

    /// Signs the request, which asks for answers in the language of this run.
    pub(crate) fn sign(&self, draft: Draft) -> Draft {
        self.signer.sign(self.tongued(draft), self.sandbox.now())
    }

    pub(crate) fn tongued(&self, draft: Draft) -> Draft {
        match self.language {
            Language::English => draft,
            // In front: of more fields than the limit the last are not looked at, even for the language.
            Language::Bokmal => {
                let mut draft = draft;
                draft.headers.insert(0, ("Accept-Language".to_owned(), b"nb".to_vec()));
                draft
            }
            other => panic!("no requests in {other:?}"),
        }
    }

    /// Creates a payment and answers its link.
    pub(crate) fn called_back(&self, creation: Draft, answer: &ScaAnswer) -> Earned {
        let created = self.asked(creation);
        assert_eq!(created.status(), 201, "{}", String::from_utf8_lossy(created.body()));
        let created = body(&created);
        let link = text(&created, "/_links/scaRedirect/href");
        let url = self.sandbox.authorise(link, answer).unwrap();
        self.fallen_back(url, text(&created, "/_links/status/href"))
    }

    /// What a failed SCA left of its payment.
    pub(crate) fn fallen_back(&self, url: String, status_href: &str) -> Earned {
        let status = self.asked(Draft::get(status_href));
        Earned::CalledBack { url, payment_status: text(&body(&status), "/transactionStatus").to_owned() }
    }
}
