"""The engine in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

from . import _chuhe
from ._chuhe import Board, Error, Record
from .process import _whole
from .results import Result, Review


class Engine(_chuhe.Engine):
    """A search engine with its own hash table; other Python threads run while it searches.

    ``threads`` search threads share a hash table of ``hash`` MiB. ``rules`` is one of ``chuhe.RULES``; ``elo`` limits the strength of
    the engine; ``network`` replaces the built-in evaluation. Each engine runs one search at a time. ``close``, or leaving a ``with`` block,
    frees the threads and the hash table.
    """

    # The search of the latest loop over ``lines``, and whether the loop was left before its end.
    _lines_search: asyncio.Future[Result] | None = None
    _is_left = False

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
        """Searches until the first limit is reached, or until ``stop``; without limits, the search is infinite.

        ``depth`` is in plies, ``movetime`` in seconds; ``mate`` ends the search when a mate in this many moves is proved. ``multipv`` is the
        number of best lines, ``searchmoves`` restricts the root moves. ``on_line`` is called with every new line that has an exact score; an
        exception it raises ends the search and is raised here.
        """
        return self._search(board, _wanted(depth, nodes, movetime, mate, multipv, searchmoves), on_line)

    def play(
        self, board: Board, *, depth: int | None = None, nodes: int | None = None, movetime: float | None = None
    ) -> str | None:
        """The best move; ``None`` if there is no legal move. At least one limit is required."""
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
        """Searches every position of a game's main line and judges its moves; moves of the built-in book are only marked as ``book``.

        At least one limit is required. ``stop`` ends the review, which then raises ``Error``.
        """
        _need_limit("review", depth, nodes, movetime)
        return self._review(record, _wanted(depth, nodes, movetime, None, 1, ()), notation)

    def analyse_async(self, board: Board, **limits: Any) -> Coroutine[Any, Any, Result]:
        """Runs ``analyse`` in a separate thread. Cancelling the task stops the search."""
        # Copied here: the body of a coroutine begins only when the event loop runs its task, and the caller may play on before.
        return self._analyse_copy(board.copy(), limits)

    async def _analyse_copy(self, board: Board, limits: dict[str, Any]) -> Result:
        await self._end_left_search()
        return await self._search_in_thread(board, limits)

    async def _search_in_thread(self, board: Board, limits: dict[str, Any]) -> Result:
        # A thread of its own: the loop has few, and a search that waits for one of them could not be cancelled.
        thread = ThreadPoolExecutor(1, "search")
        search = asyncio.get_running_loop().run_in_executor(thread, lambda: self.analyse(board, **limits))
        thread.shutdown(wait=False)
        try:
            return await asyncio.shield(search)
        except asyncio.CancelledError:
            # Repeat the stop: it has no effect if the search has not yet begun.
            while not search.done():
                self.stop()
                await asyncio.wait([search], timeout=0.02)
            raise

    def lines(self, board: Board, **limits: Any) -> AsyncIterator[Result]:
        """Yields the lines of a search as they are found. Leaving the ``async for`` loop stops the search, for whose end the next one waits."""
        return self._lines_of_copy(board.copy(), limits)

    async def _lines_of_copy(self, board: Board, limits: dict[str, Any]) -> AsyncIterator[Result]:
        queue: asyncio.Queue[Result | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def receive(line: Result) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, line)

        await self._end_left_search()
        task = asyncio.ensure_future(self._search_in_thread(board, dict(on_line=receive, **limits)))
        if self._lines_search is None or self._lines_search.done():
            self._lines_search, self._is_left = task, False
        task.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (line := await queue.get()) is not None:
                yield line
            await task
        finally:
            if not task.done():
                self._is_left = self._is_left or self._lines_search is task
                task.cancel()
                await asyncio.wait([task])

    async def _end_left_search(self) -> None:
        """Waits for the end of a search by ``lines`` whose loop was left just now."""
        search = self._lines_search
        if search is None or search.done():
            return
        # The event loop closes the generator of such a loop in its next rounds.
        for _ in range(4):
            if self._is_left:
                await asyncio.wait([search])
                return
            await asyncio.sleep(0)


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
    _whole("depth", depth, 2**31 - 1)
    _whole("nodes", nodes, 2**64 - 1)
    _whole("mate", mate, 2**32 - 1)
    _whole("multipv", multipv, 128)
    return {
        "depth": depth,
        "nodes": nodes,
        "movetime": movetime,
        "mate": mate,
        "multipv": multipv,
        "searchmoves": list(searchmoves),
    }
