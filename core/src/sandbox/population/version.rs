//! Versions of the generator.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The version of the generator. What one version generates never changes after its release: a change of the content is
/// a new version beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GeneratorVersion {
    /// The first.
    #[default]
    #[serde(rename = "2026.1")]
    V2026_1,
}

impl GeneratorVersion {
    /// Every version.
    pub const ALL: &'static [Self] = &[Self::V2026_1];

    /// Its name, such as `2026.1`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2026_1 => "2026.1",
        }
    }

    /// The version of that name.
    ///
    /// # Errors
    /// [`Error::Misuse`] for another name, with those that there are.
    pub fn parse(name: &str) -> Result<Self> {
        let found = Self::ALL.iter().copied().find(|version| version.as_str() == name);
        found.ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|version| version.as_str()).collect();
            Error::Misuse(format!("`{name}` is no version of the generator: {}", known.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_by_its_name_and_others_are_named() {
        for version in GeneratorVersion::ALL {
            assert_eq!(GeneratorVersion::parse(version.as_str()).unwrap(), *version);
        }
        let refused = GeneratorVersion::parse("2025.1").unwrap_err();
        assert_eq!(refused.text(), "`2025.1` is no version of the generator: 2026.1");
    }
}
