"""Writes account_numbers.json, ibans.json, kids.json and identity_numbers.json; python-stdnum judges them.

    pip install python-stdnum==2.2 schwifty==2026.10.1
    python tests/vectors/make_identifiers.py

Seeded: the same bytes every time. Where this project is stricter than python-stdnum on purpose (separators,
check digits never issued) the vector is given by hand and its comment says why. Modulus 11 of a KID has no
module of its own there; the Chilean RUT has the same weights and remainder rule, with K for what a KID
writes as a dash.
"""

import json
import pathlib
import random
import re

import schwifty
from stdnum import iban, luhn, numdb
from stdnum.cl import rut
from stdnum.no import fodselsnummer, kontonr

HERE = pathlib.Path(__file__).parent
RANDOM = random.Random(20261120)
DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KINDS = {"n": DIGITS, "a": LETTERS, "c": DIGITS + LETTERS}


def characters(alphabet, length):
    return "".join(RANDOM.choice(alphabet) for _ in range(length))


def other(character, alphabet):
    return RANDOM.choice([each for each in alphabet if each != character])


def row(name, number, comment, text, expected, **more):
    return {"id": f"{name}-{number:03}", "comment": comment, "text": text, "expected": expected, **more}


def write(name, rows):
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in rows)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def numbered(name, cases):
    return [row(name, number, *case) for number, case in enumerate(cases, 1)]


def account_numbers():
    published = ["95360573002", "26743379224", "91351631959", "86011117947", "8601 11 17947", "8601.11.17947"]
    yield from ((("published"), text, True) for text in published)
    for text in ["", "8601111794", "860111179470", "8601-11-17947", "8601111794A", "８６０１１１１７９４７", "3117947"]:
        yield "by hand: not 11 digits, dots and spaces aside", text, False
    for _ in range(60):
        # Numbers that begin with 0000 are post giro numbers to python-stdnum.
        head = RANDOM.choice(DIGITS[1:]) + characters(DIGITS, 9)
        checks = [*RANDOM.sample(DIGITS, 2), kontonr._calc_check_digit(head + "0")[-1]]
        for text in [head + check for check in checks]:
            yield "stdnum.no.kontonr", text, kontonr.is_valid(text)


def ibans():
    yield "ISO 13616 example", "GB82 WEST 1234 5698 7654 32", True
    yield "published", "NO93 8601 1117 947", True
    yield "lower case", "no9386011117947", True
    yield "by hand: hyphens are no separators here", "NO93-8601-1117-947", False
    yield "by hand: the same remainder as 02, never issued", iban_with_check("02", "99"), False
    yield "by hand: the same remainder as 97, never issued", iban_with_check("97", "00"), False
    yield "by hand: the same remainder as 98, never issued", iban_with_check("98", "01"), False
    for code in ["AX", "GG", "IM", "JE", "GP", "US", "XX", "ZZ"]:
        length = 14
        yield "by hand: no such country in the registry", with_check(code, characters(DIGITS, length)), False
    for prefix in numdb.get("iban").prefixes:
        country, structure = prefix[1], prefix[3]["bban"]
        parts = re.findall(r"([0-9]+)!([nac])", structure)
        bban = "".join(characters(KINDS[kind], int(length)) for length, kind in parts)
        good = with_check(country, bban)
        place = RANDOM.randrange(4, len(good))
        changed = good[:place] + other(good[place], DIGITS if good[place] in DIGITS else LETTERS) + good[place + 1:]
        longer, shorter = with_check(country, bban + "0"), with_check(country, bban[:-1])
        misfit = with_check(country, ("A" if parts[0][1] == "n" else "0") + bban[1:])
        for comment, text in [("stdnum.iban", good), ("one character changed", changed), ("one longer", longer),
                              ("one shorter", shorter), ("another kind of character", misfit)]:
            yield comment, text, agreed(text)


def agreed(text):
    """Both packages must say the same, but for Brazil: its bank codes have letters since 2026, which only the
    newer registry of schwifty knows."""
    older = iban.is_valid(text, check_country=False)
    newer = schwifty.IBAN(text, allow_invalid=True).is_valid
    assert older == newer or (newer and text.startswith("BR")), text
    return newer


def with_check(country, bban):
    return country + iban.calc_check_digits(country + "00" + bban) + bban


def iban_with_check(issued, never):
    while True:
        bban = characters(DIGITS, 11)
        if with_check("NO", bban)[2:4] == issued:
            return "NO" + never + bban


def kid_row(number, comment, text):
    body = 2 <= len(text) <= 25 and re.fullmatch("[0-9]+[0-9-]", text) is not None
    ten = body and text[-1] != "-" and luhn.is_valid(text)
    eleven = body and rut.calc_check_digit(text[:-1]).replace("K", "-") == text[-1]
    return row("kid", number, comment, text, ten or eleven, expected_modulus_10=ten, expected_modulus_11=eleven)


def kids():
    yield "printed in the platform's documentation, yet valid by neither modulus", "99754667145676221"
    yield "valid by both", "2345676"
    yield "valid by both", "12345678903"
    yield "valid by modulus 10 alone", "1234567897"
    yield "valid by modulus 11 alone", "1234567892"
    edges = ["", "0", "-", "00", "--", "06-", "6--", "-06", "0" * 25, "0" * 26]
    for text in [*edges, "234 5676", "234567６", "KID2345676"]:
        yield "edge", text
    for length in range(1, 26):
        digits = characters(DIGITS, length)
        yield "modulus 10 computed", digits + luhn.calc_check_digit(digits)
        yield "modulus 11 computed", digits + rut.calc_check_digit(digits).replace("K", "-")
        yield "any check digit", digits + RANDOM.choice(DIGITS + "-")
    dashes = 0
    while dashes < 5:
        digits = characters(DIGITS, RANDOM.randrange(2, 25))
        if rut.calc_check_digit(digits) == "K":
            dashes += 1
            yield "modulus 11, a check digit of ten", digits + "-"


def identity_numbers():
    for text in ["13039319955", "12085592767", "01085800481"]:
        yield "person of the platform's sandbox", text, checks_fit(text)
    for _ in range(30):
        head = head_of_no_person()
        good = with_check_digits(head)
        for text in [good, head + characters(DIGITS, 2)]:
            if len(text) == 11:
                yield "check digits of stdnum.no.fodselsnummer", text, checks_fit(text)
    # 40 more in the day, as a D-number has, and 80 more in the month, as no person has.
    yield "synthetic D-number, check digits of stdnum.no.fodselsnummer", with_check_digits("428512393"), True


def head_of_no_person():
    """Nine digits that no person's number begins with."""
    while True:
        head = characters(DIGITS, 9)
        if not fodselsnummer.is_valid(with_check_digits(head)):
            return head


def with_check_digits(head):
    first = fodselsnummer.calc_check_digit1(head)
    return head + first + fodselsnummer.calc_check_digit2(head + first)


def checks_fit(text):
    first = fodselsnummer.calc_check_digit1(text)
    second = fodselsnummer.calc_check_digit2(text)
    return text[-2:] == first + second


def main():
    write("account_numbers.json", numbered("account", account_numbers()))
    write("ibans.json", numbered("iban", ibans()))
    write("kids.json", [kid_row(number, *case) for number, case in enumerate(kids(), 1)])
    write("identity_numbers.json", numbered("identity", identity_numbers()))


if __name__ == "__main__":
    main()
