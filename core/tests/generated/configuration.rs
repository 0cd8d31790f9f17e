//! How an engine over a bank's own core is set up.

use xs2a::engine::setting::{Setting, POLICIES, SETTINGS};

use crate::{heading, row};

pub(crate) fn page() -> String {
    let mut page = heading(
        "Configuration",
        "An engine over a bank's own core is set up by one JSON object (C: `xs2a_engine_new`; Python: the arguments\n\
         of `xs2a.Engine`; Rust: `EngineConfig::from_json`). An unknown key is refused, as is a value of another\n\
         type.\n\n\
         ```json\n\
         {\n  \"database\": \"sqlite:///var/lib/xs2a/gateway.db\",\n  \
         \"trust_anchors\": \"-----BEGIN CERTIFICATE-----\\n…\",\n  \
         \"policy\": {\"base_path\": \"/psd2\", \"sca_origin\": \"https://sca.bank.example\"}\n}\n\
         ```",
        "core/src/engine/setting.rs",
    );
    page.push_str("| key | value | default | |\n|---|---|---|---|\n");
    page.push_str(&SETTINGS.iter().map(setting).collect::<String>());
    page.push_str("\n## The keys of `policy`\n\nA sandbox takes them too.\n\n");
    page.push_str("| key | value | default | |\n|---|---|---|---|\n");
    page.push_str(&POLICIES.iter().map(setting).collect::<String>());
    page
}

fn setting(setting: &Setting) -> String {
    let default = match (setting.default, setting.in_sandbox) {
        (Some(default), Some(sandbox)) => format!("`{default}`; in the sandbox `{sandbox}`"),
        (Some(default), None) => format!("`{default}`"),
        (None, _) => String::new(),
    };
    row(&[&format!("`{}`", setting.key), setting.form, &default, setting.meaning])
}
