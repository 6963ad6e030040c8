"""Reads PFX files with python3-cryptography and prints what it finds, as one JSON array on standard output.

Standard input: a JSON array of {"pfx": base64, "pin": text}. A file that does not open becomes {"error": text}.
"""

import base64
import json
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, pkcs12


def describe(pfx: bytes, pin: str) -> dict:
    opened = pkcs12.load_pkcs12(pfx, pin.encode())
    leaf = opened.cert.certificate
    chain = [leaf, *(entry.certificate for entry in opened.additional_certs)]
    return {
        "friendlyName": opened.cert.friendly_name.decode(),
        "subject": {attribute.oid.dotted_string: attribute.value for attribute in leaf.subject},
        "subjectAltName": names(leaf, x509.SubjectAlternativeName),
        "issuerAltName": names(leaf, x509.IssuerAlternativeName),
        "critical": [entry.oid.dotted_string for entry in leaf.extensions if entry.critical],
        "keyUsage": usages(leaf.extensions.get_extension_for_class(x509.KeyUsage).value),
        "keyMatches": spki(opened.key) == spki(leaf),
        "signs": signs(opened.key, leaf.public_key()),
        "chain": [entry.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)[0].value for entry in chain],
        "chainVerifies": all(verifies(*pair) for pair in zip(chain, [*chain[1:], chain[-1]])),
    }


def names(leaf, kind) -> list:
    """Each name as its type and its value: of an otherName the OID and the DER in hex."""
    return [
        [name.type_id.dotted_string, name.value.hex()]
        if isinstance(name, x509.OtherName)
        else [type(name).__name__, name.value]
        for name in leaf.extensions.get_extension_for_class(kind).value
    ]


def usages(usage: x509.KeyUsage) -> list:
    every = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"]
    return [name for name in [*every, "key_cert_sign", "crl_sign"] if getattr(usage, name)]


def spki(holder) -> bytes:
    return holder.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def signs(key, public_key) -> bool:
    """Whether the key signs what the leaf's public key verifies. Raises where it does not."""
    if isinstance(key, rsa.RSAPrivateKey):
        public_key.verify(key.sign(b"x", padding.PKCS1v15(), hashes.SHA256()), b"x", padding.PKCS1v15(), hashes.SHA256())
    else:
        public_key.verify(key.sign(b"x", ec.ECDSA(hashes.SHA256())), b"x", ec.ECDSA(hashes.SHA256()))
    return True


def verifies(certificate, issuer) -> bool:
    """Whether the issuer names and signed the certificate. Raises where the signature is wrong."""
    key, algorithm = issuer.public_key(), certificate.signature_hash_algorithm
    how = [padding.PKCS1v15(), algorithm] if isinstance(key, rsa.RSAPublicKey) else [ec.ECDSA(algorithm)]
    key.verify(certificate.signature, certificate.tbs_certificate_bytes, *how)
    return certificate.issuer == issuer.subject


def answer(pfx: str, pin: str) -> dict:
    try:
        return describe(base64.b64decode(pfx), pin)
    except ValueError as error:
        return {"error": str(error)}


json.dump([answer(**entry) for entry in json.load(sys.stdin)], sys.stdout)
