"""The NBoard protocol, version 2, for Othello.

Source: Protocol.htm of ntest, C. Welty.
"""
