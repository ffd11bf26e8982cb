"""Tests run without flushes to disk, which would take most of the time: they cannot cut the power."""

import os

import pytest


@pytest.fixture(autouse=True)
def disk_without_waiting(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
