"""Encrypted connections: the person's own certificate, or one that is made here."""

import datetime
import ipaddress
import socket
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from app.data.gateway import EVERYWHERE, GatewaySettings
from app.gateway.reach import machine
from app.services.files import write_whole
from app.services.problem import Problem

USAGE = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=False,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)
"""With a key on a curve, connections are signed and nothing else."""
DAYS = 825
"""What browsers and systems take of a server's certificate at most."""


class Certificate(Struct, frozen=True):
    """PEM files. `own`: made here, so that clients must be told to trust it."""

    certificate: str
    key: str
    own: bool


def chosen(settings: GatewaySettings, folder: Path) -> Certificate | None:
    """None: connections are not encrypted. Raises `Problem("api_certificate")`."""
    if settings.tls_certificate or settings.tls_key:
        for file in (settings.tls_certificate, settings.tls_key):
            if not file or not Path(file).is_file():
                raise Problem("api_certificate", subject=file or "?")
        try:
            # with no password, since nobody could be asked for one
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.tls_certificate, settings.tls_key, "")
        except (ssl.SSLError, OSError):
            raise Problem("api_certificate", subject=f"{settings.tls_certificate}, {settings.tls_key}") from None
        return Certificate(settings.tls_certificate, settings.tls_key, False)
    return own(settings, folder) if settings.tls_own else None


def own(settings: GatewaySettings, folder: Path) -> Certificate:
    """The one made for these names in `folder`, made anew where it ends within a month or lacks one of them."""
    certificate, key = folder / "api-certificate.pem", folder / "api-key.pem"
    names = _names(settings)
    if foreign := [name for name in names if not name.isascii()]:
        raise Problem("api_certificate", subject=", ".join(foreign))
    if not (key.is_file() and certificate.is_file() and _holds(certificate, names)):
        made, secret = _made(names)
        write_whole(key, secret)
        write_whole(certificate, made)
    return Certificate(str(certificate), str(key), True)


def _names(settings: GatewaySettings) -> list[str]:
    names = {"localhost", "127.0.0.1", "::1", *settings.names}
    if socket.gethostname().isascii():  # certificates hold no other letters, and nobody has asked for this name
        names.add(socket.gethostname())
    if settings.host in EVERYWHERE:
        names.update(machine(socket.AF_INET, socket.AF_INET6))
    else:
        names.add(settings.host)
    return sorted(names)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _holds(file: Path, names: list[str]) -> bool:
    try:
        kept = x509.load_pem_x509_certificate(file.read_bytes())
        alternative = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        kept.extensions.get_extension_for_class(x509.ExtendedKeyUsage)  # those of earlier versions could sign others
    except (ValueError, x509.ExtensionNotFound):
        return False
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)
    return kept.not_valid_after_utc > soon and set(alternative) >= {_general(name) for name in names}


def _made(names: list[str]) -> tuple[bytes, bytes]:
    """The certificate and its key, as PEM. Whoever trusts it trusts this server alone: it signs no others."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Longread on this computer")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(USAGE, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return (
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
    )
