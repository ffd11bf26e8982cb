"""The engine of players that search selectively: iterative deepening within a limit of time or nodes."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from neche.compiled.bits import popcount
from neche.endings.probing import Endings, NoEndings, SolvedEndings
from neche.games.game import Game, Move
from neche.players.alpha_beta_engine import AlphaBetaEngine, Evaluation
from neche.players.engine import MAX_DEPTH, Analysis, Limits, MoveAnalysis, Stop, run_until
from neche.search.negamax import NODES, STOP
from neche.search.repetitions import words_since_progress
from neche.search.selective import Selective, best_line, search_on, search_selectively
from neche.search.selective_ordering import begin_search, mean_evaluation
from neche.search.selectivity import (
    MAX_PAST,
    MAX_WORDS,
    MOST_NODES,
    Selectivity,
    new_selective_workspace,
    new_table,
    selectivity_of,
)

TABLE_BITS = 20
# A search to this depth nearly always ends before a thread could start.
_SHORT_DEPTH = 6
# Searched in a few hundredths of a second; a new thread may wait as long for a busy core.
_FEW_NODES = 30_000
_UNLIMITED = 1 << 62
# Number of searches that the table can distinguish.
_AGES = 1 << 15


class SelectiveEngine(AlphaBetaEngine):
    """A selective search at one game: its table lasts as long as the game.

    threads: number of threads that search in parallel and share the table. With one, equal limits of depth or
    nodes give equal analyses after an equal game; with more, table hits depend on timing. selectivity:
    replaces that of the game.
    """

    searches_every_depth = True

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation,
        limits: Limits,
        *,
        threads: int = 1,
        selectivity: Selectivity | None = None,
    ) -> None:
        self._selectivity = selectivity or selectivity_of(game)
        table = new_table(TABLE_BITS)
        works = [new_selective_workspace(game, self._selectivity, table) for _ in range(threads)]
        super().__init__(game, evaluation, limits, work=works[0])
        self._other_works, self._others = works[1:], list[threading.Thread]()
        self._num_searches, self._guess, self._past = 0, 0, tuple[Any, ...]()
        self._has_few_nodes = False
        self._quiet_plies = self._selectivity.quiet_plies
        self._solved: Endings | None = None
        self._pieces_solved = 0
        self._endings: NoEndings | SolvedEndings = NoEndings(np.int64(0))
        spread = mean_evaluation(evaluation.evaluators[0], game.start(), game.move_buffer())
        self._scale = max(1, round(float(spread) / 2))
        if threads > 1:
            self._load()

    def follow(self, positions: Sequence[Any]) -> None:
        """Take the positions of the game before the one to be analysed, oldest first."""
        self._past = tuple(positions)

    def look_up(self, endings: Endings) -> None:
        """Use the solved endings with fewer pieces than the analysed position."""
        # The object keeps alive what the record refers to.
        self._solved, self._endings = endings, endings.for_search()
        self._load()

    def _load(self) -> None:
        """Load or compile what a search calls, so that no move's time includes these several seconds."""
        search, start = self._new_search(self._work), self._game.start()
        # With the flag set it ends before it begins.
        self._work.counters[STOP] = 1
        search_on(search, start, np.int64(1), np.int64(0))
        best_line(search, start, np.zeros(0, np.int64))

    def _begin_analysis(self, position: Any, limits: Limits, stop: Stop | None) -> None:
        super()._begin_analysis(position, limits, stop)
        self._num_searches, self._guess = self._num_searches + 1, 0
        self._most_nodes = _UNLIMITED if limits.nodes is None else self._nodes_before + limits.nodes
        self._has_few_nodes = limits.nodes is not None and limits.nodes <= _FEW_NODES
        num_quiet, words = words_since_progress((*self._past, position))
        self._work.quiet[MAX_PAST] = num_quiet
        for back, of_position in enumerate(words, 1):
            at = (MAX_PAST - back) * MAX_WORDS
            self._work.past[at : at + len(of_position)] = of_position
        # Beyond the number of quiet plies that draws, the rule is ignored: a won ending must still be won.
        is_kept = num_quiet < self._selectivity.quiet_plies
        self._quiet_plies = self._selectivity.quiet_plies if is_kept else np.int64(0)
        # Only with fewer pieces than the position has: if it is solved itself, captures alone show progress.
        self._pieces_solved = 0
        if self._solved is not None:
            most = min(self._solved.pieces, int(self._selectivity.endings_pieces))
            self._pieces_solved = min(most, popcount(position.own | position.foe) - 1)
        begin_search(self._evaluation.evaluators[self._side], self._work, position)

    def analyse(self, position: Any, **settings: Any) -> Analysis:
        """Deepen iteratively; see `engine.Engine`."""
        works = (self._work, *self._other_works)
        before = sum(int(work.counters[NODES]) for work in works)
        try:
            found = super().analyse(position, **settings)
        finally:
            for work in self._other_works:
                work.counters[STOP] = 1
            for thread in self._others:
                if thread.is_alive():  # one that Ctrl-C met as it started may not be, and cannot be joined
                    thread.join()
            self._others = []
        return replace(found, nodes=sum(int(work.counters[NODES]) for work in works) - before)

    def _new_search(self, work: Any) -> Selective:
        # The age of entries, above the bit of their side.
        owner = 2 * (self._num_searches % _AGES) + int(self._side != self._first_side)
        evaluator = self._evaluation.evaluators[self._side]
        selectivity = self._selectivity._replace(quiet_plies=self._quiet_plies)
        endings = self._endings._replace(pieces=np.int64(self._pieces_solved))
        return Selective(evaluator, work, np.int64(owner), selectivity, np.int64(self._scale), endings)

    def _begin_others(self, position: Any, depth: int) -> None:
        """Start the other threads from here, every second one a ply deeper."""
        for number, work in enumerate(self._other_works):
            work.order[:], work.past[:], work.quiet[:] = self._work.order, self._work.past, self._work.quiet
            work.counters[STOP], work.counters[MOST_NODES] = 0, _UNLIMITED
            ahead = np.int64(min(MAX_DEPTH, depth + 1 - number % 2))
            given = self._new_search(work), position, ahead, np.int64(self._guess)
            self._others.append(threading.Thread(target=search_on, args=given, daemon=True))
            self._others[-1].start()

    def _search(
        self,
        position: Any,
        depth: int,
        ranked: list[float] | None = None,
        *,
        every_value: bool = False,
        may_end_early: bool = True,
    ) -> bool:
        work = self._work
        work.counters[MOST_NODES] = self._most_nodes if may_end_early else _UNLIMITED
        if depth == _SHORT_DEPTH + 1:
            self._begin_others(position, depth)
        search, guess = self._new_search(work), np.int64(self._guess)
        best, was_done = run_until(
            lambda: search_selectively(search, position, np.int64(depth), guess, every_value),
            work.counters,
            STOP,
            deadline=self._deadline if may_end_early else None,
            stop=self._stop if may_end_early else None,
            is_short=depth <= _SHORT_DEPTH or (may_end_early and self._has_few_nodes),
        )
        if not was_done or int(work.counters[NODES]) >= int(work.counters[MOST_NODES]):
            return False
        self._guess = int(best)
        return True

    def _found(self, moves: list[Move], depth: int, *, is_exact: bool) -> Analysis:
        """Return the analysis of a finished search: one best move, since no other is known to be as good."""
        found, best = super()._found(moves, depth, is_exact=is_exact), moves[int(self._work.order[0])].text
        return replace(found, best_moves=(best,), pv=(best,))

    def _improved(self, found: Analysis, moves: list[Move]) -> Analysis:
        number = int(self._work.order[0])
        # In the order even if it failed high and the search again, with a wider window, was stopped at once.
        if moves[number].text == found.best_moves[0]:
            return found
        best, value = moves[number].text, self._shown(int(self._work.root[number]))
        known = list(found.moves)
        known[number] = MoveAnalysis(best, value, low=value, high=value)
        return replace(found, moves=tuple(known), best_moves=(best,), pv=(best,), value=value)

    def _with_line(self, found: Analysis, moves: list[Move]) -> Analysis:
        """Follow the best moves as far as the table has them."""
        here = next(move for move in moves if move.text == found.best_moves[0])
        line, numbers = [here.text], np.zeros(max(0, found.depth - 1), np.int64)
        count = int(best_line(self._new_search(self._work), here.after, numbers))
        for number in numbers[:count].tolist():
            here = self._game.legal_moves(here.after)[number]
            line.append(here.text)
        return replace(found, pv=tuple(line))
