"""The sentences about packs for graphics cards and the runtimes that they hold, as in `app.words`."""

from app.notes import QT_TRANSLATE_NOOP

PROBLEMS: dict[str, str] = {
    "runtime_no_pack": QT_TRANSLATE_NOOP(
        "words",
        "{subject} holds no runtime of Longread: no manifest that can be read. Choose manifest.json or, from a "
        "release, longread-gpu-…-manifest.json, with all files of the pack beside it.",
    ),
    "runtime_damaged": QT_TRANSLATE_NOOP(
        "words",
        "{subject} of the pack is missing or is not what its manifest says. Nothing was changed; copy or download the "
        "pack again.",
    ),
    "runtime_format": QT_TRANSLATE_NOOP(
        "words",
        "The pack {subject} is of form {made}, and this Longread knows {needed}. Get the pack for this version.",
    ),
    "runtime_engine": QT_TRANSLATE_NOOP(
        "words",
        "The pack {subject} was made for another engine ({made}; this one is {needed}). Get the pack for this version "
        "of Longread.",
    ),
    "runtime_python": QT_TRANSLATE_NOOP(
        "words",
        "The pack {subject} is for Python {made}, and this Longread runs {needed}. Get the pack for this version of "
        "Longread.",
    ),
    "runtime_platform": QT_TRANSLATE_NOOP(
        "words", "The pack {subject} is for {made}, and this computer is {needed}. Get the pack for this system."
    ),
    "runtime_torch": QT_TRANSLATE_NOOP(
        "words",
        "The pack {subject} holds torch {made}, and this Longread was checked with {needed}. Get the pack for this "
        "version of Longread.",
    ),
    "runtime_driver": QT_TRANSLATE_NOOP(
        "words",
        "NVIDIA's driver here is {available}, and this pack needs {needed} or newer. Nothing was changed; update the "
        "driver and install the pack again.",
    ),
    "runtime_fails": QT_TRANSLATE_NOOP(
        "words", "{subject} was unpacked but does not work here ({message}). It was removed, and nothing was changed."
    ),
    "runtime_unknown": QT_TRANSLATE_NOOP("words", "No runtime {subject} is installed. See: longread runtime list"),
    "runtime_own": QT_TRANSLATE_NOOP(
        "words", "The runtime that came with Longread stays: it is what the engine falls back to."
    ),
    "runtime_busy": QT_TRANSLATE_NOOP(
        "words", "Another Longread is installing a runtime. Nothing was changed; try again when it has ended."
    ),
    "runtime_held": QT_TRANSLATE_NOOP(
        "words", "Files of {subject} are in use. Close Longread everywhere and try again."
    ),
    "pack_running": QT_TRANSLATE_NOOP(
        "words",
        "Another Longread is downloading or installing a pack for the graphics card. Nothing was changed; try again "
        "when it has ended.",
    ),
    "pack_missing": QT_TRANSLATE_NOOP(
        "words",
        "{subject} has no pack for this version of Longread ({made}) and this system ({needed}). Nothing was "
        "downloaded. Install one from a folder instead, or look whether there is a newer Longread.",
    ),
    "pack_none": QT_TRANSLATE_NOOP(
        "words",
        "What {subject} sent is no manifest of a pack. Nothing was downloaded. Check the address, or open it in a "
        "browser: the network may want you to sign in first.",
    ),
    "download_open": QT_TRANSLATE_NOOP(
        "words",
        "The way to {subject} is not encrypted (http), so a pack from there could be anybody's. Nothing was "
        "downloaded. Give an address that begins with https, or install from a folder.",
    ),
}
"""By `Problem.code`."""

PURPOSES: dict[str, str] = {
    "pack": QT_TRANSLATE_NOOP("words", "a pack for a graphics card that you asked for"),
    "pack_list": QT_TRANSLATE_NOOP("words", "what packs there are for a graphics card, which you asked for"),
}
"""By `Connection.purpose`."""
