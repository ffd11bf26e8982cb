"""Forgetting: what no move that was tried leads to from the root any more makes room."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.games.contract import move_words
from neche.montecarlo.uct.graph import NONE, NUM_DESCENTS, NUM_EDGES, NUM_NODES, find, index


@jit
def _mark_reachable(graph: Any, root: Any) -> None:
    """Set `path` of every node that tried moves lead to from the root to 1, else to 0. Uses up the table."""
    queue = graph.table
    for node in range(graph.sizes[NUM_NODES]):
        graph.nodes[node].path = 0
    graph.nodes[root].path = 1
    queue[0] = root
    done, waiting = 0, 1
    while done < waiting:
        here = graph.nodes[queue[done]]
        done += 1
        for edge in range(here.first_edge, here.first_edge + here.num_edges):
            child = graph.edges[edge].child
            if child != NONE and graph.nodes[child].path == 0:
                graph.nodes[child].path = 1
                queue[waiting] = child
                waiting += 1


@jit
def _link_to_new_places(graph: Any, count: Any) -> None:
    """Write the new places of marked nodes, counted from 1, into `path`, and link their edges to them."""
    kept = 0
    for node in range(count):
        if graph.nodes[node].path != 0:
            kept += 1
            graph.nodes[node].path = kept
    for node in range(count):
        here = graph.nodes[node]
        if here.path != 0:
            for edge in range(here.first_edge, here.first_edge + here.num_edges):
                child = graph.edges[edge].child
                if child != NONE:
                    graph.edges[edge].child = graph.nodes[child].path - 1


@jit
def _move_down(graph: Any, node: Any, target: Any, first_edge: Any, words: Any) -> None:
    """Copy a node and its edges to where there is room below."""
    here = graph.nodes[node]
    begin = np.int64(here.first_edge)
    for number in range(here.num_edges):
        graph.edges[first_edge + number] = graph.edges[begin + number]
        for word in range(words):
            graph.moves[(first_edge + number) * words + word] = graph.moves[(begin + number) * words + word]
    graph.nodes[target] = here
    graph.nodes[target].first_edge = first_edge
    graph.nodes[target].path = 0


@jit
def keep_reachable(graph: Any, position: Any) -> None:
    """Forget all positions but those that tried moves lead to from `position`; they keep their statistics.

    Nodes lie in the order of their edges and stay so, hence everything moves down in place.
    """
    root, count = find(graph, position), graph.sizes[NUM_NODES]
    kept, num_edges = np.int64(0), np.int64(0)
    if root != NONE:
        _mark_reachable(graph, root)
        _link_to_new_places(graph, count)
        for node in range(count):
            if graph.nodes[node].path != 0:
                _move_down(graph, np.int64(node), kept, num_edges, move_words(position))
                num_edges += graph.nodes[kept].num_edges
                kept += 1
    for slot in range(len(graph.table)):
        graph.table[slot] = NONE
    for node in range(kept):
        index(graph, node)
    graph.sizes[NUM_NODES], graph.sizes[NUM_EDGES], graph.sizes[NUM_DESCENTS] = kept, num_edges, 0
