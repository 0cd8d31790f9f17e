"""The texts of the console: English is the key, Bokmål the value."""

from __future__ import annotations

from typing import Literal

__all__ = ["BOKMAL", "Language", "language_of", "translate"]

Language = Literal["en", "nb"]

BOKMAL: dict[str, str] = {
    "Accounts": "Kontoer",
    "Account": "Konto",
    "Add fault": "Legg inn feil",
    "Agreement": "Avtale",
    "All": "Alle",
    "Amount": "Beløp",
    "Answer": "Svar",
    "Approve": "Godkjenn",
    "At": "Tidspunkt",
    "Back": "Tilbake",
    "Balance": "Saldo",
    "Body": "Innhold",
    "Booked": "Bokført",
    "Call": "Kall",
    "Calls": "Kall",
    "Calls appear here as they arrive.": "Kall vises her når de kommer.",
    "Cause": "Årsak",
    "Clock": "Klokke",
    "Code": "Kode",
    "Consents and sessions": "Samtykker og sesjoner",
    "Consents": "Samtykker",
    "Console": "Konsoll",
    "Context": "Rolle",
    "Control step": "Styring",
    "Copied": "Kopiert",
    "Copy": "Kopier",
    "Counterparty": "Motpart",
    "Coverage": "Dekning",
    "Created": "Opprettet",
    "Creditor": "Mottaker",
    "Customer": "Kunde",
    "Customer number": "Kundenummer",
    "Date": "Dato",
    "Delete": "Slett",
    "Expected by the bank": "Forventet av banken",
    "Export": "Eksport",
    "Fault": "Feil",
    "Faults": "Feil",
    "Filter": "Filtrer",
    "From": "Fra",
    "Granted": "Gitt",
    "Headers": "Hoder",
    "History": "Historikk",
    "Import": "Importer",
    "Injected": "Injisert",
    "Control interface": "Kontrollgrensesnitt",
    "Interface to TPPs": "Grensesnitt for TPP-er",
    "The pages of the documents need one more package:": "Sidene med dokumentene trenger én pakke til:",
    "This page needs JavaScript; the documents do not.": (
        "Denne siden trenger JavaScript, dokumentene gjør det ikke."
    ),
    "Interface documents": "Grensesnittdokumenter",
    "It follows the clock of this machine.": "Den følger klokken til denne maskinen.",
    "Kind": "Type",
    "Left": "Gjenstår",
    "Link": "Lenke",
    "Live": "Direkte",
    "Matched": "Truffet",
    "Name": "Navn",
    "Next event": "Neste hendelse",
    "None": "Ingen",
    "Nothing here yet.": "Ingenting her ennå.",
    "Nothing is due.": "Ingenting forfaller.",
    "Now": "Nå",
    "Opened": "Åpnet",
    "Operation": "Operasjon",
    "Pages": "Sider",
    "Payment": "Betaling",
    "Payments": "Betalinger",
    "Probability": "Sannsynlighet",
    "Product": "Produkt",
    "Reason": "Grunn",
    "Refuse": "Avvis",
    "Remove": "Fjern",
    "Remove all": "Fjern alle",
    "Request": "Forespørsel",
    "Restore": "Gjenopprett",
    "Revoke": "Trekk tilbake",
    "Revoked": "Trukket tilbake",
    "SCA": "SCA",
    "SCA site": "SCA-nettsted",
    "Seconds": "Sekunder",
    "Sessions": "Sesjoner",
    "Set": "Sett",
    "Sign in": "Logg inn",
    "Signed by the client": "Signert av klienten",
    "Skip to content": "Gå til innholdet",
    "Snapshots": "Øyeblikksbilder",
    "State": "Tilstand",
    "State machine": "Tilstandsmaskin",
    "Status": "Status",
    "Step": "Steg",
    "Take a snapshot": "Ta øyeblikksbilde",
    "Taken path": "Fulgt vei",
    "Target holds": "Målet inneholder",
    "Test bank: no real money, no real customers.": "Testbank: ingen ekte penger, ingen ekte kunder.",
    "Text": "Tekst",
    "The PSU is sent back to": "PSU sendes tilbake til",
    "The text is too large to edit here: export it.": (
        "Teksten er for stor til å redigeres her: eksporter den."
    ),
    "The token is wrong.": "Tokenet er feil.",
    "This cannot be done": "Dette kan ikke gjøres",
    "Times": "Antall ganger",
    "To": "Til",
    "To a time (UTC)": "Til et tidspunkt (UTC)",
    "To the next event": "Til neste hendelse",
    "Token": "Token",
    "Untouched": "Urørt",
    "What happened": "Hva som skjedde",
    "Why it was refused": "Hvorfor det ble avvist",
    "expired": "utløpt",
    "codes": "koder",
    "operations": "operasjoner",
    "reasons": "grunner",
    "sandboxRoutes": "sandkassens egne ruter",
    "states": "tilstander",
    "transitions": "overganger",
    "newest first": "nyeste først",
    "of": "av",
    "replaced": "erstattet",
    "the first difference is marked": "den første forskjellen er markert",
}

# Names of the coverage that are no words.
_ENGLISH = {"sandboxRoutes": "the sandbox's own routes"}


def language_of(chosen: str | None, accepted: str) -> Language:
    """The language that was chosen, or else the first known one that the browser asks for."""
    if chosen in ("en", "nb"):
        return "nb" if chosen == "nb" else "en"
    for part in accepted.lower().split(","):
        tag = part.split(";")[0].strip().split("-")[0]
        if tag in ("nb", "no", "nn"):
            return "nb"
        if tag == "en":
            return "en"
    return "en"


def translate(text: str, language: Language) -> str:
    """A text of the console."""
    return BOKMAL.get(text, text) if language == "nb" else _ENGLISH.get(text, text)
