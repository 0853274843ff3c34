"""`fissure` on the command line: the program itself, inside the wheel."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    from ._native import command

    # The program has its own way to end, which Python's handler would keep waiting.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["fissure", *sys.argv[1:]])
