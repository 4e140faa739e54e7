"""A verification as Markdown, PDF or JSON. The JSON is what a check reads."""

import base64
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import msgspec

from app import verify_words
from app.data.certificate import Certificate
from app.services.export.printing import print_pdf
from app.services.files import write_whole
from app.services.problem import Problem
from app.services.verify.pictures import pictured
from app.services.verify.told import told
from engine.verify_results import FORMAT

SHARPER = 3
"""Times as many points as a printed picture is wide."""
STYLE = """
body { font-family: serif; font-size: 10pt; } h1 { font-size: 17pt; } h2 { font-size: 12pt; color: #7a4a28; }
td { padding: 3px 8px 3px 0; font-size: 9pt; color: #4a443c; }
"""

Translate = Callable[[str], str]


async def write(certificate: Certificate, path: Path, translate: Translate = str) -> tuple[Path, ...]:
    """In the form that the ending names: .md (its pictures beside it), .pdf or .json. What was written, the file first.

    Raises `Problem`: "certificate_format", "export_failed", "disk_full" or "cannot_write".
    """
    match path.suffix.lower():
        case ".json":
            write_whole(path, msgspec.json.format(msgspec.json.encode(certificate), indent=1))
            return (path,)
        case ".md":
            beside = {
                outcome.test: (path.with_name(f"{path.stem}.{outcome.test}.svg"), drawn)
                for outcome, drawn in pictured(certificate.report.outcomes)
            }
            for picture, drawn in beside.values():
                write_whole(picture, drawn.encode())
            names = {str(test): picture.name for test, (picture, _) in beside.items()}
            write_whole(path, markdown(certificate, names, translate).encode())
            return (path, *(picture for picture, _ in beside.values()))
        case ".pdf":
            title = translate(verify_words.LABELS["title"])
            write_whole(path, await print_pdf(page(certificate, translate), title))
            return (path,)
    raise Problem("certificate_format", subject=path.name)


def opened(path: Path) -> Certificate:
    """Of a JSON file. Raises `Problem("certificate_unreadable")`."""
    try:
        certificate = msgspec.json.decode(path.read_bytes(), type=Certificate)
    except (OSError, msgspec.DecodeError) as error:
        raise Problem("certificate_unreadable", subject=path.name) from error
    if certificate.report.format != FORMAT:
        raise Problem("certificate_unreadable", subject=path.name)
    return certificate


def markdown(certificate: Certificate, pictures: dict[str, str], translate: Translate = str) -> str:
    """`pictures`: names of files by the test that they are of."""
    return "\n\n".join(_blocks(certificate, pictures, translate)) + "\n"


def page(certificate: Certificate, translate: Translate = str) -> str:
    """As HTML that needs no other file."""
    report = certificate.report
    rows = [(f"<b>{escape(name)}</b>", escape(value)) for name, value in facts(certificate, translate)]
    results = [
        (_verdict(one.verdict, translate), f"<b>{escape(translate(verify_words.TITLES[one.test]))}</b>. {escape(said)}")
        for one in report.outcomes
        for said in (told(one, translate),)
    ]
    labels = verify_words.LABELS
    body = [f"<h1>{escape(translate(labels['title']))}: {_verdict(report.verdict, translate)}</h1>", _table(rows)]
    body += [f"<h2>{escape(translate(labels['results']))}</h2>", _table(results)]
    for outcome, drawn in pictured(report.outcomes):
        body.append(f"<h2>{escape(translate(verify_words.TITLES[outcome.test]))}</h2>")
        body.append(f'<p><img width="420" src="data:image/svg+xml;base64,{_encoded(drawn)}"></p>')
    inside = "\n".join(body)
    return f'<html><head><meta charset="utf-8"><style>{STYLE}</style></head><body>{inside}</body></html>'


def facts(certificate: Certificate, translate: Translate = str) -> Iterator[tuple[str, str]]:
    """What was verified, with what and when; names and values."""
    report, subject = certificate.report, certificate.report.subject
    own = translate(verify_words.LABELS["own"]).format(sha=subject.document)
    values = {
        "model": f"{subject.model} ({subject.architecture})",
        "fingerprint": subject.fingerprint,
        "window": f"{subject.window:,}",
        "precision": f"{subject.precision} {subject.writing}".strip(),
        "reading": _said(msgspec.to_builtins(subject.reading)),
        "machine": _said(certificate.machine),
        "versions": _said({certificate.program: certificate.version} | report.versions),
        "tier": report.tier,
        "length": f"{report.length:,}",
        "document": own if subject.document else translate(verify_words.LABELS["prose"]),
        "seed": report.seed,
        "date": report.began,
        "took": f"{report.seconds:.0f}",
    }
    for name, value in values.items():
        if value:
            yield translate(verify_words.LABELS[name]), value


def _blocks(certificate: Certificate, pictures: dict[str, str], translate: Translate) -> Iterator[str]:
    labels, report = verify_words.LABELS, certificate.report
    yield f"# {translate(labels['title'])}: {_verdict(report.verdict, translate)}"
    yield f"## {translate(labels['settings'])}"
    yield _rows([("", ""), *facts(certificate, translate)])
    yield f"## {translate(labels['results'])}"
    head = [tuple(translate(labels[name]) for name in ("verdict", "test", "found"))]
    results = [
        (_verdict(one.verdict, translate), translate(verify_words.TITLES[one.test]), told(one, translate))
        for one in report.outcomes
    ]
    yield _rows([*head, *results])
    for outcome in report.outcomes:
        if outcome.test in pictures:
            title = translate(verify_words.TITLES[outcome.test])
            yield f"### {title}\n\n![{title}]({pictures[outcome.test]})"


def _verdict(verdict: str, translate: Translate) -> str:
    return f"{verify_words.SIGNS[verdict]} {translate(verify_words.VERDICTS[verdict])}"


def _said(values: dict[str, object] | dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items() if value not in ("", None, {}))


def _rows(rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def _table(rows: list[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows) + "</table>"


def _encoded(svg: str) -> str:
    # drawn larger than it is shown, so that it is sharp on paper
    head, _, rest = svg.partition(" viewBox")
    for side in ("width", "height"):
        before, _, after = head.partition(f'{side}="')
        number, _, end = after.partition('"')
        head = f'{before}{side}="{int(number) * SHARPER}"{end}'
    return base64.b64encode(f"{head} viewBox{rest}".encode()).decode()
