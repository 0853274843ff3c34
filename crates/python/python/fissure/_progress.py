"""How far long work is: a bar of tqdm where it is installed, else a line a second, or a function of the user's."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from .errors import Error, NotOffered

#: Gets what is counted, how many are done, how many there are (None if that is not known), and whether this is the end.
Hears = Callable[[str, int, "int | None", bool], None]

#: Seconds before anything is shown: most work has ended by then.
DELAY = 1.0


def hears(wanted: Any) -> Hears | None:
    """What hears of progress. `wanted` is a function of `(done, total, what)`, True, False, or None: where a person looks."""
    if callable(wanted):
        return lambda what, done, total, ended: _told(wanted, done, total, what)
    if not (wanted is None or isinstance(wanted, bool)):
        raise NotOffered(f"progress= is True, False or a function of (done, total, what), not {wanted!r}")
    if wanted is False or (wanted is None and not _is_watched()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Lines()
    return Bar(tqdm)


def _told(tell: Callable[[int, Any, str], Any], done: int, total: int | None, what: str) -> None:
    """Calls the function of the user. What it raises ends the work, and must not be taken for a fault of the model."""
    try:
        tell(done, total, what)
    except Exception as why:
        raise Error(f"progress= raised {type(why).__name__}: {why}") from why


def _is_watched() -> bool:
    """Whether somebody may be looking: a terminal, or a notebook."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


class Bar:
    """A bar of tqdm for each piece of work."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm, self._bar = tqdm, None

    def __call__(self, what: str, done: int, total: int | None, ended: bool) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=total, unit=f" {what}", delay=DELAY, leave=False)
        bar: Any = self._bar
        bar.update(done - bar.n)
        if ended:
            bar.close()
            self._bar = None


class Lines:
    """A line a second on standard error."""

    def __init__(self) -> None:
        self._next = time.monotonic() + DELAY

    def __call__(self, what: str, done: int, total: int | None, ended: bool) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 1
            of = "" if total is None else f" of {total}"
            print(f"{done}{of} {what}", file=sys.stderr, flush=True)
