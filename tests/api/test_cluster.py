"""Clusters: the same bytes with every kind of worker, also when one is killed; faults in one line."""

import hashlib
import json
import os
import signal

import joblib
import pytest

from neche.api import cluster
from neche.api.evolution import Evolution
from neche.archive.run import RunDirectory
from neche.arena import playing
from neche.cli.main import main
from neche.errors import InputError
from neche.evolution.settings import resolve
from tests.api.clusters import CLUSTERS, OPTION, cut_small, deadly, sharing, words_for
from tests.evolution.builders import STRANDS, screened_settings, tiny_settings

# Dask and Ray emit warnings of their own.
clusters_only = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]
SETTINGS = {
    "tournament": tiny_settings("move_up_score=0.0"),
    "prediction": resolve(screened_settings(*STRANDS)),
}


@pytest.fixture(scope="module", params=["threading", "loky", *CLUSTERS])
def workers_of(request):
    """A backend and the address of its cluster, if it is one."""
    if request.param not in CLUSTERS:
        yield request.param, ""
        return
    with CLUSTERS[request.param]() as address:
        yield request.param, address


def contents(folder):
    """Digest every file of a run except its lock."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def evolve(folder, kind):
    """Evolve three generations and the champion into a directory; return its digests."""
    run = RunDirectory.create(folder, SETTINGS[kind], 3)
    for _ in Evolution(SETTINGS[kind], 3, run, 2):
        pass
    return contents(folder)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The digests of whole runs made by one thread."""
    with joblib.parallel_config(backend="sequential"):
        return {kind: evolve(tmp_path_factory.mktemp("alone") / kind, kind) for kind in SETTINGS}


