"""Evolution: from random DNA to a champion, generation after generation.

The way in: `evolve.evolve` yields generations; one turn of its loop is offspring → play → rank → measure →
yield, and each step is a file:

    settings, recipes      the parameters of a run
    notices                which settings have no effect, and other remarks before a run
    population             `Member`, `Generation`, generation 0
    reproduction           selection of parents, crossover, mutation: the next members
    evolution_strategy     the late phase: variations of one genome, and the modules it grows into
    curriculum             search depth and mutation rates over the run
    schedule               games with their openings, rules and random streams
    ranking                who plays whom (quickselect, rounds, Swiss, quicksort), and the resulting order
    champion               promotion test of a population; play-off, benchmarks, hall of fame
    diagnostics, health    figures of a generation; warnings in words
    plugins                user functions that replace a step; an ordinary run calls none
    events                 progress, for displays that listen while it runs

It knows nothing of run directories (`archive`) or front ends: they iterate over it and listen to its events.
A generation is determined by the settings, the seed and the generation before it alone.

>>> from neche.evolution.recipes import load_recipe, override
>>> override(load_recipe("tournament"), "elites=3").selection.elites
3
"""
