"""A body for every call that takes one, with every member that it may have."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

PERSON, COMPANY = "13039319955", "18129215603"
ACCOUNT = "95360573002"
PAYEE: Json = {"bban": "95360573037", "currency": "NOK"}
ABROAD: Json = {"iban": "DE89370400440532013000", "currency": "EUR"}
ADDRESS: Json = {
    "street": "Karl Johans gate",
    "buildingNumber": "1",
    "postalCode": "0154",
    "townName": "Oslo",
    "city": "Oslo",
    "country": "NO",
}
REFERENCE = {"reference": "1234567897", "referenceType": "SCOR", "referenceIssuer": "BITS"}
TRANSFER: Json = {
    "instructedAmount": {"amount": "1.00", "currency": "NOK"},
    "creditorName": "Testodius To",
    "creditorAccount": PAYEE,
    "creditorAddress": ADDRESS,
    "ultimateDebtor": "Testodius Three",
    "purposeCode": "SALA",
    "remittanceInformationStructuredArray": [REFERENCE],
}
DEBTOR: Json = {"debtorAccount": {"bban": ACCOUNT, "currency": "NOK"}}
DOMESTIC = {**TRANSFER, **DEBTOR}
CARD_NUMBER = {"identification": "123456******0001", "schemeNameProprietary": "creditCardAccount"}
EUROS = {"amount": "1.00", "currency": "EUR"}
REPORT = {"regulatoryReportingCode": "14", "regulatoryReportingInformation": "Goods"}
CROSS_BORDER = {
    **DOMESTIC,
    "instructedAmount": EUROS,
    "creditorAccount": ABROAD,
    "creditorAgent": "DEUTDEFF",
    "serviceLevel": "URGP",
    "requestedExecutionDate": "2026-09-02",
}
PAYMENTS: dict[str, Json] = {
    "payments/norwegian-domestic-credit-transfers": {**DOMESTIC, "requestedExecutionDate": "2026-09-02"},
    "payments/instant-norwegian-domestic-credit-transfers": {
        **DOMESTIC,
        "creditorAccount": {"bban": "95360573118", "currency": "NOK"},
        "debtorAccount": {"other": CARD_NUMBER, "currency": "NOK"},
    },
    "payments/instant-norwegian-domestic-credit-transfers-straks": {
        **{name: value for name, value in DOMESTIC.items() if not name.startswith("remittance")},
        "remittanceInformationUnstructured": "Invoice 1001",
    },
    "payments/sepa-credit-transfers": {
        **{name: value for name, value in CROSS_BORDER.items() if name != "serviceLevel"},
        **REPORT,
        "debtorAccount": {"iban": "NO0995360573002", "currency": "NOK"},
    },
    "payments/cross-border-credit-transfers": CROSS_BORDER,
    "payments/norwegian-cross-border-credit-transfers": {**CROSS_BORDER, **REPORT},
    "periodic-payments/norwegian-domestic-credit-transfers": {
        **{name: value for name, value in DOMESTIC.items() if not name.startswith("remittance")},
        "remittanceInformationStructured": REFERENCE,
        "startDate": "2026-09-02",
        "endDate": "2027-09-02",
        "executionRule": "following",
        "frequency": "Monthly",
        "dayOfExecution": "2",
    },
    "bulk-payments/norwegian-domestic-credit-transfers": {
        **DEBTOR,
        "paymentInformationId": "Wages 9",
        "requestedExecutionDate": "2026-09-02",
        "payments": [TRANSFER],
    },
}


CUSTOMER: Json = {
    "customerNumber": "01819090013",
    "customerType": "PRIVATE",
    "customerName": "Kari Nordmann",
}
MADE_ACCOUNT: Json = {
    "customerNumber": PERSON,
    "currency": "NOK",
    "accountName": "Sparing",
    "product": "SPAREKONTO",
    "cashAccountType": "SVGS",
    "creditLine": 100,
    "balances": [{"balanceType": "closingBooked", "balanceAmount": {"currency": "NOK", "amount": 1500}}],
}
LINE: Json = {
    "amount": 49,
    "currency": "NOK",
    "valueDate": "2026-08-31",
    "bookingDate": "2026-08-31",
    "remittanceInformationUnstructured": "Abonnement",
    "creditorId": "",
    "creditorName": "Avisen AS",
    "creditorAccount": {"iban": "", "bban": "95360573037"},
    "ultimateCreditor": "Avisens venner",
    "debtorName": "Testodius Test",
    "debtorAccount": {"iban": "", "bban": ACCOUNT},
    "ultimateDebtor": "Testodius Three",
    "purposeCode": "OTHR",
    "bankTransactionCode": "PMNT-ICDT-DMCT",
}
CARD: Json = {
    "customerNumber": PERSON,
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
    "status": "enabled",
}
CARD_USE: Json = {
    "cardTransactionId": "CT-1",
    "terminalId": "74310",
    "bookingDate": "2026-08-31",
    "transactionDate": "2026-08-29",
    "valueDate": "2026-08-31",
    "transactionAmount": {"currency": "NOK", "amount": 117},
    "originalAmount": {"currency": "EUR", "amount": 10},
    "currencyExchange": {
        "sourceCurrency": "EUR",
        "exchangeRate": "11.7250",
        "unitCurrency": "EUR",
        "targetCurrency": "NOK",
        "quotationDate": "2026-08-29",
        "contractIdentification": "C-1",
    },
    "merchantCategoryCode": "5812",
    "markupFee": {"currency": "NOK", "amount": 2},
    "markupFeePercentage": "2",
    "cardAcceptorId": "4711",
    "cardAcceptorAddress": {
        "street": "Rue de Rivoli",
        "buildingNumber": "1",
        "postalCode": "75001",
        "city": "Paris",
        "country": "FR",
    },
    "maskedPan": "123456******0009",
    "transactionDetails": "Brasserie",
    "invoiced": False,
    "proprietaryBankTransactionCode": "PURCHASE",
}
ENGAGEMENT: Json = {
    "customer": PERSON,
    "account": {"bban": "95360573126"},
    "name": "Innsyn og betaling",
    "roles": ["REGISTER", "VIEW"],
    "accessRights": True,
    "paymentRights": False,
    "transferRights": False,
    "registerLimit": 0,
    "approvalLimit": 0,
}
AGREEMENT: Json = {"name": "Nettbank", "owner": COMPANY, "engagements": [ENGAGEMENT]}
