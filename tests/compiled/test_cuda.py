"""Messages where CUDA cannot be used."""

from types import SimpleNamespace

import numpy as np
import pytest

from neche.compiled import cuda
from neche.errors import InputError


@pytest.fixture
def fake(monkeypatch):
    """Return a working CUDA that a test may break; the extra is installed."""
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    monkeypatch.setattr(cuda, "find_spec", lambda name: object())
    monkeypatch.setattr(np, "__version__", "2.4.6")
    versions = SimpleNamespace(get_version=lambda: (13, 2))
    working = SimpleNamespace(
        is_available=lambda: True,
        cuda_error=lambda: None,
        get_current_device=lambda: "a device",
        runtime=versions,
        cudadrv=SimpleNamespace(driver=versions),
    )
    monkeypatch.setattr(cuda, "cuda", working)
    return working


def complaint():
    with pytest.raises(InputError) as caught:
        cuda.require_device()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_working_device_is_no_complaint(fake):
    cuda.require_device()


def test_a_missing_extra_is_named_with_the_command_that_installs_it(fake, monkeypatch):
    monkeypatch.setattr(cuda, "find_spec", lambda name: None)
    assert complaint() == "CUDA needs packages that are not installed: pip install 'neche[cuda]'"


def test_a_numba_without_cuda_misses_the_extra_too(fake, monkeypatch):
    monkeypatch.setattr(cuda, "cuda", None)
    assert "not installed" in complaint()
    assert cuda.kernel(complaint) is complaint


@pytest.mark.parametrize("version", ["2.5.0", "2.10.1", "3.0.0.dev0"])
def test_a_numpy_that_breaks_every_kernel_is_named_before_one_is_compiled(fake, monkeypatch, version):
    monkeypatch.setattr(np, "__version__", version)
    assert complaint() == f"CUDA needs NumPy older than 2.5, found {version}: pip install 'neche[cuda]'"


def test_an_absent_driver_is_reported_with_its_reason_on_one_line(fake):
    fake.is_available = lambda: False
    fake.cuda_error = lambda: "CUDA driver library cannot be found.\nInstall it."
    assert complaint() == "no CUDA device found: CUDA driver library cannot be found. Install it."


def test_a_driver_without_its_libraries_points_to_the_extra(fake):
    fake.is_available = lambda: False
    assert complaint().endswith("pip install 'neche[cuda]'")


def test_a_device_that_fails_is_reported_too(fake):
    def fail():
        raise RuntimeError("CUDA_ERROR_NO_DEVICE")

    fake.get_current_device = fail
    assert complaint() == "the CUDA device cannot be used: CUDA_ERROR_NO_DEVICE"


@pytest.mark.parametrize(("version", "works"), [((12, 8), False), ((13, 0), True), ((14, 1), True)])
def test_a_driver_that_is_too_old_for_the_packages_is_named_before_a_kernel_is_loaded(fake, version, works):
    fake.cudadrv = SimpleNamespace(driver=SimpleNamespace(get_version=lambda: version))
    if works:
        cuda.require_device()
        return
    expected = "the CUDA device cannot be used: its driver is for CUDA 12, the packages are for CUDA 13"
    assert complaint() == expected


def test_the_simulator_needs_neither_extra_nor_device(fake, monkeypatch):
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    monkeypatch.setattr(cuda, "find_spec", lambda name: None)
    cuda.require_device()
    assert cuda.device().threads > 1


def test_a_device_is_described_by_what_its_driver_says(fake):
    fake.get_current_device = lambda: SimpleNamespace(
        name=b"NVIDIA H200",
        compute_capability=(9, 0),
        MULTIPROCESSOR_COUNT=132,
        MAX_THREADS_PER_MULTIPROCESSOR=2048,
    )
    assert cuda.device() == ("NVIDIA H200", (9, 0), 132, 270_336)
