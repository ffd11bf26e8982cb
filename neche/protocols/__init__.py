"""neche as an engine in other programs: behind a graphical interface, or against another engine.

A protocol is a session that executes commands and writes answers; `cli` connects it to standard input and
output or to a socket. Every session runs a `ProtocolEngine` in an `EngineSearch`, so that it keeps listening
while the engine thinks.

| protocol | for | files, start with the first |
|---|---|---|
| Hub 2 | draughts on 8×8 and 10×10 squares | `hub_session`, `hub_commands`, `hub_options` |
| DXP | 10×10 draughts between two programs | `dxp_session`, `dxp_messages`, `dxp_connection` |
| NBoard 2 | Othello | `nboard` |

All of them use `engine.py` (a player and its background searches), `clock.py` (how long to think),
`draughts_notation.py` (positions and moves by square numbers) and `lines.py` (text of limited length from a
stream).

>>> from neche.games.catalogue import game
>>> from neche.protocols.hub_options import HubOptions
>>> from neche.protocols.hub_session import HubSession
>>> session = HubSession(HubOptions(), write=print)
>>> session.hear("ping"), session.hear("level depth=0")
pong
error message="level: depth='0': a whole number of at least 1 is needed"
(True, True)
"""
