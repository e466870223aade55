"""Formulas as MathML, which browsers draw themselves: no script, no fonts from the net."""

from docutils import nodes
from latex2mathml.converter import convert


def setup(app):
    app.add_html_math_renderer("mathml", inline_renderers=(draw_inline, None), block_renderers=(draw_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def draw_inline(self, node: nodes.math) -> None:
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def draw_block(self, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{convert(_one_line(node.astext()), display="block")}</div>')
    raise nodes.SkipNode


def _one_line(latex: str) -> str:
    r"""A formula with ``\\`` or ``&`` needs an environment, as in LaTeX."""
    loose = ("&" in latex or r"\\" in latex) and r"\begin{" not in latex
    return rf"\begin{{aligned}}{latex}\end{{aligned}}" if loose else latex
