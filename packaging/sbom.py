"""`sbom.py linux|windows|linux-gpu`: every package of a lock, as a CycloneDX 1.6 bill of materials on stdout."""

import json
import re
import sys
import uuid

import linux_packages
import lock

PINNED = re.compile(r"^([\w.-]+)==([^\s\\]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(text: str) -> list[dict]:
    """Of a lock file's lines."""
    found: list[dict] = []
    for line in text.splitlines():
        if pinned := PINNED.match(line):
            name, version = pinned.groups()
            purl = f"pkg:pypi/{name}@{version.replace('+', '%2B')}"
            component = {"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl}
            found.append(component | {"hashes": []})
        if found:
            found[-1]["hashes"] += [{"alg": "SHA-256", "content": digest} for digest in HASH.findall(line)]
    return found


def document(target: str) -> dict:
    listed = components(lock.lock_file(target).read_text(encoding="utf-8"))
    version = linux_packages.version()
    of = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([target, version, listed]))  # the same lock, the same number
    program = {"type": "application", "name": "longread", "version": version, "bom-ref": "longread"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{of}",
        "version": 1,
        "metadata": {"component": program},
        "components": listed,
    }


if __name__ == "__main__":
    print(json.dumps(document(sys.argv[1]), indent=1))
