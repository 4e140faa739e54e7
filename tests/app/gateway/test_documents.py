"""/v1/documents over a real socket, and documents by their names in requests; the engine answers by a script."""

import errno
import json
from pathlib import Path

import httpx2
import pytest
from make_documents import pdf

from app import cli
from app.data.key import Key

LEASE = b"The rent is 900 pounds a month."


@pytest.fixture(scope="module")
def client(scripted):
    headers = {"Authorization": "Bearer sk-all"}
    with httpx2.Client(base_url=scripted.address, headers=headers, trust_env=False, timeout=60) as one:
        yield one


@pytest.fixture(autouse=True)
def empty(scripted):
    """Every test begins with an empty library."""
    yield

    async def clear() -> None:
        for item in scripted.library.items() + scripted.library.removed():
            scripted.library.forget(item.id)
        for matter in scripted.collections.all():
            scripted.collections.forget(matter.id)

    scripted.do(clear())


def add(client, name: str = "lease.txt", content: bytes = LEASE, **fields) -> httpx2.Response:
    return client.post("/v1/documents", files={"file": (name, content)}, data=fields)


def ask(client, *, question: str = "documents", **said) -> httpx2.Response:
    body = {"model": "longread", "max_tokens": 50, "messages": [{"role": "user", "content": question}]}
    return client.post("/v1/messages", json=body | said)


def refused(response: httpx2.Response, status: int) -> str:
    assert response.status_code == status, response.text
    return response.json()["error"]["message"]


def test_a_document_is_added_listed_told_and_removed(client, scripted) -> None:
    before = scripted.changes
    made = add(client)
    assert made.status_code == 201
    told = made.json()
    assert (told["title"], told["kind"], told["pages"], told["characters"]) == ("lease.txt", "text", 1, len(LEASE))
    assert scripted.changes == before + 1  # a window that shows the library hears of it
    assert scripted.library.text(told["id"]) == LEASE.decode()
    assert client.get("/v1/documents").json() == {"object": "list", "data": [told]}
    assert client.get(f"/v1/documents/{told['id'][:8]}").json() == told
    gone = client.delete(f"/v1/documents/{told['id']}").json()
    assert gone == {"id": told["id"], "object": "document.deleted", "deleted": True, "for_good": False}
    assert client.get("/v1/documents").json()["data"] == []
    assert [item.id for item in scripted.library.removed()] == [told["id"]]  # the window can bring it back
    assert scripted.changes == before + 2
    assert "no document" in refused(client.delete(f"/v1/documents/{told['id']}"), 404)


def test_for_good_means_for_good(client, scripted) -> None:
    id = add(client).json()["id"]
    assert ask(client, documents=[id]).status_code == 200  # read, and by the script kept
    assert client.get(f"/v1/documents/{id}").json()["read"] == len(LEASE)
    assert client.delete(f"/v1/documents/{id}?for_good=true").json()["for_good"]
    assert not scripted.library.holds(id)
    assert id not in [
        document for saved in scripted.do(scripted.assistant.readings()).readings for document in saved.documents
    ]
    assert "for_good" in refused(client.delete(f"/v1/documents/{id}?forever=true"), 400)


