"""The gateway to CUDA: kernels, the device, and one clear error line if there is none.

With NUMBA_ENABLE_CUDASIM=1 in the environment, kernels run in numba's simulator: slowly, without a device.
"""

import os
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from neche.compiled.cache import cache_directory
from neche.compiled.sealing import seal
from neche.errors import InputError

try:
    from numba import cuda as cuda
except ImportError:
    cuda = None

_EXTRA = "pip install 'neche[cuda]'"
# numba-cuda compiles nothing from this version on: https://github.com/NVIDIA/numba-cuda/issues/907
_NUMPY_TOO_NEW = (2, 5)
# How the mangled name of a function of this package begins.
_OWN = "_ZN5neche"
# Threads of the simulated device: enough for several blocks.
_SIMULATED_THREADS = 64


class Device(NamedTuple):
    """A CUDA device. threads: the most resident at once. compute_capability: such as (9, 0)."""

    name: str
    compute_capability: tuple[int, int]
    multiprocessors: int
    threads: int


def is_simulated() -> bool:
    """Return whether kernels run in the simulator."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def has_extra() -> bool:
    """Return whether numba-cuda is installed and replaces numba's own kernel compiler.

    The latter fails with recent drivers. numba-cuda replaces it by a hook in site-packages, which Python does
    not run in folders of PYTHONPATH; only the module that is looked for here tells the two apart.
    """
    return cuda is not None and find_spec("numba.cuda.core") is not None


def is_numpy_too_new() -> bool:
    """Return whether this version of NumPy prevents kernels from being compiled."""
    return tuple(int(part) for part in np.__version__.split(".")[:2]) >= _NUMPY_TOO_NEW


def require_device() -> None:
    """Raise InputError unless kernels can run: with the extra, NumPy and driver that fit it, and a device."""
    if is_simulated() and cuda is not None:
        return
    if not has_extra():
        raise InputError(f"CUDA needs packages that are not installed: {_EXTRA}")
    if is_numpy_too_new():
        raise InputError(f"CUDA needs NumPy older than 2.5, found {np.__version__}: {_EXTRA}")
    if not cuda.is_available():
        reason = cuda.cuda_error() or f"the driver is installed, but a library of the extra is not: {_EXTRA}"
        raise InputError(f"no CUDA device found: {reason}")
    try:
        # an older driver loads no kernel, and opening the device gives a warning
        known, needed = cuda.cudadrv.driver.get_version(), cuda.runtime.get_version()
        if known[0] < needed[0]:
            raise RuntimeError(f"its driver is for CUDA {known[0]}, the packages are for CUDA {needed[0]}")
        cuda.get_current_device()
    except Exception as error:  # the class depends on what is wrong with driver or device
        raise InputError(f"the CUDA device cannot be used: {error}") from error


def device() -> Device:
    """Describe the current device."""
    if is_simulated():
        return Device("simulator", (0, 0), 1, _SIMULATED_THREADS)
    current = cuda.get_current_device()
    name = current.name.decode() if isinstance(current.name, bytes) else str(current.name)
    processors = int(current.MULTIPROCESSOR_COUNT)
    threads = processors * int(current.MAX_THREADS_PER_MULTIPROCESSOR)
    return Device(name, tuple(current.compute_capability), processors, threads)


def kernel(function: Callable[..., None]) -> Any:
    """Compile a kernel at its first launch, and keep it like other compiled functions.

    Without link-time optimisation, so that what runs is what `ptxas` makes of the PTX, as in the tests.
    """
    if cuda is None:
        return function
    if is_simulated() or not has_extra():
        return cuda.jit(function)
    _round_every_product()
    config: Any = import_module("numba.cuda.core.config")
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(cache_directory())
    try:
        compiled = cuda.jit(function, cache=True, lto=False)
        seal(compiled._cache)
        return compiled
    finally:
        config.CACHE_DIR = previous


@cache
def _round_every_product() -> None:
    """Make kernels of this package, and no others, round a · b before they add c, as the CPU does.

    numba-cuda passes this option on to NVIDIA's compiler, but `cuda.jit` does not accept it.
    """
    compiler: Any = import_module("numba.cuda.cudadrv.nvvm")
    compile_ir = compiler.compile_ir

    def compile_rounding(modules: Any, **options: Any) -> Any:
        if _OWN in "".join(modules):
            options["fma"] = False
        return compile_ir(modules, **options)

    compiler.compile_ir = compile_rounding


def launch(function: Any, blocks: int, threads: int, *arguments: Any) -> None:
    """Queue a kernel in blocks of threads behind earlier ones; only copies to the host wait for it."""
    with warnings.catch_warnings():
        # few games need few blocks: a user can do nothing about it
        warnings.filterwarnings("ignore", message="Grid size")
        configured = function[blocks, threads]
    configured(*arguments)


def on_device(given: Any) -> Any:
    """Return a record with its arrays, and those of records in it, copied to the device.

    In the simulator that is the record itself: functions of `jit` are compiled for the CPU there and accept
    only NumPy arrays, which kernels pass on unchanged if they are inside a record.
    """
    if is_simulated():
        return given
    if isinstance(given, np.ndarray):
        return cuda.to_device(given)
    return type(given)(*map(on_device, given)) if hasattr(given, "_fields") else given


def copied_back(there: Any, here: Any) -> None:
    """Copy the arrays that `on_device` copied to the device back to the originals."""
    if is_simulated():
        return
    if isinstance(here, np.ndarray):
        there.copy_to_host(here)
    else:
        for one, other in zip(there, here, strict=True):
            copied_back(one, other)
