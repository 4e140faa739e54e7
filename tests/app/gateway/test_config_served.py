"""`longread serve` as a file says it: over a real socket, with an engine that answers by a script."""

import asyncio
import contextlib
import io
import json
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from app import cli, paths
from app.commands import serve
from app.commands.terminal import Terminal
from app.data.fault import NotHonoured
from app.services.database import Database
from app.services.keys import Keys
from engine import client
from engine.protocol import Eviction, ReadingSettings, Selection
from tests.app.gateway.conftest import SCRIPTED

KEY = "sk-0123456789abcdef"
COMMAND = client.default_command


class Spoken(io.StringIO):
    """A stream that tells of its first line."""

    def __init__(self) -> None:
        super().__init__()
        self.first: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def write(self, text: str) -> int:
        if not self.first.done():
            self.first.set_result(text.strip())
        return super().write(text)


class Client:
    """Of a served address, with the file's key unless another is said."""

    def __init__(self, address: str, said: str) -> None:
        self.address, self.said = address, said
        self._http = httpx2.AsyncClient(trust_env=False, timeout=60)

    async def get(self, path: str, key: str = KEY) -> httpx2.Response:
        return await self._http.get(f"{self.address}{path}", headers={"authorization": f"Bearer {key}"})

    async def ask(self, question: str, model: str = "longread", key: str = KEY, **more: Any) -> httpx2.Response:
        body = {"model": model, "messages": [{"role": "user", "content": question}]} | more
        headers = {"authorization": f"Bearer {key}"}
        return await self._http.post(f"{self.address}/chat/completions", json=body, headers=headers)

    async def message(self, question: str, model: str) -> httpx2.Response:
        """The same in Anthropic's protocol."""
        body = {"model": model, "max_tokens": 9, "messages": [{"role": "user", "content": question}]}
        headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
        return await self._http.post(f"{self.address}/messages", json=body, headers=headers)

    async def how(self, **more: Any) -> ReadingSettings:
        """The settings of reading that reached the engine."""
        answer = await self.ask("how", **more)
        assert answer.status_code == 200, answer.text
        return msgspec.json.decode(answer.json()["choices"][0]["message"]["content"], type=ReadingSettings)


