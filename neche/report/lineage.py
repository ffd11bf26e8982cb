"""Where the champion comes from: its parents, their parents and so on, as far as the run's files record them.

Populations are kept for the last generations and at intervals before, so the lineage breaks off where no file
names the parents; from there back, only the measured champions are known.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from typing import NamedTuple, TypeAlias

from neche.archive.checkpoint import find_champions, parse_member
from neche.genome.fasta import Record, members_of, read_fasta
from neche.parsing import whole_number
from neche.report.story import Story
from neche.report.svg import curve, document, element, text, tooltip
from neche.storage import content_of

MOST_STEPS = 6
"""Most steps of parents that are searched for."""
MOST_PARENTS = 4
"""Most parents of one member that are drawn one by one."""
_MOST_A_COLUMN = 24
_COLUMN, _ROW, _TOP = 136, 19, 28
_BORN = re.compile(r"g(\d{1,15})-\d+")


class Relative(NamedTuple):
    """A member of the lineage, or a crowd of members with the same ancestry.

    id: for a crowd, a description. step: generations of parents back from the champion. rank: 0 if unknown.
    parents: ids, mother first; None if no file names them. of: its children. size: members it stands for.
    """

    id: str
    step: int
    rank: int
    parents: tuple[str, ...] | None
    of: tuple[str, ...]
    size: int = 1


Lineage: TypeAlias = tuple[Relative, ...]
"""The champion and its ancestors, step by step; the last ones have no known parents."""


def born_in(identifier: str) -> int | None:
    """Return the generation in which a member was born, None if its id does not tell.

    >>> born_in("g12-0034"), born_in("best-0001")
    (12, None)
    """
    found = _BORN.fullmatch(identifier)
    return int(found[1]) if found else None


def trace(story: Story) -> Lineage:
    """Follow the parents of the champion back through the files of a run; InputError if one is damaged."""
    if story.champion is None:
        return ()
    library, crowds = _Library(story), dict[str, tuple[str, ...]]()
    wanted: dict[str, list[str]] = {story.champion.id: []}
    relatives: list[Relative] = []
    seen: set[str] = set()
    for step in range(MOST_STEPS + 1):
        # a member reached again by another path is drawn once, where it was reached first
        seen |= set(wanted)
        following: dict[str, list[str]] = {}
        for name, children in wanted.items():
            one = _relative(library, crowds, name, step)._replace(of=tuple(children))
            relatives.append(one)
            for parent in _gathered(one, crowds):
                if parent not in seen:
                    following.setdefault(parent, []).append(name)
        wanted = following
        if not wanted:
            break
    return tuple(relatives)


def _relative(library: "_Library", crowds: dict[str, tuple[str, ...]], name: str, step: int) -> Relative:
    """Look up a member, or a crowd whose members mostly share a parent, as variations of one genome do."""
    if name in crowds:
        parents = [found for one in crowds[name] if (found := library.parents(one))]
        common = Counter(parent for named in parents for parent in named).most_common(1)
        is_shared = bool(common) and 2 * common[0][1] >= len(crowds[name])
        return Relative(name, step, 0, (common[0][0],) if is_shared else None, (), len(crowds[name]))
    return Relative(name, step, library.rank(name), library.parents(name), ())


def _gathered(one: Relative, crowds: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return what is drawn as the parents of a member: more than `MOST_PARENTS` become one crowd."""
    parents = one.parents or ()
    if len(parents) <= MOST_PARENTS:
        return parents
    born = {born_in(parent) for parent in parents}
    of = f" of {born.pop()}" if len(born) == 1 and None not in born else ""
    name = f"{len(parents)}{of}"
    while crowds.setdefault(name, parents) != parents:
        name += "*"
    return (name,)


