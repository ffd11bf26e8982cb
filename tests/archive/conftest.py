"""Tests compare bytes and cannot cut the power: waiting for the disk would be most of their time."""

import os

import pytest


@pytest.fixture(autouse=True)
def disk_without_waiting(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