def test_the_command_line_lists_what_was_sent(client, monkeypatch, capsys) -> None:
    id = add(client).json()["id"]
    monkeypatch.setattr("app.crash.install", lambda folder: None)  # its hooks are for a process of its own
    assert cli.main(["library", "list", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["documents"]
    assert (listed["sha256"], listed["name"]) == (id, "lease.txt")


def test_a_disk_that_takes_nothing_is_said(client, scripted, monkeypatch) -> None:
    def full(file: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    told = refused(add(client), 507)
    assert "disk is full" in told
    assert str(scripted.library.folder.parent) not in told
    assert scripted.library.items() == []


def test_tokens_are_those_of_the_loaded_model(client) -> None:
    assert ask(client).status_code == 200  # loads it
    told = add(client).json()
    assert (told["tokens"], told["read"]) == (len(LEASE), 0)


def test_a_document_goes_into_a_collection_that_is_asked_by_name(client) -> None:
    first = add(client, collection="House").json()["id"]
    second = add(client, "annex.txt", b"Pets are allowed.", collection="house").json()["id"]
    assert "longread:House" in [model["id"] for model in client.get("/v1/models").json()["data"]]
    answer = ask(client, model="longread:House")
    assert json.loads(answer.json()["content"][0]["text"]) == [first, second]
    assert "Known" not in refused(ask(client, model="longread:Garden"), 404)


def test_documents_stand_first_and_in_one_order(client) -> None:
    first, second = add(client).json()["id"], add(client, "annex.txt", b"Pets are allowed.").json()["id"]
    for named in (["annex.txt", "LEASE.txt"], [first[:10], second], [first, "annex.txt", "lease.txt"]):
        answer = ask(client, documents=named)
        assert json.loads(answer.json()["content"][0]["text"]) == [first, second]


def test_a_name_that_is_unknown_or_means_several_names_the_choices(client) -> None:
    ids = [add(client, content=content).json()["id"] for content in (LEASE, LEASE + b" Or 950.")]
    told = refused(ask(client, documents=["contract.pdf"]), 404)
    assert "contract.pdf" in told
    assert "lease.txt" in told
    told = refused(ask(client, documents=["lease.txt"]), 400)
    assert all(id[:12] in told for id in ids)


def test_a_key_for_certain_documents(client, scripted) -> None:
    mine, other = (
        add(client).json()["id"],
        add(client, "annex.txt", b"Pets are allowed.", collection="House").json()["id"],
    )
    client.delete(f"/v1/documents/{other}")
    add(client, "annex.txt", b"Pets are allowed.", collection="House")
    scripted.keys.known["sk-one"] = Key("k2", "one", "-one", documents=(mine,))
    with httpx2.Client(base_url=scripted.address, headers={"x-api-key": "sk-one"}, trust_env=False) as limited:
        assert [one["id"] for one in limited.get("/v1/documents").json()["data"]] == [mine]
        assert ask(limited, documents=[mine]).status_code == 200
        assert "not made for the document" in refused(ask(limited, documents=["annex.txt"]), 403)
        # an answer from some of a collection would look like one from all of it; its name may tell something already
        assert "not made for the model" in refused(ask(limited, model="longread:House"), 403)
        assert "House" not in limited.get("/v1/models").text
        assert "House" not in refused(ask(limited, model="longread:Garden"), 404)
        refused(limited.get(f"/v1/documents/{other}"), 403)
        refused(limited.delete(f"/v1/documents/{other}"), 403)
        assert "takes none away" in refused(limited.delete(f"/v1/documents/{mine}"), 403)
        assert "adds none" in refused(add(limited), 403)
        assert "annex" not in refused(ask(limited, documents=["contract.pdf"]), 404)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.txt", b"", "empty"),
        ("broken.pdf", b"%PDF-1.7 and nothing", "damaged"),
        ("thing.bin", bytes(range(256)) * 8, "format"),
    ],
)
def test_what_gives_no_text_is_refused_in_the_windows_words(client, scripted, name, content, words) -> None:
    told = refused(add(client, name, content, collection="New"), 400)
    assert words in told.lower()
    assert client.get("/v1/documents").json()["data"] == []
    assert scripted.collections.all() == []  # none is made for nothing


def test_a_locked_document_opens_with_its_password(client) -> None:
    locked = pdf([["Rent: 900 pounds."]], password="sesame")
    assert "password" in refused(add(client, "locked.pdf", locked), 400)
    assert add(client, "locked.pdf", locked, password="sesame").status_code == 201


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"json": {"file": "a"}}, "multipart/form-data"),
        ({"data": {"name": "a"}}, "multipart/form-data"),
        ({"files": {"document": ("a.txt", b"a")}}, "document"),
        ({"files": [("file", ("a.txt", b"a")), ("file", ("b.txt", b"b"))]}, "one document at a time"),
        ({"files": {"file": ("a" * 300 + ".txt", b"a")}}, "255"),
        ({"files": {"file": ("a.txt", b"a")}, "data": {"pages": "1-3"}}, "pages"),
    ],
)
def test_what_is_no_upload(client, sent, words) -> None:
    assert words in refused(client.post("/v1/documents", **sent), 400)


def test_names_lead_nowhere(client, scripted) -> None:
    assert add(client, "../../..\\evil.txt").json()["title"] == "evil.txt"
    assert add(client, "..", b"Another.").json()["title"] == "document"
    assert list(scripted.library.folder.parent.glob(".passing-*")) == []
