"""A chain as a step of an engine that cuts data into partitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ._chain import Chain
from ._frames import NEW
from .errors import NotOffered


class Step:
    """Changes one partition at a time, on one thread: the engine has the others.

    It pickles as its description. A row is named by its id column or by its texts, never by its place, so every
    partitioning gives the same rows.
    """

    __slots__ = ("_chain", "_how")

    def __init__(self, chain: Chain, how: dict[str, Any]) -> None:
        if chain._native.gathers(bool(how.get("senses"))):
            raise NotOffered(
                f"`{chain.name}` takes words or meanings from the data as a whole, which a partition does not hold; "
                "run it on one machine"
            )
        # Not before: `import fissure` stays quick.
        import difflib
        import inspect

        known = [name for name in inspect.signature(Chain.change).parameters if name not in ("self", "data", "_piece", "_mapped")]
        for name in how:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                advice = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
                raise NotOffered(f"there is no argument `{name}` of a step; {advice}")
        self._chain, self._how = chain, how

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self._chain, self._how)

    def __repr__(self) -> str:
        return f"<fissure.Step of {self._chain!r}>"

    def __call__(self, batch: Any) -> Any:
        """A partition with its new columns; for Ray `map_batches` and Dask `map_partitions`."""
        made = self._chain.change(batch, **self._how, _piece=True)
        # An engine takes what it is given for the whole row or batch: Ray Data with its own format, a dict of arrays.
        return {**batch, **made} if isinstance(batch, dict) else made

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The same for an iterator of Arrow batches: Spark `mapInArrow`."""
        for batch in batches:
            yield self(batch)

    def ddl(self, schema: Any) -> Any:
        """The schema that `mapInArrow` gives, from that of the Spark frame."""
        from pyspark.sql.types import StringType, StructField, StructType

        names = NEW[1:] if "task" in self._how else NEW
        return StructType([*schema.fields, *(StructField(name, StringType(), True) for name in names)])

    def meta(self, frame: Any) -> Any:
        """The empty frame that Dask wants to know the columns from."""
        return self(frame._meta)
