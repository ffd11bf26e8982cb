"""DamExchange (DXP), for games between two programs of international draughts over a socket.

Source: the description of the protocol at mesander.nl/damexchange.
"""
