"""Formulas as MathML, which browsers draw themselves: no script, no fonts from the net."""

from docutils import nodes
from latex2mathml.converter import convert


def setup(app):
    app.add_html_math_renderer("mathml", inline_renderers=(draw_inline, None), block_renderers=(draw_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mathml(latex: str, display: str = "inline") -> str:
    """A formula as MathML; a line over several letters is as long as they are."""
    return convert(latex, display=display).replace('<mo accent="true">&#x02015;', '<mo stretchy="true">&#x000AF;')


def draw_inline(self, node: nodes.math) -> None:
    self.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def draw_block(self, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{mathml(_one_line(node.astext()), "block")}</div>')
    raise nodes.SkipNode


def _one_line(latex: str) -> str:
    r"""A formula with ``\\`` or ``&`` needs an environment, as in LaTeX."""
    loose = ("&" in latex or r"\\" in latex) and r"\begin{" not in latex
    return rf"\begin{{aligned}}{latex}\end{{aligned}}" if loose else latex
