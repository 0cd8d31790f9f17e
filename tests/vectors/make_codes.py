"""Writes currencies.json and countries.json from the tables of third-party packages.

    pip install pycountry==26.2.16 iso4217==1.16.20260101
    pip install --no-deps --target OLD iso4217==1.0.20140328
    python tests/vectors/make_codes.py OLD

OLD holds the ISO 4217 table of 2014, which still publishes the codes withdrawn since. The codes themselves
are the contract's; a code in neither table is given here, by hand.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree

import iso4217
import pycountry

HERE = pathlib.Path(__file__).parent
LISTED = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYR BZD CAD CDF CHF
CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GGP GHS GIP GMD GNF GTQ GYD HKD
HNL HRK HTG HUF IDR ILS IMP INR IQD IRR ISK JEP JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD
LSL LYD MAD MDL MGA MKD MMK MNT MOP MRO MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR
PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SPL SRD STD SVC SYP SZL THB TJS TMT TND TOP TRY
TTD TVD TWD TZS UAH UGX USD UYU UZS VEF VND VUV WST XAF XCD XDR XOF XPF YER ZAR ZMW ZWD
""".split()
BY_HAND = {
    "GGP": ("2", "not an ISO 4217 code: as GBP"),
    "IMP": ("2", "not an ISO 4217 code: as GBP"),
    "JEP": ("2", "not an ISO 4217 code: as GBP"),
    "SPL": ("2", "not an ISO 4217 code"),
    "TVD": ("2", "not an ISO 4217 code: as AUD"),
    "XDR": ("0–5", "ISO 4217 publishes N.A."),
    "ZWD": ("2", "withdrawn in 2008, before the oldest table at hand"),
}


def table_of_2014(folder):
    root = xml.etree.ElementTree.parse(pathlib.Path(folder, "iso4217", "table_a1.xml")).getroot()
    rows = ({cell.tag: cell.text for cell in entry} for entry in root.iter())
    return {row["Ccy"]: row["CcyMnrUnts"] for row in rows if "Ccy" in row}


def currency(code, today, then):
    if code in BY_HAND:
        expected, comment = BY_HAND[code]
    elif code in today:
        expected, comment = str(today[code]), "ISO 4217, 2026"
    else:
        expected, comment = then[code], "withdrawn; ISO 4217, 2014"
    return {"id": code, "comment": comment, "code": code, "expected": expected}


def write(name, rows):
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main(folder):
    today = {row.code: row.exponent for row in iso4217.Currency}
    write("currencies.json", [currency(code, today, table_of_2014(folder)) for code in LISTED])
    countries = sorted(country.alpha_2 for country in pycountry.countries)
    write("countries.json", [
        {"id": code, "comment": "ISO 3166-1", "code": code, "expected": True} for code in countries
    ])


if __name__ == "__main__":
    main(sys.argv[1])
