"""Finds where a text model breaks, shows why, helps you fix it, and tests the fix.

>>> import fissure as fs
>>> fs.keyboard(rate=0.3, layout="azerty")("I don't like it.")

Every transformation and destroyer is a function of this module (`fissure.parts`); slices are in `fissure.slices`, and
`fissure.keep` holds changes to validators. `docs/python.md` is the manual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import errors as errors
from . import parts as parts
from ._change import Change as Change
from ._change import ChangedRow as ChangedRow
from ._change import Changes as Changes
from ._change import Edit as Edit
from ._chain import Chain as Chain
from ._chain import chain as chain
from ._native import Table as Table
from ._native import __version__ as __version__
from ._native import threads as threads
from ._slice import Keep as Keep
from ._slice import Slice as Slice
from ._slice import keep as keep
from ._slice import slice as slice
from ._step import Step as Step
from .errors import BadKnob as BadKnob
from .errors import BadRow as BadRow
from .errors import Error as Error
from .errors import GateFailed as GateFailed
from .errors import ModelFailed as ModelFailed
from .errors import NotOffered as NotOffered
from .errors import UnknownName as UnknownName
from .parts import *  # noqa: F403

if TYPE_CHECKING:
    from . import repair as repair
    from . import slices as slices
    from ._models import Model as Model
    from ._models import model as model
    from ._plan import Plan as Plan
    from ._plan import merge as merge
    from ._plan import plan as plan
    from ._run import Forecast as Forecast
    from ._run import Run as Run
    from ._run import Scores as Scores
    from ._run import assert_robust as assert_robust
    from ._run import attack as attack
    from ._run import compare as compare
    from ._run import evaluate as evaluate
    from ._run import explore as explore
    from ._run import forecast as forecast
    from ._run import predict as predict
    from ._run import resume as resume
    from ._run import score as score
    from ._run import train as train
    from ._run import trigger as trigger
    from ._run import words as words


def catalog(kind: str | None = None) -> list[dict[str, Any]]:
    """Everything in the catalog, or all of one kind (`"transform"`, `"slice"`, `"task"`, ...), as cards."""
    from ._native import cards

    return cards(kind)


def explain(name: str) -> str:
    """What a part does, its knobs and examples, where it comes from: its card, as text."""
    from ._explain import page

    return page(name)


#: What is loaded when it is first used, so that `import fissure` stays quick: the module of each name.
_LATER = {
    "Forecast": "_run",
    "Model": "_models",
    "Plan": "_plan",
    "Run": "_run",
    "Scores": "_run",
    "assert_robust": "_run",
    "attack": "_run",
    "compare": "_run",
    "evaluate": "_run",
    "explore": "_run",
    "forecast": "_run",
    "merge": "_plan",
    "model": "_models",
    "plan": "_plan",
    "predict": "_run",
    "resume": "_run",
    "score": "_run",
    "train": "_run",
    "trigger": "_run",
    "words": "_run",
    "repair": "",
    "slices": "",
    "torch": "",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f"{__name__}.{_LATER[name] or name}")
    return getattr(module, name) if _LATER[name] else module


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER} - {"TYPE_CHECKING", "Any", "annotations"})
