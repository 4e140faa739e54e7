"""Which texts are source code and which are Markdown, by their names: their bytes cannot tell."""

import re

from app.documents.names import listed

MARKDOWN = listed(".md .markdown .mdown .mkd .mkdn .mdx .rmd .qmd")

CODE = listed(
    """
    .ada .adb .ads .agda .applescript .asm .astro .awk .bash .bat .bazel .bzl .c .cc .cjs .cl .clj .cljc .cljs
    .cmake .cmd .cob .cpp .cr .cs .csproj .css .cu .cuh .cxx .d .dart .dts .el .elm .erl .ex .exs .f .f03 .f08 .f90
    .f95 .fish .fs .fsi .fsx .glsl .go .gradle .graphql .groovy .h .hbs .hcl .hh .hlsl .hpp .hrl .hs .hx .hxx .idl
    .inc .ini .ino .ipp .java .jinja .jinja2 .jl .js .json .json5 .jsonc .jsp .jsx .kt .kts .l .less .lisp .ll .lua
    .m .m4 .mak .mjs .mk .ml .mli .mm .mojo .mts .nim .nix .nu .pas .php .pl .plist .pm .proto .ps1 .psm1 .pug .py
    .pyi .pyx .pxd .r .rake .rb .rkt .rs .s .sass .scala .scm .scss .sh .sln .sol .sql .sty .sv .svelte .swift .tcl
    .tex .tf .thrift .toml .ts .tsx .twig .v .vb .vhd .vhdl .vim .vue .wat .wgsl .xaml .xml .xsd .xsl .xslt .y .yaml
    .yml .zig .zsh
    """
)
CODE_NAMES = listed(
    """
    build cmakelists.txt containerfile dockerfile gemfile gnumakefile jenkinsfile justfile makefile meson.build
    procfile rakefile sconstruct vagrantfile workspace .bashrc .editorconfig .gitattributes .gitignore .gitmodules
    .npmrc .profile .zshrc
    """
)
SHEBANG = re.compile(r"#!\s*/\S+")


def ending(name: str) -> str:
    return name[name.rindex(".") :].lower() if "." in name[1:] else ""


def is_code(name: str, head: str) -> bool:
    return ending(name) in CODE or name.lower() in CODE_NAMES or SHEBANG.match(head) is not None


def is_markdown(name: str) -> bool:
    return ending(name) in MARKDOWN
