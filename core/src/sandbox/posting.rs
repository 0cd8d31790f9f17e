//! How an entry of an order is settled: the lines to be booked, or why there are none. Pure: the ledger books.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::derived_id::id_bytes;
use super::Rates;
use crate::payment::product::Product;
use crate::store::sqlite::sandbox::{
    Counterpart, EntryOutcome, LedgerAccount, Order, OrderEntry, Transaction,
};
use crate::types::date::booking_day;
use crate::types::{Currency, Money, TransactionId};

/// An entry and all that bears on it.
pub(super) struct Settlement<'a> {
    /// The order it belongs to.
    pub(super) order: &'a Order,
    /// Which entry of the order it is, from 0.
    pub(super) position: u32,
    pub(super) entry: &'a OrderEntry,
    /// What is charged with this entry.
    pub(super) fee: Money,
    /// The account that pays.
    pub(super) debtor: &'a LedgerAccount,
    /// What of the debtor's booked balance is held back by hand; negative where more is expected.
    pub(super) held_back: Money,
    /// The account that is paid, if this bank has it.
    pub(super) creditor: Option<&'a LedgerAccount>,
    pub(super) rates: &'a Rates,
    pub(super) at: DateTime<Utc>,
}

/// Which of an entry's lines one is.
#[derive(Clone, Copy)]
enum Side {
    Debit,
    Fee,
    Credit,
}

impl Settlement<'_> {
    /// The lines of debtor, fee and creditor, in the order they are booked.
    ///
    /// # Errors
    /// The outcome of an entry that cannot be booked. The fee counts: who can pay the sum but not the fee
    /// cannot pay.
    pub(super) fn lines(&self) -> Result<Vec<Transaction>, EntryOutcome> {
        let (debit, fee) = self.sums()?;
        let total = debit.checked_add(fee).ok_or(EntryOutcome::NotConvertible)?;
        if self.available()?.checked_sub(total).is_none_or(Money::is_negative) {
            return Err(EntryOutcome::NoFunds);
        }
        let mut lines = self.taken()?;
        debug_assert_eq!(
            lines.iter().map(|line| line.amount.value()).sum::<Decimal>(),
            total.negated().value(),
            "the debtor's lines are the entry and its fee"
        );
        if let Some(creditor) = self.creditor {
            let credit = self.worth(creditor.currency)?;
            // What no balance can hold is refused here: booking it would stop the batch and all that waits with it.
            creditor.booked.checked_add(credit).ok_or(EntryOutcome::NotConvertible)?;
            lines.push(self.line(Side::Credit, creditor, credit));
        }
        Ok(lines)
    }

    /// The lines of debtor and fee, whether or not the money is there.
    ///
    /// # Errors
    /// [`EntryOutcome::NotConvertible`].
    pub(super) fn taken(&self) -> Result<Vec<Transaction>, EntryOutcome> {
        let (debit, fee) = self.sums()?;
        let mut lines = vec![self.line(Side::Debit, self.debtor, debit.negated())];
        if !fee.is_zero() {
            lines.push(self.line(Side::Fee, self.debtor, fee.negated()));
        }
        Ok(lines)
    }

    /// What the entry and its fee cost, in the debtor's currency.
    fn sums(&self) -> Result<(Money, Money), EntryOutcome> {
        Ok((self.worth(self.debtor.currency)?, self.converted(self.fee, self.debtor.currency)?))
    }

    /// What the entry moves on an account of that currency. Less than one minor unit is refused: rounded up, many such
    /// payments would make money.
    fn worth(&self, currency: Currency) -> Result<Money, EntryOutcome> {
        let smallest = Decimal::new(1, currency.minor_units().into());
        match self.rates.worth(self.entry.instructed, currency) {
            Some(worth) if worth >= smallest => self.converted(self.entry.instructed, currency),
            _ => Err(EntryOutcome::NotConvertible),
        }
    }

    /// Balance and credit line, less what is held back. Money that is only expected is not there yet.
    fn available(&self) -> Result<Money, EntryOutcome> {
        let there = self.debtor.booked.checked_add(self.debtor.credit_line);
        let free = there.and_then(|there| there.checked_sub(self.held_back));
        free.ok_or(EntryOutcome::NotConvertible)
    }

    fn converted(&self, sum: Money, to: Currency) -> Result<Money, EntryOutcome> {
        self.rates.convert(sum, to).ok_or(EntryOutcome::NotConvertible)
    }

    fn line(&self, side: Side, account: &LedgerAccount, amount: Money) -> Transaction {
        let (order, entry, day) = (self.order, self.entry, booking_day(self.at));
        let (source, target) = match side {
            Side::Debit => (account.currency, entry.instructed.currency()),
            Side::Fee => (account.currency, self.fee.currency()),
            Side::Credit => (entry.instructed.currency(), account.currency),
        };
        let is_fee = matches!(side, Side::Fee);
        Transaction {
            id: side.line_id(order, self.position),
            account: account.key.clone(),
            payment_id: Some(order.payment_id.clone()),
            entry: self.position,
            booking_date: day,
            value_date: day,
            amount,
            counterpart: self.counterpart(side),
            creditor_id: None,
            ultimate_creditor: None,
            ultimate_debtor: entry.ultimate_debtor.clone().filter(|_| !is_fee),
            remittance: entry.remittance.clone().filter(|_| !is_fee),
            purpose_code: entry.purpose_code.clone().filter(|_| !is_fee),
            bank_transaction_code: side.bank_transaction_code(order.product).to_owned(),
            proprietary_code: Some(side.proprietary_code(order.product).to_owned()),
            exchange: self.rates.exchange(source, target, day),
            created_at: self.at,
            reference: None,
        }
    }

    /// The other side; that of a fee is the bank itself.
    fn counterpart(&self, side: Side) -> Counterpart {
        match side {
            Side::Debit => self.entry.creditor.clone(),
            Side::Fee => Counterpart::default(),
            Side::Credit => Counterpart {
                name: Some(self.debtor.owner_name.clone()),
                bban: self.debtor.bban,
                iban: self.debtor.iban,
            },
        }
    }
}

