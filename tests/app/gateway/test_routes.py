"""One place by several names."""

import pytest

from app.gateway.errors import ApiError
from app.gateway.refusals import REFUSALS
from app.gateway.routes import canonical


@pytest.mark.parametrize("base", ["", "/v1", "/api", "/api/v1", "/v1/v1", "/api/v1/v1"])
@pytest.mark.parametrize("path", ["/chat/completions", "/models", "/models/a/v1/b", "/messages/count_tokens"])
def test_every_base_address_leads_to_the_same_place(base: str, path: str) -> None:
    assert canonical(base + path) == f"/v1{path}"
    assert canonical(f"{base}{path}/") == f"/v1{path}"


@pytest.mark.parametrize("path", ["/health", "/api/health", "/v1/health", "/api/v1/metrics"])
def test_what_belongs_to_no_protocol_has_no_version(path: str) -> None:
    assert canonical(path) in ("/health", "/metrics")


@pytest.mark.parametrize(("path", "means"), [("/", "/"), ("/v1", "/"), ("/v12/models", "/v1/v12/models")])
def test_what_only_begins_like_it_is_something_else(path: str, means: str) -> None:
    assert canonical(path) == means


@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_has_its_form_in_both_protocols(code: str) -> None:
    error = ApiError(code, param="p")
    assert error.openai()["error"]["message"]
    assert error.anthropic()["error"]["type"]
    assert 400 <= error.status < 600
