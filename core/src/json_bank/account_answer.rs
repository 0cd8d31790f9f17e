//! What a bank answers of accounts, cards and transactions.

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::part::{BankTransactionCode, Line, MaskedPan};
use super::shape::{shape, Shape, Shaped};
use crate::account::record::{
    Account, Balance, BalanceType, CardAcceptorAddress, CardAccount, CardTransaction, CorporateAgreement,
    CurrencyExchange, Party, Transaction, TransactionReference,
};
use crate::limits::{NAME_CHARS_MAX, REFERENCE_CHARS_MAX, REMITTANCE_CHARS_MAX};
use crate::types::{AccountId, Bban, Bic, CardAccountId, CorporateKey, Currency, Iban, Money, TransactionId};

/// The objects below, for the docs.
pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Account::shape(),
        CardAccount::shape(),
        Balance::shape(),
        Transaction::shape(),
        CardTransaction::shape(),
        CurrencyExchange::shape(),
        Party::shape(),
        TransactionReference::shape(),
        CardAcceptorAddress::shape(),
        CorporateAgreement::shape(),
    ]
}

shape! {
    Account "account" {
        id: AccountId = required "accountId", "its id: opaque, stable, unguessable; TPPs see it";
        bban: Bban = optional "bban", "its domestic number";
        iban: Iban = optional "iban", "its international number";
        bic: Bic = optional "bic", "the bank that holds it";
        currency: Currency = required "currency", "the currency it is held in";
        name: Line<NAME_CHARS_MAX> = optional "name", "what its owner calls it";
        product: Line<35> = optional "product", "what the bank calls its kind";
        cash_account_type: Line<4> = optional "cashAccountType", "ISO 20022, such as `CACC`";
    }
}

shape! {
    CardAccount "card-account" {
        id: CardAccountId = required "cardAccountId", "its id: opaque, stable, unguessable; TPPs see it";
        masked_pan: MaskedPan = required "maskedPan", "the card's number, all but its ends masked";
        currency: Currency = required "currency", "the currency it is held in";
        name: Line<NAME_CHARS_MAX> = optional "name", "what its owner calls it";
        product: Line<35> = optional "product", "what the bank calls its kind";
        credit_limit: Money = optional "creditLimit", "how much may be owed";
    }
}

shape! {
    Balance "balance" {
        kind: BalanceType = required "balanceType", "which one";
        amount: Money = required "balanceAmount", "the sum; negative where money is owed";
    }
}

shape! {
    Party "party" {
        name: Line<140> = optional "name", "its name; a TPP is shown 70 characters of it";
        bban: Bban = optional "bban", "its account number";
        iban: Iban = optional "iban", "its IBAN";
        agent: Bic = optional "agent", "its bank";
    }
}

shape! {
    CurrencyExchange "currency-exchange" {
        source: Currency = required "sourceCurrency", "the currency given";
        target: Currency = required "targetCurrency", "the currency got for it";
        unit: Currency = required "unitCurrency", "the currency of which the rate prices one unit";
        rate: Decimal = required "exchangeRate", "what one unit is worth in the other currency";
        quotation_date: NaiveDate = required "quotationDate", "the day of the rate";
        contract: Line<REFERENCE_CHARS_MAX> = optional "contractIdentification", "the contract it rests on";
    }
}

shape! {
    TransactionReference "transaction-reference" {
        reference: Line<REFERENCE_CHARS_MAX> = required "reference", "the reference itself";
        reference_type: Line<REFERENCE_CHARS_MAX> = optional "referenceType", "its type, such as `SCOR`";
        reference_issuer: Line<REFERENCE_CHARS_MAX> = optional "referenceIssuer", "who issued it";
    }
}

shape! {
    Transaction "transaction" {
        id: TransactionId = optional "transactionId", "its id, which never changes; a pending one has none";
        end_to_end_id: Line<REFERENCE_CHARS_MAX> = optional "endToEndId", "the payer's own reference";
        booking_date: NaiveDate = optional "bookingDate",
            "when it was booked, or is expected to be; absent of a pending one alone";
        value_date: NaiveDate = optional "valueDate", "from when on it bears interest";
        amount: Money = required "transactionAmount",
            "the sum in the account's currency; negative where it leaves the account";
        exchange: CurrencyExchange = optional "currencyExchange", "the exchange, where there was one";
        creditor: Party = defaulted "creditor", "who is paid";
        debtor: Party = defaulted "debtor", "who pays";
        unstructured: Line<REMITTANCE_CHARS_MAX> = optional "remittanceInformationUnstructured", "the free message";
        structured: Vec<TransactionReference> = defaulted "remittanceInformationStructuredArray",
            "the structured references";
        purpose_code: Line<4> = optional "purposeCode", "why, as a code of ISO 20022";
        bank_transaction_code: BankTransactionCode = optional "bankTransactionCode", "what it is in ISO 20022";
        proprietary_code: Line<35> = optional "proprietaryBankTransactionCode", "what the bank calls it";
    }
}

shape! {
    CardAcceptorAddress "card-acceptor-address" {
        street: Line<NAME_CHARS_MAX> = optional "street", "street name";
        building_number: Line<16> = optional "buildingNumber", "house number";
        postal_code: Line<16> = optional "postalCode", "postal code";
        city: Line<NAME_CHARS_MAX> = optional "city", "town";
        country: Line<2> = optional "country", "ISO 3166-1 alpha-2";
    }
}

shape! {
    CardTransaction "card-transaction" {
        id: Line<35> = optional "cardTransactionId", "its id";
        terminal_id: Line<35> = optional "terminalId", "the terminal";
        booking_date: NaiveDate = optional "bookingDate", "when it was booked; absent of a pending one alone";
        transaction_date: NaiveDate = optional "transactionDate", "when the card was used";
        value_date: NaiveDate = optional "valueDate", "from when on it bears interest";
        amount: Money = required "transactionAmount",
            "the sum in the account's currency; positive where it was spent";
        original_amount: Money = optional "originalAmount", "the sum in the currency it was spent in";
        exchange: CurrencyExchange = optional "currencyExchange", "the exchange between the two";
        markup_fee: Money = optional "markupFee", "what the exchange cost";
        markup_fee_percentage: Line<35> = optional "markupFeePercentage", "the same in percent";
        card_acceptor_id: Line<35> = optional "cardAcceptorId", "the merchant";
        card_acceptor_address: CardAcceptorAddress = optional "cardAcceptorAddress", "where the merchant is";
        merchant_category_code: Line<4> = optional "merchantCategoryCode", "ISO 18245";
        masked_pan: MaskedPan = optional "maskedPan", "the card that was used";
        details: Line<1000> = optional "transactionDetails", "what the statement says";
        invoiced: bool = optional "invoiced", "whether it is on an invoice";
        proprietary_code: Line<35> = optional "proprietaryBankTransactionCode", "what the bank calls it";
    }
}

shape! {
    CorporateAgreement "agreement" {
        corporate: CorporateKey = required "corporate", "the customer the person then acts for, as the bank knows it";
        name: Line<140> = required "name", "what the agreement is called";
        owner: Line<35> = required "owner", "the customer's number at the bank";
    }
}
