import dataclasses
import io
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from neche.cli.evolve_display import Display, write_line
from neche.cli.evolve_panel import draw_panel, sparkline, trend
from neche.cli.evolve_progress import EvolutionProgress, Pace
from neche.cli.output import duration
from neche.evolution.events import (
    ChampionMeasured,
    Event,
    GamesPlayed,
    GenerationRanked,
    GenerationStarted,
    MovedUp,
)
from neche.evolution.population import Generation, Member

FIGURES = {
    "hidden_neurons": 3.4,
    "champion_man_spread": 0.174,
    "wired_distance": 0.41,
    "evaluation_distance": 0.17,
    "constant": 0.05,
    "changed_children": 0.95,
    "rank_agreement_mean": 0.08,
    "ancestors": {"0": 0.9, "20": 0.65, "40": 0.45},
}


def ranked(number, *warnings, **figures):
    record = {
        "generation": number,
        "depth": 2,
        "games": 500,
        "champion_id": f"g{number}-0001",
        "live_synapses": 23.4,
        "squares_seen": 17.6,
        "warnings": list(warnings),
        **figures,
    }
    member = Member(f"g{number}-0001", (), np.zeros(16, np.uint8))
    zeros = np.zeros(1)
    return Generation(number, (member,), zeros, zeros, zeros.astype(np.int64), 2, None, record)


def after_events():
    progress = EvolutionProgress("a run", target=10)
    progress.pace.finish(0.0, 0)
    events: list[Event] = [
        GenerationStarted(4, 2, 500),
        MovedUp(4, 2, 0.71),
        GamesPlayed(500, 500),
        ChampionMeasured(4, "g4-0001", {"blind:depth=4": 0.9, "material:depth=4": 0.2}),
        GenerationRanked(ranked(4, "blind collapse: half of it is going blind", **FIGURES)),
        GenerationStarted(5, 2, 500),
        GamesPlayed(125, 500),
    ]
    for second, event in enumerate(events):
        progress.update(event, float(second))
    return progress


def shown(renderable, **options):
    out = io.StringIO()
    Console(file=out, width=80, **options).print(renderable)
    return out.getvalue()


