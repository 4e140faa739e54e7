"""`longread remote import` and `export-client`: another program's settings.json, and one for it."""

import json
import stat
import sys

import pytest

from app import paths
from app.data.settings import Settings
from app.services.providers import Providers
from app.services.settings import SettingsStore
from engine.catalogue import SMALL


@pytest.fixture
def settings_json(tmp_path):
    def written(**content: object) -> str:
        (tmp_path / "settings.json").write_text(json.dumps(content))
        return str(tmp_path / "settings.json")

    return written


def test_a_server_is_taken_over_with_its_models(run, settings_json, monkeypatch):
    monkeypatch.setenv("THE_KEY", "sk-secret")
    file = settings_json(
        api_base="https://engine.example.org/v1", api_key="${env:THE_KEY}", default_model="a/b", models=["a/b", "c"]
    )
    code, out, error = run("remote", "import", file, "--name", "work", "--use")
    assert (code, out) == (0, "work/a/b\nwork/c\n")
    assert "sk-secret" not in out + error + paths.providers().read_text()
    (provider,) = Providers(paths.providers()).all()
    assert (provider.api_key_env, provider.models) == ("THE_KEY", ("a/b", "c"))
    assert SettingsStore(paths.settings()).load()[0].model == "work/a/b"


def test_a_key_that_stands_in_the_file_is_kept_and_not_shown(run, settings_json):
    code, out, error = run("remote", "import", settings_json(api_base="http://10.0.0.2:8000", api_key="sk-secret"))
    assert (code, out) == (0, "10-0-0-2-8000\n")
    assert "sk-secret" not in out + error
    assert Providers(paths.providers()).get("10-0-0-2-8000").api_key == "sk-secret"


def test_every_fault_is_told_and_nothing_kept(run, settings_json):
    file = settings_json(api_base="file:///x", api_kei="${env:GONE}", stream=False)
    code, out, error = run("remote", "import", file)
    assert (code, out) == (2, "")
    assert "did you mean api_key?" in error
    assert "stream: Answers are always shown" in error
    assert not paths.providers().exists()


def test_one_for_a_client_of_ours(run, tmp_path):
    file = tmp_path / "client.json"
    code, out, error = run("remote", "export-client", str(file))
    written = json.loads(file.read_text())
    assert (code, out) == (0, f"{file}\n")
    assert (written["api_base"], written["api_key"]) == ("http://127.0.0.1:8317/v1", "${env:LONGREAD_API_KEY}")
    assert written["default_model"] == written["models"][0] == "longread"
    assert "`longread keys add NAME` makes one" in error
    assert "not served just now" in error
    code, _, error = run("remote", "export-client", str(file), "--key", "editor")
    assert (code, "--force" in error) == (1, True)
    assert run("keys", "list")[1] == "", "no key is made for a file that is not written"


def test_an_address_that_means_all_is_written_as_one_to_connect_to(run):
    SettingsStore(paths.settings()).save(Settings(api_host="::", api_tls=True))
    assert json.loads(run("remote", "export-client", "-")[1])["api_base"] == "https://[::1]:8317/v1"


def test_with_a_key_of_its_own(run, tmp_path):
    file = tmp_path / "client.json"
    code, out, error = run("remote", "export-client", str(file), "--key", "editor")
    secret = json.loads(file.read_text())["api_key"]
    assert (code, secret.startswith("sk-"), secret in out + error) == (0, True, False)
    assert sys.platform == "win32" or stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "editor" in run("keys", "list")[1]
    shown = run("remote", "export-client", "-")
    assert json.loads(shown[1])["api_key"] == "${env:LONGREAD_API_KEY}"
    assert SMALL.name not in shown[1], "a model that is not on this computer is not offered"
