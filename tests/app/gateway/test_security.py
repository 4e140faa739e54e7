"""Who is let in, and what a client may do to the server, over a real socket."""

import http.client
import json
import socket
import ssl
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import ExtendedKeyUsageOID

from app import paths
from app.data.gateway import GatewaySettings
from app.data.key import KeyRefused
from app.gateway import tls
from app.services.problem import DatabaseProblem, Problem

KEY = {"Authorization": "Bearer sk-all"}
CHAT = json.dumps({"model": "longread", "messages": [{"role": "user", "content": "hello"}]})


def ask(address, path="/v1/models", headers=KEY, method="GET", body=None):
    """Status and JSON of an answer."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, json.loads(content)


def opened(address) -> socket.socket:
    host, port = urlsplit(address).netloc.split(":")
    return socket.create_connection((host, int(port)), timeout=30)


def rest(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "missing_api_key"),
        ({"Authorization": "Basic sk-all"}, "missing_api_key"),
        ({"Authorization": "Bearer sk-other"}, "invalid_api_key"),
        ({"x-api-key": "sk-other"}, "invalid_api_key"),
    ],
)
def test_who_has_no_key_learns_nothing(scripted, headers, code) -> None:
    for path in ("/v1/models", "/metrics", "/v1/documents", "/nothing"):
        status, said = ask(scripted.address, path, headers)
        assert (status, said["error"]["code"]) == (401, code)


def test_anthropics_clients_are_told_in_their_own_form(scripted) -> None:
    status, said = ask(scripted.address, "/v1/messages", {}, "POST", "{}")
    assert (status, said["type"], said["error"]["type"]) == (401, "error", "authentication_error")


def test_what_copying_left_in_a_key_is_named_as_the_cause(scripted) -> None:
    scripted.keys.known["sk-all\\n"] = KeyRefused("malformed")
    status, said = ask(scripted.address, headers={"x-api-key": "sk-all\\n"})
    assert status == 401
    assert "line end" in said["error"]["message"]


@pytest.mark.parametrize(("path", "code"), [("/v1/models", "no_keys"), ("/v1/messages", None)])
def test_keys_that_cannot_be_looked_up_are_no_fault_of_the_client(scripted, monkeypatch, path, code) -> None:
    def locked(secret: str) -> None:
        raise DatabaseProblem("busy_database", subject="/home/ada/longread.db")

    monkeypatch.setattr(scripted.keys, "check", locked)
    status, said = ask(scripted.address, path, method="GET" if code else "POST")
    assert (status, said["error"].get("code")) == (503, code)
    assert "Ask again in a moment" in said["error"]["message"]
    assert "ada" not in said["error"]["message"]


def test_health_needs_no_key(scripted) -> None:
    assert ask(scripted.address, "/health", {}) == (200, {"status": "ok"})


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "192.168.1.7", "localhost.evil.example:80", "", "["]
)
def test_a_foreign_name_is_not_answered(scripted, host) -> None:
    status, said = ask(scripted.address, "/health", {"Host": host})
    assert (status, said["error"]["code"]) == (403, "foreign_host")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9", "[::1]:8317", "LOCALHOST"])
def test_this_computers_own_names_are(scripted, host) -> None:
    assert ask(scripted.address, "/health", {"Host": host})[0] == 200


def test_a_name_can_be_allowed(another) -> None:
    gateway = another(GatewaySettings(port=0, names=("Host.docker.internal",)))
    assert ask(gateway.address, "/health", {"Host": "host.docker.internal:8317"})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:3000"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_browsers_are_kept_out(scripted, headers) -> None:
    status, said = ask(scripted.address, headers=KEY | headers)
    assert (status, said["error"]["code"]) == (403, "foreign_origin")


def test_no_page_is_told_that_it_may_ask(scripted) -> None:
    connection = http.client.HTTPConnection(urlsplit(scripted.address).netloc, timeout=30)
    preflight = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    connection.request("OPTIONS", "/v1/chat/completions", headers=preflight)
    answer = connection.getresponse()
    assert answer.status == 403
    assert not [name for name, _ in answer.getheaders() if name.lower().startswith("access-control")]
    connection.close()


def test_a_body_that_is_too_large_is_refused_before_it_came(another) -> None:
    gateway = another(GatewaySettings(port=0, body_limit=4096))
    with opened(gateway.address) as connection:
        connection.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nx-api-key: sk-all\r\n"
            b"Content-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{"
        )
        assert connection.recv(65536).startswith(b"HTTP/1.1 413")


def test_a_body_that_hides_its_size_is_not_held(another) -> None:
    gateway = another(GatewaySettings(port=0, body_limit=4096))
    pieces = (b" " * 1024 for _ in range(100))
    status, said = ask(gateway.address, "/v1/chat/completions", KEY, "POST", pieces)
    assert (status, said["error"]["code"]) == (413, "body_too_large")


def test_a_head_that_does_not_come_is_not_waited_for(another) -> None:
    gateway = another(GatewaySettings(port=0, header_seconds=0.05))
    with opened(gateway.address) as silent, opened(gateway.address) as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\nHo")
        assert rest(silent) == b""
        assert rest(slow) == b""
    assert ask(gateway.address, "/health", {})[0] == 200


def test_a_second_head_is_not_waited_for_either(another) -> None:
    gateway = another(GatewaySettings(port=0, header_seconds=0.05))
    with opened(gateway.address) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /hea")
        assert b"HTTP" not in rest(connection)


def test_a_body_that_does_not_come_is_not_waited_for(another) -> None:
    gateway = another(GatewaySettings(port=0, body_seconds=0.05, header_seconds=0.05))
    with opened(gateway.address) as connection:
        connection.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nx-api-key: sk-all\r\n"
            b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        told = rest(connection)  # and it is closed, though the body never came
    assert told.startswith(b"HTTP/1.1 408")


def test_more_connections_than_are_taken_are_closed(another) -> None:
    gateway = another(GatewaySettings(port=0, connections=2))
    with opened(gateway.address), opened(gateway.address), opened(gateway.address) as third:
        assert rest(third) == b""


def test_what_is_no_http_is_refused(scripted) -> None:
    with opened(scripted.address) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00 no http at all\r\n\r\n")
        assert rest(connection).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff\xfe", b"null", b'{"model": "a"', b"[" * 100_000])
def test_what_is_no_object_is_refused(scripted, body) -> None:
    headers = KEY | {"Content-Type": "application/json"}
    status, said = ask(scripted.address, "/v1/chat/completions", headers, "POST", body)
    assert (status, said["error"]["code"]) == (400, "bad_json")


def test_a_form_is_no_json(scripted) -> None:
    headers = KEY | {"Content-Type": "application/x-www-form-urlencoded"}
    assert ask(scripted.address, "/v1/chat/completions", headers, "POST", CHAT)[0] == 415


def test_connections_can_be_encrypted_with_a_certificate_made_here(another) -> None:
    gateway = another(GatewaySettings(port=0, tls_own=True))
    trusting = ssl.create_default_context(cafile=gateway.certificate)
    trusting.verify_flags |= ssl.VERIFY_X509_STRICT  # as newer versions of Python do by themselves
    with trusting.wrap_socket(opened(gateway.address), server_hostname="localhost") as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert rest(connection).startswith(b"HTTP/1.1 200")
    assert (paths.data() / "api-key.pem").stat().st_mode & 0o077 == 0
    again = another(GatewaySettings(port=0, tls_own=True))
    assert again.certificate == gateway.certificate
    with ssl.create_default_context(cafile=again.certificate).wrap_socket(
        opened(again.address), server_hostname="127.0.0.1"
    ):
        pass  # the same certificate, which was trusted before, and its names hold


def test_the_certificate_made_here_vouches_for_this_server_alone(tmp_path) -> None:
    made = tls.own(GatewaySettings(), tmp_path)
    certificate = x509.load_pem_x509_certificate(Path(made.certificate).read_bytes())
    of = certificate.extensions.get_extension_for_class
    assert (of(x509.BasicConstraints).value.ca, of(x509.BasicConstraints).critical) == (False, True)
    assert not of(x509.KeyUsage).value.key_cert_sign
    assert of(x509.KeyUsage).value.digital_signature
    assert list(of(x509.ExtendedKeyUsage).value) == [ExtendedKeyUsageOID.SERVER_AUTH]
    names = of(x509.SubjectAlternativeName).value
    assert "127.0.0.1" in map(str, names.get_values_for_type(x509.IPAddress))
    assert "localhost" in names.get_values_for_type(x509.DNSName)


def test_a_certificate_that_could_sign_others_is_made_anew(tmp_path, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(x509, "ExtendedKeyUsage", lambda usages: x509.OCSPNoCheck())
        first = Path(tls.own(GatewaySettings(), tmp_path).certificate).read_bytes()
    assert Path(tls.own(GatewaySettings(), tmp_path).certificate).read_bytes() != first


def test_what_is_no_certificate_is_said(tmp_path) -> None:
    made = tls.own(GatewaySettings(), tmp_path)
    given = GatewaySettings(tls_certificate=made.certificate, tls_key=made.key)
    assert tls.chosen(given, tmp_path) == tls.Certificate(made.certificate, made.key, False)
    secret = serialization.load_pem_private_key(Path(made.key).read_bytes(), None)
    form, locked = serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"words")
    Path(made.key).write_bytes(secret.private_bytes(serialization.Encoding.PEM, form, locked))
    with pytest.raises(Problem, match="api_certificate"):
        tls.chosen(given, tmp_path)  # and nobody is asked for a password
    Path(made.key).write_text("no key at all")
    with pytest.raises(Problem, match="api_certificate"):
        tls.chosen(given, tmp_path)


def test_a_certificate_is_made_anew_for_a_name_that_it_lacks(tmp_path) -> None:
    made = tls.own(GatewaySettings(), tmp_path)
    first = Path(made.certificate).read_bytes()
    tls.own(GatewaySettings(), tmp_path)
    assert Path(made.certificate).read_bytes() == first
    tls.own(GatewaySettings(host="0.0.0.0", names=("reading-room",)), tmp_path)
    again = Path(made.certificate).read_bytes()
    names = x509.load_pem_x509_certificate(again).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "reading-room" in names.get_values_for_type(x509.DNSName)
    tls.own(GatewaySettings(), tmp_path)
    assert Path(made.certificate).read_bytes() == again  # one with more names than are needed stays


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (GatewaySettings(port=0, tls_certificate="/nowhere.pem"), "api_certificate"),
        (GatewaySettings(host="203.0.113.7", port=0), "api_no_address"),
        (GatewaySettings(host="no such host", port=0), "api_no_address"),
    ],
)
def test_what_cannot_be_served_is_said(another, settings, code) -> None:
    with pytest.raises(Problem, match=code):
        another(settings)


def test_a_port_that_is_taken_is_said(scripted, another) -> None:
    port = urlsplit(scripted.address).port
    with pytest.raises(Problem, match="api_port_taken"):
        another(GatewaySettings(port=port))
