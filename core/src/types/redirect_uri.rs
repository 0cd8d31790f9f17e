//! Where a person's browser goes back to.

use std::fmt::{self, Debug};
use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::component::Authority;
use fluent_uri::Uri;
use percent_encoding::{percent_decode_str, utf8_percent_encode, AsciiSet, NON_ALPHANUMERIC};

use crate::limits::REDIRECT_URI_BYTES_MAX;
use crate::reason::{Case, Reason, Violation};

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The names that the call-back adds to the query (contract: Redirect after SCA).
const ADDED: [&str; 8] =
    ["psu-id", "psu-corporate-id", "tpp-session-id", "context", "system", "status", "code", "message"];

/// A `TPP-Redirect-URI`: an absolute URI (RFC 3986) with `https`, a scheme of the TPP's own (an app), or `http` where
/// the host is this machine. [`RedirectUri::check`] returns which of them a TPP may use. Its characters are kept as
/// they came, because they are signed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RedirectUri(String);

impl RedirectUri {
    /// Reads an absolute URI. With `https` and `http` it has a host and no user information, which RFC 9110 (section
    /// 4.2.4) requires to treat as an error.
    ///
    /// # Errors
    /// [`Reason::HeaderNotRedirectUri`].
    pub fn parse(text: impl AsRef<str> + Into<String>) -> Result<Self, Violation> {
        if !Uri::parse(text.as_ref()).is_ok_and(|uri| is_acceptable(&uri)) {
            return Err(unusable());
        }
        Ok(Self(text.into()))
    }

    /// Whether a bank sends a browser there: its scheme is https, http, a private-use one (RFC 8252, section 7.1: it
    /// holds a dot), or one of those listed; and its query has no name that the call-back adds.
    ///
    /// # Errors
    /// [`Reason::HeaderNotRedirectUri`].
    pub fn check(&self, further_schemes: &[String]) -> Result<(), Violation> {
        let uri = Uri::parse(self.0.as_str()).map_err(|_| unusable())?;
        let scheme = uri.scheme().as_str();
        let is = |other: &str| scheme.eq_ignore_ascii_case(other);
        let is_own = scheme.contains('.') || further_schemes.iter().any(|listed| is(listed));
        if !(is("https") || is("http") || is_own) {
            return Err(Violation::of_case(Case::RedirectUriScheme, &[&REDIRECT_URI_BYTES_MAX]));
        }
        let query = uri.query().map_or("", |query| query.as_str());
        let mut names = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
        match names.any(|name| ADDED.into_iter().any(|added| is_same_name(name, added))) {
            true => Err(Violation::of_case(Case::RedirectUriParameter, &[&REDIRECT_URI_BYTES_MAX])),
            false => Ok(()),
        }
    }

    /// As [`Self::parse`], of a TPP: at most `REDIRECT_URI_BYTES_MAX` bytes.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn of_header(text: &str) -> Result<Self, Violation> {
        match text.len() <= REDIRECT_URI_BYTES_MAX {
            _ if !text.is_ascii() => Err(Violation::of_case(Case::RedirectUriNotAscii, &[])),
            true => Self::parse(text),
            false => Err(unusable()),
        }
    }

    /// The URI as it was sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URI with more query parameters, after those it has and before its fragment. Names and values are
    /// percent-encoded but for the unreserved characters of RFC 3986; a space becomes `%20`.
    pub fn with_parameters(&self, parameters: &[(&str, &str)]) -> String {
        let (base, fragment) = match self.0.split_once('#') {
            Some((base, fragment)) => (base, Some(fragment)),
            None => (self.0.as_str(), None),
        };
        let mut uri = base.to_owned();
        for (name, value) in parameters {
            uri.push_str(separator_after(&uri));
            uri.extend(utf8_percent_encode(name, RESERVED));
            uri.push('=');
            uri.extend(utf8_percent_encode(value, RESERVED));
        }
        if let Some(fragment) = fragment {
            uri.push('#');
            uri.push_str(fragment);
        }
        uri
    }
}

fn is_same_name(encoded: &str, name: &str) -> bool {
    percent_decode_str(encoded).eq(name.bytes())
}

fn unusable() -> Violation {
    Violation::with(Reason::HeaderNotRedirectUri, &[&REDIRECT_URI_BYTES_MAX])
}

