//! What a browser does with a page: it reads the form, fills it in and sends it back.

use xs2a::{Request, Response, Sandbox};

/// A browser at one address.
pub(crate) struct Browser<'s> {
    sandbox: &'s Sandbox,
    target: String,
    pub(crate) headers: Vec<(String, String)>,
}

/// A page as it came.
pub(crate) struct Page {
    pub(crate) response: Response,
    pub(crate) html: String,
}

impl<'s> Browser<'s> {
    /// Follows a link. Only the path is kept: the sandbox answers for every host.
    pub(crate) fn at(sandbox: &'s Sandbox, link: &str) -> Self {
        let path = link.split_once("://").map_or(link, |(_, rest)| rest);
        let start = path.find('/').unwrap();
        let headers = [("Host", "sca.bank.example"), ("Accept", "text/html"), ("Accept-Language", "en")];
        Self { sandbox, target: path[start..].to_owned(), headers: crate::world::owned(&headers) }
    }

    pub(crate) fn sandbox(&self) -> &'s Sandbox {
        self.sandbox
    }

    /// The address it is at.
    pub(crate) fn path(&self) -> &str {
        &self.target
    }

    /// With another value of a header; an empty one leaves it out.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(found, _)| !found.eq_ignore_ascii_case(name));
        if !value.is_empty() {
            self.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    pub(crate) fn speaking(self, language: &str) -> Self {
        self.with("Accept-Language", language)
    }

    pub(crate) fn send(&self, method: &str, body: &[u8]) -> Page {
        let headers: Vec<(&str, &[u8])> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let request = Request { method, target: &self.target, headers: &headers, body, correlation_id: None };
        let response = self.sandbox.handle(&request);
        let html = String::from_utf8(response.body().to_vec()).unwrap();
        Page { response, html }
    }

    pub(crate) fn get(&self) -> Page {
        self.send("GET", b"")
    }

    /// Sends fields as a form.
    pub(crate) fn post(&self, fields: &[(String, String)]) -> Page {
        let body: String =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(fields.iter()).finish();
        self.post_raw(body.as_bytes())
    }

    pub(crate) fn post_raw(&self, body: &[u8]) -> Page {
        let typed = [("Content-Type", "application/x-www-form-urlencoded")];
        let mut headers = self.headers.clone();
        headers.extend(crate::world::owned(&typed));
        let typed = Self { sandbox: self.sandbox, target: self.target.clone(), headers };
        typed.send("POST", body)
    }

    /// Fills in a page's form and presses a button.
    pub(crate) fn submit(&self, page: &Page, filled_in: &[(&str, &str)], action: &str) -> Page {
        self.post(&page.filled_in(filled_in, action))
    }

    /// Says who it is on the first page.
    pub(crate) fn identify(&self, customer_number: &str) -> Page {
        self.submit(&self.get(), &[("customerNumber", customer_number)], "continue")
    }

    /// The whole SCA of a customer who approves and has no choice to make.
    pub(crate) fn approve(&self, customer_number: &str) -> Page {
        let question = self.identify(customer_number);
        assert_eq!(question.status(), 200, "{}", question.html);
        self.submit(&question, &[], "continue")
    }
}

impl Page {
    pub(crate) fn status(&self) -> u16 {
        self.response.status()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.response.header(name).unwrap_or_else(|| panic!("no {name}: {:?}", self.response))
    }

    /// Where a 303 leads.
    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status(), 303, "{}", self.html);
        self.header("Location")
    }

    /// The hidden fields, in their order.
    pub(crate) fn hidden(&self) -> Vec<(String, String)> {
        let tags =
            self.tags("input").into_iter().filter(|tag| attribute(tag, "type") == Some("hidden".into()));
        tags.map(|tag| (attribute(tag, "name").unwrap(), attribute(tag, "value").unwrap())).collect()
    }

    /// Name and value of every box and button to choose from.
    pub(crate) fn options(&self, kind: &str) -> Vec<(String, String)> {
        let tags =
            self.tags("input").into_iter().filter(|tag| attribute(tag, "type").as_deref() == Some(kind));
        tags.map(|tag| (attribute(tag, "name").unwrap(), attribute(tag, "value").unwrap())).collect()
    }

    /// What a browser would send.
    pub(crate) fn filled_in(&self, filled_in: &[(&str, &str)], action: &str) -> Vec<(String, String)> {
        let mut fields = self.hidden();
        fields.extend(crate::world::owned(filled_in));
        fields.push(("action".to_owned(), action.to_owned()));
        fields
    }

    /// The tags of that name, each from `<` to `>`.
    pub(crate) fn tags(&self, name: &str) -> Vec<&str> {
        let start = format!("<{name}");
        let found = self.html.match_indices(&start).map(|(at, _)| &self.html[at..]);
        let whole = found.filter(|rest| rest[start.len()..].starts_with([' ', '>', '/']));
        whole.map(|rest| &rest[..=rest.find('>').unwrap()]).collect()
    }

    /// The visible text, tags and style left out, every run of white space one blank.
    pub(crate) fn text(&self) -> String {
        let body = self.html.split_once("<body>").unwrap().1;
        let mut text = String::new();
        for piece in body.split('<') {
            text.push(' ');
            text.push_str(piece.split_once('>').map_or("", |(_, after)| after));
        }
        unescaped(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[track_caller]
    pub(crate) fn assert_shows(&self, wanted: &[&str]) {
        let text = self.text();
        for wanted in wanted {
            assert!(text.contains(wanted), "{wanted:?} in {text}");
        }
    }

    #[track_caller]
    pub(crate) fn assert_hides(&self, unwanted: &[&str]) {
        for unwanted in unwanted {
            assert!(!self.html.contains(unwanted), "{unwanted:?} in {}", self.text());
        }
    }

    /// A page that ends the visit: no form, and a text.
    #[track_caller]
    pub(crate) fn assert_notice(&self, status: u16, wanted: &str) {
        assert_eq!(self.status(), status, "{}", self.text());
        assert!(self.tags("form").is_empty());
        assert!(self.header("Content-Security-Policy").contains("form-action 'none'"));
        self.assert_shows(&[wanted]);
    }
}

/// The value of an attribute of a tag.
pub(crate) fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescaped(rest.split('"').next().unwrap()))
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}
