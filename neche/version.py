"""The version of neche, for what is written into files and told to other programs."""

__version__ = "0.2.0"
