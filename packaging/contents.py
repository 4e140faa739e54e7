"""What goes into the two programs and what is left out; read by the spec, looked at by the tests."""

import os
import pkgutil
import sys
from collections.abc import Iterator
from fnmatch import fnmatch

TORCH_ALONE = ("torch", "torchgen", "functorch", "triton", "sympy", "mpmath", "networkx", "isympy")
"""Modules that only torch needs: a runtime brings them."""
BUILD_TOOLS = ("PyInstaller", "pip", "setuptools", "pkg_resources", "wheel", "_distutils_hack", "pytest", "_pytest")
NOT_SHIPPED = ("transformers", "llama_cpp", "tkinter", "_tkinter", "idlelib", "turtledemo", "turtle", "lib2to3.tests",
               "IPython")  # fmt: skip
NOT_IN_WINDOW = (*TORCH_ALONE, *BUILD_TOOLS, *NOT_SHIPPED, "tokenizers", "safetensors", "gguf", "numpy", "llguidance",
                 "kernels", "engine.worker", "matplotlib")  # fmt: skip
NOT_IN_ENGINE = (*TORCH_ALONE, *BUILD_TOOLS, *NOT_SHIPPED, "PySide6", "shiboken6", "qasync", "app", "fsspec",
                 "huggingface_hub",
                 "requests", "PIL", "matplotlib", "lxml", "cryptography")  # fmt: skip
WINDOW_HIDDEN = ("tesserocr", "PIL.Image", "tessdata", "huggingface_hub", "httpx2", "pynvml")
ENGINE_HIDDEN = ("safetensors.torch", "pynvml", "resources", "llguidance", "typing_extensions", "filelock")
WINDOW_METADATA = (
    "PySide6-Essentials",
    "apsw-sqlite3mc",
    "pypdfium2",
    "msgspec",
    "huggingface_hub",
)
ENGINE_METADATA = ("tokenizers", "safetensors", "gguf", "msgspec", "numpy", "llguidance")

DROPPED = (
    # Qt: platforms without a desktop, GTK's theme and the libraries of it, the toolkits that no window of ours uses
    "*/platformthemes/libqgtk3*", "*libqeglfs*", "*libqlinuxfb*", "*libqvnc*", "*libqvkkhrdisplay*", "*libqminimalegl*",
    "*EglFS*", "*EglFsKms*",
    "*libQt6Quick*", "*libQt6Qml*", "*qtvirtualkeyboard*", "*libqpdf.so", "*/qml/*", "*libQt6Designer*",
    "*/plugins/egldeviceintegrations/*", "*/plugins/sqldrivers/*", "*/plugins/qmltooling/*", "*/plugins/designer/*",
    # of Qt's own words, those in the window's languages
    "*/Qt/translations/qt_*", "*/Qt/translations/qtbase_[!ez]*", "*/Qt/translations/*assistant*",
    "*/Qt/translations/*designer*", "*/Qt/translations/*linguist*", "*/Qt/translations/*declarative*",
    # modules of the standard library over libraries that are GPL (readline, gdbm), or a terminal's and a network's own
    "*/readline.cpython*", "*/_gdbm.cpython*", "*/_dbm.cpython*", "*/_curses*.cpython*", "*/nis.cpython*",
    # parts of packages that no program runs
    "*/tests/*", "*/test/*", "*/include/*", "*.pyi", "*.a", "*.h.in", "*/__pycache__/*", "*.dist-info/RECORD",
    "*.egg-info/SOURCES.txt",
)  # fmt: skip
SYSTEM = ("/lib/", "/usr/lib/", "/lib64/", "/usr/local/lib/")
FROM_SYSTEM = ("libpython", "libcrypto.", "libssl.", "libffi.", "libbz2.", "liblzma.", "libz.", "libsqlite3.",
               "libuuid.",
               "libxcb-cursor.", "libxcb-icccm.", "libxcb-image.", "libxcb-keysyms.", "libxcb-render-util.",
               "libxcb-util.")  # fmt: skip
"""Of the system's libraries those travel along that Python's own modules ask for, since a distribution has its own
version of them, and those of X11 that Qt asks for and many desktops lack. The others are each system's own: the
packages depend on them."""
KEPT = ("*kernels/native/*.h", "*/Qt/translations/qtbase_zh_CN*", "*/Qt/translations/qtbase_en*")

RUNTIME_PACKAGES = (
    "torch",
    "sympy",
    "mpmath",
    "networkx",
    "fsspec",
    "filelock",
    "typing_extensions",
    "jinja2",
    "markupsafe",
)
"""Of which a runtime is made: torch and what it asks for."""
RUNTIME_DROPPED = (
    "torch/test/*", "torch/bin/[!t]*", "torch/bin/test*", "torch/bin/t[!o]*", "torch/include/*",
    "torch/share/*", "torch/lib/*.a", "torch/lib/*.lib",
    "torch/lib/libtorchbind_test*", "torch/lib/libjitbackend_test*", "torch/lib/libbackend_with_compiler*",
    "torch/lib/libaoti_custom_ops*", "torch/utils/benchmark/*", "*/tests/*", "*/test_*.py",
    "*.pyi", "__pycache__/*", "*/__pycache__/*", "../*", "*/direct_url.json", "*/INSTALLER", "*/REQUESTED", "isympy.py",
    "torch/distributed/*/test*", "sympy/parsing/autolev/test-examples/*",
)  # fmt: skip


def wanted(place: str, source: str = "") -> bool:
    """Whether a file of the analysis goes in, by its place in the bundle and where it comes from."""
    place = place.replace("\\", "/")
    if source.startswith(SYSTEM) and ".so" in place and not place.rpartition("/")[2].startswith(FROM_SYSTEM):
        return False
    return any(fnmatch(place, one) for one in KEPT) or not any(fnmatch(place, one) for one in DROPPED)


def standard_library() -> list[str]:
    """Every module of it that can be had here, but tests and what needs Tk. Nothing is imported."""
    ends = (f"python3.{sys.version_info.minor}", "lib-dynload", "Lib", "DLLs")
    folders = [place for place in sys.path if place.endswith(ends)]
    return sorted({*sys.builtin_module_names, "__future__", *_modules(folders, "")})


NOT_IN_LIBRARY = {"test", "tests", "tkinter", "idlelib", "idle_test", "turtledemo", "turtle", "lib2to3", "ensurepip",
                  "antigravity", "this", "venv", "distutils", "msilib", "pydoc_data", "__main__"}  # fmt: skip


def _modules(folders: list[str], prefix: str) -> Iterator[str]:
    for found in pkgutil.iter_modules(folders):
        if found.name in NOT_IN_LIBRARY or not (prefix or found.name in sys.stdlib_module_names):
            continue
        yield prefix + found.name
        if found.ispkg:
            yield from _modules([os.path.join(place, found.name) for place in folders], f"{prefix}{found.name}.")
