//! Whether a name that a client wrote in keyId is that of the certificate's issuer.

use super::{Attribute, DistinguishedName};
use crate::policy::KeyIdIssuer;

impl DistinguishedName {
    /// Returns true if this name, as a client wrote it in keyId, names the issuer `actual` under the policy.
    pub fn names_issuer(&self, actual: &Self, policy: KeyIdIssuer) -> bool {
        match policy {
            KeyIdIssuer::Exact => self == actual,
            KeyIdIssuer::Lenient => self.has_required_attributes_of(actual),
        }
    }

    /// Compares both names as multisets of attributes, because clients write the attributes that they know in an order
    /// of their own, those of a multi-valued RDN one by one. Both are sorted, so a name of thousands of attributes is
    /// no quadratic work.
    fn has_required_attributes_of(&self, actual: &Self) -> bool {
        let mut written = self.sorted_attributes().into_iter().peekable();
        actual
            .sorted_attributes()
            .into_iter()
            .all(|attribute| written.next_if_eq(&attribute).is_some() || attribute.is_optional())
            && written.next().is_none()
    }

    fn sorted_attributes(&self) -> Vec<&Attribute> {
        let mut attributes: Vec<_> = self.rdns.iter().flatten().collect();
        attributes.sort_unstable_by(|one, other| one.comparison_key().cmp(&other.comparison_key()));
        attributes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> DistinguishedName {
        DistinguishedName::parse(text).unwrap_or_else(|_| panic!("{text} does not parse"))
    }

    /// What a client may write for an issuer: the text, and whether each policy accepts it.
    fn check_written(issuer: &str, cases: &[(&str, bool, bool)]) {
        let actual = name(issuer);
        for (text, lenient, exact) in cases {
            assert_eq!(name(text).names_issuer(&actual, KeyIdIssuer::Lenient), *lenient, "{text}");
            assert_eq!(name(text).names_issuer(&actual, KeyIdIssuer::Exact), *exact, "{text}");
        }
    }

    #[test]
    fn optional_attributes_may_be_left_out_unless_exact() {
        check_written(
            "CN=Issuing CA,2.5.4.97=NTRNO-1,O=Buypass+serialNumber=7,C=NO",
            &[
                ("CN=Issuing CA,2.5.4.97=NTRNO-1,O=Buypass+serialNumber=7,C=NO", true, true),
                ("CN=Issuing CA,O=Buypass,C=NO", true, false),
                ("CN=Issuing CA,2.5.4.97=NTRNO-1,O=Buypass,C=NO", true, false),
                ("CN=Issuing CA,2.5.4.97=NTRNO-2,O=Buypass,C=NO", false, false),
                ("CN=Issuing CA,O=Buypass", false, false),
                ("O=Buypass,C=NO", false, false),
                ("CN=Issuing CA,O=Buypass,C=NO,UID=x", false, false),
                ("", false, false),
            ],
        );
        check_written("2.5.4.97=NTRNO-1,DC=example,DC=no", &[("", true, false), ("DC=no", true, false)]);
    }

    #[test]
    fn the_order_of_rdns_does_not_count_unless_exact() {
        check_written(
            "CN=Issuing CA,OU=PSD2,O=Buypass AS,L=Oslo,ST=Oslo,C=NO",
            &[
                ("CN=Issuing CA,OU=PSD2,O=Buypass AS,L=Oslo,S=oslo,C=no", true, true),
                ("CN=Issuing CA,O=Buypass AS,OU=PSD2,L=Oslo,S=Oslo,C=NO", true, false),
                ("C=NO,ST=Oslo,L=Oslo,O=Buypass AS,OU=PSD2,CN=Issuing CA", true, false),
                ("CN=Issuing CA,O=PSD2,OU=Buypass AS,L=Oslo,S=Oslo,C=NO", false, false),
                ("CN=Issuing CA,O=Buypass AS,L=Oslo,S=Oslo,C=NO", false, false),
                ("CN=Issuing CA,O=Buypass AS,OU=PSD2,L=Oslo,S=Oslo,C=NO,C=NO", false, false),
            ],
        );
        check_written(
            r"2.5.4.97=NTRFR-1,OU=0002 1,CN=Sign\, Seal \+ CA,O=Dupont & Fils\, S.A.,C=FR",
            &[
                (r#"CN="Sign, Seal + CA",O="Dupont & Fils, S.A.",OU=0002 1,C=FR"#, true, false),
                (r"CN=Sign\2c Seal \2B CA,O=Dupont & Fils\, S.A.,OU=0002  1,C=FR", true, false),
                (r"CN=Sign\, Seal \+ CA,O=Dupont & Fils\, S.A.,C=FR", false, false),
            ],
        );
    }

    #[test]
    fn attributes_that_occur_twice_are_written_twice() {
        check_written(
            "CN=CA,OU=Trust Network,OU=Class 3,O=Acme,DC=a,DC=no",
            &[
                ("CN=CA,O=Acme,OU=Class 3,OU=Trust Network", true, false),
                ("CN=CA,O=Acme,OU=Trust Network,OU=Class 3,DC=a", true, false),
                ("CN=CA,O=Acme,OU=Trust Network", false, false),
                ("CN=CA,O=Acme,OU=Class 3,OU=Class 3", false, false),
            ],
        );
    }

    #[test]
    fn a_multi_valued_rdn_may_be_written_one_by_one_unless_exact() {
        check_written(
            "CN=CA+serialNumber=7,OU=a+O=Acme,C=NO",
            &[
                ("serialNumber=7+CN=CA,O=Acme+OU=a,C=NO", true, true),
                ("CN=CA,O=Acme,OU=a,C=NO", true, false),
                ("C=NO+O=Acme,OU=a,CN=CA", true, false),
                ("CN=CA,O=Acme,C=NO", false, false),
            ],
        );
    }

    #[test]
    fn values_of_other_types_are_compared_with_values_of_their_type() {
        check_written(
            "CN=#0203010203,O=Acme,2.5.4.45=#0302000f",
            &[
                ("O=Acme,CN=#0203010203", true, false),
                ("O=Acme,CN=#0203010204", false, false),
                (r"O=Acme,CN=\#0203010203", false, false),
                ("2.5.4.45=#0302000F,O=Acme,CN=#0203010203", true, false),
            ],
        );
    }
}
