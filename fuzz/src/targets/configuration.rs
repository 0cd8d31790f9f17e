//! Configurations: one that is read is a JSON object for another reader too; a policy that a sandbox takes is the same
//! after it was written and read again, and one that it refuses leaves the present one. The first byte chooses which of
//! the two is read.

use crate::walk::Walk;
use xs2a::EngineConfig;

pub(super) fn check(input: &[u8]) {
    let Some((chosen, text)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    if chosen % 2 == 0 {
        if EngineConfig::from_json(text).is_ok() {
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            assert!(value.is_object(), "a configuration that is {value}");
        }
        return;
    }
    Walk::with(|walk| {
        let before = walk.sandbox.policy().expect("a policy");
        let Err(error) = walk.sandbox.set_policy(text) else {
            let taken = walk.sandbox.policy().expect("a policy");
            walk.sandbox.set_policy(&taken).expect("a policy that was written");
            assert_eq!(walk.sandbox.policy().expect("a policy"), taken);
            walk.sandbox.set_policy(&before).expect("the policy before");
            return;
        };
        assert!(!error.to_string().is_empty());
        assert_eq!(walk.sandbox.policy().expect("a policy"), before, "changed by a refused policy");
    });
}
