"""Jupyter notebooks of nbformat 3 and 4, made as bytes."""

import base64
import json
from typing import Any

PICTURE = base64.b64encode(bytes(range(256)) * 4).decode()


def notebook(metadata: str = "{}") -> bytes:
    """Version 4, with every kind of cell and of output. `metadata` is JSON, put in as it is."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Rent\n", "\n", "See ![x](attachment:x.png).\n",
         "## Data"], "attachments": {"x.png": {"image/png": PICTURE}}},
        code(1, "import numpy as np\nnp.arange(3)", [result("array([0, 1, 2])", 1)]),
        code(2, "plot()", [
            {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
            {"output_type": "display_data", "metadata": {},
             "data": {"image/png": PICTURE, "text/plain": ["<Figure size 1x1>"]}},
        ]),
        code(3, "1/0", [{"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero",
                         "traceback": ["\x1b[0;31mZeroDivisionError\x1b[0m: division by zero"]}]),
        {"cell_type": "code", "metadata": {}, "execution_count": None, "source": [], "outputs": []},
        {"cell_type": "raw", "metadata": {}, "source": "raw words"},
        {"cell_type": "markdown", "metadata": {}, "source": f"![y](data:image/png;base64,{PICTURE}) after"},
    ]  # fmt: skip
    made = {"cells": cells, "metadata": "METADATA", "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, indent=1).replace('"METADATA"', metadata).encode()


def old_notebook() -> bytes:
    """Version 3: cells lie in worksheets, and outputs call themselves otherwise."""
    cells = [
        {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["Rent"]},
        {"cell_type": "markdown", "metadata": {}, "source": ["Words."]},
        {"cell_type": "code", "language": "python", "prompt_number": 7, "input": ["1 + 1"], "outputs": [
            {"output_type": "pyout", "prompt_number": 7, "text": ["2"]},
            {"output_type": "stream", "stream": "stdout", "text": ["said\n"]},
            {"output_type": "display_data", "png": PICTURE, "text": ["<Figure>"]},
            {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": []},
        ]},
    ]  # fmt: skip
    made = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}
    return json.dumps(made).encode()


def code(number: int, source: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    lines = source.splitlines(keepends=True)
    return {"cell_type": "code", "metadata": {}, "execution_count": number, "source": lines, "outputs": outputs}


def result(text: str, number: int) -> dict[str, Any]:
    data = {"text/html": "<b>no</b>", "text/plain": [text]}
    return {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