class _Library:
    """The records of a run by id; a file is read only when an id is looked up that it may contain."""

    def __init__(self, story: Story) -> None:
        self._layout = story.layout
        self._unread = sorted(story.layout.population_numbers(), reverse=True)
        self._records: dict[str, Record] = {}
        self._missing: set[str] = set()
        self._champions = content_of(story.layout.champions)

    def parents(self, identifier: str) -> tuple[str, ...] | None:
        """Return the parents of a member, None if no file names them."""
        record = self._find(identifier)
        return None if record is None else parse_member(record).parents

    def rank(self, identifier: str) -> int:
        """Return the rank of a member in the newest file that has it, 0 if none has."""
        record = self._find(identifier)
        return whole_number(record.fields.get("rank", ""), 10**8 - 1) or 0 if record else 0

    def _find(self, identifier: str) -> Record | None:
        born = born_in(identifier)
        while identifier not in self._records and self._unread:
            # files older than a member cannot contain it; a foreign id is looked up in the newest file only
            if (born is None and self._records) or (born is not None and self._unread[0] < born):
                break
            path = self._layout.population(self._unread.pop(0))
            # an evolution in progress may remove populations meanwhile
            for member in members_of(read_fasta(path)) if path.exists() else ():
                self._records.setdefault(member.id, member)
        if identifier not in self._records and identifier not in self._missing:
            self._records |= find_champions(self._champions, {identifier})
            self._missing.add(identifier)
        record = self._records.get(identifier)
        return record if record is not None and "parents" in record.fields else None


def draw_lineage(lineage: Lineage) -> str:
    """Draw the lineage from the champion on the left to the right, one column per step."""
    steps = [list(step) for _, step in groupby(lineage, key=lambda one: one.step)]
    shown = [step[:_MOST_A_COLUMN] for step in steps]
    # a column that is cut short ends in a row that says so
    rows = [min(len(step), _MOST_A_COLUMN + 1) for step in steps]
    height, width = _TOP + _ROW * max(*rows, 2) + 8, 140 + _COLUMN * (len(steps) - 1)
    places = {
        one.id: (70.0 + _COLUMN * at, _TOP + (height - _TOP - 8) * (row + 0.5) / rows[at])
        for at, step in enumerate(shown)
        for row, one in enumerate(step)
    }
    drawn = [one for step in shown for one in step]
    body = [*_draw_headings(steps), *_draw_lines(drawn, places)]
    body += [_draw_member(one, *places[one.id]) for one in drawn]
    for at, (step, whole) in enumerate(zip(shown, steps, strict=True)):
        if len(step) < len(whole):
            words = f"and {len(whole) - len(step)} more"
            y = height - 8 - (height - _TOP - 8) / (2 * rows[at])
            body.append(text(words, 70 + _COLUMN * at, y, 12, fill="currentColor"))
    said = {"title": "Ancestors of the champion", "description": say(lineage)}
    return document(width, height, body, **said, size=width)


def _draw_headings(steps: list[list[Relative]]) -> Iterator[str]:
    for at, step in enumerate(steps):
        # a crowd's name ends in its generation
        named = (found for one in step for found in (born_in(one.id), _number_in(one.id)))
        if numbers := [number for number in named if number is not None]:
            low, high = min(numbers), max(numbers)
            span = f"generation {low}" if low == high else f"generations {low} to {high}"
            yield text(span, 70 + _COLUMN * at, 16, 13, fill="currentColor")


def _number_in(crowd: str) -> int | None:
    _, of, generation = crowd.rpartition(" of ")
    return int(generation.rstrip("*")) if of else None


def _draw_lines(drawn: list[Relative], places: dict[str, tuple[float, float]]) -> Iterator[str]:
    for one in drawn:
        x1, y1 = places[one.id]
        for x0, y0 in (places[child] for child in one.of if child in places):
            way = curve((x0 + 42, y0), (x1 - 42, y1))
            yield element("path", d=way, fill="none", stroke="currentColor", stroke_opacity=0.35)


def _draw_member(one: Relative, x: float, y: float) -> str:
    fill = "#FFF1A8" if one.step == 0 else "#D3EDE1" if one.size > 1 else "#DCEBF5"
    said, look = one.id, {"fill": fill, "stroke": "#6B6B6B"}
    if one.rank:
        said += f", rank {one.rank}"
    if one.parents is None:
        said += ", parents not kept"
        look |= {"fill": "#FFFFFF", "stroke_dasharray": "3 2"}
    parts = [
        tooltip(said),
        element("rect", x=x - 42, y=y - 8, width=84, height=16, rx=8, **look),
        text(one.id if len(one.id) <= 12 else f"{one.id[:11]}…", x, y, 11, fill="#222222"),
    ]
    return element("g", parts)


def say(lineage: Lineage) -> str:
    """Describe in words which member descends from which."""
    words = (f"{one.id} from {few(one.parents, 3)}." for one in lineage if one.parents)
    return " ".join(islice(words, 4)) or "No file of the run names its parents."


def few(names: tuple[str, ...], most: int) -> str:
    """Write the first names, and the number of the others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
