"""OpenAI's client for Node against `longread serve`: `python packaging/node_client.py`. Needs node, npm and a network.

Outside of the tests, since it fetches the client from npm.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
VERSION = "6"
"""Of the client: its last release of that number."""


def main() -> int:
    from app import paths
    from engine.catalogue import SMALL

    model = paths.models() / SMALL.name / Path(SMALL.source.member).name
    program = (sys.executable, "-m", "app")
    with tempfile.TemporaryDirectory() as made:
        client, home = Path(made) / "client", Path(made) / "home"
        client.mkdir()
        shutil.copy(HERE / "node_client.mjs", client / "check.mjs")
        subprocess.run(("npm", "install", "--no-audit", "--no-fund", f"openai@{VERSION}"), cwd=client, check=True)
        environment = os.environ | {"LONGREAD_HOME": str(home), "PYTHONPATH": str(HERE.parent)}
        added = subprocess.run((*program, "keys", "add", "node"), env=environment, stdout=subprocess.PIPE, check=True)
        serve = (*program, "serve", "--port", "0", "--model", str(model))
        serving = subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert serving.stdout is not None
            address = serving.stdout.readline().strip().removesuffix("/v1")
            key = added.stdout.decode().strip()
            return subprocess.run(("node", "check.mjs", address, key), cwd=client).returncode
        finally:
            serving.terminate()
            serving.wait()


if __name__ == "__main__":
    sys.exit(main())