def test_the_panel_tells_all_that_happened():
    text = shown(draw_panel(after_events()))
    for words in (
        "a run",
        "5/10",
        "125/500",
        "depth 2",
        "games/s",
        "g4-0001",
        "blind:depth=4",
        "0.90",
        "0.20",
        "23 live synapses",
        "18 squares seen",
        "scored 0.71 against the blind player, now searches 2 plies",
        "3 hidden neurons",
        "men valued ±17%",
        "41% wired DNA apart",
        "17% evaluations apart",
        "95% children changed",
        "5% constant",
        "games agree 0.08",
        "≥ 0.45",
        "3 earlier champions",
        "generation 4: blind collapse: half of it is going blind",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("width", [60, 70, 80, 120])
def test_no_figure_of_the_population_is_cut(width):
    progress = after_events()
    learned = {"prediction_error": 0.956, "best_prediction_error": 0.945, "samples": 12_345_678}
    far = {"wired_distance": 1.0, "evaluation_distance": 1.0, "changed_children": 1.0}
    fitness = {"best": -123456789.0, "mean": -1.25e300}
    progress.update(GenerationRanked(ranked(5, fitness=fitness, **(FIGURES | learned | far))), 7.0)
    lines = in_columns(progress, width)
    for words in (
        *("23 live synapses", "18 squares seen", "error 0.9560, best 0.9450", "12,345,678 samples"),
        *("3 hidden neurons", "5% constant", "100% wired DNA apart", "100% evaluations apart"),
        *("games agree 0.08", "100% children changed", "fitness -123,456,789, mean -1.25e+300"),
    ):
        assert sum(words in line for line in lines) == 1
    assert all(line.strip("│ ") for line in lines)
    assert {len(line) for line in lines} == {width - 2}


def late(generation=900, planned=500):
    """A run with many ladders, of which the last alone was won."""
    progress = EvolutionProgress("a run", target=900)
    progress.pace.finish(0.0, 0)
    for player in ("blind:depth=4", "network:file=champion-1,depth=4"):
        progress.ladder[player] = [0.0] * 199 + [1.0]
    progress.update(GenerationStarted(generation, 2, planned), 1.0)
    progress.update(GamesPlayed(0, planned), 2.0)
    progress.champion_id = f"g{generation}-0000"
    return progress


def in_columns(progress, width):
    out = io.StringIO()
    Console(file=out, width=width).print(draw_panel(progress, width))
    return out.getvalue().splitlines()


@pytest.mark.parametrize(("width", "num_bars"), [(60, 20), (80, 40), (120, 80), (300, 80)])
def test_the_newest_bars_are_shown_whatever_the_width(width, num_bars):
    lines = in_columns(late(), width)
    for player in ("blind:depth=4", "champion-1:depth=4"):
        (row,) = (line for line in lines if player in line)
        assert f" {'▁' * (num_bars - 1)}█ │" in row
    assert max(map(len, lines)) == min(width, 120) - 2


def test_one_of_a_kind_is_counted_in_the_singular():
    progress = after_events()
    figures = FIGURES | {"live_synapses": 1.125, "squares_seen": 0.75}
    progress.update(GenerationRanked(ranked(5, **figures)), 7.0)
    for words in (" ".join(shown(draw_panel(progress)).split()), write_line(progress)):
        assert "1 live synapse " in words
        assert "1 square seen" in words


@pytest.mark.parametrize("width", [80, 120])
def test_names_of_champions_of_every_game_are_shown_whole(width):
    progress = late()
    progress.ladder["network:file=international-1,depth=4"] = [0.5]
    assert sum("international-1:depth=4  0.50" in line for line in in_columns(progress, width)) == 1


def test_the_panel_calls_pieces_what_the_game_calls_them():
    assert "discs valued ±17%" in shown(draw_panel(dataclasses.replace(after_events(), men="discs")))


def test_no_column_moves_when_a_number_gets_longer():
    def places(generation, planned):
        text = "\n".join(in_columns(late(generation, planned), 80))
        return [text.index(words) for words in ("… left", "preparing", "▁")]

    assert places(9, 50) == places(90, 500) == places(899, 12345)


def test_the_panel_can_be_drawn_before_anything_happened():
    progress = EvolutionProgress("a run", target=1)
    progress.pace.finish(0.0, 0)
    assert "preparing" in shown(draw_panel(progress))
    assert "preparing, 1:15" in shown(draw_panel(progress, 80, 75.0))
    progress.pace.finish(76.0, 0)  # members ranked by a fitness of one's own play no games
    assert "0 games/s" in shown(draw_panel(progress, 80, 77.0))


@pytest.mark.parametrize("name", ["old [best]", "a[/b]"])
def test_a_name_with_brackets_is_written_as_it_is(name):
    progress = EvolutionProgress(f"neche evolve · runs/{name}", target=3)
    progress.pace.finish(0.0, 0)
    assert f"runs/{name}" in shown(draw_panel(progress), markup=False)


def test_the_panel_of_a_finished_run_has_nothing_left_to_do():
    progress = after_events()
    progress.update(GenerationStarted(10, 2, 500), 7.0)
    assert "10/10" in shown(draw_panel(progress))
    assert "0:00 left" not in shown(draw_panel(progress))
    progress.update(GenerationRanked(ranked(10)), 9.0)
    assert "0:00 left" in shown(draw_panel(progress))
    assert write_line(progress).endswith("  0:00 left")


def test_the_panel_of_a_resumed_run_knows_its_champion_and_that_an_import_has_none():
    progress = EvolutionProgress("a run", target=10)
    progress.pace.finish(0.0, 0)
    progress.go_on_from(ranked(4))
    text = shown(draw_panel(progress))
    assert "5/10" in text
    assert "g4-0001" in text
    imported = dataclasses.replace(ranked(4), record={"generation": 4, "champion_id": None})
    progress.go_on_from(imported)
    text = shown(draw_panel(progress))
    assert "g4-0001" not in text
    assert "None" not in text


def test_colours_are_left_out_where_they_are_not_wanted(monkeypatch):
    assert "\x1b[" in shown(draw_panel(after_events()), force_terminal=True, color_system="256")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = shown(draw_panel(after_events()), force_terminal=True, color_system="256")
    assert "\x1b[3" not in plain


def test_a_line_is_written_when_a_generation_is_on_disk():
    out = io.StringIO()
    with Display(after_events(), Console(file=out, width=20), clock=lambda: 9.0) as display:
        display.notify(GamesPlayed(500, 500))
        assert out.getvalue() == ""
        written_before_flush: list[str] = []
        display.confirm(lambda: written_before_flush.append(out.getvalue()))
        assert written_before_flush == [""]
    line, warning = out.getvalue().splitlines()
    assert line.startswith("generation 5/10  depth 2  ")
    assert "  blind:depth=4 0.90  " in line
    assert "  ancestors 0.45  " in line
    assert warning == "warning: generation 4: blind collapse: half of it is going blind"


def lines_of(num_generations, seconds_each, *, news=()):
    """Return the numbers of the generations that get a line, of a run to the last of them."""
    out, now = io.StringIO(), [0.0]
    progress = EvolutionProgress("a run", target=num_generations - 1)
    with Display(progress, Console(file=out), clock=lambda: now[0]) as display:
        for number in range(num_generations):
            for event in (event for event in news if event.number == number):
                display.notify(event)
            display.notify(GenerationStarted(number, 2, 500))
            now[0] += seconds_each
            display.notify(GenerationRanked(ranked(number)))
            display.confirm()
    return [int(line.split()[1].partition("/")[0]) for line in out.getvalue().splitlines()]


def test_every_generation_that_takes_a_second_has_a_line():
    assert lines_of(6, seconds_each=1.0) == [0, 1, 2, 3, 4, 5]


def test_quick_generations_share_lines_and_the_last_has_one():
    assert lines_of(12, seconds_each=0.25) == [0, 4, 8, 11]
    assert lines_of(5, seconds_each=0.0) == [0, 4]


def test_a_ladder_or_a_move_up_always_has_a_line():
    news = [ChampionMeasured(3, "g3-0001", {"blind:depth=4": 0.9}), MovedUp(6, 2, 0.7)]
    assert lines_of(10, seconds_each=0.25, news=news) == [0, 3, 6, 9]


def test_a_terminal_shows_the_panel_and_no_lines():
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True)
    with Display(after_events(), console, clock=lambda: 9.0) as display:
        display.confirm()
    text = out.getvalue()
    assert "╭" in text
    assert write_line(after_events()) not in text


