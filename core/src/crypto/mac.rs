//! Message authentication codes: HMAC with SHA-256 (RFC 2104).

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// A key that makes codes and checks them.
#[derive(Clone)]
pub(crate) struct MacKey(Hmac<Sha256>);

impl MacKey {
    /// The key of these bytes; RFC 2104 takes any number of them. `None` never happens with HMAC.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(bytes).ok().map(Self)
    }

    /// The code of a message.
    pub(crate) fn code(&self, message: &[u8]) -> [u8; 32] {
        self.0.clone().chain_update(message).finalize().into_bytes().into()
    }

    /// Whether a code is that of the message. Takes the same time for every wrong code.
    pub(crate) fn verifies(&self, message: &[u8], code: &[u8]) -> bool {
        self.0.clone().chain_update(message).verify_slice(code).is_ok()
    }
}

/// Log-safe: nothing of it.
impl std::fmt::Debug for MacKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("MacKey(redacted)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u8> =
            hex.chars().map(|digit| digit.to_digit(16).unwrap().try_into().unwrap()).collect();
        digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
    }

    /// RFC 4231, test cases 1, 2, 4 and 6.
    #[test]
    fn the_codes_are_those_of_rfc_4231() {
        let long_key = vec![0xaa; 131];
        let long_message = b"Test Using Larger Than Block-Size Key - Hash Key First".to_vec();
        for (key, message, code) in [
            (
                vec![0x0b; 20],
                b"Hi There".to_vec(),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe".to_vec(),
                b"what do ya want for nothing?".to_vec(),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                (1..=25).collect(),
                vec![0xcd; 50],
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            ),
            (long_key, long_message, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        ] {
            let key = MacKey::new(&key).unwrap();
            assert_eq!(key.code(&message).to_vec(), bytes(code));
            assert!(key.verifies(&message, &bytes(code)));
        }
    }

    #[test]
    fn a_changed_message_a_changed_code_and_a_cut_code_are_refused() {
        let key = MacKey::new(b"key").unwrap();
        let code = key.code(b"message");
        assert!(key.verifies(b"message", &code));
        assert!(!key.verifies(b"messagf", &code));
        assert!(!key.verifies(b"message", &code[..31]));
        assert!(!key.verifies(b"message", b""));
        for bit in 0..256 {
            let mut changed = code;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!key.verifies(b"message", &changed), "bit {bit}");
        }
    }
}
