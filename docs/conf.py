"""How the documentation site is built: `python tools/checks/documentation.py FOLDER`, or sphinx-build."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import neche
from tools.checks.documentation import listed, page_text

project = "neche"
author = "The neche contributors"
project_copyright = "the neche contributors"
version = release = neche.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["data"]

# Markdown as the repository's own viewer reads it
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
myst_all_links_external = False

# Docstrings are prose with names between single backticks; what a parameter is stands in its annotation.
default_role = "literal"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autoclass_content = "both"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"neche {version}"
html_static_path = ["site"]
html_css_files = ["neche.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


def setup(app: Any) -> None:
    """Show every page as `tools/checks/documentation.py` makes it for the site."""

    def show(app: Any, name: str, content: list[str]) -> None:
        content[0] = page_text(name, content[0])

    def list_fields(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
        lines[:] = listed(lines)

    def parsable(
        app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
    ) -> tuple[str | None, str | None]:
        return signature and signature.replace("<factory>", "..."), returns

    app.connect("source-read", show)
    app.connect("autodoc-process-signature", parsable)
    app.connect("autodoc-process-docstring", list_fields, priority=400)  # before napoleon
