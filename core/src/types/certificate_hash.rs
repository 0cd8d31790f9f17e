//! Which certificate is meant, by its hash.

use std::fmt::{self, Display};

/// SHA-256 of the DER of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CertificateHash([u8; 32]);

impl CertificateHash {
    /// That hash.
    pub fn new(sha256: [u8; 32]) -> Self {
        Self(sha256)
    }

    /// Reads 64 hexadecimal digits in either case, with or without a colon between every two, as the openssl command
    /// prints them.
    pub fn parse(text: &str) -> Option<Self> {
        let pairs: Vec<&str> = match text.contains(':') {
            true => text.split(':').collect(),
            false if text.is_ascii() && text.len() == 64 => {
                (0..text.len()).step_by(2).filter_map(|at| text.get(at..at + 2)).collect()
            }
            false => return None,
        };
        let is_whole = pairs.iter().map(|pair| pair.len()).sum::<usize>() == 64;
        let bytes: Option<Vec<u8>> = pairs.into_iter().map(byte).collect();
        bytes.filter(|_| is_whole)?.try_into().ok().map(Self)
    }
}

/// Two hexadecimal digits.
fn byte(digits: &str) -> Option<u8> {
    let is_pair = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_pair.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
}

/// In lower-case hexadecimal digits, without colons.
impl Display for CertificateHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_commands_print_it_and_written_in_lower_case() {
        let hash = CertificateHash::new([0xAB; 32]);
        let plain = "ab".repeat(32);
        assert_eq!(hash.to_string(), plain);
        let colons = vec!["AB"; 32].join(":");
        for text in [plain.clone(), plain.to_uppercase(), colons] {
            assert_eq!(CertificateHash::parse(&text), Some(hash), "{text}");
        }
        let rest = "ab".repeat(31);
        for text in ["", "ab", ":", &rest, &format!("{rest}a"), &format!("{plain}a"), &format!("{plain}ab")] {
            assert_eq!(CertificateHash::parse(text), None, "{text}");
        }
        for end in ["ag", "+a", "å", ":a", "a:b"] {
            assert_eq!(CertificateHash::parse(&format!("{rest}{end}")), None, "{end}");
        }
    }
}
