"""Heredity: DNA, genes, crossover and mutation. It knows no game and no network.

The way in: `dna.read_genes` turns a genome into the synapses that it writes; `operators` makes new genomes
of old ones. A genome is either genes, each of which names the neurons that it joins, or strands, on which
every position stands for one synapse: then `strands.read_weights` is the way in.

    dna        letters ↔ digits ↔ genes: `Digits`, `GeneFormat`, `Genes`
    strands    digits ↔ all weights of a dense network: `StrandFormat`, `Layers`
    operators  crossover and mutation of whole populations; of strands: strand_operators
    fasta      the file format of genomes: `Record`, with a checksum of its own

>>> from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, encode, read_genes
>>> source, sink, raw = read_genes(encode("CGATGGTAGTCGGATC"))
>>> print(source, sink, (raw - WEIGHT_ZERO) / WEIGHT_SCALE)
[24] [58] [30.8877]
"""
