"""The basis of all compiled code: the gateway to numba, its cache, bit operations and random numbers.

Start with `jit.jit`: it compiles a function on its first call and keeps the machine code between processes.
Rules, search, evaluation and playouts are plain functions of integers compiled by it, so that the CPU, vector
lanes and CUDA kernels run the same source.

    jit         `jit`, `jit_inlined`, `jit_allocating`; `overload`, by which games register; type aliases
    bits        shifts, counts and rotations of a fixed width: plain `<<` and `~` widen their result in numba
    words       four 64-bit words at once, with the operators of one
    vectors     the hidden layers of a dense network, on whole vectors
    lanes       the instructions for some lanes of such a layer
    pointers    records passed by address: one word, whatever they hold
    parts       the two compiled forms of a function: for compiled callers, and for Python
    cache       the directory of machine code, named by a digest of the sources it is built from
    sealing     the cache files, checked before they are loaded
    outside     the cache of code built from sources outside the package, such as a user's game
    randomness  random numbers inside compiled code, one stream per key
    streams     random streams for Python code, by (seed, generation, name, index)
    batches     where work runs: in batches by workers, retried when one is lost; devices by name
    cuda        numba.cuda if it is installed and usable, else one clear error line

Four rules hold in all layers above:

- A record passed to compiled code is a NamedTuple of integers or arrays; functions dispatch on its type.
- Integers keep their width: every sub-expression is cast, since numba widens results.
- Nothing allocates in a loop: Python allocates the buffers and lends them, so no code counts references
  (docs/decisions/0003).
- A game's record is registered once, by `games.contract.register`: rules write no overloads of their own.

Nothing here knows a game or a network. With compilation switched off (NUMBA_DISABLE_JIT=1) the same functions
run as plain Python, which is slow but good for debugging.

Bit operations work both inside and outside compiled code:

    >>> import numpy as np
    >>> from neche.compiled.bits import lowest_bit64, popcount
    >>> int(popcount(np.uint32(0b1101) & np.uint32(0b0111))), int(lowest_bit64(np.uint64(0b1100)))
    (2, 4)

The draws of a random stream depend on its key alone:

    >>> from neche.compiled.streams import stream
    >>> stream(1, 0, "an example").random() == stream(1, 0, "an example").random()
    True
"""
