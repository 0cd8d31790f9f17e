//! Which page sent a form: cross-site request forgery is refused here, and by the token in each form.

use crate::wire::headers::Headers;

/// Whether a form comes from a page of this site, as far as the browser says. Browsers that send
/// `Sec-Fetch-Site` (Fetch Metadata) are believed: `none` is the person's own doing, such as sending a form
/// again. Of the others `Origin` (RFC 6454) must name this site; `null` says nothing, for a page whose
/// `Referrer-Policy` is `no-referrer` sends just that.
pub(super) fn is_own_page(headers: &Headers<'_>, sca_origin: &str) -> bool {
    if let Some(site) = headers.get("Sec-Fetch-Site") {
        return matches!(site.as_ref(), b"same-origin" | b"none");
    }
    match headers.get("Origin") {
        None => true,
        Some(origin) if origin.as_ref() == b"null" => true,
        Some(origin) => {
            let host = headers.get("Host");
            origin.eq_ignore_ascii_case(sca_origin.as_bytes())
                || host.is_some_and(|host| is_at(&origin, &host))
        }
    }
}

/// Whether an origin is that of a host, with either scheme: TLS may end before this program.
fn is_at(origin: &[u8], host: &[u8]) -> bool {
    let places = [&b"https://"[..], b"http://"].map(|scheme| origin.strip_prefix(scheme));
    places.into_iter().flatten().any(|place| place.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_ours_passes_and_another_site_does_not() {
        let host = ("Host", "127.0.0.1:8080");
        for (fields, expected) in [
            (vec![], true),
            (vec![("Sec-Fetch-Site", "same-origin"), ("Origin", "null")], true),
            (vec![("Sec-Fetch-Site", "none")], true),
            (vec![("Sec-Fetch-Site", "same-site")], false),
            (vec![("Sec-Fetch-Site", "cross-site")], false),
            (vec![("Sec-Fetch-Site", "cross-site"), ("Origin", "https://sca.bank.example")], false),
            (vec![("Sec-Fetch-Site", "")], false),
            (vec![("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "same-origin")], false),
            (vec![("Origin", "null")], true),
            (vec![("Origin", "https://sca.bank.example")], true),
            (vec![host, ("Origin", "http://127.0.0.1:8080")], true),
            (vec![host, ("Origin", "https://127.0.0.1:8080")], true),
            (vec![host, ("Origin", "http://127.0.0.1:8081")], false),
            (vec![host, ("Origin", "https://tpp.example")], false),
            (vec![("Origin", "https://tpp.example")], false),
            (vec![("Origin", "https://sca.bank.example.evil")], false),
            (vec![("Host", ""), ("Origin", "http://x")], false),
        ] {
            let fields: Vec<(&str, &[u8])> =
                fields.into_iter().map(|(name, value)| (name, value.as_bytes())).collect();
            assert_eq!(
                is_own_page(&Headers::unchecked(&fields), "https://sca.bank.example"),
                expected,
                "{fields:?}"
            );
        }
    }
}
