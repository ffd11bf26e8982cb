"""The Hub protocol, version 2, for draughts.

Source: protocol.txt of Scan 3.0, F. Letouzey, 2017.
"""
