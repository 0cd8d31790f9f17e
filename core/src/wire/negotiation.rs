//! Content negotiation (RFC 9110): media type, coding and language of the answer.

use super::headers::Headers;
use crate::reason::Language;

/// What the client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Negotiated {
    /// Whether it takes JSON at all.
    pub accepts_json: bool,
    /// Whether its body is JSON, as far as it says.
    pub sends_json: bool,
    /// Whether its body is compressed, as far as it says.
    pub sends_compressed: bool,
    /// Whether it takes gzip, and does not prefer the body as it is.
    pub gzip: bool,
    /// The language of texts for the TPP.
    pub language: Language,
    /// The language of texts for the PSU: what the TPP forwards of the PSU's own call counts first.
    pub psu_language: Language,
}

impl Negotiated {
    /// Reads the `Accept…` headers; what cannot be read counts as not sent.
    pub(crate) fn read(headers: &Headers<'_>) -> Self {
        let text = |name| headers.text(name).and_then(Result::ok);
        let spoken = |name| text(name).and_then(|accept| language(&accept));
        let language = spoken("accept-language").unwrap_or(Language::English);
        Self {
            accepts_json: text("accept").is_none_or(|accept| takes_json(&accept)),
            sends_json: text("content-type").is_none_or(|media_type| is_json(&media_type)),
            sends_compressed: text("content-encoding").is_some_and(|codings| is_compressed(&codings)),
            gzip: text("accept-encoding").is_some_and(|accept| takes_gzip(&accept)),
            language,
            psu_language: spoken("psu-accept-language").unwrap_or(language),
        }
    }
}

/// The entries of a list header with their q-values.
fn weighted(list: &str) -> impl Iterator<Item = (&str, f32)> {
    list.split(',').filter_map(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next().filter(|name| !name.is_empty())?;
        let quality = parts
            .filter_map(|part| part.split_once('='))
            .find(|(key, _)| key.trim().eq_ignore_ascii_case("q"))
            .map_or(1.0, |(_, value)| value.trim().parse().unwrap_or(0.0));
        Some((name, quality))
    })
}

/// The q-value of the first of these names that the list holds: the most specific one comes first.
fn quality(list: &str, names: &[&str]) -> Option<f32> {
    names.iter().find_map(|name| {
        let mut entries = weighted(list);
        entries.find(|(entry, _)| entry.eq_ignore_ascii_case(name)).map(|(_, quality)| quality)
    })
}

fn takes_json(accept: &str) -> bool {
    let is_empty = weighted(accept).next().is_none();
    is_empty
        || quality(accept, &["application/json", "application/*", "*/*"]).is_some_and(|quality| quality > 0.0)
}

fn is_json(media_type: &str) -> bool {
    let name = media_type.split(';').next().unwrap_or(media_type).trim();
    name.eq_ignore_ascii_case("application/json")
}

/// Whether a coding of the list is one of those that there are (RFC 9110, 8.4.1; IANA). What else clients write there,
/// such as `utf-8`, changes no body.
fn is_compressed(codings: &str) -> bool {
    const CODINGS: [&str; 9] =
        ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz"];
    codings
        .split(',')
        .map(str::trim)
        .any(|coding| CODINGS.iter().any(|known| known.eq_ignore_ascii_case(coding)))
}

/// If `identity` has no quality value, gzip is preferred with any value above 0 (RFC 9110, 12.5.3).
fn takes_gzip(accept: &str) -> bool {
    let identity = quality(accept, &["identity", "*"]).unwrap_or(0.0);
    quality(accept, &["gzip", "x-gzip", "*"]).is_some_and(|gzip| gzip > 0.0 && gzip >= identity)
}