impl Side {
    /// The same line of the same entry has the same id, whenever it is booked; from outside it is as
    /// unguessable as the payment's own id.
    fn line_id(self, order: &Order, position: u32) -> TransactionId {
        let side = match self {
            Self::Debit => "debit line",
            Self::Fee => "fee line",
            Self::Credit => "credit line",
        };
        let payment = order.payment_id.as_str();
        TransactionId::from_bytes(match position {
            0 => id_bytes(side, payment),
            later => id_bytes(side, &format!("{payment} {later}")),
        })
    }

    /// ISO 20022 bank transaction codes: issued and received credit transfers (real-time ones have families
    /// of their own), domestic, SEPA or cross-border, and charges.
    fn bank_transaction_code(self, product: Product) -> &'static str {
        match (self, Way::of(product)) {
            (Self::Debit, Way::RealTime) => "PMNT-IRCT-DMCT",
            (Self::Debit, Way::Domestic) => "PMNT-ICDT-DMCT",
            (Self::Debit, Way::Sepa) => "PMNT-ICDT-ESCT",
            (Self::Debit, Way::CrossBorder) => "PMNT-ICDT-XBCT",
            (Self::Credit, Way::RealTime) => "PMNT-RRCT-DMCT",
            (Self::Credit, Way::Domestic) => "PMNT-RCDT-DMCT",
            (Self::Credit, Way::Sepa) => "PMNT-RCDT-ESCT",
            (Self::Credit, Way::CrossBorder) => "PMNT-RCDT-XBCT",
            (Self::Fee, _) => "PMNT-ICDT-CHRG",
        }
    }

    /// What this bank calls it.
    fn proprietary_code(self, product: Product) -> &'static str {
        match (self, Way::of(product)) {
            (Self::Fee, _) => "GEBYR",
            (_, Way::RealTime) => "STRAKSBETALING",
            (_, Way::Domestic) => "BETALING",
            (_, Way::Sepa) => "SEPA-BETALING",
            (_, Way::CrossBorder) => "UTENLANDSBETALING",
        }
    }
}

/// How the money of a product travels.
#[derive(Clone, Copy)]
enum Way {
    RealTime,
    Domestic,
    Sepa,
    CrossBorder,
}

