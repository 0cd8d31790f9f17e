//! The extension qcStatements: a statement that was read is the same after it was written and read again, and a reader
//! never finds a role that the bytes do not hold.

use xs2a::internal::Psd2Statement;

pub(super) fn check(input: &[u8]) {
    let Some(statement) = Psd2Statement::from_extension(input) else { return };
    let written = statement.to_extension();
    let again = Psd2Statement::from_extension(&written).expect("a statement that was written");
    assert_eq!(again.roles, statement.roles, "{statement:?}");
    for role in statement.roles.iter() {
        let identifier = [&b"\x06\x07\x04\x00\x81\x98\x27\x01"[..], &[role.number()]].concat();
        let name = role.as_str().as_bytes();
        let holds = |part: &[u8]| input.windows(part.len()).any(|window| window == part);
        assert!(holds(&identifier[2..]) || holds(name), "{role} is not in the extension");
    }
}