Serve = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def model(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(client, "default_command", lambda data: SCRIPTED)
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    (tmp_path / "test.gguf").write_bytes(b"GGUF")
    return tmp_path / "test.gguf"


@pytest.fixture
def config(model: Path, tmp_path: Path) -> Callable[[str], str]:
    def written(text: str) -> str:
        head = "[server]\nport = 0\n"
        head += "" if "model_path" in text else f'model_path = "{model.as_posix()}"\n'
        (tmp_path / "config.toml").write_text(text.replace("[server]\n", head) if "[server]" in text else head + text)
        return str(tmp_path / "config.toml")

    return written


@pytest.fixture
def served(config: Callable[[str], str]) -> Serve:
    @contextlib.asynccontextmanager
    async def running(text: str, *options: str) -> AsyncIterator[Client]:
        out, error = Spoken(), io.StringIO()
        arguments: Namespace = cli._parser().parse_args(["serve", "--config", config(text), *options])
        task = asyncio.create_task(serve.serve(arguments, Terminal(out, error)))
        try:
            await asyncio.wait({task, out.first}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                await task
            yield Client(out.first.result(), error.getvalue())
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return running


async def test_a_file_is_served_with_its_own_key(served):
    text = f"""
[server]
api_key = "{KEY}"
context_length = 2048
[attention]
impl = "snapkv"
compress_ratio = 0.3
"""
    async with served(text) as one:
        assert "with a context of 2,048 tokens" in one.said
        assert "there is none yet" not in one.said
        assert (await one.get("/models", key="sk-other")).status_code == 401
        assert (await one.how()).eviction == Eviction("snapkv", 0.3)
        scored = {"attention_impl": "triattention", "tri_score_window": 300, "tri_adaptive_weight": False}
        wanted = Eviction("triattention", 0.3, score_window=300, adaptive_weight=False)
        assert (await one.how(**scored)).eviction == wanted
        refused = (await one.ask("how", **scored | {"tri_score_window": 0})).json()["error"]
        assert refused["message"] == "tri_score_window: It must be 1 or more."
        # methods of one request, by the same words
        assert (await one.how(attention_impl="h2o")).eviction == Eviction("h2o", 0.3)
        read = await one.how(attention_impl="parallelcomp", eviction_strategy="calibration", chunk_size=512)
        assert (read.mode, read.calibrate, read.segment, read.eviction) == ("parallel", True, 512, None)
        refused = (await one.ask("how", attention_impl="nsa")).json()["error"]
        assert (refused["param"], refused["message"]) == (
            "attention_impl",
            "attention_impl: This model is not nsa: its layers are 2 full. Write auto, or choose another model.",
        )
        refused = (await one.ask("how", kv_compress_ratio=0.5, attention_impl="auto")).json()["error"]
        assert refused["param"] == "kv_compress_ratio"
        assert "Set attention_impl to triattention" in refused["message"]
        assert (await one.ask("how", tri_score_window="8")).json()["error"]["code"] == "invalid_value"


async def test_blocks_are_what_the_model_has(served, model):
    """Loaded, under a name of its own, and when it is first asked for and not loaded yet."""
    hybrid = model.with_name("hybrid.gguf")
    hybrid.write_bytes(b"GGUF")
    text = f"""
[server]
api_key = "{KEY}"
[attention]
impl = "blocks"
[models.some-blocks]
model = "{hybrid.as_posix()}"
policy = "sala"
keep = 0.4
[models.blocks]
model = "{hybrid.as_posix()}"
"""
    blocks = {"attention_impl": "blocks"}
    async with served(text, "--switch") as one:
        assert (await one.how()).selection == Selection("blocks")
        refused = (await one.ask("how", **blocks, kv_compress_ratio=0.5)).json()["error"]
        assert refused["message"].startswith("kv_compress_ratio: blocks is a selection for this model")
        read = await one.how(model="some-blocks", **blocks)
        assert (read.eviction, read.selection.kind) == (Eviction("blocks", 0.4), "none")
        assert (await one.how(model="blocks")).eviction == Eviction("blocks")
        assert (await one.how(model="blocks", attention_impl="sala", kv_compress_ratio=0.2)).eviction == Eviction(
            "blocks", 0.2
        )


async def test_models_under_names_of_their_own(served, model):
    text = f"""
[server]
api_key = "{KEY}"
context_length = 8192
[models.same-in-segments]
model = "{model.as_posix()}"
mode = "parallel"
[models.as-long-as-it-likes]
model = "{model.as_posix()}"
window = 131072
[models.other]
model = "{model.as_posix()}"
window = 1024
"""
    async with served(text) as one:
        names = {model["id"] for model in (await one.get("/models")).json()["data"]}
        assert {"longread", "same-in-segments", "other"} <= names
        assert (await one.how(model="same-in-segments")).mode == "parallel"
        assert (await one.how()).mode == "auto"
        # longer than the model was made for, it is the same one, and longer texts are read in segments
        assert (await one.how(model="as-long-as-it-likes")).mode == "auto"
        refused = await one.ask("how", model="other")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "another_model")
        assert "test is loaded" in refused.json()["error"]["message"]
    async with served(text, "--switch") as one:
        assert (await one.how(model="other")).mode == "auto"


async def test_one_address_for_all(served):
    """A model elsewhere is asked with its own key, by keys that may, and its answers say where they come from."""
    elsewhere = Far()
    address = await elsewhere.start()
    text = f"""
[server]
api_key = "{KEY}"
api_key_remote = true
[attention]
impl = "h2o"
compress_ratio = 0.5
[providers.far]
base_url = "{address}"
api_key = "sk-of-the-far-one"
"""  # what the model here keeps of a text is nothing to one elsewhere
    try:
        async with served(text) as one:
            assert "far/big" in {model["id"] for model in (await one.get("/models")).json()["data"]}
            answer = await one.ask("Who?", model="far/big")
            assert (answer.status_code, answer.headers["x-longread-remote"]) == (200, address.removeprefix("http://"))
            assert answer.json()["choices"][0]["message"]["content"] == "From afar."
            assert {"Bearer sk-of-the-far-one"} == set(elsewhere.keys), "and never the key of this side"
            streamed = await one.ask("Who?", model="far/big", stream=True)
            assert streamed.headers["x-longread-remote"] == answer.headers["x-longread-remote"]
            assert "From afar." in streamed.text
            assert "x-longread-remote" not in (await one.ask("Who?")).headers
            spoken = await one.message("Who?", model="far/big")
            assert spoken.headers["x-longread-remote"] == answer.headers["x-longread-remote"]
            assert spoken.json()["content"][0]["text"] == "From afar."
            host = answer.headers["x-longread-remote"]
            counted = f'longread_requests_remote_total{{key="config.toml",host="{host}"}} 3'
            assert counted in (await one.get("/metrics")).text
            with contextlib.closing(Keys(Database(paths.database()))) as keys:
                _, near = keys.add("editor")
                _, far = keys.add("editor that may", remote=True)
            asked = len(elsewhere.keys)
            refused = await one.ask("Who?", model="far/big", key=near)
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "remote_not_allowed")
            assert "x-longread-remote" not in refused.headers, "a key that may not ask it learns nothing of it"
            assert "far/big" not in {model["id"] for model in (await one.get("/models", key=near)).json()["data"]}
            assert len(elsewhere.keys) == asked, "nothing left this computer"
            assert (await one.ask("Who?", model="far/big", key=far)).status_code == 200
            unsaid = await one.ask("Who?", model="far/big", attention_impl="h2o")
            assert "runs on another computer" in unsaid.json()["error"]["message"]
    finally:
        await elsewhere.stop()


