//! Currencies and their fraction digits.

use std::fmt::{self, Display};

use super::code_list::code_list;
use crate::reason::Reason;

/// How many digits an amount has after its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FractionDigits {
    /// This many, no fewer and no more: the currency's minor units.
    Exactly(u8),
    /// None up to this many: the currency has no minor units.
    UpTo(u8),
}

impl FractionDigits {
    /// Whether an amount may have this many.
    pub fn admit(self, digits: usize) -> bool {
        match self {
            Self::Exactly(exact) => digits == usize::from(exact),
            Self::UpTo(most) => digits <= usize::from(most),
        }
    }

    /// The largest number an amount may have.
    pub fn most(self) -> u8 {
        match self {
            Self::Exactly(most) | Self::UpTo(most) => most,
        }
    }
}

/// `2`, or `0–5`; without words, because messages of both languages contain it.
impl Display for FractionDigits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(exact) => write!(out, "{exact}"),
            Self::UpTo(most) => write!(out, "0–{most}"),
        }
    }
}

/// The table of currencies: a row is a code and its fraction digits, `2` or `0 to 5`.
macro_rules! currencies {
    (@digits $digits:literal) => { FractionDigits::Exactly($digits) };
    (@digits $least:literal to $most:literal) => { FractionDigits::UpTo($most) };
    ($($code:ident $digits:literal $(to $most:literal)?,)+) => {
        code_list! {
            /// A currency (contract: Currency code; ISO 4217 alphabetic codes and five that it does not list).
            Currency { $($code)+ }
        }

        impl Currency {
            /// How many digits an amount of this currency has after its point.
            pub fn fraction_digits(self) -> FractionDigits {
                match self { $( Self::$code => currencies!(@digits $digits $(to $most)?), )+ }
            }
        }
    };
}

currencies! {
    AED 2, AFN 2, ALL 2, AMD 2,
    // Replaced by XCG in 2025; the last published value.
    ANG 2,
    AOA 2, ARS 2, AUD 2, AWG 2, AZN 2,
    BAM 2, BBD 2, BDT 2,
    // Replaced by EUR in 2026; the last published value.
    BGN 2,
    BHD 3, BIF 0, BMD 2, BND 2, BOB 2, BRL 2, BSD 2, BTN 2, BWP 2,
    // Replaced by BYN, which has 2, in 2017; the last published value.
    BYR 0,
    BZD 2,
    CAD 2, CDF 2, CHF 2, CLP 0, CNY 2, COP 2, CRC 2,
    // Withdrawn in 2021; the last published value.
    CUC 2,
    CUP 2, CVE 2, CZK 2,
    DJF 0, DKK 2, DOP 2, DZD 2,
    EGP 2, ERN 2, ETB 2, EUR 2,
    FJD 2, FKP 2,
    GBP 2, GEL 2,
    // Guernsey; not in ISO 4217.
    GGP 2,
    GHS 2, GIP 2, GMD 2, GNF 0, GTQ 2, GYD 2,
    HKD 2, HNL 2,
    // Replaced by EUR in 2023; the last published value.
    HRK 2,
    HTG 2, HUF 2,
    IDR 2, ILS 2,
    // Isle of Man; not in ISO 4217.
    IMP 2,
    INR 2, IQD 3, IRR 2, ISK 0,
    // Jersey; not in ISO 4217.
    JEP 2,
    JMD 2, JOD 3, JPY 0,
    KES 2, KGS 2, KHR 2, KMF 0, KPW 2, KRW 0, KWD 3, KYD 2, KZT 2,
    LAK 2, LBP 2, LKR 2, LRD 2, LSL 2, LYD 3,
    MAD 2, MDL 2, MGA 2, MKD 2, MMK 2, MNT 2, MOP 2,
    // Replaced by MRU in 2018; the last published value (though an ouguiya has 5 khoums).
    MRO 2,
    MUR 2, MVR 2, MWK 2, MXN 2, MYR 2, MZN 2,
    NAD 2, NGN 2, NIO 2, NOK 2, NPR 2, NZD 2,
    OMR 3,
    PAB 2, PEN 2, PGK 2, PHP 2, PKR 2, PLN 2, PYG 0,
    QAR 2,
    RON 2, RSD 2, RUB 2, RWF 0,
    SAR 2, SBD 2, SCR 2, SDG 2, SEK 2, SGD 2, SHP 2,
    // Replaced by SLE in 2024; the last published value.
    SLL 2,
    SOS 2,
    // Seborga; not in ISO 4217.
    SPL 2,
    SRD 2,
    // Replaced by STN in 2018; the last published value.
    STD 2,
    SVC 2, SYP 2, SZL 2,
    THB 2, TJS 2, TMT 2, TND 3, TOP 2, TRY 2, TTD 2,
    // Tuvalu; not in ISO 4217.
    TVD 2,
    TWD 2, TZS 2,
    UAH 2, UGX 0, USD 2, UYU 2, UZS 2,
    // Replaced by VES in 2018; the last published value.
    VEF 2,
    VND 0, VUV 0,
    WST 2,
    XAF 0, XCD 2,
    // The IMF's special drawing right: ISO 4217 gives no minor unit (N.A.).
    XDR 0 to 5,
    XOF 0, XPF 0,
    YER 2,
    ZAR 2, ZMW 2,
    // Replaced in 2008; the last published value.
    ZWD 2,
}

impl Currency {
    /// Reads a code, case counting.
    ///
    /// # Errors
    /// [`Reason::CurrencyUnknown`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        Self::find(text).ok_or(Reason::CurrencyUnknown)
    }

    /// The minor units of ISO 4217: 2 for NOK, 0 for JPY. XDR, which has none, gives the 5 digits that hold
    /// any amount of it.
    pub fn minor_units(self) -> u8 {
        self.fraction_digits().most()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::AMOUNT_SCALE_DIGITS_MAX;
    use crate::types::vectors;

    #[test]
    fn the_list_is_ascending() {
        assert!(Currency::LIST.is_sorted_by(|a, b| a.code() < b.code()));
    }

    #[test]
    fn every_code_has_the_fraction_digits_of_iso_4217() {
        let rows = vectors::read("currencies.json");
        assert_eq!(rows.len(), Currency::LIST.len());
        for row in rows {
            let currency = Currency::parse(&row.text("code")).unwrap();
            assert_eq!(currency.fraction_digits().to_string(), row.text("expected"), "{currency}");
        }
    }

    #[test]
    fn no_currency_has_more_digits_than_the_contracts_scale() {
        for currency in Currency::LIST {
            assert!(usize::from(currency.minor_units()) <= AMOUNT_SCALE_DIGITS_MAX, "{currency}");
        }
    }

    #[test]
    fn the_special_drawing_right_takes_none_to_five() {
        let digits = Currency::XDR.fraction_digits();
        assert!(digits.admit(0) && digits.admit(5) && !digits.admit(6));
        let digits = Currency::NOK.fraction_digits();
        assert!(digits.admit(2) && !digits.admit(1) && !digits.admit(3));
    }

    #[test]
    fn a_code_outside_the_list_is_refused() {
        for text in ["", "nok", "NO", "NOKK", "XAU", "BYN", "€", "ＮＯＫ"] {
            assert_eq!(Currency::parse(text), Err(Reason::CurrencyUnknown), "{text}");
        }
    }

    #[test]
    fn a_currency_takes_one_byte() {
        assert_eq!(size_of::<Currency>(), 1);
    }
}
