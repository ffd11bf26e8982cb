"""What `neche evolve` shows while members learn, or wait for an island."""

import io

from rich.console import Console

from neche.cli.evolve_display import Display, write_line
from neche.cli.evolve_panel import draw_panel
from neche.cli.evolve_progress import EvolutionProgress
from neche.evolution.events import (
    EmigrantsAwaited,
    Event,
    GamesPlayed,
    GenerationRanked,
    GenerationStarted,
    MembersLearned,
    SamplesMade,
)
from tests.cli.test_evolve_display import ranked, shown


def while_learning():
    progress = EvolutionProgress("a run", target=10)
    progress.pace.finish(0.0, 0)
    events: list[tuple[float, Event]] = [
        (1.0, GenerationStarted(1, 2, 500)),
        (2.0, GamesPlayed(500, 500)),
        (
            2.0,
            GenerationRanked(ranked(1, prediction_error=0.01234, best_prediction_error=0.012, samples=56789)),
        ),
        (10.0, SamplesMade(2, 250, 4000, 2345)),
        (20.0, SamplesMade(2, 4000, 4000, 40_000)),
    ]
    for now, event in events:
        progress.update(event, now)
    return progress


def test_the_panel_tells_how_far_samples_and_learning_are():
    progress = while_learning()
    text = shown(draw_panel(progress))
    for words in ("samples", "4000/4000", "40,000 positions", "2/10", "error 0.0123, best 0.0120"):
        assert words in text
    assert "56,789 samples" in text
    assert "500/500" not in text
    progress.update(MembersLearned(2, 3, 15), 31.0)
    text = shown(draw_panel(progress))
    assert "learning" in text
    assert "3/15" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "error 0.0123" in write_line(progress)


def test_the_pace_of_games_leaves_out_what_learning_takes():
    progress = while_learning()
    assert progress.pace.games_per_second() == 250
    progress.update(MembersLearned(2, 15, 15), 50.0)
    progress.update(GenerationStarted(2, 2, 500), 50.0)
    progress.update(GamesPlayed(250, 500), 51.0)
    assert progress.pace.games_per_second() == 250
    progress.update(GenerationRanked(ranked(2)), 52.0)
    assert progress.pace.seconds_left(1) == 26


def test_a_wait_for_an_island_is_shown_while_it_lasts_and_is_no_time_of_games():
    progress = while_learning()
    progress.update(EmigrantsAwaited(2, 31), 50.0)
    text = shown(draw_panel(progress))
    assert "island 31, generation 2" in text
    assert max(map(len, text.splitlines())) <= 80
    assert progress.pace.games_per_second() == 250
    progress.update(GenerationStarted(3, 2, 500), 60.0)
    assert "island" not in shown(draw_panel(progress))


def test_without_a_terminal_a_wait_for_an_island_is_one_line():
    out = io.StringIO()
    display = Display(EvolutionProgress("a run", target=9), Console(file=out, width=200))
    waits: list[Event] = [EmigrantsAwaited(2, 1)] * 3
    for event in (*waits, GenerationStarted(3, 1, 8), EmigrantsAwaited(4, 1)):
        display.notify(event)
    assert out.getvalue().splitlines() == [
        "generation 3/9  waits for island 1, generation 2",
        "generation 5/9  waits for island 1, generation 4",
    ]


def test_without_a_terminal_long_learning_gives_a_sign_every_ten_seconds():
    out, times = io.StringIO(), iter([0.0, 4.0, 11.0, 12.0, 25.0])
    progress = EvolutionProgress("a run", target=9)
    display = Display(progress, Console(file=out, width=200), clock=lambda: next(times))
    display.notify(SamplesMade(3, 250, 4000, 900))
    display.notify(SamplesMade(3, 500, 4000, 1900))
    display.notify(SamplesMade(3, 750, 4000, 2900))
    display.notify(MembersLearned(3, 2, 15))
    assert out.getvalue().splitlines() == [
        "generation 3/9  samples 500/4000  1,900 positions",
        "generation 3/9  learning 2/15  members",
    ]
