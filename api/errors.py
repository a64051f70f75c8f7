"""The page of all errors at /docs/errors, made from the text of docs/errors.md."""

from __future__ import annotations

import pathlib
import re
from typing import Final

from flask import render_template
from markdown_it import MarkdownIt
from markupsafe import Markup

LINK: Final = pathlib.Path(__file__).parent / "pages" / "errors.md"  # to the same file in docs/
ROW: Final = re.compile(r"<tr>\n<td><code>(\w+)</code>")


def text() -> str:
    """Where links cannot be made, git leaves a file that names what the link leads to."""
    found = LINK.read_text("utf-8")
    return found if "\n" in found.strip() else (LINK.parent / found.strip()).read_text("utf-8")


def page() -> str:
    html = MarkdownIt("js-default").render(text())
    return render_template("errors.html", text=Markup(ROW.sub(r'<tr id="\1">\n<td><code>\1</code>', html)))
