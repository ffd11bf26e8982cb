"""The public names: all there, imported only when used."""

import subprocess
import sys

import pytest

import neche


@pytest.mark.parametrize("name", neche.__all__)
def test_every_public_name_is_there_and_documented(name):
    assert getattr(neche, name).__doc__
    assert name in dir(neche)


def test_importing_the_package_imports_nothing_heavy():
    program = (
        "import sys, neche; print([name for name in ('numba', 'numpy', 'networkx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'borad'"):
        neche.borad  # noqa: B018
