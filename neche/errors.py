"""The one exception that means "the input is at fault", raised everywhere below the command line."""


class InputError(ValueError):
    """Bad input. The message is a single line that names the fault; the command line prints it and exits 2."""
