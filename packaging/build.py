"""`python3 packaging/build.py linux`: the packages that a person without Python installs, into dist/.

  linux                            .deb, .rpm and a portable .tar.xz
  windows                          a setup program and a portable .zip (needs mingw-w64 and NSIS)
  bundle                           only the folder that they hold, in build/linux/bundle/longread
  gpu-pack linux                   the runtime for NVIDIA cards, of packages from PyPI
  gpu-pack windows --wheels FOLDER the same of wheels that lie in a folder

Everything that goes in is named with its sha256 in a lock file (`packaging/lock.py`).
"""

import argparse
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="build.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    targets = parser.add_subparsers(dest="target", required=True, metavar="TARGET")
    linux = targets.add_parser("linux")
    linux.add_argument("--quick", action="store_true", help="compress lightly, for trying things out")
    linux.add_argument("--reuse", action="store_true", help="pack the folder that an earlier run made")
    windows = targets.add_parser("windows")
    windows.add_argument("--quick", action="store_true", help="compress lightly, for trying things out")
    windows.add_argument("--reuse", action="store_true", help="pack the folder that an earlier run made")
    windows.add_argument(
        "--sign",
        metavar="COMMAND",
        help="signs our programs, the uninstaller and the setup: `-in FILE -out FILE` is appended, as osslsigncode "
        "has it ('osslsigncode sign -pkcs12 KEY.p12 -readpass FILE -ts URL')",
    )
    targets.add_parser("bundle")
    pack = targets.add_parser("gpu-pack")
    pack.add_argument("system", choices=("linux", "windows"))
    pack.add_argument("--wheels", type=Path, metavar="FOLDER", help="wheels that lie there; else those of the lock")
    pack.add_argument("--release", action="store_true", help="as the files of a release, side by side in dist/")
    arguments = parser.parse_args(words)
    import bundle
    import gpu_pack
    import linux_packages
    import windows_setup
    import windows_tree

    if arguments.target == "windows":
        if not arguments.reuse:
            bundle.environment()
            windows_tree.assemble()
        signer = windows_setup.signer(shlex.split(arguments.sign)) if arguments.sign else None
        windows_setup.make(windows_tree.TREE, quick=arguments.quick, signer=signer)
        return 0
    if arguments.target == "gpu-pack":
        if arguments.system == "windows" and arguments.wheels is None:
            parser.error(
                "Windows' wheels of torch for NVIDIA cards are on no package index: name their --wheels FOLDER"
            )
        linux_packages.DIST.mkdir(exist_ok=True)
        folder = gpu_pack.make(arguments.system, arguments.wheels, linux_packages.DIST)
        print(*(gpu_pack.for_release(folder, linux_packages.DIST) if arguments.release else [folder]), sep="\n")
        return 0
    if arguments.target == "bundle":
        print(bundle.make())
        return 0
    folder = bundle.BUNDLE if arguments.reuse else bundle.make()
    linux_packages.make(folder, quick=arguments.quick)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
