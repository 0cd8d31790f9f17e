//! What a browser may do with a page (W3C Content Security Policy Level 3).

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;

use super::layout::STYLE;
use crate::crypto::sha256;
use crate::types::RedirectUri;

/// Nothing is loaded, nothing runs, nobody may frame the page, and its form goes to this site and, by the
/// redirect at the end, to the TPP: browsers hold `form-action` against redirects too.
pub(super) fn content_security_policy(back_to: Option<&RedirectUri>) -> String {
    let form_action = match back_to {
        Some(uri) => format!("'self' {}", source(uri)),
        None => "'none'".to_owned(),
    };
    let style = STANDARD.encode(sha256(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; form-action {form_action}; \
         frame-ancestors 'none'; base-uri 'none'"
    )
}

/// The origin of a URI as the policy's grammar writes it. Hosts that it has no form for (an IPv6 address, one
/// with marks that would end the directive) and schemes of apps are allowed by their scheme.
fn source(uri: &RedirectUri) -> String {
    let text = uri.as_str();
    let (scheme, rest) = text.split_once(':').unwrap_or((text, ""));
    let scheme = scheme.to_ascii_lowercase();
    let authority = rest.strip_prefix("//").and_then(|rest| rest.split(['/', '?', '#']).next());
    match authority {
        Some(authority) if is_of_the_web(&scheme) && is_writable(authority) => {
            format!("{scheme}://{}", authority.trim_end_matches(':').to_ascii_lowercase())
        }
        _ => format!("{scheme}:"),
    }
}

fn is_of_the_web(scheme: &str) -> bool {
    matches!(scheme, "https" | "http")
}

/// `host-source`: labels of letters, digits and hyphens, then perhaps a port.
fn is_writable(authority: &str) -> bool {
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    host.split('.').all(is_label) && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tpps_origin_is_written_as_the_grammar_wants_it() {
        for (uri, expected) in [
            ("https://tpp.example/cb?state=1#top", "https://tpp.example"),
            ("HTTPS://TPP.Example", "https://tpp.example"),
            ("https://tpp.example:8443/cb", "https://tpp.example:8443"),
            ("https://tpp.example:/cb", "https://tpp.example"),
            ("http://localhost:5000?x", "http://localhost:5000"),
            ("http://127.0.0.1:5000/", "http://127.0.0.1:5000"),
            ("http://[::1]:5000/", "http:"),
            ("https://a;script-src%20*/", "https:"),
            ("https://a,b/", "https:"),
            ("https://*/", "https:"),
            ("https://tpp.example./", "https:"),
            ("com.example.app:/callback", "com.example.app:"),
            ("MyApp://open/here", "myapp:"),
        ] {
            assert_eq!(source(&RedirectUri::parse(uri).unwrap()), expected, "{uri}");
        }
    }

    #[test]
    fn no_uri_ends_its_directive() {
        for uri in ["https://a;b/;c", "https://a'b/", "app:x;script-src%20*", "https://a%3Bb/"] {
            let policy = content_security_policy(Some(&RedirectUri::parse(uri).unwrap()));
            assert_eq!(policy.split(';').count(), 5, "{policy}");
        }
    }

    #[test]
    fn a_page_without_a_form_sends_none() {
        assert!(content_security_policy(None).contains("; form-action 'none'; "));
    }
}