/// The preferred one of the languages that there are; `None` if the list has none of them.
fn language(accept: &str) -> Option<Language> {
    let mut best = (None, 0.0);
    for (tag, quality) in weighted(accept) {
        let primary = tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
        let spoken = match primary.as_str() {
            "nb" | "no" | "nn" => Language::Bokmal,
            "en" | "*" => Language::English,
            _ => continue,
        };
        if quality > best.1 {
            best = (Some(spoken), quality);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_excluded_only_by_a_list_without_it() {
        for (accept, expected) in [
            ("", true),
            ("application/json", true),
            ("application/json;charset=utf-8", true),
            ("text/html, */*;q=0.1", true),
            ("application/*", true),
            ("text/html", false),
            ("application/json;q=0, */*", false),
            ("application/json; q=0.0", false),
        ] {
            assert_eq!(takes_json(accept), expected, "{accept}");
        }
    }

    #[test]
    fn a_body_is_json_by_its_media_type_with_any_charset() {
        for (media_type, expected) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("application/jsonp", false),
            ("text/plain", false),
            ("", false),
        ] {
            assert_eq!(is_json(media_type), expected, "{media_type}");
        }
    }

    #[test]
    fn a_body_is_as_it_is_unless_a_coding_that_there_is_is_named() {
        for (codings, expected) in [
            ("", false),
            ("identity", false),
            ("Identity, ", false),
            ("utf-8", false),
            ("gzip", true),
            ("X-GZIP", true),
            ("identity, br", true),
        ] {
            assert_eq!(is_compressed(codings), expected, "{codings}");
        }
    }

    #[test]
    fn gzip_is_taken_unless_its_q_is_zero_or_below_that_of_identity() {
        for (accept, expected) in [
            ("", false),
            ("identity", false),
            ("deflate, gzip;q=1.0, *;q=0.5", true),
            ("*", true),
            ("gzip;q=0, *", false),
            ("GZIP", true),
            ("gzip;q=0.5", true),
            ("gzip, *;q=0", true),
            ("identity;q=0.5, gzip;q=0.5", true),
            ("identity;q=0.501, gzip;q=0.5", false),
            ("identity;q=0.9, gzip;q=0.1", false),
            ("identity, gzip;q=0.5", false),
            ("gzip;q=0.1, *;q=0.9", false),
            ("gzip;q=0.1, *;q=0.9, identity;q=0.1", true),
            ("identity;q=0, *", true),
        ] {
            assert_eq!(takes_gzip(accept), expected, "{accept}");
        }
    }

    #[test]
    fn the_preferred_known_language_wins() {
        for (accept, expected) in [
            ("*", Language::English),
            ("nb", Language::Bokmal),
            ("nn-NO", Language::Bokmal),
            ("en-US,en;q=0.7,nb;q=0.3", Language::English),
            ("en;q=0.3, no;q=0.7", Language::Bokmal),
            ("sv, nb;q=0.5, en;q=0.4", Language::Bokmal),
        ] {
            assert_eq!(language(accept), Some(expected), "{accept}");
        }
        for accept in ["", "de", "nb;q=0"] {
            assert_eq!(language(accept), None, "{accept}");
        }
    }

    #[test]
    fn only_texts_for_the_psu_follow_the_forwarded_language() {
        let (en, nb) = (Language::English, Language::Bokmal);
        for (of_tpp, of_psu, expected) in [
            (None, None, (en, en)),
            (None, Some("nb"), (en, nb)),
            (Some("nb"), None, (nb, nb)),
            (Some("nb"), Some("en"), (nb, en)),
            (Some("nb"), Some("de, fr"), (nb, nb)),
            (Some("nb"), Some(""), (nb, nb)),
        ] {
            let fields = [("Accept-Language", of_tpp), ("PSU-Accept-Language", of_psu)];
            let sent = fields.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?.as_bytes())));
            let sent: Vec<_> = sent.collect();
            let read = Negotiated::read(&Headers::unchecked(&sent));
            assert_eq!((read.language, read.psu_language), expected, "{of_tpp:?} {of_psu:?}");
        }
    }
}
