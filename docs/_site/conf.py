"""How Sphinx makes the site from docs/: ``make docs``. Nothing is fetched from the net, neither here nor by a reader."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import vinculum

project = "Vinculum"
author = "The Vinculum authors"
copyright = "The Vinculum authors, Apache-2.0"
version = release = vinculum.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx_copybutton", "mathml", "reference", "gallery"]
exclude_patterns = ["_site", "**/.ipynb_checkpoints"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
nb_execution_mode = "off" if tags.has("quick") else "force"  # noqa: F821 - Sphinx puts `tags` here
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
suppress_warnings = ["myst.header"]  # included files begin below the first level

myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4
myst_links_external_new_tab = True

default_role = "py:obj"  # `name` in a docstring is a link where the name is documented
autodoc_typehints = "none"  # the docstrings give shapes and units, which types do not
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"Vinculum {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_scorer = str(Path(__file__).parent / "scorer.js")
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
copybutton_exclude = ".linenos, .gp, .go"
