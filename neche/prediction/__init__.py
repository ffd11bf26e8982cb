"""Prediction: how well networks say what own games and a deeper search say, and how they come to say it.

A fitness without noise: where a game tells which of two members is better with one bit, a sample says of each
of them how wrong it is. Samples are positions of the population's own games, nothing is known beforehand.

    own games ─ make_samples ─→ Samples ─ coevolve ─→ neurons ─ write_neurons ─→ DNA
                                        └ descend (memetic)

The way in: `samples.make_samples`, then `coevolution.coevolve`.

    recording     games in compiled code that keep positions, each with the value of a deeper search
    samples       positions with targets; the squash from values to expected results
    neurons       networks as arrays of neurons, from DNA and back; how sensors reach their inputs
    coevolution   every neuron a species: mirrored mutations judged in company, recombined step by step;
                  `coevolution_gpu` on a CUDA device
    gradient      the same by gradient descent, for memetic evolution
    judging       the forward pass on samples, and squared errors

`evolution.screening` lets members learn, compares them and breeds generations with it; `evolution.replay`
keeps the samples of a run.

>>> import numpy as np
>>> from neche.prediction.samples import squash
>>> squash(np.array([-2.0, 0.0, 1.0])).round(2).tolist()
[-0.89, 0.0, 0.71]
"""
