"""Prediction: networks learn to predict the values of a deeper search and the results of self-play.

This fitness has no noise: a game gives one bit about two members, a sample an error of each. Samples are
positions from self-play by the population's champions; no other knowledge enters.

    self-play ─ make_samples ─→ Samples ─ coevolve ─→ neurons ─ write_neurons ─→ DNA
                                        └ descend (memetic)

The way in: `samples.make_samples`, then `coevolution.coevolve`.

    recording     self-play in compiled code that records positions, each with the value of a deeper search
    samples       positions with targets; the squash from values to expected results
    neurons       networks as arrays of neurons, from DNA and back; how sensors reach their inputs
    coevolution   cooperative, each neuron a species: mirrored mutations, recombined by their errors;
                  `coevolution_gpu` on a CUDA device
    gradient      the same by gradient descent, for memetic evolution
    judging       the forward pass on samples, and squared errors

`evolution.screening` uses it to let members learn, compare them and breed generations; `evolution.replay`
keeps the samples of a run.

>>> import numpy as np
>>> from neche.prediction.samples import squash
>>> squash(np.array([-2.0, 0.0, 1.0])).round(2).tolist()
[-0.89, 0.0, 0.71]
"""