impl Way {
    fn of(product: Product) -> Self {
        match product {
            Product::InstantDomestic | Product::InstantDomesticStraks => Self::RealTime,
            Product::Domestic | Product::PeriodicDomestic | Product::BulkDomestic => Self::Domestic,
            Product::Sepa => Self::Sepa,
            Product::CrossBorder | Product::NorwegianCrossBorder => Self::CrossBorder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::PaymentOrder;
    use crate::payment::machine::PaymentStatus;
    use crate::sandbox::default_data::account_id;
    use crate::sandbox::fixture::{
        card, cross_border, in_currency, instant, noon, number, order, single, under, Fixture,
    };
    use crate::sandbox::view::{ledger, BookingView};
    use crate::store::sqlite::sandbox::AccountKey;
    use crate::types::AccountReference;

    const REFUSED: (PaymentStatus, Option<bool>) = (PaymentStatus::Rjct, Some(false));
    const SETTLED: (PaymentStatus, Option<bool>) = (PaymentStatus::Acsc, Some(true));

    fn outcome(fixture: &Fixture, order: &PaymentOrder) -> (PaymentStatus, Option<bool>) {
        let status = fixture.submit(order, noon());
        (status.status, status.funds_available)
    }

    fn newest(fixture: &Fixture, account: &str) -> BookingView {
        ledger(fixture.database(), account).unwrap().unwrap().bookings.swap_remove(0)
    }

    #[test]
    fn the_last_oere_may_be_spent_and_not_one_more() {
        let fixture = Fixture::new();
        assert_eq!(outcome(&fixture, &instant(1, "100000.01")), REFUSED);
        assert_eq!(fixture.amounts("95360573002"), [""; 0]);
        assert_eq!(outcome(&fixture, &instant(2, "100000.00")), SETTLED);
        assert_eq!(fixture.balance("95360573002"), "0.00");
        assert_eq!(fixture.balance("95360573037"), "200000.00");
        assert_eq!(outcome(&fixture, &instant(3, "0.01")), REFUSED);
    }

    #[test]
    fn the_fee_counts_to_the_oere() {
        // Due at once, so that the outcome shows; the price is that of a cross-border payment.
        let with_fee =
            |order: PaymentOrder| PaymentOrder { fee: Money::from_whole_units(30, Currency::NOK), ..order };
        let fixture = Fixture::new();
        assert_eq!(outcome(&fixture, &with_fee(instant(1, "99970.01"))), REFUSED);
        assert_eq!(outcome(&fixture, &with_fee(instant(2, "99970.00"))), SETTLED);
        assert_eq!(fixture.amounts("95360573002"), ["-30.00", "-99970.00"]);
        assert_eq!(fixture.amounts("95360573037"), ["99970.00"]);
        let fee = newest(&fixture, "95360573002");
        assert_eq!(fee.bank_transaction_code, "PMNT-ICDT-CHRG");
        assert_eq!((fee.counterpart_name, fee.text), (None, None));
    }

    #[test]
    fn a_card_account_pays_down_to_its_credit_limit() {
        let by_card = |n, amount| {
            let mut order = instant(n, amount);
            single(&mut order).debtor_account =
                AccountReference { identification: card("95360573029"), currency: Currency::NOK };
            order
        };
        let fixture = Fixture::new();
        assert_eq!(outcome(&fixture, &by_card(1, "50000.01")), REFUSED);
        assert_eq!(outcome(&fixture, &by_card(2, "50000.00")), SETTLED);
        assert_eq!(fixture.balance("95360573029"), "-50000.00");
        assert_eq!(fixture.balance("95360573037"), "150000.00");
    }

    #[test]
    fn an_account_in_euro_pays_kroner_and_shows_the_exchange() {
        let fixture = Fixture::new();
        let order = order(1, "95360573045", "95360573002", "1000.00");
        assert_eq!(outcome(&fixture, &order), SETTLED);
        assert_eq!(fixture.balance("95360573045"), "9914.71");
        assert_eq!(fixture.balance("95360573002"), "101000.00");
        let exchange = newest(&fixture, "95360573045").currency_exchange.unwrap();
        assert_eq!((exchange.source_currency, exchange.target_currency), ("EUR", "NOK"));
        assert_eq!((exchange.unit_currency, exchange.exchange_rate.as_str()), ("EUR", "11.725"));
        assert_eq!(exchange.quotation_date, "2026-11-20");
        assert_eq!(newest(&fixture, "95360573002").currency_exchange, None);
    }

    #[test]
    fn an_account_in_euro_is_paid_kroner_and_its_fee_is_exchanged_too() {
        let fixture = Fixture::new();
        let order = cross_border(order(1, "95360573045", "95360573045", "1000.00"));
        fixture.submit(&order, noon());
        fixture.bank.run(crate::sandbox::batch::next_run(noon())).unwrap();
        // 30 / 11.725 = 2.5586…
        assert_eq!(fixture.amounts("95360573045"), ["85.29", "-2.56", "-85.29"]);
        let ledger = ledger(fixture.database(), "95360573045").unwrap().unwrap();
        let directions: Vec<_> = ledger
            .bookings
            .iter()
            .map(|booking| booking.currency_exchange.as_ref().unwrap())
            .map(|exchange| (exchange.source_currency, exchange.target_currency))
            .collect();
        assert_eq!(directions, [("NOK", "EUR"), ("EUR", "NOK"), ("EUR", "NOK")]);
    }

    #[test]
    fn what_is_worth_less_than_a_minor_unit_is_refused() {
        const NOT_EXCHANGED: (PaymentStatus, Option<bool>) = (PaymentStatus::Rjct, None);
        let (nok, eur) = ("95360573002", "95360573045");
        // One cent is NOK 0.11725. NOK 0.06 would be rounded up to it.
        for (payment, (from, to, amount)) in
            (1..).zip([(nok, eur, "0.01"), (nok, eur, "0.06"), (nok, eur, "0.11"), (eur, nok, "0.11")])
        {
            let fixture = Fixture::new();
            assert_eq!(outcome(&fixture, &order(payment, from, to, amount)), NOT_EXCHANGED, "{amount}");
            assert_eq!(fixture.amounts(from).len() + fixture.amounts(to).len(), 0, "{amount}");
        }
        for (from, to, expected) in [(nok, eur, ("-0.12", "0.01")), (eur, nok, ("-0.01", "0.12"))] {
            let fixture = Fixture::new();
            assert_eq!(outcome(&fixture, &order(1, from, to, "0.12")), SETTLED);
            assert_eq!(
                (fixture.amounts(from), fixture.amounts(to)),
                (vec![expected.0.into()], vec![expected.1.into()])
            );
        }
        // What is not exchanged may be as little as it likes.
        let fixture = Fixture::new();
        assert_eq!(outcome(&fixture, &order(1, nok, nok, "0.01")), SETTLED);
    }

    #[test]
    fn a_payment_to_the_same_account_books_both_lines() {
        let fixture = Fixture::new();
        let order = order(1, "95360573002", "95360573002", "250.00");
        assert_eq!(outcome(&fixture, &order), SETTLED);
        assert_eq!(fixture.amounts("95360573002"), ["250.00", "-250.00"]);
        assert_eq!(fixture.balance("95360573002"), "100000.00");
    }

    #[test]
    fn a_currency_without_a_rate_is_refused_without_a_word_on_funds() {
        let fixture = Fixture::new();
        fixture.bank.set_rates(Rates::default().without(Currency::ZWD));
        let order = in_currency(instant(1, "1.00"), "1.00", Currency::ZWD);
        assert_eq!(outcome(&fixture, &order), (PaymentStatus::Rjct, None));
        assert_eq!(fixture.amounts("95360573002"), [""; 0]);
    }

    #[test]
    fn a_payee_gets_no_more_than_a_balance_holds() {
        for (amount, expected, balance) in [
            ("0.02", (PaymentStatus::Rjct, None), "999999999999999999.98"),
            ("0.01", SETTLED, "999999999999999999.99"),
        ] {
            let fixture = Fixture::new();
            let key = AccountKey::from(&account_id("95360573037"));
            let nearly_full = Money::parse("999999999999999999.98", Currency::NOK).unwrap();
            fixture.database().write_books(|books| books.change_balance(&key, nearly_full, noon())).unwrap();
            assert_eq!(outcome(&fixture, &instant(1, amount)), expected);
            assert_eq!(fixture.balance("95360573037"), balance);
        }
    }

    #[test]
    fn a_creditor_elsewhere_gets_the_money_and_no_line() {
        let fixture = Fixture::new();
        for (n, creditor) in [(1, "95360573290"), (2, "DE89370400440532013000")] {
            assert_eq!(outcome(&fixture, &order(n, "95360573002", creditor, "10.00")), SETTLED);
        }
        assert_eq!(fixture.amounts("95360573002"), ["-10.00", "-10.00"]);
        assert_eq!(newest(&fixture, "95360573002").counterpart_account.unwrap(), "DE89370400440532013000");
    }

    #[test]
    fn eleven_digits_at_a_bank_abroad_are_no_account_of_ours() {
        for (agent, credited) in [("DNBANOKK", "110.00"), ("DEUTDEFF", "")] {
            let fixture = Fixture::new();
            let mut order = cross_border(order(1, "95360573002", "95360573037", "110.00"));
            single(&mut order).creditor_agent = Some(crate::types::Bic::parse(agent).unwrap());
            fixture.submit(&order, noon());
            fixture.bank.run(crate::sandbox::batch::next_run(noon())).unwrap();
            assert_eq!(fixture.amounts("95360573037").concat(), credited, "{agent}");
            assert_eq!(fixture.amounts("95360573002"), ["-30.00", "-110.00"]);
        }
    }

    #[test]
    fn both_sides_name_each_other_and_what_it_was_for() {
        let fixture = Fixture::new();
        let mut order = instant(1, "5.00");
        single(&mut order).creditor_account.identification = number("NO3495360573037");
        single(&mut order).purpose_code = Some(crate::types::PurposeCode::SALA);
        single(&mut order).remittance = Some(crate::payment::order::RemittanceInformation::Unstructured(
            crate::types::Text::parse("Lønn for november", crate::types::Repertoire::Latin1).unwrap(),
        ));
        fixture.submit(&order, noon());
        let (paid, received) = (newest(&fixture, "95360573002"), newest(&fixture, "95360573037"));
        assert_eq!(paid.counterpart_name.as_deref(), Some("Payee Test"));
        assert_eq!(paid.counterpart_account.as_deref(), Some("95360573037"));
        assert_eq!(received.counterpart_name.as_deref(), Some("Testodius Test"));
        assert_eq!(received.counterpart_account.as_deref(), Some("95360573002"));
        for line in [&paid, &received] {
            assert_eq!(line.text.as_deref(), Some("Lønn for november"));
            assert_eq!(line.purpose_code.as_deref(), Some("SALA"));
            assert_eq!((line.booking_date.as_str(), line.value_date.as_str()), ("2026-11-20", "2026-11-20"));
        }
        assert_eq!(
            (paid.bank_transaction_code.as_str(), received.bank_transaction_code.as_str()),
            ("PMNT-IRCT-DMCT", "PMNT-RRCT-DMCT")
        );
        assert_ne!(paid.transaction_id, received.transaction_id);
    }

    #[test]
    fn each_product_has_its_codes_on_both_sides() {
        use Product::*;
        let (instant_codes, domestic) =
            (["PMNT-IRCT-DMCT", "PMNT-RRCT-DMCT"], ["PMNT-ICDT-DMCT", "PMNT-RCDT-DMCT"]);
        let cross = ["PMNT-ICDT-XBCT", "PMNT-RCDT-XBCT"];
        for (product, codes, name) in [
            (Domestic, domestic, "BETALING"),
            (BulkDomestic, domestic, "BETALING"),
            (InstantDomestic, instant_codes, "STRAKSBETALING"),
            (InstantDomesticStraks, instant_codes, "STRAKSBETALING"),
            (Sepa, ["PMNT-ICDT-ESCT", "PMNT-RCDT-ESCT"], "SEPA-BETALING"),
            (CrossBorder, cross, "UTENLANDSBETALING"),
            (NorwegianCrossBorder, cross, "UTENLANDSBETALING"),
        ] {
            let fixture = Fixture::new();
            fixture.submit(&under(product, instant(1, "10.00")), noon());
            fixture.bank.run(crate::sandbox::batch::next_run(noon())).unwrap();
            let paid = ledger(fixture.database(), "95360573002").unwrap().unwrap().bookings;
            let (debit, received) = (paid.last().unwrap(), newest(&fixture, "95360573037"));
            assert_eq!(
                [debit, &received].map(|line| line.bank_transaction_code.as_str()),
                codes,
                "{product:?}"
            );
            for line in [debit, &received] {
                assert_eq!(line.proprietary_bank_transaction_code.as_deref(), Some(name), "{product:?}");
            }
            let fees = paid.iter().filter(|line| line.bank_transaction_code == "PMNT-ICDT-CHRG").count();
            assert_eq!(fees, usize::from(!product.is_domestic()), "{product:?}");
        }
    }

    #[test]
    fn a_sepa_payment_costs_kroner_and_is_received_in_euro() {
        let fixture = Fixture::new();
        let iban =
            crate::types::Iban::of_norwegian(&crate::types::Bban::parse("95360573045").unwrap()).unwrap();
        let order = under(Product::Sepa, order(1, "95360573002", iban.as_str(), "1.00"));
        fixture.submit(&in_currency(order, "100.00", Currency::EUR), noon());
        fixture.bank.run(crate::sandbox::batch::next_run(noon())).unwrap();
        assert_eq!(fixture.amounts("95360573002"), ["-30.00", "-1172.50"]);
        assert_eq!(fixture.amounts("95360573045"), ["100.00"]);
    }
}
