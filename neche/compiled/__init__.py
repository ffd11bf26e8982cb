"""What every compiled function stands on: the one door to numba, its cache, bits and random numbers.

The way in: `jit.jit` compiles a function on its first call and keeps the machine code between processes.
Rules, search, evaluation and playouts are plain functions of integers under it, so that the CPU, vector lanes
and CUDA kernels run the same source.

    jit         `jit`, `jit_inlined`, `jit_allocating`; `overload`, by which games register; type aliases
    bits        shifts, counts and rotations of a fixed width: plain `<<` and `~` widen their result in numba
    words       four words of 64 bits at once, with the operators of one
    vectors     the hidden layers of a dense network, on whole vectors
    lanes       the instructions for some lanes of such a layer
    pointers    records passed by where they lie: one word, whatever they hold
    parts       what is compiled of a function for its compiled callers, and what for Python
    cache       the directory of machine code, named by a digest of the sources it is built from
    sealing     its files, checked before they are loaded
    outside     the same for code that sources outside the package are part of, such as a user's game
    randomness  random numbers inside compiled code, one stream to a key
    streams     random streams for Python code, by (seed, generation, name, index)
    batches     where work is done: in batches by workers, retried when one is lost; devices by name
    cuda        numba.cuda if it is there and usable, one clear line if not

Four rules hold everywhere above:

- A record handed to compiled code is a NamedTuple of integers or arrays; functions dispatch on its type.
- Integers keep their width: every sub-expression is cast, since numba widens what it can.
- Nothing allocates in a loop: buffers are made in Python and lent, so no code counts references
  (docs/decisions/0003).
- A game's record is registered once, by `games.contract.register`; only `bits` writes overloads beside it.

Nothing here knows a game or a network: it is the ground that all of it stands on. With compilation switched
off (NUMBA_DISABLE_JIT=1) the same functions run as plain Python, which is slow and good for debugging.

Functions of bits work inside and outside of compiled code:

    >>> import numpy as np
    >>> from neche.compiled.bits import lowest_bit64, popcount
    >>> int(popcount(np.uint32(0b1101) & np.uint32(0b0111))), int(lowest_bit64(np.uint64(0b1100)))
    (2, 4)

A random stream, the same on every machine; its draws depend on the key alone:

    >>> from neche.compiled.streams import stream
    >>> first, again = (stream(1, 0, "an example").integers(100, size=3).tolist() for _ in range(2))
    >>> first == again != stream(1, 0, "another").integers(100, size=3).tolist()
    True
"""
