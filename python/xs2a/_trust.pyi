"""The stub of what is about trust in the native module."""

from typing import Literal

from xs2a._native import _Body, _Time

def trusted_list_anchors(
    verified_xml: str | _Body, certificate_type: Literal["any", "qseal", "qwac"], *, at: _Time
) -> str:
    """The certificates of an EU trusted list (XML of ETSI TS 119 612) whose services may issue certificates
    of a type at a time, as PEM for ``Engine.replace_trust_anchors``; empty where the list has none.

    The list's XML signature is **not** verified here: verify it first, with the certificate that the EU's
    list of the lists names.

    certificate_type: ``"qseal"`` for electronic seals, ``"qwac"`` for website authentication, ``"any"`` for
    both.

    What cannot be read is left out, with a warning in the log ``xs2a.tools``. ``ConfigError`` for what is no
    trusted list, and after its NextUpdate.
    """
