"""What programs are told so that they ask the local API: address, key, model and time-outs in each one's own form."""

import json
import os

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
    address: str, secret: str, model: str, *, certificate: str = "", windows: bool = os.name == "nt"
) -> tuple[Snippet, ...]:
    """`address`: the base, without /v1. `secret`: "" where it is not at hand. `certificate`: a PEM file that clients
    must trust, where one is. `windows`: shells are PowerShell there."""
    base, secret = f"{address}/v1", secret or SECRET
    quoted = {"base": json.dumps(base), "secret": json.dumps(secret), "model": json.dumps(model)}
    plain = {"base": base, "secret": secret, "model": model}
    variables = _variables(address, secret, model, certificate)
    python = PYTHON.format(**quoted, patience=PATIENCE)
    if certificate:
        python = f'import os\n\nos.environ["SSL_CERT_FILE"] = {json.dumps(certificate)}\n\n{python}'
    return (
        Snippet("openai", "Python (openai)", python),
        Snippet("claude_code", "Claude Code", _exported(variables, windows)),
        Snippet("settings_json", "Claude Code, CC Switch", json.dumps({"env": variables}, indent=2) + "\n"),
        Snippet("continue", "Continue", CONTINUE.format(**quoted, patience=PATIENCE)),
        Snippet("cline", "Cline", CLINE.format(**plain)),
        Snippet("curl", "curl", _curl(base, secret, model, certificate, windows)),
    )


def _variables(address: str, secret: str, model: str, certificate: str) -> dict[str, str]:
    """Claude Code puts /v1/messages behind the address itself. Its errands go to the same model: there is one."""
    made = {
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_AUTH_TOKEN": secret,
        "ANTHROPIC_MODEL": model,
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": model,
        "API_TIMEOUT_MS": str(PATIENCE * 1000),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "NO_PROXY": "localhost,127.0.0.1",
    }
    return made | ({"NODE_EXTRA_CA_CERTS": certificate} if certificate else {})


def _exported(variables: dict[str, str], windows: bool) -> str:
    form = '$env:{} = "{}"\n' if windows else 'export {}="{}"\n'
    return "".join(form.format(*one) for one in variables.items())


def _curl(base: str, secret: str, model: str, certificate: str, windows: bool) -> str:
    body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Good morning"}]}
    lines = [
        f"{'curl.exe' if windows else 'curl'} --no-buffer --noproxy '*' {base}/chat/completions",
        f'-H "Authorization: Bearer {secret}"',
        '-H "Content-Type: application/json"',
        f"-d '{json.dumps(body)}'",
    ]
    if certificate:
        lines.insert(1, f'--cacert "{certificate}"')
    return (" `\n  " if windows else " \\\n  ").join(lines) + "\n"
