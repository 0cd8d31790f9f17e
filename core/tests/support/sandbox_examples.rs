//! An example of each body of the sandbox's own routes: printed in the docs, and sent by a test to a sandbox as it
//! begins, in this order. The ids in the paths are those of the first account, the first card account and the newest
//! agreement.

/// Route and body.
pub(crate) const EXAMPLES: [(&str, &str); 9] = [
    (
        "createMockCustomer",
        r#"{"customerNumber": "01819090013", "customerType": "PRIVATE", "customerName": "Kari Nordmann"}"#,
    ),
    (
        "createMockAccount",
        r#"{
  "customerNumber": "01819090013",
  "currency": "NOK",
  "accountName": "Lønnskonto",
  "bban": "95360573312",
  "balances": [{"balanceType": "closingBooked", "balanceAmount": {"currency": "NOK", "amount": 20000}}]
}"#,
    ),
    (
        "setMockAccountBalances",
        r#"[
  {"balanceType": "closingBooked", "balanceAmount": {"currency": "NOK", "amount": 1500}},
  {"balanceType": "expected", "balanceAmount": {"currency": "NOK", "amount": 1200}}
]"#,
    ),
    (
        "createMockTransactions",
        r#"[
  {
    "amount": 49,
    "currency": "NOK",
    "valueDate": "2026-08-31",
    "bookingDate": "2026-08-31",
    "remittanceInformationUnstructured": "Abonnement",
    "creditorId": "",
    "creditorName": "Avisen AS",
    "creditorAccount": {"iban": "", "bban": "95360573037"},
    "ultimateCreditor": "",
    "debtorName": "Testodius Test",
    "debtorAccount": {"iban": "", "bban": "95360573002"},
    "ultimateDebtor": "",
    "purposeCode": "",
    "bankTransactionCode": "PMNT-ICDT-DMCT"
  }
]"#,
    ),
    (
        "createMockCardAccount",
        r#"{
  "customerNumber": "01819090013",
  "maskedPan": "123456******0009",
  "currency": "NOK",
  "creditLimit": {"currency": "NOK", "amount": 50000},
  "balances": [{"balanceType": "closingBooked", "balanceAmount": {"currency": "NOK", "amount": -200}}],
  "cardId": "CARD9",
  "cardIdVNo": "02",
  "accountNumber": "9536.05.73320",
  "expiry": "2030-01",
  "name": "Reisekort",
  "product": "GULLKORT",
  "status": "enabled"
}"#,
    ),
    (
        "setMockCardAccountBalances",
        r#"[{"balanceType": "closingBooked", "balanceAmount": {"currency": "NOK", "amount": -350}}]"#,
    ),
    (
        "createMockCardTransactions",
        r#"[
  {
    "cardTransactionId": "CT-1",
    "bookingDate": "2026-08-31",
    "transactionDate": "2026-08-29",
    "transactionAmount": {"currency": "NOK", "amount": 117},
    "originalAmount": {"currency": "EUR", "amount": 10},
    "currencyExchange": {
      "sourceCurrency": "EUR",
      "exchangeRate": "11.7250",
      "unitCurrency": "EUR",
      "targetCurrency": "NOK",
      "quotationDate": "2026-08-29"
    },
    "markupFee": {"currency": "NOK", "amount": 2},
    "merchantCategoryCode": "5812",
    "cardAcceptorAddress": {"city": "Paris", "country": "FR"},
    "transactionDetails": "Brasserie"
  }
]"#,
    ),
    (
        "createMockAgreement",
        r#"{
  "name": "Nettbank bedrift",
  "owner": "18129215603",
  "engagements": [
    {
      "customer": "01819090013",
      "account": {"iban": "", "bban": "95360573118"},
      "roles": ["REGISTER", "VIEW"],
      "registerLimit": 100000,
      "approvalLimit": 100000
    }
  ]
}"#,
    ),
    (
        "createMockEngagement",
        r#"{
  "customer": "13039319955",
  "account": {"bban": "95360573126"},
  "name": "Innsyn og betaling",
  "roles": ["REGISTER", "VIEW"],
  "accessRights": true,
  "paymentRights": false,
  "transferRights": false,
  "registerLimit": 0,
  "approvalLimit": 0
}"#,
    ),
];
