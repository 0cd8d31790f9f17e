//! Countries.

use super::code_list::code_list;
use crate::reason::Reason;

code_list! {
    /// A country (contract: Country code; ISO 3166-1 alpha-2).
    Country {
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ
        BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
        CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ
        DE DJ DK DM DO DZ
        EC EE EG EH ER ES ET
        FI FJ FK FM FO FR
        GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY
        HK HM HN HR HT HU
        ID IE IL IM IN IO IQ IR IS IT
        JE JM JO JP
        KE KG KH KI KM KN KP KR KW KY KZ
        LA LB LC LI LK LR LS LT LU LV LY
        MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ
        NA NC NE NF NG NI NL NO NP NR NU NZ
        OM
        PA PE PF PG PH PK PL PM PN PR PS PT PW PY
        QA
        RE RO RS RU RW
        SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ
        TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
        UA UG UM US UY UZ
        VA VC VE VG VI VN VU
        WF WS
        YE YT
        ZA ZM ZW
    }
}

impl Country {
    /// Reads a code, case counting.
    ///
    /// # Errors
    /// [`Reason::CountryUnknown`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        Self::find(text).ok_or(Reason::CountryUnknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::vectors;

    #[test]
    fn the_list_is_ascending() {
        assert!(Country::LIST.is_sorted_by(|a, b| a.code() < b.code()));
    }

    #[test]
    fn the_list_is_that_of_iso_3166() {
        let listed: Vec<String> =
            vectors::read("countries.json").iter().map(|row| row.text("code")).collect();
        let ours: Vec<&str> = Country::LIST.iter().map(|row| row.code()).collect();
        assert_eq!(ours, listed);
    }

    #[test]
    fn a_listed_code_is_read_and_others_refused() {
        assert_eq!(Country::parse("NO"), Ok(Country::NO));
        for text in ["", "no", "NOR", "N", "XX", "XK", "UK", "EU", "ÅL"] {
            assert_eq!(Country::parse(text), Err(Reason::CountryUnknown), "{text}");
        }
    }
}