fn is_acceptable(uri: &Uri<&str>) -> bool {
    let is = |scheme: &str| uri.scheme().as_str().eq_ignore_ascii_case(scheme);
    let host_is = |fits: fn(&str) -> bool| {
        uri.authority().is_some_and(|authority| names_a_host(&authority) && fits(authority.host()))
    };
    if is("https") {
        host_is(|_| true)
    } else if is("http") {
        host_is(is_local)
    } else {
        true
    }
}

fn names_a_host(authority: &Authority<'_>) -> bool {
    !authority.host().is_empty() && !authority.has_userinfo() && authority.port_to_u16().is_ok()
}

fn is_local(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    host.eq_ignore_ascii_case("localhost")
        || host.parse() == Ok(Ipv4Addr::LOCALHOST)
        || inner.is_some_and(|address| address.parse() == Ok(Ipv6Addr::LOCALHOST))
}

fn separator_after(uri: &str) -> &'static str {
    match uri.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    }
}

/// Log-safe: scheme and host. Path and query can hold personal data.
impl Debug for RedirectUri {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uri = Uri::parse(self.0.as_str()).map_err(|_| fmt::Error)?;
        let host = uri.authority().map_or("", |authority| authority.host());
        write!(out, "RedirectUri({}://{host}/…)", uri.scheme())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with(uri: &str, parameters: &[(&str, &str)]) -> String {
        RedirectUri::parse(uri).unwrap().with_parameters(parameters)
    }

