"""What goes into the two programs and what is left out; read by the spec, looked at by the tests."""

import pkgutil
import sys
from fnmatch import fnmatch

TORCH_ALONE = ("torch", "torchgen", "functorch", "triton", "sympy", "mpmath", "networkx", "isympy")
"""Modules that only torch needs: a runtime brings them."""
BUILD_TOOLS = ("PyInstaller", "pip", "setuptools", "pkg_resources", "wheel", "_distutils_hack", "pytest", "_pytest")
NOT_SHIPPED = ("transformers", "tkinter", "_tkinter", "idlelib", "turtledemo", "turtle", "lib2to3.tests", "IPython")
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
ENGINE_METADATA = ("tokenizers", "safetensors", "gguf", "msgspec", "numpy")

DROPPED = (
    # Qt: platforms without a desktop, GTK's theme and the libraries of it, the toolkits that no window of ours uses
    "*/platformthemes/libqgtk3*", "*libqeglfs*", "*libqlinuxfb*", "*libqvnc*", "*libqvkkhrdisplay*", "*libqminimalegl*",
    "*EglFS*", "*EglFsKms*", "libgtk-*", "libgdk*", "libcairo*", "libpango*", "libatk*", "libgio-*", "libharfbuzz*",
    "libepoxy*", "*libQt6Quick*", "*libQt6Qml*", "*qtvirtualkeyboard*", "*libqpdf.so", "*/qml/*", "*libQt6Designer*",
    "*/plugins/egldeviceintegrations/*", "*/plugins/sqldrivers/*", "*/plugins/qmltooling/*", "*/plugins/designer/*",
    # of Qt's own words, those in the window's languages
    "*/Qt/translations/qt_*", "*/Qt/translations/qtbase_[!ez]*", "*/Qt/translations/*assistant*",
    "*/Qt/translations/*designer*", "*/Qt/translations/*linguist*", "*/Qt/translations/*declarative*",
    # what a desktop has and must be its own: the graphics drivers' front ends and the window system's libraries
    "libGL.so*", "libEGL.so*", "libGLX.so*", "libGLdispatch.so*", "libwayland-*", "libdrm*",
    # parts of packages that no program runs
    "*/tests/*", "*/test/*", "*/include/*", "*.pyi", "*.a", "*.h.in", "*/__pycache__/*", "*.dist-info/RECORD",
)  # fmt: skip
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
    "torch/test/*", "torch/bin/[!t]*", "torch/bin/test*", "torch/bin/t[!o]*", "torch/include/*", "torch/share/*", "torch/lib/*.a", "torch/lib/*.lib",
    "torch/lib/libtorchbind_test*", "torch/lib/libjitbackend_test*", "torch/lib/libbackend_with_compiler*",
    "torch/lib/libaoti_custom_ops*", "torch/utils/benchmark/*", "*/tests/*", "*/test_*.py",
    "*.pyi", "*/__pycache__/*", "../*", "*/direct_url.json", "*/INSTALLER", "*/REQUESTED", "isympy.py",
    "torch/distributed/*/test*", "sympy/parsing/autolev/test-examples/*",
)  # fmt: skip


def wanted(place: str) -> bool:
    """Whether a file of the analysis goes in, by its place in the bundle."""
    place = place.replace("\\", "/")
    return any(fnmatch(place, one) for one in KEPT) or not any(fnmatch(place, one) for one in DROPPED)


def standard_library() -> list[str]:
    """Every module of it that can be had here, but tests and what needs Tk."""
    left_out = ("test", "tkinter", "idlelib", "turtledemo", "turtle", "lib2to3", "ensurepip", "antigravity", "this",
                "venv", "distutils", "msilib", "pydoc_data")  # fmt: skip
    folders = [
        place
        for place in sys.path
        if place.endswith((f"python3.{sys.version_info.minor}", "lib-dynload", "Lib", "DLLs"))
    ]
    names = set(sys.builtin_module_names) | {"__future__"}
    for found in pkgutil.walk_packages(folders, onerror=lambda name: None):
        first = found.name.partition(".")[0]
        if first in sys.stdlib_module_names and first not in left_out and ".test" not in found.name:
            names.add(found.name)
    return sorted(name for name in names if not name.endswith("__main__"))