class TestFaults:
    """Runs before this process is part of a Ray cluster."""

    pytestmark = clusters_only

    @pytest.mark.parametrize("backend", CLUSTERS)
    @pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere.invalid:8786", "no address"])
    def test_an_address_where_nobody_answers_is_one_line(
        self, backend, address, monkeypatch, capsys, tmp_path
    ):
        pytest.importorskip({"dask": "distributed", "ray": "ray"}[backend])
        monkeypatch.setattr(cluster, "_ANSWER_SECONDS", 1)
        run = tmp_path / "run"
        assert main(["evolve", "--run", str(run), "--backend", backend, OPTION[backend], address]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert [address in line for line in captured.err.splitlines() if "error" in line] == [True]
        assert not run.exists()

    def test_a_cluster_without_workers_is_one_line(self, monkeypatch):
        distributed = pytest.importorskip("distributed")
        monkeypatch.setattr(cluster, "_WORKER_SECONDS", 1)
        with (
            distributed.LocalCluster(n_workers=0, dashboard_address=None) as empty,
            pytest.raises(InputError, match="no worker within 1 s"),
            sharing("dask", empty.scheduler_address),
        ):
            pass


class TestClusters:
    pytestmark = clusters_only

    @pytest.mark.parametrize("kind", SETTINGS)
    def test_a_whole_run_is_the_same_bytes(self, workers_of, alone, kind, tmp_path, monkeypatch):
        sent = cut_small(monkeypatch)
        with sharing(*workers_of):
            assert evolve(tmp_path / "run", kind) == alone[kind]
        assert bool(sent) == (workers_of[0] != "threading")

    @pytest.mark.parametrize("workers_of", ["loky", *CLUSTERS], indirect=True)
    def test_a_killed_worker_costs_its_batch_and_no_byte(self, workers_of, alone, tmp_path, monkeypatch):
        cut_small(monkeypatch)
        flag = tmp_path / "killed"
        monkeypatch.setattr(playing, "play_batch", deadly(flag, os.getpid()))
        with sharing(*workers_of):
            assert evolve(tmp_path / "run", "tournament") == alone["tournament"]
        assert flag.exists()

    @pytest.mark.parametrize(
        "words",
        [
            ("match", "material:depth=2", "blind:depth=2", "--games", "40"),
            ("match", "material:depth=2", "mcrd:playouts=20", "--games", "4"),
            ("round-robin", "random", "blind:depth=1", "material:depth=1", "--games", "12"),
            ("ladder", "material:depth=2", "--rungs", "random", "blind:depth=2", "--games", "12"),
            ("dataset", "DIR", "--games", "40", "--shard-games", "10"),
            ("playouts", "--count", "3000"),
        ],
        ids=lambda words: " ".join(words[:3]),
    )
    def test_every_command_prints_the_same(self, workers_of, words, tmp_path, monkeypatch, capsys):
        cut_small(monkeypatch)

        def found(name, *options):
            places = [str(tmp_path / name) if word == "DIR" else word for word in words]
            assert main([*places, "--json", *options]) == 0
            values = json.loads(capsys.readouterr().out)
            return {
                key: value
                for key, value in values.items()
                if not ("second" in key or key in ("directory", "games_per_second"))
            }

        straight = found("straight", "--jobs", "1")
        assert found("shared", *words_for(*workers_of)) == straight
        if words[0] == "dataset":
            assert contents(tmp_path / "shared") == contents(tmp_path / "straight")

    def test_evolve_takes_the_options(self, workers_of, tmp_path, monkeypatch, capsys):
        small = [word for item in ("population=6", "elites=1", "ladder=[]") for word in ("--set", item)]
        begin = ["evolve", "--recipe", "tournament", "--generations", "1", "--json", *small, "--run"]
        assert main([*begin, str(tmp_path / "one"), "--jobs", "1"]) == 0
        sent = cut_small(monkeypatch)
        assert main([*begin, str(tmp_path / "two"), *words_for(*workers_of)]) == 0
        assert contents(tmp_path / "one") == contents(tmp_path / "two")
        assert bool(sent) == (workers_of[0] != "threading")

    @pytest.mark.parametrize("workers_of", CLUSTERS, indirect=True)
    def test_a_worker_with_another_neche_is_refused(self, workers_of, monkeypatch):
        monkeypatch.setattr(cluster, "__version__", "9.9")
        with pytest.raises(InputError, match=r"neche .*, here is 9\.9 "), sharing(*workers_of):
            pass

    @pytest.mark.parametrize("workers_of", CLUSTERS, indirect=True)
    def test_a_call_that_kills_every_worker_ends_in_one_line(self, workers_of):
        def die():
            os.kill(os.getpid(), signal.SIGKILL)

        calls = [joblib.delayed(abs)(-1), joblib.delayed(die)()]
        with pytest.raises(InputError, match=r"lost \(.*; finished work .* is kept"), sharing(*workers_of):
            joblib.Parallel(batch_size=1)(calls)

    @pytest.mark.parametrize("workers_of", ["ray"], indirect=True)
    def test_a_process_that_is_in_one_ray_does_not_go_to_another(self, workers_of):
        with (
            pytest.raises(InputError, match=r"is already connected to the Ray at"),
            sharing("ray", "127.0.0.1:1"),
        ):
            pass

    @pytest.mark.parametrize("workers_of", CLUSTERS, indirect=True)
    def test_what_the_work_itself_raises_is_no_fault_of_the_cluster(self, workers_of):
        for raised in (ValueError("of my own"), TimeoutError("of my own"), ImportError("of my own")):
            with pytest.raises(type(raised), match=r"^of my own$"), sharing(*workers_of):
                raise raised

    def test_a_scheduler_file_names_the_scheduler(self, tmp_path):
        with CLUSTERS["dask"]() as address:
            file = tmp_path / "scheduler.json"
            file.write_text(json.dumps({"type": "Scheduler", "id": "one", "address": address, "workers": {}}))
            with sharing("dask", str(file)):
                assert joblib.Parallel()([joblib.delayed(abs)(-4), joblib.delayed(abs)(3)]) == [4, 3]

    def test_joblibs_own_context_of_dask_does_as_well(self, alone, tmp_path, monkeypatch):
        sent = cut_small(monkeypatch)
        with CLUSTERS["dask"]() as address:
            import distributed

            with distributed.Client(address), joblib.parallel_config(backend="dask"):
                assert evolve(tmp_path / "run", "tournament") == alone["tournament"]
        assert sent


@pytest.mark.parametrize("backend", CLUSTERS)
def test_a_cluster_and_its_address_go_together(backend, capsys):
    match = ["match", "random", "random", "--games", "2"]
    complaint = f"neche: error: --backend {backend} and {OPTION[backend]} ADDRESS go together\n"
    for words in (["--backend", backend], [OPTION[backend], "there:1"]):
        assert main([*match, *words]) == 2
        assert capsys.readouterr().err == complaint


@pytest.mark.parametrize(("backend", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_an_extra_that_is_not_installed_is_named(backend, package, monkeypatch, capsys):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", missing)
    words = ["match", "random", "random", "--games", "2", "--backend", backend, OPTION[backend], "there:1"]
    assert main(words) == 2
    expected = f"neche: error: {backend} needs the package {package}: pip install 'neche[{backend}]'\n"
    assert capsys.readouterr().err == expected
