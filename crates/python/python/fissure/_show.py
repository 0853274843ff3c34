"""What notebooks show: HTML and SVG with inline styles, without scripts."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

CELL = "text-align:left;padding:.1em .6em"


def cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) else html.escape(str(value))


def html_table(rows: Sequence[dict[str, Any]], safe: Sequence[str] = ()) -> str:
    """Rows as a table; columns in `safe` are HTML already."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th style='{CELL}'>{html.escape(name)}</th>" for name in names)
    body = ""
    for row in rows:
        shown = (str(row.get(name) or "") if name in safe else cell(row.get(name)) for name in names)
        body += "<tr>" + "".join(f"<td style='{CELL}'>{value}</td>" for value in shown) + "</tr>"
    return f"<table><tr>{head}</tr>{body}</table>"


def table_html(rows: Sequence[dict[str, Any]], columns: Sequence[str], count: int) -> str:
    """The first rows of a table, and how many there are."""
    shown = html_table(rows) if rows else html.escape(", ".join(columns))
    return f"{shown}<p>{count} rows</p>" if count > len(rows) or not rows else shown


def heat(tokens: Sequence[dict[str, Any]]) -> str:
    """The words of a text: those that speak for the answer green, those against it red.

    By integrated gradients, or, for a model without gradients, by what leaving a word out does.
    """
    by = next((name for name in ("ig_prob", "fall") if any(token.get(name) is not None for token in tokens)), "e_max")
    values = [float(token.get(by) or 0.0) for token in tokens]
    most = max((abs(value) for value in values), default=0.0) or 1.0
    shown = []
    for token, value in zip(tokens, values):
        colour = "70,160,70" if value >= 0 else "210,70,60"
        style = f"background:rgba({colour},{abs(value) / most:.2f});border-radius:.2em;padding:0 .1em"
        shown.append(f"<span style='{style}' title='{by} {value:.3g}'>{html.escape(str(token.get('text', '')))}</span>")
    return " ".join(shown)


def svg_intervals(rows: Sequence[tuple[str, Any, Any, Any]]) -> str:
    """Values with their intervals, a line each, around a line at 0."""
    known = [(name, float(value), float(low), float(high)) for name, value, low, high in rows if None not in (value, low, high)]
    if not known:
        return ""
    least, most = min(0.0, *(row[2] for row in known)), max(0.0, *(row[3] for row in known))
    room, line, names = 360, 18, 180
    scale = room / ((most - least) or 1.0)

    def at(value: float) -> float:
        return names + (value - least) * scale

    drawn = [f"<line x1='{at(0):.1f}' x2='{at(0):.1f}' y1='0' y2='{line * len(known)}' stroke='#888'/>"]
    for row, (name, value, low, high) in enumerate(known):
        y = line * row + line / 2
        said = f"{html.escape(name)}: {value:.3g} ({low:.3g} to {high:.3g})"
        drawn.append(
            f"<g><title>{said}</title><text x='{names - 6}' y='{y + 4}' text-anchor='end' font-size='12' "
            f"fill='currentColor'>{html.escape(name)}</text>"
            f"<line x1='{at(low):.1f}' x2='{at(high):.1f}' y1='{y}' y2='{y}' stroke='#36c' stroke-width='2'/>"
            f"<circle cx='{at(value):.1f}' cy='{y}' r='3.5' fill='#36c'/></g>"
        )
    size = f"width='{names + room + 10}' height='{line * len(known)}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img'>{''.join(drawn)}</svg>"
