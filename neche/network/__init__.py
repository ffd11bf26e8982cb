"""Decoding of genomes into networks, sparse (genes) or dense (strands), and evaluation of networks.

A genome is decoded into a `Network`, the synapses that it wires. A search evaluates another form: networks
are folded and packed into flat integer arrays, so that values are exact and can be updated move by move.

    genome ─ decode ─→ Network ─ pack_networks ─→ PackedNetworks ─ refresh, update, evaluate ─→ value

Start with `decode.decode`, then `packing.pack_networks` and `forward.evaluate`.

    topology       the neurons (sensors, bias, two hidden layers, output) and the synapses that are allowed
    decode         genome → Network; which genomes are viable, which genes are wired; hand-made networks
    packing        Networks → PackedNetworks, the arrays that compiled code reads
    folding        packing of a sparse network: neurons that see one square become a table
    dense          packing of dense networks: a table of pairs, and rows of 16-bit weights
    groups         the rows of weights for the patterns of men on four squares
    forward        the accumulator, refreshed or updated by a move, and the value
    sensors        which boards a network sees; the activations of its neurons on a position, for display
    interchange    a network as a networkx graph, as JSON, as ONNX
    drawing        a network as DOT, SVG or PNG
    convolution    small convolutional networks, trained elsewhere: file, forward pass
    array_file     arrays as the bytes of one .npz file, checked to the bit

The gene in the documentation of the original, 0 → 63 with weight +1, is a network that sees only A1:

    >>> from neche.genome.dna import encode
    >>> from neche.network.decode import decode
    >>> network = decode(encode("AAATTTGAAGCTACAA"))
    >>> network.source.tolist(), network.sink.tolist(), network.weight.tolist()
    ([0], [63], [10000])
    >>> network.topology.words
    '32-7-16-8-1'

Packed, it evaluates positions. At the start White has a man on A1:

    >>> import numpy as np
    >>> from neche.games.catalogue import game
    >>> from neche.network.forward import evaluate, refresh
    >>> from neche.network.packing import pack_networks, unit
    >>> packed, start, white = pack_networks([network]), game("checkers").start(), np.int64(0)
    >>> accumulator = refresh(packed, np.int64(0), white, start)
    >>> float(evaluate(packed, np.int64(0), white, start, accumulator) / unit(packed, 0))
    1.0
"""
