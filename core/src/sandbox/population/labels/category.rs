//! Categories of lines.

use super::super::country::PartyKind;
use super::super::diary::Entry;
use super::super::kind::Kind;

/// The categories of trades, by their codes (ISO 18245).
const TRADES: &[(&str, &str)] = &[
    ("4111", "public_transport"),
    ("4121", "taxi"),
    ("4722", "travel"),
    ("5200", "home_improvement"),
    ("5411", "groceries"),
    ("5541", "fuel"),
    ("5552", "car_charging"),
    ("5651", "clothes"),
    ("5712", "furniture"),
    ("5732", "electronics"),
    ("5812", "restaurants"),
    ("5814", "fast_food"),
    ("5816", "games_and_apps"),
    ("5817", "games_and_apps"),
    ("5912", "pharmacy"),
    ("5921", "wine_and_spirits"),
    ("5941", "sports"),
    ("5942", "books"),
    ("5945", "toys"),
    ("5964", "online_shopping"),
    ("5992", "flowers"),
    ("5994", "newspapers"),
    ("5995", "pets"),
    ("7011", "hotels"),
    ("7230", "hairdresser"),
    ("7523", "parking"),
    ("7832", "cinema"),
    ("8011", "doctor"),
    ("8021", "dentist"),
];

/// What an entry is spent on, or where it comes from, given what the other side is.
pub(super) fn of(entry: &Entry, party: Option<PartyKind>) -> &'static str {
    match entry.kind {
        Kind::Purchase | Kind::CreditPurchase | Kind::Return => of_shop(entry),
        Kind::Withdrawal => "cash_withdrawal",
        Kind::Deposit => "cash_deposit",
        Kind::Salary => "salary",
        Kind::Pension => "pension",
        Kind::Benefit => "benefit",
        Kind::ChildBenefit => "child_benefit",
        Kind::Studies => "student_support",
        Kind::Tax => "tax",
        Kind::TaxRefund => "tax_refund",
        Kind::Gift => "person_to_person",
        Kind::Transfer => "transfer",
        Kind::OwnTransfer => "own_transfer",
        Kind::Interest => "interest_received",
        Kind::Overdraft | Kind::CardInterest => "interest_paid",
        Kind::MortgageInterest | Kind::MortgageInstalment => "mortgage",
        Kind::LoanInterest | Kind::LoanInstalment => "consumer_loan",
        // Without a party outside it goes to another account of the household.
        Kind::Standing => party.map_or("own_transfer", of_bill),
        Kind::Bill => party.map_or("invoice", of_bill),
    }
}

fn of_shop(entry: &Entry) -> &'static str {
    let code = entry.card.as_ref().map_or("", |used| used.branch.category.as_str());
    TRADES.iter().find(|(trade, _)| *trade == code).map_or("other_shopping", |(_, category)| category)
}

fn of_bill(party: PartyKind) -> &'static str {
    match party {
        PartyKind::Landlord => "housing",
        PartyKind::Power | PartyKind::Grid => "electricity",
        PartyKind::Telephone => "telephone",
        PartyKind::Insurance => "insurance",
        PartyKind::Streaming => "streaming",
        PartyKind::Gym => "fitness",
        PartyKind::Union => "union",
        PartyKind::Municipality => "municipality",
        PartyKind::Charity => "donation",
        PartyKind::Tax => "tax",
        _ => "invoice",
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::world::World;
    use super::*;

    #[test]
    fn every_trade_has_a_category() {
        let country = &World::norway().unwrap().country;
        let trades = country.trades.rows.iter().map(|trade| &trade.mcc);
        for code in trades.chain(country.abroad.rows.iter().map(|place| &place.mcc)) {
            assert!(TRADES.iter().any(|(trade, _)| trade == code), "{code}");
        }
        assert!(TRADES.windows(2).all(|pair| pair[0].0 < pair[1].0), "sorted, and no code twice");
    }
}
