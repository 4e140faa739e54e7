"""What `longread bench peers` says in a terminal."""

import json

from app.commands.bench_peers_table import peers

SPEED = {"what": "read", "length": 4096, "engine": "longread", "unit": "tokens/s", "failed": ""}
ASKED = {"length": 131072, "engine": "longread", "way": "parallel", "right": 3, "of": 3, "first": 80.5, "later": 2.2}
ASKED |= {
    "memory": 4 << 30,
    "reopened": 5.25,
    "stopped": None,
    "share": None,
    "read": 131500,
    "failed": "",
    "not_reopened": "",
    "flags": {"join": "shared"},
}
NOT_HAD = {"right": 0, "first": None, "later": None, "reopened": None}
REPORT = {
    "threads": 2,
    "rounds": 3,
    "limit": 600.0,
    "seed": 7,
    "engines": [
        {"name": "longread", "flags": {"precision": "bf16"}},
        {"name": "llama-cpp", "about": {"version": "9"}, "flags": {"n_ctx": 8192}},
        {"name": "transformers", "absent": "not found"},
    ],
    "rows": [
        SPEED | {"median": 3000.0, "least": 2900.5, "most": 3100.0},
        SPEED | {"engine": "llama-cpp", "median": None, "least": None, "most": None, "failed": "it died"},
        SPEED | {"what": "write", "median": 70.25, "least": 70.0, "most": 71.0},
        SPEED | {"what": "write", "engine": "llama-cpp", "median": 7.5, "least": 7.0, "most": 8.0},
    ],
    "documents": [
        ASKED,
        ASKED | NOT_HAD | {"engine": "llama-cpp", "way": "dense", "stopped": 600.0, "share": 0.07, "flags": {}},
        ASKED | NOT_HAD | {"engine": "llama-cpp", "way": "search", "failed": "it died", "flags": {}},
    ],
}


def test_the_table_of_peers():
    assert peers(json.dumps(REPORT)).splitlines() == [
        "2 threads, 3 rounds, seed 7",
        "  longread      precision bf16",
        "  llama-cpp     version 9, n_ctx 8192",
        "  transformers  not found",
        "",
        "  tokens/s, median (least to most)  longread                llama-cpp",
        "  read 4,096 tokens                 3,000 (2,900 to 3,100)  it died",
        "  write at 4,096 tokens             70.2 (70.0 to 71.0)     7.50 (7.00 to 8.00)",
        "",
        "  a text with three facts                       right   first                               later   "
        "memory  re-opened",
        "  131,072 tokens           longread   parallel  3 of 3  80.5 s                              2.20 s  "
        "4.0 GB  5.25 s",
        "  131,072 tokens           llama-cpp  dense     0 of 3  stopped after 600 s, 7% of it read          4.0 GB",
        "  131,072 tokens           llama-cpp  search    0 of 3  it died",
        "  longread, parallel  join shared",
    ]


def test_what_was_not_measured_has_no_table():
    lines = peers(json.dumps(REPORT | {"rows": [], "documents": []})).splitlines()
    assert len(lines) == 4