    #[test]
    fn https_and_a_scheme_of_ones_own_pass() {
        for text in [
            "https://tpp.example/cb?state=abc",
            "HTTPS://tpp.example",
            "https://tpp.example:8443/cb#done",
            "https://[2001:db8::1]/cb",
            "myapp://callback",
            "com.example.app:/callback",
            "myapp:callback?state=1",
        ] {
            assert_eq!(RedirectUri::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn http_passes_for_this_machine_alone() {
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", "localhost:8080", "[::1]:80"] {
            assert!(RedirectUri::parse(format!("http://{host}/cb")).is_ok(), "{host}");
        }
        for host in
            ["tpp.example", "127.0.0.2", "[::2]", "localhost.tpp.example", "127.0.0.1.tpp.example", ""]
        {
            assert!(RedirectUri::parse(format!("http://{host}/cb")).is_err(), "{host}");
        }
    }

    #[test]
    fn characters_outside_of_ascii_are_reported() {
        let case = |text: &str| RedirectUri::of_header(text).map_err(|violation| violation.case);
        assert_eq!(case("https://tpp.example/å"), Err(Some(Case::RedirectUriNotAscii)));
        assert_eq!(case("https://tpp.example/ "), Err(None), "another fault");
        assert!(case("https://tpp.example/%C3%A5").is_ok());
    }

    fn checked(text: &str, further: &[&str]) -> Result<(), Option<Case>> {
        let further: Vec<_> = further.iter().map(|scheme| (*scheme).to_owned()).collect();
        RedirectUri::parse(text).unwrap().check(&further).map_err(|violation| violation.case)
    }

    #[test]
    fn a_private_use_scheme_holds_a_dot_and_others_are_listed() {
        for text in
            ["https://tpp.example/cb", "HTTP://localhost/", "com.example.app:/cb", "app.tpp://cb", "A.b:c"]
        {
            assert_eq!(checked(text, &[]), Ok(()), "{text}");
        }
        for text in [
            "myapp://callback",
            "javascript:alert(1)",
            "data:text/html,x",
            "ms-msdt:/id",
            "intent://x#Intent;end",
            "search-ms:query=x",
            "feed:javascript:alert(1)",
            "x-callback+y:z",
        ] {
            assert_eq!(checked(text, &[]), Err(Some(Case::RedirectUriScheme)), "{text}");
            assert_eq!(checked(text, &["other", "my"]), Err(Some(Case::RedirectUriScheme)), "{text}");
        }
        assert_eq!(checked("MyApp://callback", &["other", "myapp"]), Ok(()));
    }

    #[test]
    fn a_query_has_no_name_that_the_call_back_adds() {
        for name in ADDED {
            for query in [format!("{name}=1"), format!("a=1&{name}"), format!("{name}=&b=2"), encoded(name)] {
                let text = format!("https://tpp.example/cb?{query}#end");
                assert_eq!(checked(&text, &[]), Err(Some(Case::RedirectUriParameter)), "{text}");
            }
            for query in
                [format!("x{name}=1"), format!("a={name}"), name.to_uppercase(), format!("a#{name}=1")]
            {
                assert_eq!(checked(&format!("com.example:/cb?{query}"), &[]), Ok(()), "{query}");
            }
        }
        assert_eq!(checked("https://tpp.example/psu-id/?&&state=code", &[]), Ok(()));
    }

    /// A name with every character percent-encoded.
    fn encoded(name: &str) -> String {
        name.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>() + "=1"
    }

    #[test]
    fn what_is_no_absolute_uri_is_refused() {
        let relative = [
            "",
            "/cb",
            "//tpp.example/cb",
            "tpp.example/cb",
            "?state=1",
            "https:",
            "https:///cb",
            "https:cb",
        ];
        let malformed = [
            "https://tpp.example/a b",
            "https://tpp.example/å",
            "https://tpp.example/%zz",
            "https://[::1/cb",
        ];
        let hostile = [
            "https://bank.example@tpp.example/",
            "https://tpp.example:65536/",
            "https://tpp.example/\r\nX: y",
        ];
        for text in relative.into_iter().chain(malformed).chain(hostile) {
            assert!(RedirectUri::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn at_most_2048_bytes_and_parameters_may_follow() {
        let of = |bytes: usize| format!("https://tpp.example/{}", "a".repeat(bytes - 20));
        let longest = RedirectUri::of_header(&of(2048)).unwrap();
        assert_eq!(longest.with_parameters(&[("a", "1")]), format!("{}?a=1", of(2048)));
        assert_eq!(RedirectUri::of_header(&of(2049)).unwrap_err().arguments, ["2048"]);
        assert!(RedirectUri::parse(of(2049)).is_ok(), "one that was kept is read back");
    }

    #[test]
    fn parameters_follow_the_query_there_is_and_precede_the_fragment() {
        let cases = [
            ("https://t.example/cb", "https://t.example/cb?a=1&b=2"),
            ("https://t.example", "https://t.example?a=1&b=2"),
            ("https://t.example/cb?", "https://t.example/cb?a=1&b=2"),
            ("https://t.example/cb?state=x%20y", "https://t.example/cb?state=x%20y&a=1&b=2"),
            ("https://t.example/cb?state=x&", "https://t.example/cb?state=x&a=1&b=2"),
            ("https://t.example/cb#top?x", "https://t.example/cb?a=1&b=2#top?x"),
            ("https://t.example/cb?s=1#", "https://t.example/cb?s=1&a=1&b=2#"),
            ("myapp:cb", "myapp:cb?a=1&b=2"),
        ];
        for (uri, expected) in cases {
            assert_eq!(with(uri, &[("a", "1"), ("b", "2")]), expected);
            assert_eq!(with(uri, &[]), uri);
        }
    }

    #[test]
    fn names_and_values_are_percent_encoded() {
        let uri = with("myapp:", &[("a b", "å&=+#/?%"), ("keep", "aZ9-._~")]);
        assert_eq!(uri, "myapp:?a%20b=%C3%A5%26%3D%2B%23%2F%3F%25&keep=aZ9-._~");
    }

    #[test]
    fn debug_shows_scheme_and_host_alone() {
        let uri = RedirectUri::parse("https://tpp.example/kari?state=secret").unwrap();
        assert_eq!(format!("{uri:?}"), "RedirectUri(https://tpp.example/…)");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "(https?://|[a-z]{1,5}:)?\\PC{0,40}") {
            let _ = RedirectUri::parse(text.as_str());
        }

        #[test]
        fn a_uri_with_parameters_is_a_redirect_uri_again(
            uri in "(https://t\\.example|myapp:)/?[a-z]{0,3}(\\?[a-z=&]{0,6})?(#[a-z?]{0,4})?",
            name in "[a-z]{1,5}",
            value: String,
        ) {
            let longer = with(&uri, &[(&name, &value)]);
            let parsed = RedirectUri::parse(longer.as_str());
            prop_assert!(parsed.is_ok(), "{}", longer);
        }
    }
}
