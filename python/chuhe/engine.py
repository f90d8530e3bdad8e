"""The engine in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from types import TracebackType
from typing import Any

from . import _chuhe
from ._chuhe import Board, Error, Record
from .results import Result, Review


class Engine(_chuhe.Engine):
    """A search engine with its own table; other threads of Python run while it searches.

    ``threads`` search threads share a table of ``hash`` MiB. ``rules`` is one of ``chuhe.RULES``; ``elo`` weakens the engine;
    ``network`` takes the place of the built-in evaluation. One search runs at a time: take more engines for more. ``close`` gives
    threads and table back, and so does leaving a ``with`` block.
    """

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def analyse(
        self,
        board: Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
        mate: int | None = None,
        multipv: int = 1,
        searchmoves: Sequence[str] = (),
        on_line: Callable[[Result], object] | None = None,
    ) -> Result:
        """Searches until the first limit is reached, or until ``stop``: without limits for ever.

        ``depth`` counts plies, ``movetime`` seconds; ``mate`` ends the search when a mate in so many moves is proved. ``multipv`` is the
        number of best lines, ``searchmoves`` restricts the first move. ``on_line`` hears of every new line; what it raises ends the
        search and is raised here.
        """
        return self._search(board, _wanted(depth, nodes, movetime, mate, multipv, searchmoves), on_line)

    def play(
        self, board: Board, *, depth: int | None = None, nodes: int | None = None, movetime: float | None = None
    ) -> str | None:
        """The best move; none when there is no legal one. At least one limit is needed."""
        _need_limit("play", depth, nodes, movetime)
        return self.analyse(board, depth=depth, nodes=nodes, movetime=movetime)["bestmove"]

    def review(
        self,
        record: Record,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
        notation: str = "uci",
    ) -> Review:
        """Searches every position of a game's main line and judges its moves; those of the built-in book are only marked as ``book``.

        At least one limit is needed.
        """
        _need_limit("review", depth, nodes, movetime)
        return self._review(record, _wanted(depth, nodes, movetime, None, 1, ()), notation)

    async def analyse_async(self, board: Board, **limits: Any) -> Result:
        """``analyse`` in a thread of its own. Cancelling the task stops the search."""
        search = asyncio.get_running_loop().run_in_executor(None, lambda: self.analyse(board, **limits))
        try:
            return await asyncio.shield(search)
        except asyncio.CancelledError:
            # The search may not have begun: then a stop is not heard yet.
            while not search.done():
                self.stop()
                await asyncio.wait([search], timeout=0.02)
            raise

    async def lines(self, board: Board, **limits: Any) -> AsyncIterator[Result]:
        """The lines of a search as they are found, for ``async for``. Leaving the loop stops the search."""
        queue: asyncio.Queue[Result | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def hear(line: Result) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, line)

        task = asyncio.ensure_future(self.analyse_async(board, on_line=hear, **limits))
        task.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (line := await queue.get()) is not None:
                yield line
            await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])


def _need_limit(what: str, depth: int | None, nodes: int | None, movetime: float | None) -> None:
    if depth is None and nodes is None and movetime is None:
        raise Error(f"{what}: expected a limit: depth, nodes or movetime")


def _wanted(
    depth: int | None,
    nodes: int | None,
    movetime: float | None,
    mate: int | None,
    multipv: int,
    searchmoves: Sequence[str],
) -> dict[str, Any]:
    return {
        "depth": depth,
        "nodes": nodes,
        "movetime": movetime,
        "mate": mate,
        "multipv": multipv,
        "searchmoves": list(searchmoves),
    }