class Far:
    """A server elsewhere with one model, that says one thing. `keys`: the headers that came with each request."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        await reader.readexactly(int(fields.get("content-length", "0")))
        self.keys.append(fields.get("authorization", ""))
        if head[0].startswith("GET"):
            body, kind = json.dumps({"object": "list", "data": [{"id": "big"}]}), "application/json"
        else:
            chunks = [
                {"choices": [{"index": 0, "delta": {"content": "From afar."}, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}},
            ]
            body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
            kind = "text/event-stream"
        told = (
            f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n{body}"
        )
        writer.write(told.encode())
        await writer.drain()
        writer.close()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[server]\nhots = 1", "server.hots (line 4): There is no key of that name; did you mean host?"),
        ("[attention]\nlinear_layers_ratio = 0.75", "0 of its 2 layers are lightning (linear), which is 0."),
        ("[attention]\ntrig_freq_base = 5", "The base of this model's positions is 10000"),
        ("[long_context]\nauto_truncate = true", "A text is never cut here"),
        ('[models.x]\nmodel = "/nothing/there"', "/nothing/there"),
    ],
)
def test_what_cannot_be_served_ends_the_start(config, text, sentence, capfd, monkeypatch):
    monkeypatch.setattr("app.crash.install", lambda folder: None)
    assert cli.main(["serve", "--config", config(text)]) in (1, 2)
    out, error = capfd.readouterr()
    assert (out, sentence in error) == ("", True), error


def test_a_policys_options_are_refused_without_it(config, capfd, monkeypatch):
    monkeypatch.setattr("app.crash.install", lambda folder: None)
    text = "[attention]\nimpl = 'h2o'\n"
    assert cli.main(["serve", "--config", config(text), "--policy-score-window", "9"]) == 2
    assert "longread serve: --policy-score-window and" in capfd.readouterr().err


def test_the_command_line_goes_before_the_file(config):
    options = ("--port", "1", "--memory", "25%", "--sparse-impl", "torch", "--linear-impl", "native", "--window", "900")
    path = config("[server]\nmem_fraction_static = 0.5\ncontext_length = 4096\nhost = '127.0.0.2'\n")
    arguments = cli._parser().parse_args(["serve", "--config", path, *options])
    chosen = serve._chosen(arguments, Terminal(io.StringIO(), io.StringIO())).settings
    assert (chosen.api_host, chosen.api_port, chosen.memory_share, chosen.window) == ("127.0.0.2", 1, 0.25, 900)
    assert (chosen.sparse_kernel, chosen.linear_kernel) == ("torch", "native")


def test_print_config(home, capfd, monkeypatch):
    monkeypatch.setattr("app.crash.install", lambda folder: None)
    assert cli.main(["serve", "--print-config"]) == 0
    assert "\n[long_context]\n" in capfd.readouterr().out


def test_keys_in_a_file_that_others_read_are_pointed_out(config, monkeypatch):
    from app.commands import serve_config
    from app.data.settings import Settings

    path = Path(config(f'[server]\napi_key = "{KEY}"\n'))
    for mode, told in ((0o644, True), (0o600, False)):
        path.chmod(mode)
        error = io.StringIO()
        serve_config.read(path, Settings(), Terminal(io.StringIO(), error))
        assert ("chmod 600" in error.getvalue()) is told
        assert KEY not in error.getvalue()


@pytest.mark.full
async def test_the_small_model_as_a_file_says_it(served, small_model, monkeypatch):
    """A policy that a file asks for forgets what it says, in a window that it says."""
    monkeypatch.setattr(client, "default_command", COMMAND)
    text = f"""
[server]
api_key = "{KEY}"
model_path = "{small_model.as_posix()}"
context_length = 2048
mem_fraction_static = 0.9
[attention]
impl = "h2o"
compress_ratio = 0.3
trig_freq_base = 100000
sparse_layers_ratio = 0
"""
    async with served(text) as one:
        answer = await one.ask("The keeper lit the lantern near the window. " * 120 + "What was lit?", max_tokens=4)
        usage = answer.json()["usage"]
        kept = -(-3 * usage["prompt_tokens"] // 10)
        assert usage["longread"]["window"] == 2048
        assert usage["longread"]["forgotten"] == usage["prompt_tokens"] - kept
    with pytest.raises(NotHonoured) as refused:
        async with served(text.replace("100000", "500000").replace("ratio = 0\n", "ratio = 0.25\n")):
            pass
    assert [fault.code for fault in refused.value.faults] == ["theta_other", "ratio_other"]
