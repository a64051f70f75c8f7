"""The page of all errors at /docs/errors, made from the text of docs/errors.md."""

from __future__ import annotations

import pathlib
import re
from typing import Final

from flask import render_template
from markdown_it import MarkdownIt
from markupsafe import Markup

TEXT: Final = pathlib.Path(__file__).parent / "pages" / "errors.md"  # a copy, since docs/ is no part of the package
ROW: Final = re.compile(r"<tr>\n<td><code>(\w+)</code>")


def page() -> str:
    html = MarkdownIt("js-default").render(TEXT.read_text("utf-8"))
    return render_template("errors.html", text=Markup(ROW.sub(r'<tr id="\1">\n<td><code>\1</code>', html)))