def test_a_score_at_either_end_has_a_mark():
    assert sparkline([0.0, 1.0]) == "▁█"
    assert len(sparkline([0.5] * 100)) == 22
    assert [trend(scores) for scores in ([0.5], [0.2, 0.4], [0.4, 0.2], [0.4, 0.41])] == [" ", "↑", "↓", "→"]


def test_the_pace_is_that_of_the_last_generations():
    pace = Pace()
    pace.finish(100.0, 0)
    assert pace.games_per_second() == 0
    assert pace.seconds_left(5) is None
    for number in range(30):
        pace.finish(101.0 + number, 500)
    assert pace.games_per_second() == pytest.approx(500)
    assert pace.seconds_left(7) == pytest.approx(7)
    for number in range(30):
        pace.finish(140.0 + 10 * number, 500)
    assert pace.games_per_second() == pytest.approx(50)


def test_time_spans_are_written_for_people():
    spans = [duration(seconds) for seconds in (0, 59.6, 3600, 47 * 3600, 48 * 3600)]
    assert spans == ["0:00", "1:00", "1:00:00", "47:00:00", "2 d 0 h"]


def lines_with(*warnings_of_generations):
    out = io.StringIO()
    progress = EvolutionProgress("a run", target=9)
    with Display(progress, Console(file=out), clock=lambda: 0.0) as display:
        for number, warnings in enumerate(warnings_of_generations):
            display.notify(GenerationStarted(number, 2, 500))
            display.notify(GenerationRanked(ranked(number, *warnings)))
            display.confirm()
    return out.getvalue().splitlines(), progress


def test_a_warning_is_written_once_when_its_kind_first_appears():
    lines, progress = lines_with(["a: 50%"], ["a: 60%"], ["a: 70%", "b: x"], [], ["a: 50%"])
    assert [line for line in lines if line.startswith("warning")] == [
        "warning: generation 0: a: 50%",
        "warning: generation 2: b: x",
    ]
    assert lines[-2].startswith("generation 2/9 ")
    panel = shown(draw_panel(progress))
    assert "generation 0: a: 50%" in panel
    assert "generation 2: b: x" in panel
    assert panel.count("a: ") == 1


def test_a_resumed_run_recalls_its_warnings_and_does_not_repeat_them():
    out, progress = io.StringIO(), EvolutionProgress("a run", target=9)
    for number in range(2):
        progress.recall(ranked(number, "a: 50%", ladder={"random": 0.5}, ancestors={"0": 0.7}).record)
    assert progress.ladder == {"random": [0.5, 0.5]}
    assert progress.ancestors == {"0": 0.7}
    with Display(progress, Console(file=out), clock=lambda: 0.0) as display:
        display.notify(GenerationStarted(2, 2, 500))
        display.notify(GenerationRanked(ranked(2, "a: 60%")))
        display.confirm()
    assert "warning" not in out.getvalue()
    assert "generation 0: a: 50%" in shown(draw_panel(progress))


def test_a_resumed_run_recalls_when_it_moved_up():
    progress = EvolutionProgress("a run", target=9)
    lines: list[dict[str, Any]] = [
        {"score_vs_blind": 0.4},
        {"moved_up_at": 1, "score_vs_blind": 0.71},
        {"moved_up_at": 1},
    ]
    for number, line in enumerate(lines):
        progress.recall({**ranked(number).record, **line})
    assert progress.notes == ["generation 1: scored 0.71 against the blind player, now searches 2 plies"]
