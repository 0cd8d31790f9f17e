//! Distinguished names as text and as DER: a name that was read equals the one that its own text is read as.

use xs2a::internal::DistinguishedName;

pub(super) fn check(input: &[u8]) {
    if let Some(name) = DistinguishedName::from_der(input) {
        same_as_text(&name);
    }
    if let Ok(name) = std::str::from_utf8(input).map(DistinguishedName::parse) {
        name.iter().for_each(same_as_text);
    }
}

fn same_as_text(name: &DistinguishedName) {
    let text = name.to_string();
    assert_eq!(DistinguishedName::parse(&text).as_ref(), Ok(name), "{text:?}");
}
