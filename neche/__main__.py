"""`python -m neche`: the same as the console script `neche`."""

import sys

from neche.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
