"""What programs are told so that they ask the local API: address, key, model and time-outs in each one's own form."""

import json
import os
import shlex
from urllib.parse import urlsplit

from app.data.snippet import Snippet

SECRET = "YOUR_KEY"
"""Stands where a key belongs when none is at hand."""

PATIENCE = 3600
"""Seconds that a client should wait: reading a long document takes minutes."""

PYTHON = """\
from openai import OpenAI

client = OpenAI(
    base_url={base},
    api_key={secret},
    timeout={patience},
    max_retries=0,
)
answer = client.chat.completions.create(
    model={model},
    messages=[{{"role": "user", "content": "What does the document say about rent?"}}],
    # extra_body={{"documents": ["lease.pdf"]}},  # documents of your library, by name
)
print(answer.choices[0].message.content)
"""

CONTINUE = """\
models:
  - name: Longread
    provider: openai
    model: {model}
    apiBase: {base}
    apiKey: {secret}
    roles: [chat, edit, apply]
    requestOptions:
      timeout: {patience}
"""

CLINE = """\
API Provider: OpenAI Compatible
Base URL: {base}
API Key: {secret}
Model ID: {model}
"""


def snippets(
    address: str,
    secret: str,
    model: str,
    *,
    certificate: str = "",
    past_proxy: bool = False,
    windows: bool = os.name == "nt",
) -> tuple[Snippet, ...]:
    """`address`: the base, without /v1. `secret`: "" where it is not at hand. `certificate`: a PEM file that clients
    must trust, where one is. `past_proxy`: variables would lead them elsewhere. `windows`: shells are PowerShell."""
    base, secret = f"{address}/v1", secret or SECRET
    quoted = {"base": json.dumps(base), "secret": json.dumps(secret), "model": json.dumps(model)}
    host = urlsplit(address).hostname or ""
    variables = _variables(address, secret, model)
    extra = {"NO_PROXY": host} if past_proxy else {}
    python = extra | ({"SSL_CERT_FILE": certificate} if certificate else {})
    variables |= extra | ({"NODE_EXTRA_CA_CERTS": certificate} if certificate else {})
    options: dict[str, object] = {"noProxy": [host]} if past_proxy else {}
    options |= {"caBundlePath": certificate} if certificate else {}
    return (
        Snippet("openai", "Python (openai)", _environ(python) + PYTHON.format(**quoted, patience=PATIENCE)),
        Snippet("claude_code", "Claude Code", _exported(variables, windows)),
        Snippet("settings_json", "Claude Code, CC Switch", json.dumps({"env": variables}, indent=2) + "\n"),
        Snippet("continue", "Continue", CONTINUE.format(**quoted, patience=PATIENCE) + _options(options)),
        Snippet("cline", "Cline", CLINE.format(base=base, secret=secret, model=model)),
        Snippet("curl", "curl", _curl(base, secret, model, certificate, windows)),
    )


def _variables(address: str, secret: str, model: str) -> dict[str, str]:
    """Claude Code puts /v1/messages behind the address itself. Its errands go to the same model: there is one."""
    return {
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_AUTH_TOKEN": secret,
        "ANTHROPIC_MODEL": model,
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": model,
        "API_TIMEOUT_MS": str(PATIENCE * 1000),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _environ(variables: dict[str, str]) -> str:
    lines = [f"os.environ[{json.dumps(name)}] = {json.dumps(value)}" for name, value in variables.items()]
    return "\n".join(["import os", "", *lines, "", ""]) if lines else ""


def _options(options: dict[str, object]) -> str:
    """JSON is YAML."""
    return "".join(f"      {name}: {json.dumps(value)}\n" for name, value in options.items())


def _exported(variables: dict[str, str], windows: bool) -> str:
    if windows:
        return "".join(f"$env:{name} = {_powershell(value)}\n" for name, value in variables.items())
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())


def _curl(base: str, secret: str, model: str, certificate: str, windows: bool) -> str:
    body = json.dumps({"model": model, "stream": True, "messages": [{"role": "user", "content": "Good morning"}]})
    quote = _powershell if windows else shlex.quote
    options = [
        f"--no-buffer --noproxy '*' {quote(f'{base}/chat/completions')}",
        *([f"--cacert {quote(certificate)}"] if certificate else []),
        f"-H {quote(f'Authorization: Bearer {secret}')}",
        "-H 'Content-Type: application/json'",
    ]
    if windows:  # its programs are not given quotation marks that stand inside an argument
        return f"{quote(body)} | curl.exe " + " `\n  ".join([*options, "--data-binary '@-'"]) + "\n"
    return "curl " + " \\\n  ".join([*options, f"-d {quote(body)}"]) + "\n"


def _powershell(text: str) -> str:
    """Between single quotation marks only those themselves have a meaning."""
    return "'" + text.replace("'", "''") + "'"
