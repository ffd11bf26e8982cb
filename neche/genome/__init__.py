"""Heredity: DNA, genes, crossover and mutation. It knows no game and no network.

A genome consists either of genes, each naming the two neurons that its synapse connects, or of strands, on
which every position stands for one synapse. Start with `dna.read_genes`, which reads the synapses of genes,
or `strands.read_weights`, which reads the weights of strands; `operators` makes new genomes from old ones.

    dna        letters ↔ digits ↔ genes: `Digits`, `GeneFormat`, `Genes`
    strands    digits ↔ all weights of a dense network: `StrandFormat`, `Layers`
    operators  crossover and mutation of whole populations; for strands: strand_operators
    fasta      the file format of genomes: `Record`, with a checksum of its own

>>> from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, encode, read_genes
>>> source, sink, raw = read_genes(encode("CGATGGTAGTCGGATC"))
>>> print(source, sink, (raw - WEIGHT_ZERO) / WEIGHT_SCALE)
[24] [58] [30.8877]
"""
