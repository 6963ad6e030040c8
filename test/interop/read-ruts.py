"""How readers written in Python find the RUT of a certificate's holder, restated.

Standard input: a JSON array of {"pfx": base64, "pin": text}. Standard output: for each file what each reader makes
of it, {"odoo": …, "cl_sii": …}, a RUT or {"error": text}.
"""

import base64
import json
import re
import sys

from cryptography import x509
from cryptography.hazmat.primitives.serialization import pkcs12

HOLDER_RUT = x509.ObjectIdentifier("1.3.6.1.4.1.8321.1")


def odoo(leaf: x509.Certificate) -> str:
    """Odoo 19, l10n_cl_edi/models/certificate.py and l10n_cl_edi_util.py.

    The first serialNumber of the subject is the sender. What goes to the tax authority is cut from it by position:
    all but the last two characters as a number, and the last one.
    """
    found = leaf.subject.get_attributes_for_oid(x509.NameOID.SERIAL_NUMBER)
    if not found:
        raise ValueError("to be typed by hand")
    text = found[0].value
    return f"{int(text[:-2])}-{text[-1]}"


def cl_sii(leaf: x509.Certificate) -> str:
    """cl_sii 0.77.0, src/cl_sii/rut/crypto_utils.py and src/cl_sii/rut/__init__.py.

    Exactly one otherName of the Decreto's type, its DER read as UTF-8; in it a RUT that stands between word
    boundaries; and that in canonical form, where K is upper case and no zero leads.
    """
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    found = [name.value for name in names if getattr(name, "type_id", None) == HOLDER_RUT]
    if len(found) != 1:
        raise ValueError(f"{len(found)} RUTs")
    match = re.search(r"\b[0-9]{1,8}-[0-9Kk]\b", found[0].decode("utf-8"))
    if not match:
        raise ValueError("no RUT in it")
    return match[0].upper().lstrip("0")


def read(reader, leaf: x509.Certificate):
    try:
        return reader(leaf)
    except (ValueError, IndexError, x509.ExtensionNotFound) as error:
        return {"error": str(error)}


def answer(pfx: str, pin: str) -> dict:
    leaf = pkcs12.load_pkcs12(base64.b64decode(pfx), pin.encode()).cert.certificate
    return {reader.__name__: read(reader, leaf) for reader in (odoo, cl_sii)}


json.dump([answer(**entry) for entry in json.load(sys.stdin)], sys.stdout)
