"""How the text that a client signed, or took the digest of, must differ from the right one: for each mistake of a text
a function of (signed, right, case), all bytes.
"""
import base64
import json
import re
import urllib.parse

import bank


def lines(text):
    return text.decode("latin-1").split("\n")


def joined_otherwise(signed, right, _case):
    """The same lines, with one other text between each two."""
    signed, parts = signed.decode(), lines(right)
    joint = signed[len(parts[0]):signed.find(parts[1], len(parts[0]))]
    return joint not in ("\n", "\r\n") and signed == joint.join(parts)


def values(right):
    return [line.partition(": ")[2] for line in lines(right)]


def names_spelt_otherwise(signed, right, _case):
    def folded(text):
        return [(name.lower(), value) for name, _, value in (line.partition(": ") for line in lines(text))]
    return folded(signed) == folded(right)


def contains(more, fewer):
    """Whether the lines of one text are those of the other without some, in the same order."""
    rest = iter(lines(more))
    return (len(lines(more)) > len(lines(fewer)) and all(line in rest for line in lines(fewer))
            and all(": " in line for line in lines(more)))


def differing(signed, right):
    """The one line that differs, as (name, signed value, right value); None if it is not one alone."""
    pairs = [(one, other) for one, other in zip(lines(signed), lines(right)) if one != other]
    if len(lines(signed)) != len(lines(right)) or len(pairs) != 1:
        return None
    (name, _, value), (own, _, wanted) = (line.partition(": ") for line in pairs[0])
    return (name, value, wanted) if name == own else None


def one_line(is_like, of=None):
    """One line differs, that of the name `of` if given, and its values are alike."""
    def check(signed, right, case):
        found = differing(signed, right)
        return found is not None and of in (None, found[0]) and is_like(found[1], found[2], case)
    return check


def target(is_like):
    return one_line(is_like, "(request-target)")


def has_base_path(signed, right, case):
    (method, _, own), (_, _, wanted) = signed.partition(" "), right.partition(" ")
    return any(path + own == wanted or own == path + wanted for path in case["base_paths"]) and method.islower()


def has_other_parameter(signed, right, _case):
    """Another charset parameter, or none."""
    def without(value):
        return re.sub(r"\s*;\s*charset=\S+$", "", value)
    return without(signed) == without(right)


def has_other_blanks(signed, right, _case):
    """Other blanks in one value, or a line break behind it."""
    return one_line(lambda one, other, _: one.split() == other.split() and one != other)(signed, right, _case) or (
        b"\n\n" in signed and signed.replace(b"\n\n", b"\n", 1) == right)


def unescaped(signed, right, _case):
    return urllib.parse.unquote(right.encode("latin-1").decode()) == signed.encode("latin-1").decode()


def escaped_again(signed, right, _case):
    return signed != right and urllib.parse.unquote(signed) == right


def is_of_earlier(signed, _right, case):
    return any(signed == bank.value(one, "x-request-id") for one in case["earlier"])


def any_value(signed, right, _case):
    return signed != right


def is_earlier_text(signed, _right, case):
    return any(signed == bank.signing_string(one, bank.read_parts(one)["names"]) for one in case["earlier"])


def decodes_to(text, wanted, charsets):
    for charset in charsets:
        try:
            if text.decode(charset) == wanted and text != wanted.encode():
                return True
        except UnicodeDecodeError:
            continue
    return False


def other_charset(signed, right, _case=None):
    charsets = ["utf-16-le", "utf-16", "utf-8-sig", "latin-1"]
    return decodes_to(signed, right.decode("utf-8", "replace"), charsets) or (
        decodes_to(right, signed.decode("utf-8", "replace"), charsets))


def same_json(signed, right, _case):
    return signed.strip() != right.strip() and json.loads(signed) == json.loads(right)


def is_json_text_of(signed, right, _case):
    signed, right = signed.decode(), right.decode()
    return json.loads(signed) == right or json.loads(right) == signed


TEXTS = {
    "trailing-newline": lambda signed, right, _: signed in (right + b"\n", right + b"\r\n"),
    "leading-newline": lambda signed, right, _: signed == b"\n" + right,
    "line-ends-crlf": lambda signed, right, _: signed.rstrip(b"\r\n") == right.replace(b"\n", b"\r\n"),
    "no-space-after-colon": lambda signed, right, _: signed == re.sub(rb"(?m)^([^:]+): ", rb"\1:", right),
    "values-only": lambda signed, right, _: lines(signed) == values(right),
    "lines-joined-otherwise": joined_otherwise,
    "names-not-lower-case": names_spelt_otherwise,
    "order-differs": lambda signed, right, _: sorted(lines(signed)) == sorted(lines(right)),
    "listed-not-signed": lambda signed, right, _: contains(right, signed),
    "signed-not-listed": lambda signed, right, _: contains(signed, right),
    "target-without-query": target(lambda signed, right, _: signed == right.partition("?")[0]),
    "target-method-case": target(lambda signed, right, _: signed.partition(" ")[2] == right.partition(" ")[2]),
    "target-absolute": target(lambda signed, right, _: "https://bank.example" + right.partition(" ")[2] in signed),
    "target-decoded": target(unescaped),
    "target-encoded-again": target(escaped_again),
    "target-base-path": target(has_base_path),
    "target-slash": target(lambda signed, right, _: signed.replace("/", "") == right.replace("/", "")),
    "value-white-space": has_other_blanks,
    "value-decoded": one_line(unescaped, "tpp-redirect-uri"),
    "value-charset": one_line(has_other_parameter),
    "date-made-again": one_line(any_value, "date"),
    "request-id-made-again": one_line(is_of_earlier, "x-request-id"),
    "digest-made-again": one_line(any_value, "digest"),
    "another-request": is_earlier_text,
    "text-charset": other_charset,
    "body-signed": lambda signed, _, case: signed == base64.b64decode(case["body"]),
}
BODIES = {
    "digest-json-rewritten": same_json,
    "digest-empty-body": lambda signed, right, _: signed == b"" != right,
    "digest-newline": lambda signed, right, _: signed.rstrip(b"\r\n") == right.rstrip(b"\r\n"),
    "digest-charset": other_charset,
    "digest-json-string": is_json_text_of,
    "digest-not-of-body": lambda signed, right, case: not case["earlier"] or any(
        signed == base64.b64decode(one["body"]) for one in case["earlier"]),
}


def is_related(case, signed, right):
    """Whether the texts differ as the mistake says. Two mistakes at once have no relation of their own."""
    return bool(case["or"]) or {**TEXTS, **BODIES}[case["mistake"]](signed, right, case)
