"""A card as a page of text."""

from __future__ import annotations

from typing import Any

from ._native import card


def page(name: str) -> str:
    return "\n".join(_page(one) for one in card(name))


def _page(card: dict[str, Any]) -> str:
    lines = [f"{card['name']} ({card['kind']})", "", card["docs"], ""]
    facts = [("label", card["expectation"]), ("tasks", card["tasks"]), ("source", card["citation"])]
    lines += [f"{what}: {value}" for what, value in facts if value]
    if card["knobs"]:
        lines += ["", "knobs:"]
        lines += [f"  {knob['name']} = {knob['default']}: {knob['docs']} ({knob['takes']})" for knob in card["knobs"]]
    if card["examples"]:
        lines += ["", "examples:"]
        for example in card["examples"]:
            lines.append(f"  {example['before']!r} -> {example['after']!r}")
    return "\n".join(lines) + "\n"
